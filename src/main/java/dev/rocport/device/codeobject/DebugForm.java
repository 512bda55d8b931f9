package dev.rocport.device.codeobject;

import java.nio.ByteBuffer;

/** The forms in which attributes of DWARF come. Source: the DWARF 5 standard, section 7.5.6. */
final class DebugForm {
  static final int ADDR = 0x01;
  static final int STRING = 0x08;
  static final int STRP = 0x0e;
  static final int LINE_STRP = 0x1f;
  static final int STRX = 0x1a;
  static final int ADDRX = 0x1b;
  static final int REF_ADDR = 0x10;
  static final int IMPLICIT_CONST = 0x21;
  static final int RNGLISTX = 0x23;
  static final int STRX1 = 0x25;
  static final int STRX4 = 0x28;
  static final int ADDRX1 = 0x29;
  static final int ADDRX4 = 0x2c;
  private static final int INDIRECT = 0x16;

  private DebugForm() {}

  /**
   * Reads an attribute, or steps over it.
   *
   * @param constant the value of {@link #IMPLICIT_CONST}
   * @throws IllegalArgumentException for an unknown form
   */
  static DebugEntry.Value read(ByteBuffer in, int form, long constant) {
    return switch (form) {
      case STRING -> new DebugEntry.Value(form, 0, DebugData.string(in));
      case INDIRECT -> {
        int real = (int) DebugData.unsigned(in);
        if (real == INDIRECT || real == IMPLICIT_CONST) {
          throw new IllegalArgumentException("form " + real);
        }
        yield read(in, real, constant);
      }
      default -> new DebugEntry.Value(form, number(in, form, constant), "");
    };
  }

  private static long number(ByteBuffer in, int form, long constant) {
    return switch (form) {
      case 0x0b, 0x0c, 0x11, STRX1, ADDRX1 -> DebugData.number(in, 1);
      case 0x05, 0x12, 0x26, 0x2a -> DebugData.number(in, 2);
      case 0x27, 0x2b -> DebugData.number(in, 3);
      case 0x06, 0x13, STRP, LINE_STRP, REF_ADDR, 0x17, 0x1c, 0x1d, STRX4, ADDRX4 ->
          DebugData.number(in, 4);
      case ADDR, 0x07, 0x14, 0x20, 0x24 -> DebugData.number(in, 8);
      case 0x0d -> DebugData.signed(in);
      case 0x0f, 0x15, STRX, ADDRX, 0x22, RNGLISTX -> DebugData.unsigned(in);
      case 0x1e -> skip(in, 16);
      case 0x0a -> skip(in, DebugData.number(in, 1));
      case 0x03 -> skip(in, DebugData.number(in, 2));
      case 0x04 -> skip(in, DebugData.number(in, 4));
      case 0x09, 0x18 -> skip(in, DebugData.unsigned(in));
      case 0x19 -> 1;
      case IMPLICIT_CONST -> constant;
      default -> throw new IllegalArgumentException("form " + form);
    };
  }

  private static long skip(ByteBuffer in, long bytes) {
    DebugData.skip(in, bytes);
    return 0;
  }
}
