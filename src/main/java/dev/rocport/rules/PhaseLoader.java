package dev.rocport.rules;

import dev.rocport.core.source.Globs;
import dev.rocport.io.InvalidFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import tools.jackson.databind.JsonNode;

/** Reads {@code phases.yaml}. */
final class PhaseLoader {
  private final Path file;

  PhaseLoader(Path file) {
    this.file = file;
  }

  PhaseTable read(JsonNode root) {
    only(root, Set.of("phases"));
    List<PhaseTable.Phase> phases = new ArrayList<>();
    int last = -1;
    for (JsonNode node : root.path("phases")) {
      PhaseTable.Phase phase = phase(node);
      if (phase.number() <= last) {
        throw new InvalidFileException(file + ": phases must be in order: " + phase.number());
      }
      last = phase.number();
      phases.add(phase);
    }
    return new PhaseTable(phases);
  }

  private PhaseTable.Phase phase(JsonNode node) {
    only(node, Set.of("phase", "title", "what", "follows", "otherwise", "signs"));
    JsonNode number = node.path("phase");
    if (!number.isInt() || number.asInt() < 0) {
      throw new InvalidFileException(file + ": a phase needs its number: " + node);
    }
    if (text(node, "title").isBlank() || text(node, "otherwise").isBlank()) {
      throw new InvalidFileException(file + ": phase " + number + " needs 'title' and 'otherwise'");
    }
    List<PhaseTable.Sign> signs = new ArrayList<>();
    for (JsonNode sign : node.path("signs")) {
      signs.add(sign(sign));
    }
    return new PhaseTable.Phase(
        number.asInt(),
        text(node, "title"),
        text(node, "what"),
        text(node, "follows"),
        text(node, "otherwise"),
        signs);
  }

  private PhaseTable.Sign sign(JsonNode node) {
    only(node, Set.of("says", "rules", "families", "about", "files", "words", "marks", "maybe"));
    PhaseTable.Sign sign =
        new PhaseTable.Sign(
            text(node, "says"),
            texts(node, "rules"),
            texts(node, "families"),
            text(node, "about"),
            texts(node, "files"),
            texts(node, "words"),
            texts(node, "marks"),
            node.path("maybe").asBoolean(false));
    boolean nothing = sign.rules().isEmpty() && sign.families().isEmpty() && sign.files().isEmpty();
    if (sign.says().isBlank() || nothing || (!sign.words().isEmpty() && sign.files().isEmpty())) {
      throw new InvalidFileException(
          file
              + ": a sign needs 'says' and at least one of 'rules', 'families' and 'files'; 'words'"
              + " also needs 'files': "
              + node);
    }
    try {
      Globs.of(sign.files());
      Pattern.compile(sign.about());
    } catch (PatternSyntaxException e) {
      throw new InvalidFileException(file + ": about: " + e.getDescription() + ": " + node, e);
    } catch (IllegalArgumentException e) {
      throw new InvalidFileException(file + ": " + e.getMessage(), e);
    }
    return sign;
  }

  private void only(JsonNode node, Set<String> fields) {
    for (String field : node.propertyNames()) {
      if (!fields.contains(field)) {
        throw new InvalidFileException(file + ": unknown field '" + field + "'");
      }
    }
  }

  private static String text(JsonNode node, String field) {
    JsonNode v = node.path(field);
    return v.isMissingNode() || v.isNull() ? "" : v.asString();
  }

  private List<String> texts(JsonNode node, String field) {
    List<String> list = new ArrayList<>();
    for (JsonNode v : node.path(field)) {
      String text = v.asString();
      if (text.isBlank() || text.equals("*")) {
        throw new InvalidFileException(file + ": an empty text in '" + field + "': " + node);
      }
      list.add(text);
    }
    return list;
  }
}
