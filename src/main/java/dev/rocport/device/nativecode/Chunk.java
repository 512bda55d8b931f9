package dev.rocport.device.nativecode;

import dev.rocport.device.wave.Wave;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** As many neighbouring lanes as a vector of the host has, in the body of a {@link Run}'s loop. */
final class Chunk {
  private static final int ACCUMULATORS = 1 << 16;

  final Ir ir;
  final int width;

  /** The first lane, an i64. */
  final String first;

  /** The active lanes, or null if all are. */
  final @Nullable String active;

  /** Vectors of the host. */
  final String ints;

  final String longs;
  final String floats;
  final String doubles;
  final String bits;

  private final Map<Integer, String> registers = new HashMap<>();
  private final SortedSet<Integer> changed = new TreeSet<>();
  private final SortedMap<Integer, String> masks = new TreeMap<>();
  private final Map<String, String> spread = new HashMap<>();

  /** What neighbours are known of; the offset does not matter. */
  private record Addresses(boolean local, boolean narrow, int register, int bytes) {
    boolean holds(int key) {
      return key == register || (!narrow && key == register + 1);
    }
  }

  private final Map<Addresses, Neighbours> neighbours = new HashMap<>();

  Chunk(Ir ir, int width, String first, @Nullable String active) {
    this.ir = ir;
    this.width = width;
    this.first = first;
    this.active = active;
    this.ints = "<%d x i32>".formatted(width);
    this.longs = "<%d x i64>".formatted(width);
    this.floats = "<%d x float>".formatted(width);
    this.doubles = "<%d x double>".formatted(width);
    this.bits = "<%d x i1>".formatted(width);
  }

  private String place(int key) {
    int register = key & (ACCUMULATORS - 1);
    String index = ir.value("add i64 %s, %d", first, register * Wave.LANES);
    return ir.value(
        "getelementptr inbounds i32, ptr %s, i64 %s", key < ACCUMULATORS ? "%v" : "%a", index);
  }

  private static int key(boolean accumulator, int register) {
    return accumulator ? register + ACCUMULATORS : register;
  }

  /** The lanes of a vector register. */
  String register(boolean accumulator, int register) {
    return registers.computeIfAbsent(
        key(accumulator, register), k -> ir.value("load %s, ptr %s, align 4", ints, place(k)));
  }

  /** Sets the active lanes of a vector register. */
  void register(boolean accumulator, int register, String value) {
    int key = key(accumulator, register);
    String now = value;
    if (active != null) {
      String old = register(accumulator, register);
      now = select(active, ints, value, old);
    }
    registers.put(key, now);
    changed.add(key);
    neighbours.keySet().removeIf(a -> a.holds(key));
  }

  /** How the addresses of lanes lie that the steps before have not changed. */
  Neighbours neighbours(Place place, int bytes) {
    return neighbours.computeIfAbsent(
        new Addresses(place.local(), place.isNarrow(), place.register(), bytes),
        k -> Neighbours.of(this, place, bytes));
  }

  /** The bits of a mask that the run makes, or else of an i64. */
  String mask(int code, String otherwise) {
    String made = masks.get(code);
    return made != null ? made : bitsOf(otherwise);
  }

  /** The bits of an i64 that belong to these lanes. */
  String bitsOf(String lanes) {
    return spread.computeIfAbsent("mask " + lanes, k -> bitsOf(ir, width, first, lanes));
  }

  static String bitsOf(Ir ir, int width, String first, String lanes) {
    String down = ir.value("lshr i64 %s, %s", lanes, first);
    String part = ir.value("trunc i64 %s to i%d", down, width);
    return ir.value("bitcast i%d %s to <%d x i1>", width, part, width);
  }

  /** Makes the bits of a mask. */
  void makes(int code, String value) {
    masks.put(code, value);
  }

  /** A number in all lanes. */
  String splat(String type, String value) {
    return spread.computeIfAbsent(type + value, k -> spread(type, value));
  }

  /** The same for a number that this branch makes. */
  String spread(String type, String value) {
    String one = ir.value("insertelement <%d x %s> poison, %s %s, i64 0", width, type, type, value);
    return ir.value(
        "shufflevector <%d x %s> %s, <%d x %s> poison, <%d x i32> zeroinitializer",
        width, type, one, width, type, width);
  }

