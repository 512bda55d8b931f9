package dev.rocport.toolchain.runtime;

import dev.rocport.toolchain.Toolchain;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The AMD SMI that ported NVML calls go to: that of ROCm if the toolchain has it, otherwise the
 * header of rocport with the functions of {@code rocport/nvml.h}. On the device, programs load the
 * stand-in of rocport in both cases.
 */
public final class AmdSmi {
  /** The name after {@code -l}. */
  public static final String LINK_NAME = "amd_smi";

  /** What its functions start with. */
  public static final String PREFIX = "amdsmi_";

  static final String FILE = "lib" + LINK_NAME + ".so";

  /** Folder of the header in {@code hip-runtime}. */
  static final String FOLDER = "amdsmi";

  private static final String HEADER = "amd_smi/amdsmi.h";

  /** Structures of rocport's header have another layout, so no AMD SMI has this name. */
  private static final String OWN = "lib" + LINK_NAME + "-rocport.so";

  private AmdSmi() {}

  /** Flags that let the compiler find a header if the toolchain has none. */
  public static List<String> compile() {
    Path sources = HipRuntime.installation().resolve("hip-runtime");
    return List.of("-idirafter", headers(sources).toString());
  }

  /**
   * The folder of the header.
   *
   * @param sources the folder {@code hip-runtime}
   */
  static Path headers(Path sources) {
    return sources.resolve(FOLDER).resolve("include");
  }

  /** Flags for the linker if the toolchain has no AMD SMI: the folder of that of rocport. */
  public static List<String> link(Toolchain toolchain) throws ToolchainException {
    return Files.exists(toolchain.lib().resolve(FILE))
        ? List.of()
        : List.of("-L" + HipRuntime.of(toolchain, line -> {}).libraries());
  }

  /** The name by which programs load it. */
  static String soname(Toolchain toolchain) throws IOException {
    boolean real = toolchain.hasHeader(HEADER) && Files.exists(toolchain.lib().resolve(FILE));
    return real ? RuntimeCompiler.soname(toolchain, FILE) : OWN;
  }
}
