package dev.rocport.device.nativecode;

import dev.rocport.device.op.memory.Width;
import java.util.ArrayList;
import java.util.List;

/**
 * An access that has been checked.
 *
 * @param start what is added to the lanes' offsets, an i64
 * @param near an i1: all lanes are active, and each is where the one before ends
 * @param least the address of lane 0 then, an i64
 * @param bytes of each lane
 */
record Access(Place place, String start, String near, String least, int bytes) {

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

  /** The words of each lane: 0 for lanes that are not active. */
  List<String> load(Chunk c, Width width) {
    if (c.active != null) {
      return apart(c, width);
    }
    // The branch goes the same way for all chunks.
    Ir ir = c.ir;
    String label = ir.label("near");
    ir.line("br i1 %s, label %%%s, label %%%s.far", near, label, label);
    ir.block(label);
    List<String> together = together(c, width);
    ir.line("br label %%%s.join", label);
    ir.block(label + ".far");
    List<String> each = c.inside(() -> apart(c, width));
    ir.line("br label %%%s.join", label);
    ir.block(label + ".join");
    List<String> words = new ArrayList<>();
    for (int d = 0; d < each.size(); d++) {
      words.add(
          ir.value(
              "phi %s [ %s, %%%s ], [ %s, %%%s.far ]",
              c.ints, together.get(d), label, each.get(d), label));
    }
    return words;
  }

  private String pointer(Chunk c) {
    String at = c.ir.value("mul i64 %s, %d", c.first, bytes);
    String address = c.ir.value("add i64 %s, %s", least, at);
    return c.ir.value("inttoptr i64 %s to ptr", address);
  }

  private List<String> together(Chunk c, Width width) {
    int dwords = width.dwords();
    if (width.bytes() < 4) {
      String vector = "<%d x i%d>".formatted(c.width, 8 * width.bytes());
      String value = c.ir.value("load %s, ptr %s, align 1", vector, pointer(c));
      return List.of(c.convert(width.signed() ? "sext" : "zext", vector, value, c.ints));
    }
    int all = c.width * dwords;
    String whole = c.ir.value("load <%d x i32>, ptr %s, align 1", all, pointer(c));
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
        words.add(c.convert("trunc", c.longs, both, c.ints));
        String up = c.i64("lshr", both, "splat (i64 32)");
        words.add(c.convert("trunc", c.longs, up, c.ints));
      }
    }
    return words;
  }

  /** Stores of active lanes; of lanes that store to one place the highest is last. */
  void store(Chunk c, Width width, List<String> words) {
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
      Gather.store(c, "i64", pair(c, words.get(0), words.get(1)), base(), addresses);
    } else {
      String high =
          words.size() == 4
              ? pair(c, words.get(2), words.get(3))
              : c.convert("zext", c.ints, words.get(2), c.longs);
      String low = pair(c, words.get(0), words.get(1));
      Gather.store(c, bytes, low, high, base(), addresses);
    }
  }

  private static String pair(Chunk c, String low, String high) {
    String up = c.i64("shl", c.convert("zext", c.ints, high, c.longs), "splat (i64 32)");
    return c.i64("or", c.convert("zext", c.ints, low, c.longs), up);
  }
}
