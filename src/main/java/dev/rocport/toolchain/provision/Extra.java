package dev.rocport.toolchain.provision;

import dev.rocport.toolchain.ToolRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Programs in addition to the compiler that some projects need; used only for these projects. */
public abstract class Extra {
  private final String label;
  private final String title;
  private final List<String> programs;
  private final String packages;

  /**
   * Describes an extra.
   *
   * @param label its name for options and reports, which is that of its group in the list of
   *     packages
   * @param title for messages
   * @param programs all of them have to be there
   * @param packages what a person would install to have it on the machine
   */
  protected Extra(String label, String title, List<String> programs, String packages) {
    this.label = label;
    this.title = title;
    this.programs = List.copyOf(programs);
    this.packages = packages;
  }

  /** Returns its name for options and reports. */
  public final String label() {
    return label;
  }

  /** Returns its name for messages. */
  public final String title() {
    return title;
  }

  /** Returns its programs; all of them have to be there. */
  public final List<String> programs() {
    return programs;
  }

  /** What a person would do to have it on the machine. */
  public String advice() {
    return "apt install " + packages;
  }

  /** What an installation takes, for a message before it begins; empty if that is little. */
  public String size() {
    return "";
  }

  /** Bytes of disk space at the peak of an installation, package lists and downloads included. */
  public long room() {
    return 250_000_000;
  }

  /** Folders of the machine that are searched before those of {@code PATH}. */
  public List<Path> folders(Map<String, String> environment) {
    return List.of();
  }

  /**
   * Whether the machine's own will do.
   *
   * @param bin folder of the first of its programs
   */
  public boolean accepts(Path bin) {
    return true;
  }

  /**
   * Makes its programs find their files below another folder than {@code /}. Called twice: for the
   * folder where the packages are unpacked, and for the place where they will be.
   */
  public abstract void make(ExtraFolder folder) throws IOException;

  /**
   * What came of running its programs as projects will.
   *
   * @param run what was run last
   * @param made whether it did what was asked of it
   */
  public record Attempt(ToolRun run, boolean made) {}

  /**
   * Runs its programs as projects will.
   *
   * @param scratch an empty folder
   */
  public abstract Attempt attempt(ExtraFolder folder, Path scratch) throws IOException;

  /** What its programs have to be told. */
  public Map<String, String> variables(ExtraFolder folder) throws IOException {
    return Map.of();
  }

  /** Whether programs are linked with its libraries, which they then load. */
  public boolean linked() {
    return false;
  }
}
