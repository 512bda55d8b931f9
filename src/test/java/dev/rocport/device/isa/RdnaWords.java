package dev.rocport.device.isa;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random encodings of RDNA opcodes, three words each, most with some fields at likelier values. */
final class RdnaWords {
  private static final int[] FIRST_SOURCES = {233, 234, 250, 250, 255};

  /** Literals that are printed as inline constants, or nearly so. */
  private static final int[] LITERALS = {
    0, 1, 64, 65, -1, -16, -17, 0x3f800000, 0x3e22f983, 0x3c00, 0x3118, 0xffff0001, 0x3ff00000
  };

  private final Random random;

  RdnaWords(long seed) {
    random = new Random(seed);
  }

  List<int[]> of(List<Opcode> opcodes, int each) {
    List<int[]> all = new ArrayList<>();
    for (Opcode opcode : opcodes) {
      for (int i = 0; i < each; i++) {
        all.add(of(opcode));
      }
    }
    return all;
  }

  private int literal() {
    return random.nextInt(4) == 0 ? LITERALS[random.nextInt(LITERALS.length)] : random.nextInt();
  }

  private int[] of(Opcode opcode) {
    int[] words = {random.nextInt(), literal(), literal()};
    int shape = random.nextInt(1 << 16);
    boolean rdna4 = opcode.generation() == Generation.RDNA4;
    if (rdna4) {
      set(words, 0, fixedOfRdna4(opcode.encoding()), baseOfRdna4(opcode));
    } else {
      set(words, 0, fixed(opcode.encoding()), base(opcode));
    }
    switch (opcode.encoding()) {
      case SOP1, SOP2, SOPC, SOPK, SOPP -> scalar(opcode.encoding(), words, shape);
      case VOP1, VOP2, VOPC -> narrow(words, shape);
      case VOP3, VOP3P -> wide(opcode.encoding(), words, shape);
      case VOPDX, VOPDY -> dual(words, shape);
      case SMEM -> {
        set(words, 1, bit(shape, 2) ? 0xfe000000 : 0, 0x7c << 25);
        if (!rdna4) {
          set(words, 1, bit(shape, 3) ? 0xffe00000 : 0, 0x7c << 25);
        }
      }
      case MIMG, VIMAGE, VSAMPLE -> image(opcode, words, shape);
      case FLAT, GLOBAL, SCRATCH, MUBUF, MTBUF -> {
        if (rdna4) {
          longMemory(words, shape);
        } else {
          memory(opcode.encoding(), words, shape);
        }
      }
      default -> memory(opcode.encoding(), words, shape);
    }
    return words;
  }

  private static void set(int[] words, int i, int mask, int bits) {
    words[i] = words[i] & ~mask | bits & mask;
  }

  private static boolean bit(int mask, int i) {
    return (mask >> i & 1) != 0;
  }

  /** The bits of the first word that tell the opcode. */
  private static int fixed(Encoding encoding) {
    return switch (encoding) {
      case SOP2, SOPK -> 0xff800000;
      case SOP1 -> 0xff80ff00;
      case SMEM, DS, MUBUF -> 0xfffc0000;
      case VOP1 -> 0xfe01fe00;
      case VOP2 -> 0xfe000000;
      case VOPC -> 0xfffe0000;
      case FLAT, GLOBAL, SCRATCH -> 0xfdff0000;
      case MTBUF -> 0xfc078000;
      case MIMG -> 0xfffc0000;
      case VOPDX -> 0xffc00000;
      case VOPDY -> 0xfc3e0000;
      default -> 0xffff0000;
    };
  }

  private static int fixedOfRdna4(Encoding encoding) {
    return switch (encoding) {
      case SMEM -> 0xfc07e000;
      case FLAT, GLOBAL, SCRATCH -> 0xff3fc000;
      case MUBUF, MTBUF, VIMAGE, VSAMPLE -> 0xfc3fc000;
      default -> fixed(encoding);
    };
  }

