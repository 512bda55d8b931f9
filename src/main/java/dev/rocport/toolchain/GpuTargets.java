package dev.rocport.toolchain;

import java.util.List;
import java.util.regex.Pattern;

/** The GPU targets that rocport builds for. CONTRIBUTING.md lists what else a new target needs. */
public final class GpuTargets {
  /** What commands build for unless {@code --target} names others. */
  public static final String DEFAULT = "gfx90a,gfx942";

  /** The targets that a toolchain must support. */
  public static final List<GfxTarget> REQUIRED =
      Pattern.compile(",").splitAsStream(DEFAULT).map(GfxTarget::new).toList();

  /** Targets that are used if the compiler supports them. */
  public static final List<GfxTarget> OPTIONAL = List.of(new GfxTarget("gfx950"));

  /** Targets that the provisioned compiler knows beside: programs have waves of 32 lanes there. */
  static final List<GfxTarget> OF_THE_PROVISIONED =
      List.of(new GfxTarget("gfx1100"), new GfxTarget("gfx1151"));

  private GpuTargets() {}
}
