package dev.rocport.device.isa;

import dev.rocport.device.isa.ImageForm.Kind;
import dev.rocport.device.isa.Opcode.Slot;
import java.util.Optional;

/**
 * Image instructions: MIMG of RDNA 3, VIMAGE and VSAMPLE of RDNA 4. Status words, warnings of
 * levels and descriptors of 128 bits are not supported.
 */
final class RdnaImageDecoder {
  private static final Optional<Operand> OFF = RdnaMemoryDecoder.OFF;

  private final OpcodeTable table;

  RdnaImageDecoder(OpcodeTable table) {
    this.table = table;
  }

  /**
   * Registers of the addresses.
   *
   * @param fields the numbers of their first registers
   * @param words of all; the last field has what the others leave
   * @param count of fields that are used
   */
  private record Addresses(int[] fields, int words, int count) {
    Optional<Operand> at(int i) {
      if (i >= count) {
        return OFF;
      }
      return RdnaRegisters.vector(fields[i], i == count - 1 ? words - i : 1);
    }
  }

  Optional<Instruction> three(Words words) {
    Row row = table.find(Encoding.MIMG, words.low(18, 8));
    boolean refused = words.lowBit(15) || words.highBit(21) || words.highBit(22);
    if (row == null || refused) {
      return Optional.empty();
    }
    Modifiers.Image image =
        image(
            words.low(2, 3),
            words.low(8, 4),
            words.lowBit(7),
            words.lowBit(16),
            words.lowBit(17),
            Modifiers.Memory.at(0).cached(words.lowBit(14), words.lowBit(12), words.lowBit(13)));
    ImageForm form = ImageForm.of(row.opcode());
    if (!form.hasSampler() && words.high(26, 5) != 0) {
      return Optional.empty();
    }
    int needed = form.words(image.dim(), image.halfAddress());
    int[] fields = {
      words.high(0, 8), words.last(0, 8), words.last(8, 8), words.last(16, 8), words.last(24, 8)
    };
    boolean apart = words.lowBit(0);
    if (apart && needed == 1) {
      return Optional.empty();
    }
    Addresses addresses = new Addresses(fields, needed, apart ? Math.min(needed, 5) : 1);
    return fill(
        row,
        form,
        image,
        apart ? 12 : 8,
        words.high(8, 8),
        addresses,
        RdnaRegisters.scalar(words.high(16, 5) * 4, 8),
        RdnaRegisters.scalar(words.high(26, 5) * 4, 4));
  }

  Optional<Instruction> four(Words words) {
    Row row = table.find(Encoding.VIMAGE, words.low(14, 8));
    boolean refused = words.lowBit(4) || words.highBit(23) || words.high(24, 8) != 0;
    if (row == null || refused) {
      return Optional.empty();
    }
    return four(words, row, false);
  }

  Optional<Instruction> fourSampled(Words words) {
    Row row = table.find(Encoding.VSAMPLE, words.low(14, 8));
    boolean refused = words.lowBit(3) || words.lowBit(4) || words.highBit(8);
    if (row == null || refused || (words.last(24, 8) != 0 && !mayHaveFour(row))) {
      return Optional.empty();
    }
    if (!row.has("ssamp") && words.high(23, 9) != 0) {
      return Optional.empty();
    }
    return four(words, row, words.lowBit(13));
  }

  /** Whether the opcode has a fourth address for images of any shape. */
  private static boolean mayHaveFour(Row row) {
    ImageForm form = ImageForm.of(row.opcode());
    return form.words(form.hasSampler() ? ImageDim.D3 : ImageDim.D2_SAMPLES_ARRAY, false) > 3;
  }

  private static Optional<Instruction> four(Words words, Row row, boolean unnormalized) {
    Modifiers.Image image =
        image(
            words.low(0, 3),
            words.low(22, 4),
            unnormalized,
            words.lowBit(6),
            words.lowBit(5),
            Modifiers.Memory.at(0).hinted(words.high(20, 3), words.high(18, 2)));
    ImageForm form = ImageForm.of(row.opcode());
    int needed = form.words(image.dim(), image.halfAddress());
    int[] fields = {words.last(0, 8), words.last(8, 8), words.last(16, 8), words.last(24, 8)};
    return fill(
        row,
        form,
        image,
        12,
        words.high(0, 8),
        new Addresses(fields, needed, Math.min(needed, 4)),
        RdnaRegisters.scalar(words.high(9, 9), 8),
        RdnaRegisters.scalar(words.high(23, 9), 4));
  }

  private static Modifiers.Image image(
      int dim,
      int components,
      boolean unnormalized,
      boolean halfAddress,
      boolean halfData,
      Modifiers.Memory cache) {
    return new Modifiers.Image(
        ImageDim.of(dim), components, unnormalized, halfAddress, halfData, cache);
  }

  private static Optional<Instruction> fill(
      Row row,
      ImageForm form,
      Modifiers.Image image,
      int size,
      int data,
      Addresses addresses,
      Optional<Operand> resource,
      Optional<Operand> sampler) {
    int dwords = dataWords(row, form, image);
    boolean samples =
        image.dim() == ImageDim.D2_SAMPLES || image.dim() == ImageDim.D2_SAMPLES_ARRAY;
    boolean single = form.hasSampler() || row.opcode().name().contains("_mip");
    if (dwords == 0 || (samples && single)) {
      return Optional.empty();
    }
    return Operands.fill(
        row,
        size,
        image,
        slot ->
            switch (slot.name()) {
              case "vdata" -> RdnaRegisters.vector(data, dwords);
              case "srsrc" -> resource;
              case "ssamp" -> sampler;
              default -> addresses.at(number(slot));
            });
  }

  private static int number(Slot slot) {
    return slot.name().charAt("vaddr".length()) - '0';
  }

  /** Registers of the data of one lane; 0 where no instruction moves these components. */
  private static int dataWords(Row row, ImageForm form, Modifiers.Image image) {
    int components = Integer.bitCount(image.components());
    if (form.kind() == Kind.ATOMIC) {
      int once = row.opcode().name().endsWith("cmpswap") ? 2 : 1;
      // A word, or a pair of words.
      return image.components() == (1 << once) - 1
          ? once
          : image.components() == (1 << (2 * once)) - 1 ? 2 * once : 0;
    }
    boolean halves =
        switch (form.kind()) {
          case ATOMIC, LOD, SIZE -> false;
          default -> !row.opcode().name().contains("_pck");
        };
    if (image.halfData() && !halves) {
      return 0;
    }
    boolean gathers = form.kind() == Kind.GATHER || row.opcode().name().equals("image_msaa_load");
    int all = gathers ? 4 : components;
    return components == 0 ? 0 : image.halfData() ? (all + 1) / 2 : all;
  }
}
