package dev.rocport.device.dispatch;

import dev.rocport.device.codeobject.KernelInfo;
import dev.rocport.device.codeobject.KernelName;
import org.jspecify.annotations.Nullable;

/**
 * The trace of running kernels on the standard error of their programs.
 *
 * @param kernels a line for each launch
 * @param isa the wave whose instructions are printed, or null
 */
public record Trace(boolean kernels, @Nullable OneWave isa) {
  /** Nothing. */
  public static final Trace NONE = new Trace(false, null);

  /**
   * A wave of a kernel.
   *
   * @param block the number of its workgroup: x first, then y, then z
   * @param wave its number in the workgroup
   */
  public record OneWave(String kernel, long block, int wave) {
    boolean isIn(KernelInfo info) {
      return kernel.equals(info.name()) || kernel.equals(KernelName.readable(info.name()));
    }
  }

  /** Whether to print the instructions of a wave. */
  boolean hasWave(KernelInfo info, long block, int wave) {
    return isa != null && isa.block == block && isa.wave == wave && isa.isIn(info);
  }

  /**
   * Reads a list such as {@code kernels,isa:saxpy:0:1}.
   *
   * @throws IllegalArgumentException if it is invalid
   */
  public static Trace parse(String list) {
    Trace trace = NONE;
    for (String item : list.split(",", -1)) {
      if (item.equals("kernels")) {
        trace = new Trace(true, trace.isa);
      } else if (item.startsWith("isa:")) {
        trace = new Trace(trace.kernels, wave(item));
      } else if (!item.isEmpty()) {
        throw unknown(item);
      }
    }
    return trace;
  }

  private static OneWave wave(String item) {
    // A name can hold colons itself, so the numbers are taken from the end.
    int last = item.lastIndexOf(':');
    int middle = item.lastIndexOf(':', last - 1);
    try {
      long block = Long.parseLong(item.substring(middle + 1, last));
      int wave = Integer.parseInt(item.substring(last + 1));
      return new OneWave(item.substring("isa:".length(), middle), block, wave);
    } catch (NumberFormatException | StringIndexOutOfBoundsException e) {
      throw new IllegalArgumentException("expected 'isa:KERNEL:BLOCK:WAVE', not '" + item + "'", e);
    }
  }

  private static IllegalArgumentException unknown(String item) {
    return new IllegalArgumentException(
        "unknown trace '" + item + "'; use 'kernels' or 'isa:KERNEL:BLOCK:WAVE'");
  }
}
