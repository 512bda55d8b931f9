package dev.rocport.toolchain;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A compiler, HIP headers and device libraries that have been tested together.
 *
 * @param kind where it comes from
 * @param clang the driver for C++ and HIP
 * @param root the folder that {@code ROCM_PATH} names: {@code include}, {@code lib}, {@code bin}
 * @param include the HIP headers
 * @param deviceLibs folder of the device libraries' bitcode
 * @param lib folder of the libraries programs link with
 * @param sysroot C and C++ headers and libraries of the host side, where the machine has none
 * @param clangVersion first line of {@code clang --version}
 * @param hip version of the headers
 * @param targets the GPU targets a kernel was compiled for, sorted
 * @param libraries what programs can be linked with
 * @param fingerprint hash of the versions of compiler, headers and device libraries
 */
public record Toolchain(
    Kind kind,
    Path clang,
    Path root,
    Path include,
    Path deviceLibs,
    Path lib,
    Optional<Path> sysroot,
    String clangVersion,
    HipVersion hip,
    List<GfxTarget> targets,
    SortedSet<Library> libraries,
    String fingerprint) {

  /** Where a toolchain comes from. */
  public enum Kind {
    /** A real ROCm on this machine. */
    ROCM,
    /** Unpacked by rocport into its own folder; its libraries are good for linking only. */
    PROVISIONED
  }

  private static final String SDWA = "-amdgpu-sdwa-peephole=0";

  /**
   * LLVM 21 and 22 make 24-bit factors of a 64-bit product, and then use all 32 bits of them if the
   * product is part of a sum: {@code x % 7 * 5 + y} is wrong.
   */
  private static final String PRODUCTS = "-amdgpu-codegenprepare-mul24=0";

  /** The first LLVM that may have this error; LLVM 19 does not. */
  private static final int DROPS_PRODUCTS = 20;

  /** The first LLVM whose format of code objects is version 6 by default. */
  private static final int VERSION_6 = 21;

  private static final Pattern MAJOR = Pattern.compile("clang version (\\d+)\\.");

  private static final HipVersion SYNC_BUILTINS_GATED = new HipVersion(6, 2, 0);
  private static final HipVersion SYNC_BUILTINS_DEFAULT = new HipVersion(7, 0, 0);

  public Toolchain {
    targets = List.copyOf(targets);
  }

  /**
   * Flags that compile a HIP source for these targets, host and device side, with no input, output,
   * language standard or optimisation level.
   */
  public List<String> hipCompile(Collection<String> gfxTargets) {
    List<String> flags = new ArrayList<>();
    flags.add("-x");
    flags.add("hip");
    gfxTargets.forEach(t -> flags.add("--offload-arch=" + t));
    flags.add("--rocm-path=" + root);
    flags.add("--hip-path=" + root);
    flags.add("--hip-version=" + hip);
    flags.add("--rocm-device-lib-path=" + deviceLibs);
    flags.add("-mcode-object-version=" + codeObjectVersion());
    // nvcc lets a function take a variable that only some lanes have set; clang would take it that
    // all lanes that call are ones that have.
    flags.addAll(List.of("-Xclang", "-no-enable-noundef-analysis"));
    if (kind == Kind.PROVISIONED) {
      // LLVM 19 takes v_sub(a.b1, b.b1) and v_sub(b.b1, a.b1) for one (llvm-project pull 106920)
      flags.addAll(List.of("-mllvm", SDWA));
    }
    if (dropsProducts()) {
      flags.addAll(List.of("-mllvm", PRODUCTS));
    }
    flags.addAll(common());
    return List.copyOf(flags);
  }

  private boolean dropsProducts() {
    return clangMajor(clangVersion).orElse(0) >= DROPS_PRODUCTS;
  }

  /**
   * The format of code objects: LLVM 19 has no device libraries for the one that generic targets
   * need.
   */
  public int codeObjectVersion() {
    return clangMajor(clangVersion).orElse(0) >= VERSION_6 ? 6 : 5;
  }

  /** The major version in what {@code clang --version} prints; empty if that is no clang. */
  public static OptionalInt clangMajor(String text) {
    Matcher major = MAJOR.matcher(text);
    return major.find() ? OptionalInt.of(Integer.parseInt(major.group(1))) : OptionalInt.empty();
  }

  /** Options of LLVM, after {@code -mllvm}, that avoid errors of LLVM. */
  List<String> workarounds() {
    return dropsProducts() ? List.of(SDWA, PRODUCTS) : List.of(SDWA);
  }

  /** The flags that avoid errors of LLVM in builds of other tools, as one text. */
  public String workaroundFlags() {
    return workarounds().stream().map(w -> "-mllvm " + w).collect(Collectors.joining(" "));
  }

  /** Whether {@link #hipCompile} may add this option of LLVM. */
  public static boolean isWorkaround(String option) {
    return option.equals(SDWA) || option.equals(PRODUCTS);
  }

  /** Flags that compile plain C or C++ which uses the HIP headers. */
  public List<String> hostCompile() {
    return List.copyOf(common());
  }

  /** Flags that link objects to a program; they go after the objects. */
  public List<String> link() {
    List<String> flags = new ArrayList<>();
    sysroot.ifPresent(s -> flags.add("--sysroot=" + s));
    flags.add("-fuse-ld=lld");
    flags.add("-L" + lib);
    flags.add("-Wl,--allow-shlib-undefined");
    if (kind == Kind.ROCM) {
      flags.add("-Wl,-rpath," + lib);
      CompilerBuiltins.of(clang).ifPresent(b -> flags.add(b.toString()));
    }
    // A program of the host only, which a build may run, does not need the library.
    flags.addAll(List.of("-Wl,--push-state,--as-needed", "-lamdhip64", "-Wl,--pop-state"));
    return List.copyOf(flags);
  }

  /** Flags that link objects compiled with {@code -fgpu-rdc}; they go after the objects. */
  public List<String> linkRelocatable(Collection<String> gfxTargets) {
    List<String> flags = new ArrayList<>(List.of("--hip-link", "-fgpu-rdc", "-no-hip-rt"));
    gfxTargets.forEach(t -> flags.add("--offload-arch=" + t));
    flags.add("--rocm-path=" + root);
    flags.add("--rocm-device-lib-path=" + deviceLibs);
    flags.add("-mcode-object-version=" + codeObjectVersion());
    flags.addAll(link());
    return List.copyOf(flags);
  }

  /** Whether the HIP folder holds this header, as an include spells it. */
  public boolean hasHeader(String name) {
    return Files.isRegularFile(include.resolve(name));
  }

  public boolean supports(GfxTarget target) {
    return Stream.concat(
            targets.stream(),
            kind == Kind.PROVISIONED ? GpuTargets.OF_THE_PROVISIONED.stream() : Stream.empty())
        .anyMatch(t -> t.processor().equals(target.processor()));
  }

  /** The same with what probing found. */
  public Toolchain having(List<GfxTarget> seenTargets, SortedSet<Library> seenLibraries) {
    return new Toolchain(
        kind,
        clang,
        root,
        include,
        deviceLibs,
        lib,
        sysroot,
        clangVersion,
        hip,
        seenTargets,
        seenLibraries,
        fingerprint);
  }

  /**
   * The same headers and libraries with another compiler.
   *
   * @param driver for C++ and HIP
   * @param bitcode its device libraries
   * @param version first line of its {@code --version}
   * @param able the targets that it compiles for, sorted
   * @param hash of the versions of compiler, headers and device libraries
   */
  public Toolchain compiling(
      Path driver, Path bitcode, String version, List<GfxTarget> able, String hash) {
    return new Toolchain(
        kind, driver, root, include, bitcode, lib, sysroot, version, hip, able, libraries, hash);
  }

  private List<String> common() {
    List<String> flags = new ArrayList<>();
    sysroot.ifPresent(s -> flags.add("--sysroot=" + s));
    flags.add("-D__HIP_PLATFORM_AMD__=1");
    // Headers 6.2 to 6.4 enable the *_sync warp functions only with this macro.
    if (hip.atLeast(SYNC_BUILTINS_GATED) && !hip.atLeast(SYNC_BUILTINS_DEFAULT)) {
      flags.add("-DHIP_ENABLE_WARP_SYNC_BUILTINS=1");
    }
    // Not left to --hip-path, which would put older system-wide HIP headers first.
    flags.add("-isystem");
    flags.add(include.toString());
    if (kind == Kind.PROVISIONED) {
      flags.addAll(OpenMp.compile(this));
    }
    return flags;
  }
}
