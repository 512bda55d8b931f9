package dev.rocport.buildsystem.cmake;

import dev.rocport.buildsystem.cmake.CMakeNames.Action;
import dev.rocport.buildsystem.cmake.CMakeNames.Entry;
import dev.rocport.buildsystem.cmake.CMakeNames.Kind;
import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/** Ports cache variables in {@code CMakePresets.json}. */
final class Presets {
  static final String RULE = "CMAKE-PRESET";

  /** A member with a string or a small object; group 4 is the text of the value. */
  private static final Pattern MEMBER =
      Pattern.compile(
          "\"((?:CMAKE_CUDA_|CUDA_|CUDAToolkit_|CUDACXX|CUDAHOSTCXX)\\w*)\"\\s*:\\s*"
              + "(\"([^\"\\\\]*)\"|\\{[^{}]*?\"value\"\\s*:\\s*\"([^\"\\\\]*)\"[^{}]*\\}"
              + "|\\{[^{}]*\\}|true|false|null|[\\d.]+)");

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS, JsonReadFeature.ALLOW_TRAILING_COMMA)
          .build();

  private Presets() {}

  static void port(SourceFile file, Changes changes) {
    String text = new String(file.bytes(), StandardCharsets.ISO_8859_1);
    if (!changes.allows(RULE) || !isJson(file)) {
      return; // CMake rejects invalid JSON too
    }
    Matcher m = MEMBER.matcher(text);
    Deque<int[]> deleted = new ArrayDeque<>();
    while (m.find()) {
      String name = m.group(1);
      Optional<Entry> known = CMakeNames.of(Kind.VARIABLE, name);
      boolean compiler = Set.of("CMAKE_CUDA_COMPILER", "CUDACXX", "CUDAHOSTCXX").contains(name);
      Action action = compiler ? Action.DROP : known.map(Entry::action).orElse(Action.FUNCTION);
      switch (action) {
        case ARCH, DROP -> {
          String why =
              action == Action.ARCH
                  ? LeftOut.ARCH_ADVICE
                  : compiler ? "CMake finds the HIP compiler" : known.map(Entry::reason).orElse("");
          changes.finding(
              RULE, Disposition.PORTED, m.start(), m.end(), name + " is left out: " + why);
          drop(text, m.start(), m.end(), deleted);
        }
        case FLAGS -> {
          changes.edit(Edit.replace(m.start(1), m.end(1), known.orElseThrow().rocm(), RULE));
          int group = m.group(3) != null ? 3 : 4;
          if (m.group(group) != null) {
            flags(text, m.start(group), m.end(group), changes);
          }
        }
        case RENAME ->
            changes.edit(Edit.replace(m.start(1), m.end(1), known.orElseThrow().rocm(), RULE));
        case FUNCTION -> {}
        default ->
            changes.finding(
                RULE,
                Severity.ERROR,
                Disposition.UNPORTED,
                m.start(1),
                m.end(1),
                name + " has no counterpart in a preset",
                "Remove it, and set its flags in CMAKE_HIP_FLAGS.");
      }
    }
    deleted.forEach(span -> changes.edit(Edit.delete(span[0], span[1], RULE)));
  }

  private static boolean isJson(SourceFile file) {
    String text = file.text(0, file.length());
    try (JsonParser parser =
        JSON.createParser(
            ObjectReadContext.empty(), text.startsWith("\ufeff") ? text.substring(1) : text)) {
      while (parser.nextToken() != null) {
        // Reads to the end.
      }
      return true;
    } catch (JacksonException e) {
      return false;
    }
  }

  private static void flags(String text, int from, int to, Changes changes) {
    FlagText flags = FlagText.of(text, from, to, FlagText.Form.QUOTED, false);
    flags
        .changes()
        .forEach(c -> changes.alsoEdit(Edit.replace(c.start(), c.end(), c.text(), RULE)));
    for (FlagText.Remark r : flags.remarks()) {
      changes.finding(
          r.problem() ? ListPort.UNKNOWN : ListPort.FLAG,
          r.problem() ? Disposition.UNPORTED : Disposition.PORTED,
          r.start(),
          r.end(),
          r.message());
    }
  }

  /** Deletes a member with its comma and its line. */
  private static void drop(String text, int start, int end, Deque<int[]> deleted) {
    int following = end;
    while (following < text.length() && Character.isWhitespace(text.charAt(following))) {
      following++;
    }
    int from = blanksBefore(text, start);
    if (following < text.length() && text.charAt(following) == ',') {
      deleted.add(new int[] {from, following + 1});
      return;
    }
    while (!deleted.isEmpty() && deleted.getLast()[1] == from) {
      from = deleted.removeLast()[0]; // their commas are deleted with the members before them
    }
    deleted.add(new int[] {from > 0 && text.charAt(from - 1) == ',' ? from - 1 : from, end});
  }

  private static int blanksBefore(String text, int at) {
    int from = at;
    while (from > 0 && Character.isWhitespace(text.charAt(from - 1))) {
      from--;
    }
    return from;
  }
}
