package dev.rocport.device.isa;

import dev.rocport.device.isa.LlvmDisassembler.Pair;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random encodings of opcodes. Purely random bits are hardly ever defined, so most have some fields
 * set to likelier values: unused ones to zero, tuples to even registers.
 */
final class RandomWords {
  private static final int SDWA = 249;
  private static final int DPP = 250;
  private static final int LITERAL = 255;

  /** Literals that are printed as inline constants, or nearly so. */
  private static final int[] LITERALS = {
    0,
    1,
    64,
    65,
    -1,
    -16,
    -17,
    0x3f800000,
    0x3e22f983,
    0x3c00,
    0x3118,
    0xffff0001,
    0xfff0,
    0x10000,
    0x3ff00000,
    0x3fc45f30,
    0x3c003c00
  };

  private final Random random;

  RandomWords(long seed) {
    random = new Random(seed);
  }

  List<Pair> of(List<Opcode> opcodes, int each) {
    List<Pair> pairs = new ArrayList<>();
    for (Opcode opcode : opcodes) {
      for (int i = 0; i < each; i++) {
        pairs.add(of(opcode));
      }
    }
    return pairs;
  }

  private Pair of(Opcode opcode) {
    int first = (random.nextInt() & ~fixed(opcode.encoding())) | base(opcode);
    int second =
        random.nextInt(8) == 0 ? LITERALS[random.nextInt(LITERALS.length)] : random.nextInt();
    int shape = random.nextInt(256);
    return switch (opcode.encoding()) {
      case SOP1, SOP2, SOPC, SOPK, SOPP ->
          new Pair(scalar(opcode.encoding(), first, shape), second);
      case VOP1, VOP2, VOPC -> narrow(first, second, shape);
      case VOP3, VOP3P -> wide(first, second, shape);
      case SMEM -> scalarMemory(first, second, shape);
      default -> memory(opcode.encoding(), first, second, shape);
    };
  }

  /** The bits of the first word that tell the opcode. */
  private static int fixed(Encoding encoding) {
    return switch (encoding) {
      case SOP2 -> 0xff800000;
      case SOPK -> 0xff800000;
      case SOP1 -> 0xff80ff00;
      case SOPC, SOPP -> 0xffff0000;
      case SMEM -> 0xfffc0000;
      case VOP1 -> 0xfe01fe00;
      case VOP2 -> 0xfe000000;
      case VOPC -> 0xfffe0000;
      case VOP3, VOP3P -> 0xffff0000;
      case DS -> 0xfdfe0000;
      case FLAT, GLOBAL, SCRATCH -> 0xfdfcc000;
      case MUBUF -> 0xfdfc0000;
      case MTBUF -> 0xfc078000;
      case VOPD, VOPDX, VOPDY, MIMG, VIMAGE, VSAMPLE ->
          throw new IllegalArgumentException("of RDNA");
    };
  }

  private static int base(Opcode opcode) {
    int number = opcode.number();
    return switch (opcode.encoding()) {
      case SOP2 -> 0x80000000 | (number << 23);
      case SOPK -> 0xb0000000 | (number << 23);
      case SOP1 -> 0xbe800000 | (number << 8);
      case SOPC -> 0xbf000000 | (number << 16);
      case SOPP -> 0xbf800000 | (number << 16);
      case SMEM -> 0xc0000000 | (number << 18);
      case VOP1 -> 0x7e000000 | (number << 9);
      case VOP2 -> number << 25;
      case VOPC -> 0x7c000000 | (number << 17);
      case VOP3 -> 0xd0000000 | (number << 16);
      case VOP3P -> 0xd3800000 | (number << 16);
      case DS -> 0xd8000000 | (number << 17);
      case FLAT -> 0xdc000000 | (number << 18);
      case SCRATCH -> 0xdc004000 | (number << 18);
      case GLOBAL -> 0xdc008000 | (number << 18);
      case MUBUF -> 0xe0000000 | (number << 18);
      case MTBUF -> 0xe8000000 | (number << 15);
      case VOPD, VOPDX, VOPDY, MIMG, VIMAGE, VSAMPLE ->
          throw new IllegalArgumentException(opcode.name());
    };
  }

