package dev.rocport.toolchain.runtime;

import dev.rocport.toolchain.Library;
import dev.rocport.toolchain.Toolchain;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The rocport libraries that take the place of ROCm libraries when programs run on the device. They
 * compute what the documentation says; that a program is right with them says nothing about what
 * AMD's do. Each one notes its name in a file, where a variable names one, when it is loaded.
 */
public final class StandIns {
  /** The file that they note their names in, a line each. */
  public static final String VARIABLE = "ROCPORT_STAND_INS";

  /** Of rocport, too, but without results of their own: the device's runtime, compiler, marks. */
  private static final Set<Library> NO_RESULTS =
      Set.of(Library.RUNTIME, Library.HIPRTC, Library.ROCTX);

  private StandIns() {}

  static boolean isOne(Library library) {
    return !NO_RESULTS.contains(library);
  }

  /** What people call it. */
  static String name(Library library) {
    return "lib" + library.linkName();
  }

  /**
   * Those among the libraries that a program is linked with.
   *
   * @param linkNames the names after {@code -l}
   */
  public static List<String> among(Collection<String> linkNames, Toolchain toolchain) {
    Path bodies = HipRuntime.installation().resolve("hip-runtime/src");
    Stream<String> loaded =
        Stream.of(Library.values())
            .filter(l -> isOne(l) && linkNames.contains(l.linkName()))
            .filter(l -> Files.isDirectory(bodies.resolve(l.linkName())))
            .map(StandIns::name);
    boolean shmem = linkNames.contains(Rocshmem.LINK_NAME) && Rocshmem.of(toolchain).isStandIn();
    Stream<String> others =
        Stream.of(
                shmem ? Rocshmem.LINK_NAME : "",
                linkNames.contains(AmdSmi.LINK_NAME) ? AmdSmi.LINK_NAME : "")
            .filter(n -> !n.isEmpty())
            .map(n -> "lib" + n);
    return Stream.concat(loaded, others).sorted().toList();
  }
}
