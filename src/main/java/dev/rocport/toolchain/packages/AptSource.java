package dev.rocport.toolchain.packages;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An archive in the apt configuration of this machine.
 *
 * @param uri of the archive
 * @param keyring file of the keys that sign it, where the entry names one
 */
public record AptSource(String uri, Optional<String> keyring) {
  private static final Pattern ONE_LINE =
      Pattern.compile("deb\\s+(?:\\[([^\\]]*)]\\s*)?(\\S+)\\s+\\S+.*");
  private static final Pattern SIGNED_BY = Pattern.compile("signed-by=([^\\s,\\]]+)");

  /** Whether it is the main Debian archive, not its security archive or that of another vendor. */
  boolean isDebian() {
    String path = uri.replaceFirst("^[a-z+]+://[^/]*", "").replaceFirst("/+$", "");
    return path.equals("/debian") || path.endsWith("/debian");
  }

  /** Reads a classic list: one archive per line. */
  static List<AptSource> parseList(String text) {
    List<AptSource> found = new ArrayList<>();
    for (String raw : text.lines().toList()) {
      Matcher m = ONE_LINE.matcher(raw.replaceFirst("#.*", "").strip());
      if (m.matches()) {
        Matcher key = SIGNED_BY.matcher(m.group(1) == null ? "" : m.group(1));
        found.add(new AptSource(m.group(2), path(key.find() ? key.group(1) : "")));
      }
    }
    return List.copyOf(found);
  }

  /** Reads deb822 paragraphs, the form of {@code .sources} files. */
  static List<AptSource> parseDeb822(String text) {
    List<AptSource> found = new ArrayList<>();
    Paragraph paragraph = new Paragraph();
    for (String line : text.lines().toList()) {
      if (line.isBlank()) {
        paragraph.emit(found);
        paragraph = new Paragraph();
      } else if (!line.startsWith("#")) {
        paragraph.add(line);
      }
    }
    paragraph.emit(found);
    return List.copyOf(found);
  }

  private static Optional<String> path(String text) {
    return text.startsWith("/") ? Optional.of(text) : Optional.empty();
  }

  /** The fields of one paragraph that matter here; a continued field keeps its first line only. */
  private static final class Paragraph {
    private String types = "";
    private final List<String> uris = new ArrayList<>();
    private String key = "";
    private boolean enabled = true;
    private String field = "";

    void add(String line) {
      int colon = line.indexOf(':');
      boolean continued = Character.isWhitespace(line.charAt(0));
      if (!continued && colon > 0) {
        field = line.substring(0, colon).toLowerCase(Locale.ROOT);
      }
      String value = (continued ? line : line.substring(colon + 1)).strip();
      switch (field) {
        case "types" -> types = types + " " + value;
        case "uris" -> uris.addAll(List.of(value.split("\\s+")));
        case "signed-by" -> key = key.isEmpty() ? value.split("\\s+")[0] : key;
        case "enabled" -> enabled = !List.of("no", "false", "0", "off").contains(value);
        default -> {}
      }
    }

    void emit(List<AptSource> found) {
      if (enabled && List.of(types.strip().split("\\s+")).contains("deb")) {
        for (String uri : uris) {
          if (!uri.isEmpty()) {
            found.add(new AptSource(uri, path(key)));
          }
        }
      }
    }
  }
}
