package dev.rocport.device.nativecode;

import dev.rocport.device.op.memory.Width;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * An access that has been checked.
 *
 * @param start what is added to the lanes' offsets or addresses, an i64; of LDS without the offset
 * @param bytes of each lane
 */
record Access(Place place, String start, int bytes) {

  /** The address of each lane; in LDS its offset. */
  private String addresses(Chunk c) {
    String address = place.address(c);
    if (!place.isNarrow() || place.local()) {
      return address;
    }
    String wide = c.convert("zext", c.ints, address, c.longs);
    return c.i64("add", wide, c.splat("i64", start));
  }

  private String moved(Chunk c, String addresses, int offset) {
    if (offset == 0) {
      return addresses;
    }
    return place.local()
        ? c.i32("add", addresses, "splat (i32 %d)".formatted(offset))
        : c.i64("add", addresses, "splat (i64 %d)".formatted(offset));
  }

  private String base() {
    return place.local() ? start : "";
  }

  /** The words of each lane, one load after the other; of lanes that are not active any. */
  static List<String> load(Chunk c, List<Loads.Load> loads) {
    Ir ir = c.ir;
    Access any = loads.getFirst().access();
    Neighbours n = c.neighbours(any.place, any.bytes);
    String label = ir.label("load");
    boolean rows = c.active == null || any.bytes >= 4;
    List<List<String>> ways = new ArrayList<>();
    List<String> from = new ArrayList<>();
    if (rows) {
      ir.line("br i1 %s, label %%%s.near, label %%%s.apart", n.near(), label, label);
      ir.block(label + ".near");
      ways.add(each(loads, (a, w) -> together(c, w, a.pointer(c, n))));
      from.add(label + ".near");
      ir.line("br label %%%s.join", label);
      ir.block(label + ".apart");
    }
    ir.line("br i1 %s, label %%%s.same, label %%%s.each", n.same(), label, label);
    ir.block(label + ".same");
    ways.add(each(loads, (a, w) -> once(c, w, a.pointer(c, n))));
    from.add(label + ".same");
    ir.line("br label %%%s.join", label);
    ir.block(label + ".each");
    ways.add(c.inside(() -> each(loads, (a, w) -> a.apart(c, w))));
    from.add(label + ".each");
    ir.line("br label %%%s.join", label);
    ir.block(label + ".join");
    List<String> words = new ArrayList<>();
    for (int d = 0; d < ways.getFirst().size(); d++) {
      StringBuilder phi = new StringBuilder();
      for (int w = 0; w < ways.size(); w++) {
        phi.append(w == 0 ? "" : ", ");
        phi.append("[ ").append(ways.get(w).get(d)).append(", %").append(from.get(w)).append(" ]");
      }
      words.add(ir.value("phi %s %s", c.ints, phi));
    }
    return words;
  }

  private static List<String> each(
      List<Loads.Load> loads, BiFunction<Access, Width, List<String>> one) {
    return loads.stream().flatMap(l -> one.apply(l.access(), l.width()).stream()).toList();
  }

  /** The address of lane 0. */
  private String pointer(Chunk c, Neighbours n) {
    String address = c.ir.value("add i64 %s, %s", n.first(), start);
    if (place.local()) {
      address = c.ir.value("add i64 %s, %d", address, place.offset());
    }
    return c.ir.value("inttoptr i64 %s to ptr", address);
  }

  private static List<String> together(Chunk c, Width width, String at) {
    int dwords = width.dwords();
    if (width.bytes() < 4) {
      String vector = "<%d x i%d>".formatted(c.width, 8 * width.bytes());
      String value = c.ir.value("load %s, ptr %s, align 1", vector, at);
      return List.of(c.convert(width.signed() ? "sext" : "zext", vector, value, c.ints));
    }
    int all = c.width * dwords;
    String whole =
        c.active == null
            ? c.ir.value("load <%d x i32>, ptr %s, align 1", all, at)
            : c.ir.value(
                "call <%1$d x i32> @llvm.masked.load.v%1$di32.p0(ptr %2$s, i32 1, <%1$d x i1> %3$s,"
                    + " <%1$d x i32> zeroinitializer)",
                all, at, repeated(c, dwords));
    if (dwords == 1) {
      return List.of(whole);
    }
    List<String> words = new ArrayList<>();
    for (int d = 0; d < dwords; d++) {
      StringBuilder order = new StringBuilder();
      for (int l = 0; l < c.width; l++) {
        order.append(l == 0 ? "i32 " : ", i32 ").append(l * dwords + d);
      }
      words.add(
          c.ir.value(
              "shufflevector <%d x i32> %s, <%d x i32> poison, <%d x i32> <%s>",
              all, whole, all, c.width, order));
    }
    return words;
  }

  /** The active lanes, each so many times. */
  private static String repeated(Chunk c, int times) {
    StringBuilder order = new StringBuilder();
    for (int i = 0; i < c.width * times; i++) {
      order.append(i == 0 ? "i32 " : ", i32 ").append(i / times);
    }
    return times == 1
        ? c.active()
        : c.ir.value(
            "shufflevector %s %s, %s poison, <%d x i32> <%s>",
            c.bits, c.active(), c.bits, c.width * times, order);
  }