  /** The number of each lane. */
  String lanes() {
    String start = ir.value("trunc i64 %s to i32", first);
    return ir.value("add %s %s, %s", ints, splat("i32", start), counted(1));
  }

  /** 0, step, 2 * step and so on. */
  String counted(int step) {
    return numbers(0, step, width);
  }

  private static String numbers(int from, int step, int count) {
    return IntStream.range(0, count)
        .mapToObj(n -> "i32 " + (from + n * step))
        .collect(Collectors.joining(", ", "<", ">"));
  }

  String active() {
    return active != null ? active : "splat (i1 true)";
  }

  /** Emits something in a branch: values that it reads are not known after it. */
  <T> T inside(Supplier<T> branch) {
    Map<Integer, String> readBefore = new HashMap<>(registers);
    Map<String, String> spreadBefore = new HashMap<>(spread);
    Map<Addresses, Neighbours> neighboursBefore = new HashMap<>(neighbours);
    T made = branch.get();
    registers.clear();
    registers.putAll(readBefore);
    spread.clear();
    spread.putAll(spreadBefore);
    neighbours.clear();
    neighbours.putAll(neighboursBefore);
    return made;
  }

  /** What has changed since this was asked last. */
  SortedSet<Integer> changed() {
    SortedSet<Integer> now = new TreeSet<>(changed);
    changed.clear();
    return now;
  }

  /** Stores registers, given as by {@link #changed}. */
  void store(SortedSet<Integer> keys) {
    for (int key : keys) {
      String value = Objects.requireNonNull(registers.get(key));
      ir.line("store %s %s, ptr %s, align 4", ints, value, place(key));
    }
  }

  /** The bits of a mask at their place in an i64, 0 for lanes that are not active. */
  String placed(int code) {
    String made = Objects.requireNonNull(masks.get(code));
    String value = active == null ? made : ir.value("and %s %s, %s", bits, made, active);
    String part = ir.value("bitcast %s %s to i%d", bits, value, width);
    String wide = ir.value("zext i%d %s to i64", width, part);
    return ir.value("shl i64 %s, %s", wide, first);
  }

  // Instructions on vectors, for forms.

  String i32(String op, String a, String b) {
    return ir.value("%s %s %s, %s", op, ints, a, b);
  }

  String i64(String op, String a, String b) {
    return ir.value("%s %s %s, %s", op, longs, a, b);
  }

  /**
   * An operation on floats. Of two NaNs the first counts, which LLVM does not promise: it exchanges
   * the operands of sums and products.
   *
   * @param op fadd, fsub or fmul
   */
  String f32(String op, String a, String b) {
    return toInts(
        ir.value(
            "call %s asm \"v%sps $2, $1, $0\", \"=v,v,v\"(%s %s, %s %s)",
            floats, op.substring(1), floats, toFloats(a), floats, toFloats(b)));
  }

  /** a * b + d with one rounding. Of several NaNs that of a counts, then that of b. */
  String fma32(String a, String b, String d) {
    return toInts(
        ir.value(
            "call %s asm \"vfmadd231ps $3, $2, $0\", \"=v,0,v,v\"(%s %s, %s %s, %s %s)",
            floats, floats, toFloats(d), floats, toFloats(a), floats, toFloats(b)));
  }

  /** Vectors of i64 of two of i32. */
  String pair(String low, String high) {
    String up = i64("shl", convert("zext", ints, high, longs), "splat (i64 32)");
    return i64("or", up, convert("zext", ints, low, longs));
  }

  /** The low words of a vector of i64. */
  String low(String both) {
    return convert("trunc", longs, both, ints);
  }

  /** The high words of a vector of i64. */
  String high(String both) {
    return low(i64("lshr", both, "splat (i64 32)"));
  }

  /**
   * An operation on doubles. LLVM may move a negation from a source to the other one or to the
   * result, which changes the sign of a NaN, and it exchanges operands: so not LLVM's operation.
   *
   * @param op fadd, fsub, fmul or fdiv
   */
  String f64(String op, String a, String b) {
    String code = "\"v%spd $2, $1, $0\", \"=v,v,v\"".formatted(op.substring(1));
    return halves(code, a, b);
  }

