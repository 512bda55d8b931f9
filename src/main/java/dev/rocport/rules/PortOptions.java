package dev.rocport.rules;

/**
 * The options of a port.
 *
 * @param launch how kernel launches are written
 * @param libs which libraries replace the CUDA libraries
 * @param style where the AMD version is written
 * @param warp how warps of 32 lanes are ported
 * @param renameSources whether {@code .cu} becomes {@code .hip}
 * @param hip the HIP version that the result must compile with, as {@code major.minor}
 * @param filter the rules in force
 */
public record PortOptions(
    Launch launch,
    Libs libs,
    Style style,
    Warp warp,
    boolean renameSources,
    String hip,
    RuleFilter filter) {
  public static final PortOptions DEFAULT =
      new PortOptions(
          Launch.CHEVRONS, Libs.HIP, Style.HIP, Warp.AUTO, false, "6.4", RuleFilter.ALL);

  /** Spelling of kernel launches. */
  public enum Launch {
    CHEVRONS,
    GGL
  }

  /** The marshalling libraries (hipBLAS, ...) or AMD's own (rocBLAS, ...). */
  public enum Libs {
    HIP,
    ROC
  }

  /** A separate HIP tree, or one tree with gates. */
  public enum Style {
    HIP,
    SINGLE_SOURCE
  }

  /** How code for 32-lane warps is ported. */
  public enum Warp {
    AUTO,
    WIDE,
    GROUPS32
  }

  /** The same with these rules in force. */
  public PortOptions with(RuleFilter rules) {
    return new PortOptions(launch, libs, style, warp, renameSources, hip, rules);
  }
}
