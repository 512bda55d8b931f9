package dev.rocport.device.server;

import dev.rocport.device.memory.CLibrary;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * C's printf over arguments that a kernel sent: each conversion is done by the C library itself.
 */
final class DeviceFormat {
  private static final Pattern CONVERSION =
      Pattern.compile("%([-+ #0]*)(\\*|\\d+)?(?:\\.(\\*|\\d*))?(hh|h|ll|l|j|z|t|L)?([a-zA-Z%])");

  private static final MethodHandle WITH_LONG = snprintf(ValueLayout.JAVA_LONG);
  private static final MethodHandle WITH_DOUBLE = snprintf(ValueLayout.JAVA_DOUBLE);
  private static final MethodHandle WITH_TEXT = snprintf(ValueLayout.ADDRESS);

  /** A width or precision beyond this is cut. */
  private static final int WIDEST = 1 << 16;

  private DeviceFormat() {}

  private static MethodHandle snprintf(java.lang.foreign.MemoryLayout argument) {
    return CLibrary.function(
        "snprintf",
        FunctionDescriptor.of(
            ValueLayout.JAVA_INT,
            ValueLayout.ADDRESS,
            ValueLayout.JAVA_LONG,
            ValueLayout.ADDRESS,
            argument),
        Linker.Option.firstVariadicArg(3));
  }

  /** Returns the bytes up to a zero; the position advances to the next whole number after it. */
  static byte[] text(ByteBuffer in) {
    int start = in.position();
    int end = start;
    while (end < in.limit() && in.get(end) != 0) {
      end++;
    }
    byte[] text = new byte[end - start];
    in.get(start, text);
    in.position(Math.min(in.limit(), start + (end - start + 8 & ~7)));
    return text;
  }

  /** Formats; a missing argument counts as 0. */
  static byte[] format(byte[] format, ByteBuffer arguments) {
    String pattern = new String(format, StandardCharsets.ISO_8859_1);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Matcher m = CONVERSION.matcher(pattern);
    int at = 0;
    while (m.find(at)) {
      out.writeBytes(pattern.substring(at, m.start()).getBytes(StandardCharsets.ISO_8859_1));
      out.writeBytes(convert(m, arguments));
      at = m.end();
    }
    out.writeBytes(pattern.substring(at).getBytes(StandardCharsets.ISO_8859_1));
    return out.toByteArray();
  }

  private static long next(ByteBuffer in) {
    return in.remaining() >= 8 ? in.getLong() : 0;
  }

  private static byte[] convert(Matcher m, ByteBuffer in) {
    char conversion = m.group(5).charAt(0);
    if (conversion == '%') {
      return new byte[] {'%'};
    }
    StringBuilder spec = new StringBuilder("%").append(m.group(1));
    String width = m.group(2);
    if (width != null) {
      spec.append(bounded("*".equals(width) ? (int) next(in) : number(width)));
    }
    String precision = m.group(3);
    if (precision != null) {
      int p = "*".equals(precision) ? (int) next(in) : number(precision);
      if (p >= 0) {
        spec.append('.').append(bounded(p));
      }
    }
    String length = m.group(4) == null ? "" : m.group(4);
    return switch (conversion) {
      case 's' -> call(WITH_TEXT, spec.append('s').toString(), text(in));
      case 'd', 'i', 'u', 'o', 'x', 'X' ->
          call(
              WITH_LONG,
              spec.append("ll").append(conversion).toString(),
              narrowed(next(in), conversion, length));
      case 'c' -> character(spec, (int) next(in));
      case 'p' -> call(WITH_LONG, spec.append('p').toString(), next(in));
      case 'f', 'F', 'e', 'E', 'g', 'G', 'a', 'A' ->
          call(WITH_DOUBLE, spec.append(conversion).toString(), Double.longBitsToDouble(next(in)));
      case 'n' -> {
        next(in);
        yield new byte[0];
      }
      default -> m.group().getBytes(StandardCharsets.ISO_8859_1);
    };
  }

  private static int number(String digits) {
    try {
      return digits.isEmpty() ? 0 : Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      return WIDEST;
    }
  }

  private static int bounded(int n) {
    return Math.clamp(n, -WIDEST, WIDEST);
  }

  /** A zero byte is a character too, which snprintf would end at. */
  private static byte[] character(StringBuilder spec, int c) {
    if ((c & 0xff) == 0) {
      return new byte[1];
    }
    return call(WITH_LONG, spec.append('c').toString(), (long) c);
  }

  /** The value as the length of its conversion says. */
  private static long narrowed(long value, char conversion, String length) {
    boolean signed = conversion == 'd' || conversion == 'i';
    return switch (length) {
      case "hh" -> signed ? (byte) value : value & 0xff;
      case "h" -> signed ? (short) value : value & 0xffff;
      case "" -> signed ? (int) value : value & 0xffffffffL;
      default -> value;
    };
  }

  private static byte[] call(MethodHandle snprintf, String spec, Object argument) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment format = arena.allocateFrom(spec);
      Object passed = argument instanceof byte[] text ? zeroEnded(arena, text) : argument;
      int size = invoke(snprintf, MemorySegment.NULL, 0, format, passed);
      MemorySegment out = arena.allocate(size + 1L);
      invoke(snprintf, out, size + 1L, format, passed);
      return out.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE);
    }
  }

  private static MemorySegment zeroEnded(Arena arena, byte[] text) {
    MemorySegment segment = arena.allocate(text.length + 1L);
    MemorySegment.copy(text, 0, segment, ValueLayout.JAVA_BYTE, 0, text.length);
    return segment;
  }

  private static int invoke(
      MethodHandle snprintf, MemorySegment out, long size, MemorySegment format, Object argument) {
    return (int)
        CLibrary.call(
            () ->
                switch (argument) {
                  case Long l -> (int) snprintf.invokeExact(out, size, format, (long) l);
                  case Double d -> (int) snprintf.invokeExact(out, size, format, (double) d);
                  case MemorySegment s -> (int) snprintf.invokeExact(out, size, format, s);
                  default -> throw new IllegalArgumentException(argument.toString());
                });
  }
}