  /** a * b + d with one rounding, in doubles. Of several NaNs that of a counts, then that of b. */
  String fma64(String a, String b, String d) {
    return halves("\"vfmadd231pd $3, $2, $0\", \"=v,0,v,v\"", d, a, b);
  }

  /** An instruction of the host on doubles, which take two of its vectors. */
  private String halves(String code, String... values) {
    int half = width / 2;
    String type = "<%d x double>".formatted(half);
    String[] results = new String[2];
    for (int part = 0; part < 2; part++) {
      String lanes = indexes(part * half, half);
      List<String> arguments = new ArrayList<>();
      for (String value : values) {
        String x = toDoubles(value);
        String of = ir.value("shufflevector %s %s, %s poison, %s", doubles, x, doubles, lanes);
        arguments.add(type + " " + of);
      }
      results[part] = ir.value("call %s asm %s(%s)", type, code, String.join(", ", arguments));
    }
    return toLongs(
        ir.value(
            "shufflevector %s %s, %s %s, %s",
            type, results[0], type, results[1], indexes(0, width)));
  }

  private static String indexes(int first, int count) {
    return IntStream.range(first, first + count)
        .mapToObj(lane -> "i32 " + lane)
        .collect(Collectors.joining(", ", "<%d x i32> <".formatted(count), ">"));
  }

  String call(String type, String intrinsic, String suffix, String... arguments) {
    StringBuilder text = new StringBuilder();
    for (String argument : arguments) {
      text.append(text.isEmpty() ? "" : ", ").append(type).append(' ').append(argument);
    }
    return ir.value("call %s @llvm.%s.v%d%s(%s)", type, intrinsic, width, suffix, text);
  }

  String select(String condition, String type, String a, String b) {
    if (width > HostVectors.AVX2.lanes) {
      if (type.equals(ints)) {
        return blend('d', bits, condition, type, a, b);
      }
      if (type.equals(longs)) {
        String low =
            blend('q', half(bits), low(bits, condition), half(longs), low(type, a), low(type, b));
        String high =
            blend(
                'q', half(bits), high(bits, condition), half(longs), high(type, a), high(type, b));
        return ir.value(
            "shufflevector %s %s, %s %s, <%d x i32> %s",
            half(longs), low, half(longs), high, width, counted(1));
      }
    }
    return ir.value("select %s %s, %s %s, %s %s", bits, condition, type, a, type, b);
  }

  /**
   * A selection that LLVM cannot join with the operations before it: LLVM 19 computes some
   * selections of the results of bitwise operations wrongly with AVX-512 (vpternlog with a mask).
   */
  private String blend(
      char element, String bits, String condition, String type, String a, String b) {
    return ir.value(
        "call %s asm \"vpblendm%s $2, $1, $0 {$3}\", \"=v,v,v,^Yk\"(%s %s, %s %s, %s %s)",
        type, element, type, b, type, a, bits, condition);
  }

  /** The type of half of a vector. */
  private String half(String type) {
    return type.replace("<" + width, "<" + width / 2);
  }

  private String low(String type, String value) {
    return part(type, value, 0);
  }

  private String high(String type, String value) {
    return part(type, value, width / 2);
  }

  private String part(String type, String value, int from) {
    return ir.value(
        "shufflevector %s %s, %s poison, <%d x i32> %s",
        type, value, type, width / 2, numbers(from, 1, width / 2));
  }

  // Of vectors of i1.

  String both(String a, String b) {
    return ir.value("and %s %s, %s", bits, a, b);
  }

  String either(String a, String b) {
    return ir.value("or %s %s, %s", bits, a, b);
  }

  String not(String a) {
    return ir.value("xor %s %s, splat (i1 true)", bits, a);
  }

  String toFloats(String a) {
    return ir.value("bitcast %s %s to %s", ints, a, floats);
  }

  String toInts(String a) {
    return ir.value("bitcast %s %s to %s", floats, a, ints);
  }

  String toDoubles(String a) {
    return ir.value("bitcast %s %s to %s", longs, a, doubles);
  }

  String toLongs(String a) {
    return ir.value("bitcast %s %s to %s", doubles, a, longs);
  }

  String convert(String op, String from, String a, String to) {
    return ir.value("%s %s %s to %s", op, from, a, to);
  }
}
