package dev.rocport.toolchain.provision;

import dev.rocport.toolchain.packages.PackageList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Programs other than the compiler that some projects need; installed only for those projects. */
public enum Extra {
  /** Open MPI: the compiler's wrappers and the starter. */
  MPI("Open MPI", List.of("mpicc", "mpicxx", "mpirun"), "openmpi-bin libopenmpi-dev"),

  /** What makes a {@code configure} and runs its makefiles. */
  AUTOTOOLS(
      "autotools",
      List.of(
          "autoreconf",
          "autoconf",
          "autoheader",
          "autom4te",
          "automake",
          "aclocal",
          "libtoolize",
          "m4",
          "perl",
          "make"),
      "autoconf automake libtool make"),

  /** What configures and builds projects with CMake files. */
  CMAKE("CMake", List.of("cmake", "ninja"), "cmake ninja-build"),

  /** What builds projects with Bazel's files; it runs on the Java that runs this. */
  BAZEL("Bazel", List.of("bazel"), "bazel-bootstrap"),

  /** What configures and builds projects with Meson files. */
  MESON("Meson", List.of("meson", "ninja"), "meson"),

  /** What builds extensions of Python and runs them: with its headers and setuptools. */
  PYTHON(
      "Python with its headers and setuptools",
      List.of("python3"),
      "python3-dev python3-setuptools");

  private final String title;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> programs;

  private final String packages;

  Extra(String title, List<String> programs, String packages) {
    this.title = title;
    this.programs = programs;
    this.packages = packages;
  }

  /** The extra with a label; empty if there is none. */
  public static Optional<Extra> of(String label) {
    return Stream.of(values()).filter(e -> e.label().equals(label)).findFirst();
  }

  /** As options and reports call it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** For messages. */
  public String title() {
    return title;
  }

  /** All of them have to be there. */
  public List<String> programs() {
    return programs;
  }

  /** What a person would do to have it on the machine. */
  public String advice() {
    return "apt install " + packages;
  }

  PackageList.Group group() {
    return switch (this) {
      case MPI -> PackageList.Group.MPI;
      case AUTOTOOLS -> PackageList.Group.AUTOTOOLS;
      case CMAKE -> PackageList.Group.CMAKE;
      case MESON -> PackageList.Group.MESON;
      case BAZEL -> PackageList.Group.BAZEL;
      case PYTHON -> PackageList.Group.PYTHON;
    };
  }
}
