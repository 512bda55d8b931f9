package dev.rocport.device.nativecode;

import java.util.function.Consumer;

/** A loop over the active lanes, from 0 up: one for all lanes, and one for some. */
final class EachLane {
  /** Lanes of one turn of the loop over all lanes. */
  private static final int AT_ONCE = 4;

  private EachLane() {}

  /**
   * Adds both loops.
   *
   * @param body adds what is done for a lane, whose number it gets as an i64
   */
  static void emit(WaveFunction f, Consumer<String> body) {
    Ir ir = f.ir;
    String exec = f.exec();
    String all = ir.label("all");
    String some = ir.label("some");
    String done = ir.label("done");
    ir.line("br i1 %s, label %%%s, label %%%s", f.isFull(exec), all, some);
    allLanes(ir, f.size, all, done, body);
    someLanes(ir, some, done, exec, body);
    ir.block(done);
  }

  private static void allLanes(Ir ir, int lanes, String label, String done, Consumer<String> body) {
    String first = ir.name();
    String next = ir.name();
    ir.block(label);
    ir.line("br label %%%s.body", label);
    ir.block(label + ".body");
    ir.line("%s = phi i64 [ 0, %%%s ], [ %s, %%%s.latch ]", first, label, next, label);
    for (int i = 0; i < AT_ONCE; i++) {
      body.accept(ir.value("add i64 %s, %d", first, i));
    }
    ir.line("br label %%%s.latch", label);
    ir.block(label + ".latch");
    ir.line("%s = add i64 %s, %d", next, first, AT_ONCE);
    String end = ir.value("icmp eq i64 %s, %d", next, lanes);
    ir.line("br i1 %s, label %%%s, label %%%s.body", end, done, label);
  }

  private static void someLanes(
      Ir ir, String label, String done, String exec, Consumer<String> body) {
    String left = ir.name();
    String rest = ir.name();
    ir.block(label);
    ir.line("br label %%%s.head", label);
    ir.block(label + ".head");
    ir.line("%s = phi i64 [ %s, %%%s ], [ %s, %%%s.latch ]", left, exec, label, rest, label);
    String none = ir.value("icmp eq i64 %s, 0", left);
    ir.line("br i1 %s, label %%%s, label %%%s.body", none, done, label);
    ir.block(label + ".body");
    body.accept(ir.value("call i64 @llvm.cttz.i64(i64 %s, i1 true)", left));
    ir.line("br label %%%s.latch", label);
    ir.block(label + ".latch");
    ir.line("%s = and i64 %s, %s", rest, left, ir.value("sub i64 %s, 1", left));
    ir.line("br label %%%s.head", label);
  }
}
