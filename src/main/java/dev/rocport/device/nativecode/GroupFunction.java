package dev.rocport.device.nativecode;

import dev.rocport.device.wave.Block;
import dev.rocport.device.wave.Together;
import dev.rocport.device.wave.Wave;
import dev.rocport.device.wave.WaveState;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;

/**
 * The function that runs native functions of all waves of a workgroup in turns. Where all have come
 * to a barrier, and have signaled what others wait for, it lets them go on, which would take a
 * return and a call for each of them otherwise.
 *
 * <p>Its parameters are rows, their number, the budget of each call, the instructions after which
 * it returns at the next barrier, the register files of each wave, and these: two or three, as
 * waves without accumulation registers have two. A row, in bytes: 0 the wave's function, 8 its
 * {@link Context}, 16 the number of the entry, 24 the instructions that it has run.
 */
final class GroupFunction implements Together {
  static final String NAME = "rocport_group";

  static final GroupFunction INSTANCE = new GroupFunction();

  /** The most waves of a workgroup: 1024 threads in waves of 32 lanes. */
  private static final int MOST = 32;

  private static final int ROW = 32;

  /** Parameters before the register files. */
  private static final int PARAMETERS = 5;

  /** Register files of a wave with accumulation registers. */
  private static final int MOST_FILES = 3;

  /** The most instructions of a call: it keeps the collector of garbage waiting. */
  private static final long LIMIT = 1 << 15;

  static final String TEXT =
      """
      declare void @llvm.va_start.p0(ptr)
      declare void @llvm.va_end.p0(ptr)
      define void @%1$s(ptr %%rows, i64 %%n, i64 %%budget, i64 %%limit, i64 %%each, ...) nounwind {
      entry:
        %%list = alloca [24 x i8], align 16
        %%files = alloca [%2$d x ptr], align 16
        call void @llvm.va_start.p0(ptr %%list)
        %%count = mul i64 %%n, %%each
        br label %%take
      take:
        %%i = phi i64 [ 0, %%entry ], [ %%i.next, %%take ]
        %%file = va_arg ptr %%list, ptr
        %%file.at = getelementptr ptr, ptr %%files, i64 %%i
        store ptr %%file, ptr %%file.at
        %%i.next = add i64 %%i, 1
        %%more.files = icmp ult i64 %%i.next, %%count
        br i1 %%more.files, label %%take, label %%taken
      taken:
        call void @llvm.va_end.p0(ptr %%list)
        br label %%round
      round:
        %%sum.before = phi i64 [ 0, %%taken ], [ %%sum.after, %%rounded ]
        br label %%wave
      wave:
        %%w = phi i64 [ 0, %%round ], [ %%w.next, %%waved ]
        %%sum = phi i64 [ %%sum.before, %%round ], [ %%sum.after, %%waved ]
        %%stops = phi i1 [ false, %%round ], [ %%stops.after, %%waved ]
        %%waits = phi i1 [ false, %%round ], [ %%waits.after, %%waved ]
        %%signals = phi i32 [ 2147483647, %%round ], [ %%signals.after, %%waved ]
        %%awaited = phi i32 [ 0, %%round ], [ %%awaited.after, %%waved ]
        %%row = getelementptr [%3$d x i8], ptr %%rows, i64 %%w
        %%number.at = getelementptr i8, ptr %%row, i64 16
        %%number = load i32, ptr %%number.at
        %%lives = icmp sge i32 %%number, 0
        br i1 %%lives, label %%run, label %%waved
      run:
        %%function = load ptr, ptr %%row
        %%c.at = getelementptr i8, ptr %%row, i64 8
        %%c = load ptr, ptr %%c.at
        %%v.index = mul i64 %%w, %%each
        %%v.at = getelementptr ptr, ptr %%files, i64 %%v.index
        %%v = load ptr, ptr %%v.at
        %%a.index = sub i64 %%each, 2
        %%a.at = getelementptr ptr, ptr %%v.at, i64 %%a.index
        %%a = load ptr, ptr %%a.at
        %%s.index = sub i64 %%each, 1
        %%s.at = getelementptr ptr, ptr %%v.at, i64 %%s.index
        %%s = load ptr, ptr %%s.at
        %%state.at = getelementptr i8, ptr %%c, i64 %4$d
        store i32 %5$d, ptr %%state.at
        call void %%function(ptr %%v, ptr %%a, ptr %%s, ptr %%c, i32 %%number, i64 %%budget)
        %%ran = load i64, ptr %%c
        %%ran.at = getelementptr i8, ptr %%row, i64 24
        %%ran.before = load i64, ptr %%ran.at
        %%ran.after = add i64 %%ran.before, %%ran
        store i64 %%ran.after, ptr %%ran.at
        %%sum.now = add i64 %%sum, %%ran
        %%state = load i32, ptr %%state.at
        %%barrier = icmp eq i32 %%state, %6$d
        %%ended = icmp eq i32 %%state, %7$d
        %%next.at = getelementptr i8, ptr %%c, i64 %8$d
        %%next = load i32, ptr %%next.at
        %%next.number = select i1 %%ended, i32 -1, i32 %%next
        store i32 %%next.number, ptr %%number.at
        %%known = icmp sge i32 %%next, 0
        %%goes.on = and i1 %%barrier, %%known
        %%fine = or i1 %%goes.on, %%ended
        %%stops.here = xor i1 %%fine, true
        %%stops.now = or i1 %%stops, %%stops.here
        %%waits.now = or i1 %%waits, %%barrier
        %%signals.at = getelementptr i8, ptr %%c, i64 %9$d
        %%signals.here = load i32, ptr %%signals.at
        %%signals.live = select i1 %%ended, i32 2147483647, i32 %%signals.here
        %%signals.now = call i32 @llvm.smin.i32(i32 %%signals, i32 %%signals.live)
        %%awaited.at = getelementptr i8, ptr %%c, i64 %10$d
        %%awaited.here = load i32, ptr %%awaited.at
        %%awaited.live = select i1 %%ended, i32 0, i32 %%awaited.here
        %%awaited.now = call i32 @llvm.smax.i32(i32 %%awaited, i32 %%awaited.live)
        br label %%waved
      waved:
        %%sum.after = phi i64 [ %%sum, %%wave ], [ %%sum.now, %%run ]
        %%stops.after = phi i1 [ %%stops, %%wave ], [ %%stops.now, %%run ]
        %%waits.after = phi i1 [ %%waits, %%wave ], [ %%waits.now, %%run ]
        %%signals.after = phi i32 [ %%signals, %%wave ], [ %%signals.now, %%run ]
        %%awaited.after = phi i32 [ %%awaited, %%wave ], [ %%awaited.now, %%run ]
        %%w.next = add i64 %%w, 1
        %%more.waves = icmp ult i64 %%w.next, %%n
        br i1 %%more.waves, label %%wave, label %%rounded
      rounded:
        %%within = icmp ult i64 %%sum.after, %%limit
        %%all.fine = xor i1 %%stops.after, true
        %%may = and i1 %%within, %%all.fine
        %%signaled = icmp sle i32 %%awaited.after, %%signals.after
        %%released = and i1 %%waits.after, %%signaled
        %%again = and i1 %%may, %%released
        br i1 %%again, label %%round, label %%end
      end:
        ret void
      }
      """
          .formatted(
              NAME,
              MOST * MOST_FILES,
              ROW,
              Context.STATE,
              Context.number(WaveState.READY),
              Context.number(WaveState.BARRIER),
              Context.number(WaveState.ENDED),
              Context.NEXT,
              Context.SIGNALS,
              Context.WAITS);

