package dev.rocport.toolchain;

import java.util.regex.Pattern;

/**
 * An AMDGPU target as {@code --offload-arch} takes it: {@code gfx90a}, {@code gfx942:xnack-},
 * {@code gfx11-generic}.
 *
 * @param id processor, with features where there are some
 */
public record GfxTarget(String id) implements Comparable<GfxTarget> {
  private static final Pattern SHAPE =
      Pattern.compile("gfx([0-9]{1,3}[0-9a-f]|[0-9]{1,2}(-[0-9])?-generic)(:[a-z]+[+-])*");

  public GfxTarget {
    if (!SHAPE.matcher(id).matches()) {
      throw new IllegalArgumentException("not a GPU target: " + id);
    }
  }

  /** The processor without its features. */
  public String processor() {
    int colon = id.indexOf(':');
    return colon < 0 ? id : id.substring(0, colon);
  }

  @Override
  public int compareTo(GfxTarget other) {
    return id.compareTo(other.id);
  }

  @Override
  public String toString() {
    return id;
  }
}
