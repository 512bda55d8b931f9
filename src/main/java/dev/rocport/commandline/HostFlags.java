package dev.rocport.commandline;

import java.util.Set;

/** Classifies flags of gcc and clang. */
final class HostFlags {
  private static final Set<String> SEPARATE =
      Set.of(
          "-o",
          "-I",
          "-D",
          "-U",
          "-L",
          "-l",
          "-include",
          "-isystem",
          "-iquote",
          "-idirafter",
          "-imacros",
          "-x",
          "-MF",
          "-MT",
          "-MQ",
          "-Xlinker",
          "-Xpreprocessor",
          "-Xassembler",
          "-Xclang",
          "-mllvm",
          "-Xarch_host",
          "-Xarch_device",
          "-T",
          "-u",
          "-z",
          "--param",
          "-target",
          "-framework",
          "-arch",
          "--rocm-path",
          "--offload-arch");

  private static final Set<String> LINK_ONLY =
      Set.of(
          "-shared",
          "-static",
          "-rdynamic",
          "-s",
          "-pie",
          "-no-pie",
          "-static-libgcc",
          "-static-libstdc++",
          "-nostdlib",
          "-nodefaultlibs",
          "-nostartfiles",
          "-r");

  private HostFlags() {}

  /** Returns whether the next argument is the flag's value. */
  static boolean takesNext(String flag) {
    return SEPARATE.contains(flag);
  }

  static boolean isForLinkOnly(String flag) {
    return LINK_ONLY.contains(flag)
        || flag.startsWith("-Wl,")
        || flag.startsWith("-L")
        || flag.startsWith("-fuse-ld");
  }

  /** Returns whether a flag applies to both compiling and linking. */
  static boolean isForBoth(String flag) {
    return flag.startsWith("-fopenmp")
        || flag.equals("-pthread")
        || flag.startsWith("-fsanitize")
        || flag.startsWith("-flto")
        || flag.equals("--coverage")
        || flag.equals("-pg")
        || flag.startsWith("-stdlib=");
  }
}