  private static final MethodHandle[][] CALLS = new MethodHandle[MOST_FILES + 1][MOST + 1];

  /** What a thread calls it with. */
  private static final class Place {
    final MemorySegment rows = Arena.ofAuto().allocate((long) MOST * ROW, 8);
    final Context[] contexts = new Context[MOST];
    final MemorySegment[][] files = new MemorySegment[MOST * MOST_FILES + 1][];

    Place() {
      Arrays.setAll(contexts, _ -> new Context());
      Arrays.setAll(files, MemorySegment[]::new);
    }
  }

  private static final ThreadLocal<Place> OWN = ThreadLocal.withInitial(Place::new);

  private GroupFunction() {}

  /** A call for so many waves. A method has 255 parameters at most, where an array counts three. */
  @SuppressWarnings("restricted")
  static MethodHandle call(int waves, int files) {
    MethodHandle call = CALLS[files][waves];
    if (call == null) {
      MemoryLayout[] parameters = new MemoryLayout[PARAMETERS + waves * files];
      Arrays.fill(parameters, ValueLayout.ADDRESS);
      Arrays.fill(parameters, 1, PARAMETERS, ValueLayout.JAVA_LONG);
      call =
          Linker.nativeLinker()
              .downcallHandle(
                  FunctionDescriptor.ofVoid(parameters),
                  Linker.Option.firstVariadicArg(PARAMETERS),
                  Linker.Option.critical(true))
              .asSpreader(MemorySegment[].class, waves * files);
      CALLS[files][waves] = call;
    }
    return call;
  }

  @Override
  public int most() {
    return MOST;
  }

  @Override
  public void run(Wave[] waves, Block[] blocks, int count, int budget) {
    Place place = OWN.get();
    MemorySegment rows = place.rows;
    int each = waves[0].a.length == 0 ? 2 : MOST_FILES;
    MemorySegment[] files = place.files[count * each];
    NativeBlock start = (NativeBlock) blocks[0];
    Allocations allocations = place.contexts[0].allocations(waves[0]);
    for (int i = 0; i < count; i++) {
      Wave wave = waves[i];
      NativeBlock block = (NativeBlock) blocks[i];
      Context context = place.contexts[i];
      context.enter(wave, allocations);
      long row = (long) i * ROW;
      rows.set(ValueLayout.ADDRESS, row, block.library().wave());
      rows.set(ValueLayout.ADDRESS, row + 8, context.bytes());
      rows.set(ValueLayout.JAVA_INT, row + 16, block.entry());
      rows.set(ValueLayout.JAVA_LONG, row + 24, 0);
      int first = each * i;
      files[first] = MemorySegment.ofArray(wave.v);
      if (each == MOST_FILES) {
        files[first + 1] = MemorySegment.ofArray(wave.a);
      }
      files[first + each - 1] = MemorySegment.ofArray(wave.s);
    }
    try {
      call(count, each)
          .invokeExact(
              start.library().group(),
              rows,
              (long) count,
              (long) budget,
              LIMIT,
              (long) each,
              files);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
    for (int i = 0; i < count; i++) {
      long ran = rows.get(ValueLayout.JAVA_LONG, (long) i * ROW + 24);
      place.contexts[i].leave(waves[i], ran);
    }
  }
}