  private static int baseOfRdna4(Opcode opcode) {
    int n = opcode.number();
    return switch (opcode.encoding()) {
      case SMEM -> 0xf4000000 | n << 13;
      case FLAT -> 0xec000000 | n << 14;
      case SCRATCH -> 0xed000000 | n << 14;
      case GLOBAL -> 0xee000000 | n << 14;
      case MUBUF -> 0xc4000000 | n << 14;
      case MTBUF -> 0xc4200000 | n << 14;
      case VIMAGE -> 0xd0000000 | n << 14;
      case VSAMPLE -> 0xe4000000 | n << 14;
      default -> base(opcode);
    };
  }

  private static void longMemory(int[] words, int shape) {
    set(words, 0, bit(shape, 1) || bit(shape, 2) ? 0x7f : 0, 0x7c);
    set(words, 0, bit(shape, 3) ? 0x00c00000 : 0, 0);
    set(words, 1, bit(shape, 4) ? 0x20000 : 0, 0);
    set(words, 1, bit(shape, 5) ? 0x600 : 0, 0);
    set(words, 1, bit(shape, 6) ? 0x3f800000 : 0, 0x00800000);
    set(words, 2, bit(shape, 7) ? 1 : 0, 0);
  }

  /**
   * Most without bits that no instruction here has: status words, short descriptors, warnings, and
   * components that the opcode does not have.
   */
  private static void image(Opcode opcode, int[] words, int shape) {
    boolean three = opcode.encoding() == Encoding.MIMG;
    boolean sampled = opcode.has("ssamp");
    boolean odd = bit(shape, 0) && bit(shape, 1) && bit(shape, 2);
    set(words, 0, three ? 0x8062 : 0x10, odd ? words[0] : 0);
    set(words, 1, three ? sampled ? 0x83e00000 : 0xffe00000 : 0, odd ? words[1] : 0);
    if (!three) {
      set(words, 0, opcode.encoding() == Encoding.VSAMPLE ? 0x1f88 : 0x3f88, odd ? words[0] : 0);
      set(words, 1, opcode.encoding() == Encoding.VSAMPLE ? 0x100 : 0xff800100, odd ? words[1] : 0);
      set(words, 1, 0x20600, 0); // descriptors in registers that they can be in
      set(words, 2, bit(shape, 5) ? 0xff000000 : 0, 0);
    }
    if (opcode.name().contains("_atomic_")) {
      int components =
          opcode.name().endsWith("cmpswap") ? bit(shape, 4) ? 15 : 3 : bit(shape, 4) ? 3 : 1;
      set(words, 0, three ? 0xf00 : 0x03c00000, three ? components << 8 : components << 22);
      set(words, 0, three ? 1 << 17 : 1 << 5, 0);
    }
  }

  private static int base(Opcode opcode) {
    int n = opcode.number();
    return switch (opcode.encoding()) {
      case SOP2 -> 0x80000000 | n << 23;
      case SOPK -> 0xb0000000 | n << 23;
      case SOP1 -> 0xbe800000 | n << 8;
      case SOPC -> 0xbf000000 | n << 16;
      case SOPP -> 0xbf800000 | n << 16;
      case SMEM -> 0xf4000000 | n << 18;
      case VOP1 -> 0x7e000000 | n << 9;
      case VOP2 -> n << 25;
      case VOPC -> 0x7c000000 | n << 17;
      case VOP3 -> 0xd4000000 | n << 16;
      case VOP3P -> 0xcc000000 | n << 16;
      case DS -> 0xd8000000 | n << 18;
      case FLAT -> 0xdc000000 | n << 18;
      case SCRATCH -> 0xdc010000 | n << 18;
      case GLOBAL -> 0xdc020000 | n << 18;
      case MUBUF -> 0xe0000000 | n << 18;
      case VOPDX -> 0xc8000000 | n << 22;
      case VOPDY -> 0xc8000000 | n << 17;
      case MTBUF -> 0xe8000000 | n << 15;
      case MIMG -> 0xf0000000 | n << 18;
      case VOPD, VIMAGE, VSAMPLE -> throw new IllegalArgumentException(opcode.name());
    };
  }

