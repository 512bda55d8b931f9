package dev.rocport.buildsystem.bazel;

import dev.rocport.buildsystem.calls.CallParser;
import dev.rocport.buildsystem.calls.Dialect;
import dev.rocport.buildsystem.calls.Group;
import dev.rocport.buildsystem.calls.Part;
import dev.rocport.buildsystem.calls.Statement;
import dev.rocport.buildsystem.calls.Token;
import dev.rocport.core.source.SourceFile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A Starlark file as statements over its bytes.
 *
 * @param text its bytes, one character each, so that offsets are those of the file
 */
record BazelFile(SourceFile source, String text, List<Statement> statements) {
  BazelFile {
    statements = List.copyOf(statements);
  }

  /** Returns true for Bazel files in Starlark. */
  static boolean serves(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    return name.matches("BUILD|BUILD\\.bazel|WORKSPACE|WORKSPACE\\.bazel|MODULE\\.bazel")
        || name.matches(".*\\.(bzl|BUILD)|BUILD\\..*\\.bazel");
  }

  /** Parses a file; empty if it is not Starlark. */
  static Optional<BazelFile> of(SourceFile source) {
    String text = new String(source.bytes(), StandardCharsets.ISO_8859_1);
    return CallParser.parse(Dialect.STARLARK, text).map(s -> new BazelFile(source, text, s));
  }

  /** Returns all strings of the file, including those in brackets. */
  List<Token> strings() {
    List<Token> found = new ArrayList<>();
    statements.forEach(s -> strings(s.parts(), found));
    return found;
  }

  static void strings(List<Part> parts, List<Token> found) {
    for (Part p : parts) {
      switch (p) {
        case Group g -> g.items().forEach(i -> strings(i.parts(), found));
        case Token t when t.isString() -> found.add(t);
        case Token t -> {}
      }
    }
  }

  /** Collects names in an expression that are not calls, methods or fields. */
  static void names(List<Part> parts, List<Token> found) {
    for (int i = 0; i < parts.size(); i++) {
      Part p = parts.get(i);
      if (p instanceof Group g) {
        g.items().forEach(item -> names(item.parts(), found));
      } else if (p instanceof Token t
          && t.isName()
          && !(i > 0 && parts.get(i - 1).is("."))
          && !(i + 1 < parts.size() && parts.get(i + 1) instanceof Group)) {
        found.add(t);
      }
    }
  }
}