  private static int scalar(Encoding encoding, int word, int shape) {
    int first = word;
    switch (encoding) {
      case SOPK -> first = bit(shape, 0) ? first & ~0x10000 : first;
      case SOPP -> first = bit(shape, 0) ? first & ~0xffff : first;
      default -> {
        boolean three = encoding != Encoding.SOP1;
        first = bit(shape, 0) ? first & ~(encoding == Encoding.SOPC ? 3 : 0x30003) : first;
        first = bit(shape, 1) ? (first & ~0xff) | LITERAL : first;
        first = three && bit(shape, 2) ? first & ~0x300 : first;
      }
    }
    return first;
  }

  private Pair narrow(int word, int next, int shape) {
    int first = word;
    int second = next;
    switch (shape % 5) {
      case 0 -> first |= 0x100;
      case 1 -> first = (first & ~0x1ff) | SDWA;
      case 2 -> first = (first & ~0x1ff) | DPP;
      case 3 -> first = (first & ~0x1ff) | LITERAL;
      default -> {}
    }
    if (bit(shape, 3)) {
      first &= shape % 5 == 1 || shape % 5 == 2 || shape % 5 == 3 ? ~0x20200 : ~0x20201;
      second &= ~1;
    }
    if ((first & 0x1ff) == SDWA) {
      second = bit(shape, 4) ? second & 0x07060706 : second;
      second = bit(shape, 6) ? second & 0x00ffffff : second;
      second = selections(second);
    }
    if ((first & 0x1ff) == DPP) {
      second = bit(shape, 4) ? (second & ~0x1ff00) | (random.nextInt(0x160) << 8) : second;
      second = bit(shape, 6) ? second & ~0xf00000 : second;
      second = bit(shape, 7) ? (second & ~0x1ff00) | 0x15300 : second;
    }
    return new Pair(first, second);
  }

  /** LLVM ends with a crash at selections that are none: those are left to another test. */
  private static int selections(int word) {
    int second = word;
    for (int field : new int[] {8, 16, 24}) {
      second = ((second >> field) & 7) == 7 ? second & ~(1 << field) : second;
    }
    return ((second >> 11) & 3) == 3 ? second & ~(1 << 11) : second;
  }

  private static Pair wide(int word, int next, int shape) {
    int first = word;
    int second = next;
    if (shape % 6 != 0) {
      first &= 0xffff00ff;
    }
    switch (shape % 6) {
      case 2 -> second &= 0x07ffffff;
      case 3 -> second = (second & 0x07ffffff) | 0x04020100;
      case 4 -> second &= 0x3ffff;
      case 5 -> second &= 0x1ff;
      default -> {}
    }
    if (bit(shape, 3)) {
      first &= ~1;
      second &= ~0x40201;
    }
    if (bit(shape, 5)) {
      second &= 0x07ffffff;
    }
    return new Pair(first, second);
  }

  private static Pair scalarMemory(int word, int next, int shape) {
    int first = bit(shape, 1) ? word & ~0x80c3 : word;
    int second = bit(shape, 2) ? next & 0x1fffff : next;
    return new Pair(first, bit(shape, 3) ? second & 0x7f : second);
  }

  private static Pair memory(Encoding encoding, int word, int next, int shape) {
    int first = word;
    int second = bit(shape, 0) ? next & ~0x01010101 : next;
    switch (encoding) {
      case DS -> {
        first = bit(shape, 1) ? first & ~0x10000 : first | 0x10000;
        second = bit(shape, 2) ? second & 0xffff : second;
        second = bit(shape, 3) ? second & 0xff0000ff : second;
        second = bit(shape, 4) ? second & 0xff : second;
        second = bit(shape, 5) ? second & 0xff000000 : second;
        second = bit(shape, 6) ? second & 0xff00 : second;
      }
      case FLAT -> {
        first = bit(shape, 1) ? first & ~0x3000 : first;
        second = bit(shape, 2) ? second & ~0x7f0000 : second;
      }
      case GLOBAL, SCRATCH -> {
        first = bit(shape, 3) ? first & ~0x2000 : first;
        second = bit(shape, 1) ? second | 0x7f0000 : second;
        second = bit(shape, 2) ? second & ~0x710000 : second;
      }
      default -> {
        first = bit(shape, 1) && encoding == Encoding.MUBUF ? first & ~0x18000 : first;
        second = bit(shape, 2) ? second & ~0xff600000 : second;
      }
    }
    return new Pair(first, second);
  }

  private static boolean bit(int mask, int i) {
    return ((mask >> i) & 1) != 0;
  }
}
