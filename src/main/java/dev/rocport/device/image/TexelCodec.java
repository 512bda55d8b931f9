package dev.rocport.device.image;

import dev.rocport.device.isa.TexelFormat;
import dev.rocport.device.memory.Memory;
import java.util.Optional;

/**
 * Converts texels between memory and registers. In registers, components are the bits of floats, or
 * integers of 32 bits. A format with fewer than four components leaves the others 0, and the fourth
 * one 1. Sources: AMD's RDNA3 ISA for formats, the rules of Direct3D 11 for conversions.
 */
public final class TexelCodec {
  private static final int COMPONENTS = 4;
  private static final int WORD = 32;

  private final TexelFormat format;
  private final int[] shifts;

  /** Converts texels of a format. */
  public TexelCodec(TexelFormat format) {
    this.format = format;
    this.shifts = new int[format.bits().size()];
    for (int c = 1; c < shifts.length; c++) {
      shifts[c] = shifts[c - 1] + format.bits().get(c - 1);
    }
  }

  /** The format in memory. */
  public TexelFormat format() {
    return format;
  }

  /** The fourth component where the format has none: 1. */
  public int one() {
    return format.type().isInteger() ? 1 : Float.floatToRawIntBits(1);
  }

  /** Loads four components from an address that may be read. */
  public void load(long address, int[] into) {
    for (int c = 0; c < COMPONENTS; c++) {
      into[c] =
          c < shifts.length
              ? decode(raw(address, shifts[c], format.bits().get(c)), c)
              : c == 3 ? one() : 0;
    }
  }

  private static int raw(long address, int shift, int bits) {
    return switch (bits) {
      case 8 -> Memory.loadByte(address + shift / 8) & 0xff;
      case 16 -> Memory.loadShort(address + shift / 8) & 0xffff;
      case WORD -> Memory.loadInt(address + shift / 8);
      default -> Memory.loadInt(address) >>> shift & (1 << bits) - 1;
    };
  }

  private int decode(int raw, int component) {
    int bits = format.bits().get(component);
    int signed = raw << (WORD - bits) >> (WORD - bits);
    return switch (format.type()) {
      case UINT -> raw;
      case SINT -> signed;
      case UNORM -> bits((float) raw / most(bits));
      case SNORM -> bits(Math.max(-1, (float) signed / most(bits - 1)));
      case USCALED -> bits(raw);
      case SSCALED -> bits(signed);
      case FLOAT -> real(raw, bits);
      case SRGB -> component == 3 ? bits((float) raw / most(bits)) : bits(linear(raw));
    };
  }

  private static int bits(float value) {
    return Float.floatToRawIntBits(value);
  }

  private static int most(int bits) {
    return (1 << bits) - 1;
  }

  /** A float of 32 or 16 bits, or one of 10 or 11 without a sign. */
  private static int real(int raw, int bits) {
    return switch (bits) {
      case WORD -> raw;
      case 16 -> bits(Float.float16ToFloat((short) raw));
      default -> bits(Float.float16ToFloat((short) (raw << (15 - bits))));
    };
  }

  /** The light of an sRGB byte (IEC 61966-2-1). */
  private static float linear(int raw) {
    double c = raw / 255.0;
    return (float) (c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4));
  }

  /** Whether texels of the format can be stored: not where AMD documents no rounding. */
  public static boolean stores(TexelFormat format) {
    boolean small = format.type() == TexelFormat.Type.FLOAT && format.bits().getFirst() < 16;
    return switch (format.type()) {
      case USCALED, SSCALED, SRGB -> false;
      default -> !small;
    };
  }

  /**
   * Stores the components that the format has at an address that may be written. A number between
   * two values of the format becomes the nearest one, the even one of two; an integer that does not
   * fit keeps its low bits.
   */
  public void store(long address, int[] values) {
    int packed = 0;
    boolean wholeBytes = true;
    for (int c = 0; c < shifts.length; c++) {
      int bits = format.bits().get(c);
      int raw = encode(values[c], bits);
      long at = address + shifts[c] / 8;
      switch (bits) {
        case 8 -> Memory.storeByte(at, (byte) raw);
        case 16 -> Memory.storeShort(at, (short) raw);
        case WORD -> Memory.storeInt(at, raw);
        default -> {
          wholeBytes = false;
          packed |= (raw & most(bits)) << shifts[c];
        }
      }
    }
    if (!wholeBytes) {
      Memory.storeInt(address, packed);
    }
  }

  private int encode(int value, int bits) {
    float number = Float.intBitsToFloat(value);
    return switch (format.type()) {
      case UINT, SINT -> value;
      case UNORM -> (int) Math.rint((double) inside(number, 0) * most(bits));
      case SNORM -> (int) Math.rint((double) inside(number, -1) * most(bits - 1));
      case FLOAT -> bits == WORD ? value : Float.floatToFloat16(number) & 0xffff;
      case USCALED, SSCALED, SRGB -> throw new IllegalStateException(format.name());
    };
  }

  /** A number from {@code least} to 1; 0 for NaN. */
  private static float inside(float number, float least) {
    return Float.isNaN(number) ? 0 : Math.clamp(number, least, 1);
  }

  /** The codec of a format's number; empty if it has none. */
  public static Optional<TexelCodec> of(int number) {
    return TexelFormat.of(number).map(TexelCodec::new);
  }
}
