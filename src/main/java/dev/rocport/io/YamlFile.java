package dev.rocport.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLParser;

/**
 * Reads hand-written YAML files: one document, no duplicate keys, and no aliases, which could
 * expand a small file into a huge one and which a reader of the tree would treat as text.
 */
public final class YamlFile {
  private static final YAMLFactory FACTORY =
      YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  /** A position in a parser message; the last one is that of the fault. */
  private static final Pattern MARK = Pattern.compile("in reader, line (\\d+), column (\\d+)");

  private YamlFile() {}

  /**
   * Reads a file; a missing node where it holds nothing.
   *
   * @throws InvalidFileException if it is not such a file; the message names file, line and column
   * @throws IOException if it cannot be read
   */
  public static JsonNode read(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    try {
      check(file, bytes);
      return new YAMLMapper(FACTORY).readTree(bytes);
    } catch (JacksonException e) {
      throw new InvalidFileException(describe(file, e), e);
    } catch (StackOverflowError e) {
      throw new InvalidFileException(file + ": is nested too deeply", e);
    }
  }

  private static void check(Path file, byte[] bytes) {
    try (YAMLParser in = (YAMLParser) FACTORY.createParser(ObjectReadContext.empty(), bytes)) {
      int depth = 0;
      int documents = 0;
      for (var token = in.nextToken(); token != null; token = in.nextToken()) {
        if (in.isCurrentAlias()) {
          throw wrong(file, in.currentTokenLocation(), "aliases are not supported");
        }
        if (depth == 0 && documents++ > 0) {
          throw wrong(file, in.currentTokenLocation(), "a second document is not supported");
        }
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
      }
    }
  }

  private static InvalidFileException wrong(Path file, TokenStreamLocation at, String message) {
    return new InvalidFileException(
        "%s:%d:%d: %s".formatted(file, at.getLineNr(), at.getColumnNr(), message));
  }

  private static String describe(Path file, JacksonException e) {
    String message = String.valueOf(e.getOriginalMessage());
    TokenStreamLocation at = e.getLocation();
    String place =
        MARK.matcher(message)
            .results()
            .reduce((first, second) -> second)
            .map((MatchResult m) -> m.group(1) + ":" + m.group(2))
            .orElseGet(() -> at == null ? "1:1" : at.getLineNr() + ":" + at.getColumnNr());
    String said =
        message
            .lines()
            .filter(line -> !line.isBlank() && !line.startsWith(" "))
            .collect(Collectors.joining(": "));
    return file + ":" + place + ": " + (said.isEmpty() ? "not YAML" : said);
  }
}