  /** The words of each lane, side by side. */
  private static String interleaved(Chunk c, List<String> words) {
    int count = words.size();
    if (count == 1) {
      return words.getFirst();
    }
    String low = joined(c, words.get(0), words.get(1));
    String high = count == 2 ? low : joined(c, words.get(2), count == 3 ? "poison" : words.get(3));
    StringBuilder order = new StringBuilder();
    for (int i = 0; i < c.width * count; i++) {
      order.append(i == 0 ? "i32 " : ", i32 ").append(i % count * c.width + i / count);
    }
    return c.ir.value(
        "shufflevector <%1$d x i32> %2$s, <%1$d x i32> %3$s, <%4$d x i32> <%5$s>",
        2 * c.width, low, high, c.width * count, order);
  }

  private static String joined(Chunk c, String a, String b) {
    StringBuilder order = new StringBuilder();
    for (int i = 0; i < 2 * c.width; i++) {
      order.append(i == 0 ? "i32 " : ", i32 ").append(i);
    }
    return c.ir.value(
        "shufflevector %s %s, %s %s, <%d x i32> <%s>", c.ints, a, c.ints, b, 2 * c.width, order);
  }

  /** One value for all lanes. */
  private static List<String> once(Chunk c, Width width, String at) {
    Ir ir = c.ir;
    if (width.bytes() < 4) {
      String type = "i" + 8 * width.bytes();
      String value = ir.value("load %s, ptr %s, align 1", type, at);
      String word = ir.value("%s %s %s to i32", width.signed() ? "sext" : "zext", type, value);
      return List.of(c.spread("i32", word));
    }
    List<String> words = new ArrayList<>();
    for (int d = 0; d < width.dwords(); d += 2) {
      String here = ir.value("getelementptr i8, ptr %s, i64 %d", at, 4 * d);
      if (d + 1 == width.dwords()) {
        words.add(c.spread("i32", ir.value("load i32, ptr %s, align 1", here)));
      } else {
        // As a whole, so that no other worker sees a part of it.
        String both = ir.value("load i64, ptr %s, align 1", here);
        words.add(c.spread("i32", ir.low(both)));
        words.add(c.spread("i32", ir.high(both)));
      }
    }
    return words;
  }

  private List<String> apart(Chunk c, Width width) {
    String addresses = addresses(c);
    if (width.bytes() < 4) {
      String type = width.bytes() == 1 ? "i8" : "i16";
      String vector = "<%d x %s>".formatted(c.width, type);
      String value = Gather.load(c, type, base(), addresses);
      return List.of(c.convert(width.signed() ? "sext" : "zext", vector, value, c.ints));
    }
    List<String> words = new ArrayList<>();
    for (int d = 0; d < width.dwords(); d += 2) {
      String at = moved(c, addresses, 4 * d);
      if (d + 1 == width.dwords()) {
        words.add(Gather.load(c, "i32", base(), at));
      } else {
        // As a whole, so that no other worker sees a part of it.
        String both = Gather.load(c, "i64", base(), at);
        words.add(c.low(both));
        words.add(c.high(both));
      }
    }
    return words;
  }

  /** Stores of active lanes; of lanes that store to one place the highest is last. */
  void store(Chunk c, Width width, List<String> words) {
    if (bytes < 4 && c.active != null) {
      storeApart(c, width, words);
      return;
    }
    Ir ir = c.ir;
    Neighbours n = c.neighbours(place, bytes);
    String label = ir.label("store");
    ir.line("br i1 %s, label %%%s.near, label %%%s.apart", n.near(), label, label);
    ir.block(label + ".near");
    storeTogether(c, width, words, pointer(c, n));
    ir.line("br label %%%s.join", label);
    ir.block(label + ".apart");
    c.inside(
        () -> {
          storeApart(c, width, words);
          return words;
        });
    ir.line("br label %%%s.join", label);
    ir.block(label + ".join");
  }

  private static void storeTogether(Chunk c, Width width, List<String> words, String at) {
    if (width.bytes() < 4) {
      String vector = "<%d x i%d>".formatted(c.width, 8 * width.bytes());
      String value = c.convert("trunc", c.ints, words.getFirst(), vector);
      c.ir.line("store %s %s, ptr %s, align 1", vector, value, at);
      return;
    }
    int all = c.width * words.size();
    String value = interleaved(c, words);
    if (c.active == null) {
      c.ir.line("store <%d x i32> %s, ptr %s, align 1", all, value, at);
    } else {
      c.ir.line(
          "call void @llvm.masked.store.v%1$di32.p0(<%1$d x i32> %2$s, ptr %3$s, i32 1, <%1$d x"
              + " i1> %4$s)",
          all, value, at, repeated(c, words.size()));
    }
  }

  private void storeApart(Chunk c, Width width, List<String> words) {
    String addresses = addresses(c);
    if (width.bytes() < 4) {
      String type = width.bytes() == 1 ? "i8" : "i16";
      String vector = "<%d x %s>".formatted(c.width, type);
      String value = c.convert("trunc", c.ints, words.getFirst(), vector);
      Gather.store(c, type, value, base(), addresses);
      return;
    }
    if (words.size() == 1) {
      Gather.store(c, "i32", words.getFirst(), base(), addresses);
    } else if (words.size() == 2) {
      Gather.store(c, "i64", c.pair(words.get(0), words.get(1)), base(), addresses);
    } else {
      String high =
          words.size() == 4
              ? c.pair(words.get(2), words.get(3))
              : c.convert("zext", c.ints, words.get(2), c.longs);
      String low = c.pair(words.get(0), words.get(1));
      Gather.store(c, bytes, low, high, base(), addresses);
    }
  }
}
