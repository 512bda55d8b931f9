package dev.rocport.device.nativecode;

import dev.rocport.device.memory.AddressSpace;
import dev.rocport.device.memory.Allocation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The allocations of an address space as native code reads them: base, end of the last word, and
 * whether all of it is writable, in order of the base.
 *
 * @param view what the space had when they were copied
 */
record Allocations(AddressSpace space, Object view, MemorySegment table, int count) {
  private static final int ENTRY = 24;

  /**
   * The function that looks an access up: {@code i1 find(context, least address, end, stores,
   * window)}. It sets the window to the bounds of the allocation.
   */
  static final String FIND =
      """
      define internal i1 @find(ptr %c, i64 %min, i64 %end, i1 %stores, ptr %w) noinline nounwind {
      entry:
        %table.at = getelementptr i8, ptr %c, i64 32
        %table = load ptr, ptr %table.at
        %count.at = getelementptr i8, ptr %c, i64 40
        %count = load i64, ptr %count.at
        br label %loop
      loop:
        %low = phi i64 [ 0, %entry ], [ %low.next, %step ]
        %high = phi i64 [ %count, %entry ], [ %high.next, %step ]
        %more = icmp ult i64 %low, %high
        br i1 %more, label %step, label %found
      step:
        %sum = add i64 %low, %high
        %middle = lshr i64 %sum, 1
        %at = mul i64 %middle, 24
        %entry.at = getelementptr i8, ptr %table, i64 %at
        %base.here = load i64, ptr %entry.at
        %below = icmp sle i64 %base.here, %min
        %after = add i64 %middle, 1
        %low.next = select i1 %below, i64 %after, i64 %low
        %high.next = select i1 %below, i64 %high, i64 %middle
        br label %loop
      found:
        %none = icmp eq i64 %low, 0
        br i1 %none, label %no, label %check
      check:
        %index = sub i64 %low, 1
        %offset = mul i64 %index, 24
        %found.at = getelementptr i8, ptr %table, i64 %offset
        %base = load i64, ptr %found.at
        %last.at = getelementptr i8, ptr %found.at, i64 8
        %last = load i64, ptr %last.at
        %writable.at = getelementptr i8, ptr %found.at, i64 16
        %writable = load i64, ptr %writable.at
        %inside = icmp sle i64 %end, %last
        %can = icmp ne i64 %writable, 0
        %loads = xor i1 %stores, true
        %may = or i1 %can, %loads
        %ok = and i1 %inside, %may
        br i1 %ok, label %yes, label %no
      yes:
        store i64 %base, ptr %w
        %w.end = getelementptr i8, ptr %w, i64 8
        store i64 %last, ptr %w.end
        ret i1 true
      no:
        ret i1 false
      }
      """;

  /**
   * Goes on if bytes of global memory may be accessed.
   *
   * @param least their first address, an i64
   * @param end the address after them, an i64
   * @param stop the label to go to otherwise
   */
  static void permit(WaveFunction f, String least, String end, boolean stores, String stop) {
    Ir ir = f.ir;
    String window = ir.value("getelementptr i8, ptr %%c, i64 %d", f.window(stores));
    String look = ir.label("look");
    String known = look + ".known";
    String from = ir.value("load i64, ptr %s", window);
    String at = ir.value("getelementptr i8, ptr %s, i64 8", window);
    String to = ir.value("load i64, ptr %s", at);
    String above = ir.value("icmp sle i64 %s, %s", from, least);
    String below = ir.value("icmp sle i64 %s, %s", end, to);
    String inside = ir.value("and i1 %s, %s", above, below);
    ir.line("br i1 %s, label %%%s, label %%%s", inside, known, look);
    ir.block(look);
    String found =
        ir.value(
            "call i1 @find(ptr %%c, i64 %s, i64 %s, i1 %s, ptr %s)", least, end, stores, window);
    ir.line("br i1 %s, label %%%s, label %%%s", found, known, stop);
    ir.block(known);
  }

  static Allocations of(AddressSpace space) {
    Object view = space.view();
    Allocation[] all = space.allocations();
    MemorySegment table = Arena.ofAuto().allocate((long) Math.max(1, all.length) * ENTRY, 8);
    int i = 0;
    for (Allocation a : all) {
      long at = (long) i++ * ENTRY;
      table.set(ValueLayout.JAVA_LONG, at, a.base());
      table.set(ValueLayout.JAVA_LONG, at + 8, a.isFreed() ? a.base() : a.lastWordEnd());
      table.set(ValueLayout.JAVA_LONG, at + 16, a.isWritable() ? 1 : 0);
    }
    return new Allocations(space, view, table, all.length);
  }

  /** Whether they are still those of a space. */
  boolean serve(AddressSpace other) {
    return space == other && view == other.view();
  }
}
