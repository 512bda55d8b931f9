package dev.rocport.device.block;

import static java.lang.constant.ConstantDescs.CD_List;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.CLASS_INIT_NAME;
import static java.lang.constant.ConstantDescs.DEFAULT_NAME;
import static java.lang.constant.ConstantDescs.INIT_NAME;

import dev.rocport.device.block.BasicBlock.Called;
import dev.rocport.device.block.BasicBlock.Jump;
import dev.rocport.device.block.BasicBlock.Known;
import dev.rocport.device.block.BasicBlock.Part;
import dev.rocport.device.wave.Action;
import dev.rocport.device.wave.Block;
import dev.rocport.device.wave.Branch;
import dev.rocport.device.wave.Op;
import dev.rocport.device.wave.Wave;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the class of a block: a method for a wave with all lanes active, which may leave them out
 * of account, and one for any others. A block goes from the one to the other only at its start.
 *
 * <pre>
 * static void full(Wave wave, long end) {
 *   do {
 *     wave.pc = ...; C0.run(wave, -1); C1.run(wave, -1); ...
 *     wave.instructions += ...;
 *     if (C7.holds(wave)) { wave.pc = ...; return; }
 *     ...
 *   } while (C9.holds(wave) &amp;&amp; wave.instructions + length &lt;= end);
 * }
 * </pre>
 */
final class BlockWriter {
  private static final MethodHandles.Lookup HERE = MethodHandles.lookup();
  private static final ClassDesc SELF = desc(BlockWriter.class).nested("Written");
  private static final ClassDesc WAVE = desc(Wave.class);
  private static final ClassDesc BLOCK = desc(Block.class);
  private static final ClassDesc OP = desc(Op.class);
  private static final ClassDesc LOOKUP = desc(MethodHandles.Lookup.class);
  private static final MethodTypeDesc RUN = MethodTypeDesc.of(CD_void, WAVE, CD_long);
  private static final MethodTypeDesc EXEC = MethodTypeDesc.of(CD_long);

  /** Local variables of the methods. */
  private static final int WAVE_AT = 0;

  private static final int END_AT = 1;
  private static final int EXEC_AT = 3;

  private final BasicBlock basic;

  /** What the class has in static fields: {@code C0}, {@code C1} and so on. */
  private final List<Object> constants = new ArrayList<>();

  private final List<ClassDesc> types = new ArrayList<>();

  private BlockWriter(BasicBlock basic) {
    this.basic = basic;
  }

  /** The block of a basic block. */
  static Block write(BasicBlock basic) {
    return new BlockWriter(basic).block();
  }

