package dev.rocport.verify;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * An instruction or a command that the check {@code order} may delay, as the device has listed it.
 *
 * @param number the same in all runs of the program
 * @param role what it does: {@code store of 4 bytes}
 * @param source file and line; empty where no line is known
 * @param place the line, or the place in the code object
 * @param kernel whose instruction it is, or the function of the host that gives the command
 * @param onHost whether it is a command of the host
 */
record DelayedPlace(
    int number, String role, String source, String place, String kernel, boolean onHost) {
  private static final String NUMBER = "delayed";

  /** Whether a line of a file of findings is about such a place. */
  static boolean isOne(JsonNode line) {
    return line.has(NUMBER);
  }

  /** Reads the places in a file of findings; none if the file does not exist. */
  static List<DelayedPlace> read(Path file) throws IOException {
    return SeenFinding.lines(file).stream()
        .filter(DelayedPlace::isOne)
        .map(DelayedPlace::of)
        .toList();
  }

  private static DelayedPlace of(JsonNode node) {
    JsonNode site = node.path("site");
    return new DelayedPlace(
        HexFormat.fromHexDigits(node.path(NUMBER).asString()),
        site.path("role").asString(),
        site.path("source").asString(),
        SeenFinding.place(site),
        site.path("kernel").asString(),
        site.path("pc").asLong() < 0);
  }

  boolean isStore() {
    return role.startsWith("store") || role.startsWith("atomic");
  }

  boolean isLoad() {
    return role.startsWith("load");
  }

  /** The place in words, with its line as it is shown. */
  String words(String shown) {
    return "%s at %s%s".formatted(role, shown, kernel.isEmpty() ? "" : " in " + kernel);
  }
}
