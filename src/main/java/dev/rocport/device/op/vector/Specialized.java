package dev.rocport.device.op.vector;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * Makes a copy of a kernel's class for one opcode. The copy has a constant of its own, so that the
 * compiler sees which opcode it runs, inlines it into the loop over lanes, and profiles it apart
 * from all other copies. A loop that calls through a variable can have none of that.
 */
final class Specialized {
  private static final MethodHandles.Lookup HERE = MethodHandles.lookup();

  /** Bytes of a method that is not inlined, however hot: HotSpot's FreqInlineSize. */
  private static final int NEVER_INLINED = 325;

  private Specialized() {}

  /** A copy of the kernel class, whose {@link #constant} is {@code constant}. */
  static Kernel copy(Class<? extends Kernel> template, Object constant) {
    try (InputStream in = template.getResourceAsStream(template.getSimpleName() + ".class")) {
      if (in == null) {
        throw new IllegalStateException("no class file of " + template);
      }
      MethodHandles.Lookup made =
          HERE.defineHiddenClassWithClassData(apart(in.readAllBytes()), constant, true);
      return (Kernel)
          made.findConstructor(made.lookupClass(), MethodType.methodType(void.class))
              .asType(MethodType.methodType(Kernel.class))
              .invokeExact();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * The class with a method {@code run} that is too long to be inlined. Blocks have many kernels:
   * the compiler would inline some of them, come to its limits, and leave what is left slow.
   */
  private static byte[] apart(byte[] template) {
    ClassFile file = ClassFile.of();
    CodeTransform longer =
        CodeTransform.endHandler(
            code -> {
              code.aconst_null();
              for (int i = 0; i < NEVER_INLINED; i++) {
                code.nop();
              }
              code.athrow();
            });
    return file.transformClass(
        file.parse(template),
        ClassTransform.transformingMethodBodies(
            method -> method.methodName().equalsString("run"), longer));
  }

  /** The constant of a copied class, for its static initialiser; null in the class itself. */
  static <T> @Nullable T constant(MethodHandles.Lookup copy, Class<T> type) {
    try {
      return MethodHandles.classData(copy, ConstantDescs.DEFAULT_NAME, type);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