  private static void scalar(Encoding encoding, int[] words, int shape) {
    boolean two = encoding == Encoding.SOP2 || encoding == Encoding.SOPC;
    if (encoding == Encoding.SOPK) {
      set(words, 0, bit(shape, 0) ? 0x10000 : 0, 0);
    } else if (encoding == Encoding.SOPP) {
      set(words, 0, bit(shape, 0) ? 0xffff : 0, 0);
    } else {
      set(words, 0, bit(shape, 0) ? encoding == Encoding.SOPC ? 3 : 0x30003 : 0, 0);
      set(words, 0, bit(shape, 1) ? 0xff : 0, 255);
      set(words, 0, two && bit(shape, 2) ? 0x300 : 0, 0);
    }
  }

  private int control() {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextInt(256);
      case 1 -> 0x101 + random.nextInt(47);
      case 2 -> 0x150 + random.nextInt(32);
      default -> random.nextInt(512);
    };
  }

  private void narrow(int[] words, int shape) {
    switch (shape % 4) {
      case 0 -> words[0] |= 0x100;
      case 1 -> {
        int source = FIRST_SOURCES[random.nextInt(FIRST_SOURCES.length)];
        set(words, 0, 0x1ff, source);
        if (source == 250) {
          set(words, 1, 0x1ff00, control() << 8);
          set(words, 1, bit(shape, 6) ? 0xf00000 : 0, 0);
        }
      }
      default -> {}
    }
  }

  private void wide(Encoding encoding, int[] words, int shape) {
    set(words, 0, bit(shape, 8) ? encoding == Encoding.VOP3P ? 0xbf00 : 0xff00 : 0, 0);
    int sources =
        switch (shape >> 9 & 7) {
          case 0 -> -1;
          case 1 -> 0x07ffffff;
          case 2 -> 0x3ffff;
          case 3 -> 0x1ff;
          default -> 0x07ffffff;
        };
    words[1] &= sources;
    if (bit(shape, 0)) {
      int source = FIRST_SOURCES[random.nextInt(FIRST_SOURCES.length)];
      set(words, 1, 0x1ff, source);
      if (source == 250) {
        set(words, 2, 0x1ff00, control() << 8);
      }
      if (bit(shape, 1)) {
        words[1] |= 0x100 << 9;
        words[1] |= sources >>> 18 == 0 ? 0 : 0x100 << 18;
      }
    }
  }

  /** Registers of different banks, which LLVM asks for. */
  private void dual(int[] words, int shape) {
    int a = random.nextInt(63) * 4;
    int b = random.nextInt(63) * 4;
    set(words, 0, 0x1ffff, 256 + a | b + 1 << 9);
    set(words, 1, 0x1ffff, 256 + b + 1 | a + 2 << 9);
    set(words, 0, bit(shape, 6) ? 0x1fe00 : 0, 0);
    set(words, 1, bit(shape, 7) ? 0x1fe00 : 0, 0);
    set(words, 0, bit(shape, 8) ? 0x1ff : 0, 255);
  }

  private static void memory(Encoding encoding, int[] words, int shape) {
    switch (encoding) {
      case DS -> {
        int[] unused = {0, 0xffff0000, 0x00ffff00, 0xffffff00, 0x00ffffff, 0xffff00ff, 0xff0000};
        set(words, 1, unused[shape % unused.length], 0);
        set(words, 0, bit(shape, 8) ? 0x20000 : 0, 0);
      }
      case FLAT -> {
        set(words, 0, bit(shape, 1) ? 0x1000 : 0, 0);
        set(words, 1, bit(shape, 2) ? 0xff0000 : 0, 0x7c0000);
      }
      case GLOBAL, SCRATCH -> {
        set(words, 1, bit(shape, 1) ? 0x7f0000 : 0, 0x7c0000);
        set(words, 1, encoding == Encoding.GLOBAL && bit(shape, 2) ? 0x800000 : 0, 0);
        set(words, 1, bit(shape, 3) ? 0x10000 : 0, 0);
      }
      default -> set(words, 1, bit(shape, 1) ? 0x200000 : 0, 0);
    }
  }
}
