package dev.rocport.toolchain.provision;

import dev.rocport.toolchain.ToolRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Programs beside the compiler that some projects need; taken only for those that do. */
public interface Extra {
  /** Its name for options and reports, which is that of its group in the list of packages. */
  String label();

  /** For messages. */
  String title();

  /** All of them have to be there. */
  List<String> programs();

  /** What a person would install to have it on the machine. */
  String packages();

  /** What a person would do to have it on the machine. */
  default String advice() {
    return "apt install " + packages();
  }

  /** Folders of the machine that are searched before those of {@code PATH}. */
  default List<Path> folders(Map<String, String> environment) {
    return List.of();
  }

  /**
   * Whether the machine's own will do.
   *
   * @param bin folder of the first of its programs
   */
  default boolean accepts(Path bin) {
    return true;
  }

  /**
   * Makes its programs find their files below another folder than {@code /}. Called twice: for the
   * folder where the packages are unpacked, and for the place where they will be.
   */
  void make(ExtraFolder folder) throws IOException;

  /**
   * What came of running its programs as projects will.
   *
   * @param run what was run last
   * @param made whether it did what was asked of it
   */
  record Attempt(ToolRun run, boolean made) {}

  /**
   * Runs its programs as projects will.
   *
   * @param scratch an empty folder
   */
  Attempt attempt(ExtraFolder folder, Path scratch) throws IOException;

  /** What its programs have to be told. */
  default Map<String, String> variables(ExtraFolder folder) throws IOException {
    return Map.of();
  }

  /** Whether programs are linked with its libraries, which they then load. */
  default boolean linked() {
    return false;
  }
}
