package dev.rocport.device.codeobject;

/**
 * An argument of a kernel, explicit or hidden.
 *
 * @param kind as the metadata names it: {@code by_value}, {@code global_buffer}, {@code
 *     hidden_block_count_x}, ...
 */
public record Argument(int offset, int size, String kind) {
  public boolean isHidden() {
    return kind.startsWith("hidden_");
  }
}