  private Block block() {
    byte[] bytes = ClassFile.of().build(SELF, this::members);
    try {
      MethodHandles.Lookup made =
          HERE.defineHiddenClassWithClassData(bytes, List.copyOf(constants), true);
      return (Block)
          made.findConstructor(made.lookupClass(), MethodType.methodType(void.class, int.class))
              .asType(MethodType.methodType(Block.class, int.class))
              .invokeExact(basic.instructions());
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private void members(ClassBuilder builder) {
    builder.withFlags(ClassFile.ACC_FINAL).withSuperclass(BLOCK);
    MethodTypeDesc constructor = MethodTypeDesc.of(CD_void, CD_int);
    builder.withMethodBody(
        INIT_NAME,
        constructor,
        0,
        c -> c.aload(0).iload(1).invokespecial(BLOCK, INIT_NAME, constructor).return_());
    builder.withMethodBody("run", RUN, ClassFile.ACC_PUBLIC, BlockWriter::choose);
    int flags = ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC;
    builder.withMethodBody("full", RUN, flags, c -> new Body(c, true).write());
    builder.withMethodBody("any", RUN, flags, c -> new Body(c, false).write());
    for (int i = 0; i < constants.size(); i++) {
      builder.withField("C" + i, types.get(i), flags | ClassFile.ACC_FINAL);
    }
    builder.withMethodBody(
        CLASS_INIT_NAME, MethodTypeDesc.of(CD_void), ClassFile.ACC_STATIC, this::constants);
  }

  private static void choose(CodeBuilder c) {
    Label others = c.newLabel();
    c.aload(1).invokevirtual(WAVE, "exec", EXEC).loadConstant(-1L).lcmp().ifne(others);
    c.aload(1).lload(2).invokestatic(SELF, "full", RUN).return_();
    c.labelBinding(others);
    c.aload(1).lload(2).invokestatic(SELF, "any", RUN).return_();
  }

  private void constants(CodeBuilder c) {
    c.invokestatic(desc(MethodHandles.class), "lookup", MethodTypeDesc.of(LOOKUP));
    c.loadConstant(DEFAULT_NAME).loadConstant(CD_List);
    c.invokestatic(
        desc(MethodHandles.class),
        "classData",
        MethodTypeDesc.of(CD_Object, LOOKUP, desc(String.class), desc(Class.class)));
    c.checkcast(CD_List).astore(0);
    for (int i = 0; i < constants.size(); i++) {
      c.aload(0).loadConstant(i);
      c.invokeinterface(CD_List, "get", MethodTypeDesc.of(CD_Object, CD_int));
      c.checkcast(types.get(i)).putstatic(SELF, "C" + i, types.get(i));
    }
    c.return_();
  }

  private static ClassDesc desc(Class<?> type) {
    return type.describeConstable().orElseThrow();
  }

  /** One of the two methods. */
  private final class Body {
    private final CodeBuilder c;
    private final boolean full;

    /** Instructions that {@link Wave#instructions} does not count yet. */
    private int uncounted;

    Body(CodeBuilder c, boolean full) {
      this.c = c;
      this.full = full;
    }

    void write() {
      if (!full) {
        c.aload(WAVE_AT).invokevirtual(WAVE, "exec", EXEC).lstore(EXEC_AT);
      }
      Label top = c.newBoundLabel();
      for (Part part : basic.parts()) {
        uncounted++;
        switch (part) {
          case Known known -> known(known);
          case Called called -> called(called);
          case Jump jump -> jump(jump, top);
        }
      }
      count();
      c.return_();
    }

    private void known(Known known) {
      if (known.touchesMemory()) {
        count();
      }
      pc(known.next());
      for (Action action : known.actions()) {
        constant(action, desc(Action.class));
        c.aload(WAVE_AT);
        exec();
        c.invokeinterface(desc(Action.class), "run", RUN);
      }
      if (known.writesExec()) {
        c.aload(WAVE_AT).invokevirtual(WAVE, "exec", EXEC);
        if (full) {
          Label on = c.newLabel();
          c.loadConstant(-1L).lcmp().ifeq(on);
          leave();
          c.labelBinding(on);
        } else {
          c.lstore(EXEC_AT);
        }
      }
    }

    private void called(Called called) {
      count();
      pc(called.next());
      c.aload(WAVE_AT);
      constant(called.op(), OP);
      c.loadConstant(called.next());
      exec();
      c.invokestatic(BLOCK, "leaves", MethodTypeDesc.of(CD_boolean, WAVE, OP, CD_int, CD_long));
      Label on = c.newLabel();
      c.ifeq(on).return_().labelBinding(on);
    }

    private void jump(Jump jump, Label top) {
      count();
      // A check may tell where the wave is.
      pc(jump.next());
      Label on = c.newLabel();
      constant(jump.test(), desc(Branch.Test.class));
      c.aload(WAVE_AT);
      c.invokeinterface(desc(Branch.Test.class), "holds", MethodTypeDesc.of(CD_boolean, WAVE));
      c.ifeq(on);
      pc(jump.target());
      if (jump.target() == basic.start()) {
        c.aload(WAVE_AT).getfield(WAVE, "instructions", CD_long);
        c.loadConstant((long) basic.instructions()).ladd().lload(END_AT).lcmp().ifle(top);
      }
      c.return_().labelBinding(on);
    }

    private void exec() {
      if (full) {
        c.loadConstant(-1L);
      } else {
        c.lload(EXEC_AT);
      }
    }

    private void pc(int index) {
      c.aload(WAVE_AT).loadConstant(index).putfield(WAVE, "pc", CD_int);
    }

    private void count() {
      add(uncounted);
      uncounted = 0;
    }

    /** Ends the method here, in one of several ways out of it. */
    private void leave() {
      add(uncounted);
      c.return_();
    }

    private void add(int instructions) {
      if (instructions > 0) {
        c.aload(WAVE_AT).dup().getfield(WAVE, "instructions", CD_long);
        c.loadConstant((long) instructions).ladd().putfield(WAVE, "instructions", CD_long);
      }
    }

    private void constant(Object value, ClassDesc type) {
      int at = -1;
      for (int i = 0; i < constants.size(); i++) {
        at = constants.get(i) == value ? i : at;
      }
      if (at < 0) {
        at = constants.size();
        constants.add(value);
        types.add(type);
      }
      c.getstatic(SELF, "C" + at, type);
    }
  }
}
