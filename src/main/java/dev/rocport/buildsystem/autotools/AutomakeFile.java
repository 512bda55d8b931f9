package dev.rocport.buildsystem.autotools;

import dev.rocport.core.source.SourceFile;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A {@code Makefile.am} as a list of parts, each of which consists of whole lines. */
final class AutomakeFile {
  private static final Pattern IF = Pattern.compile("if\\s+(!?)\\s*(\\w+)\\s*(?:#.*)?");
  private static final Pattern ELSE = Pattern.compile("else(\\s.*)?");
  private static final Pattern ENDIF = Pattern.compile("endif(\\s.*)?");
  private static final Pattern ASSIGNMENT = Pattern.compile("\\s*([\\w.@$(){}/-]+)\\s*([:+?]?=)");
  private static final Pattern RULE = Pattern.compile("[^\\s#=][^=]*:(?!=).*");

  /** A part of the file. */
  sealed interface Part {
    /** Returns the first line, counted from 1. */
    int first();

    int last();
  }

  /**
   * {@code NAME = VALUE}.
   *
   * @param value offset of the value, which ends with the last line
   */
  record Assignment(int first, int last, String name, String operator, int value) implements Part {}

  /** A rule: targets, prerequisites and recipe. */
  record Rule(int first, int last) implements Part {}

  /**
   * {@code if ... else ... endif}.
   *
   * @param otherwise line of the {@code else}; 0 if there is none
   */
  record Conditional(
      int first,
      int otherwise,
      int last,
      boolean negated,
      String name,
      List<Part> then,
      List<Part> other)
      implements Part {
    /** Returns the first line of the branch for a true condition, and the line after the branch. */
    int[] whenTrue() {
      int turn = otherwise == 0 ? last : otherwise;
      return negated
          ? new int[] {otherwise == 0 ? last : otherwise + 1, last}
          : new int[] {first + 1, turn};
    }
  }

  /** Anything else: comments, includes, blank lines. */
  record Other(int first, int last) implements Part {}

  private final SourceFile file;
  private final List<Part> parts = new ArrayList<>();
  private int line = 1;
  private boolean whole = true;

  private AutomakeFile(SourceFile file) {
    this.file = file;
  }

  static AutomakeFile of(SourceFile file) {
    AutomakeFile made = new AutomakeFile(file);
    made.parts.addAll(made.read(0));
    return made;
  }

  SourceFile file() {
    return file;
  }

  List<Part> parts() {
    return parts;
  }

  /** Returns false if conditionals are not closed. */
  boolean isWhole() {
    return whole;
  }

  String text(int n) {
    return file.text(file.lineStart(n), file.lineEnd(n));
  }

  /** Returns the text of whole lines, without the last line end. */
  String text(int first, int last) {
    return last < first ? "" : file.text(file.lineStart(first), file.lineEnd(last));
  }

  private List<Part> read(int depth) {
    List<Part> list = new ArrayList<>();
    while (line <= file.lines()) {
      String text = text(line);
      Matcher condition = IF.matcher(text);
      if (condition.matches()) {
        list.add(conditional(condition, depth));
        continue;
      }
      if (ELSE.matcher(text).matches() || ENDIF.matcher(text).matches()) {
        if (depth > 0) {
          return list;
        }
        whole = false;
      }
      list.add(part(text));
    }
    whole &= depth == 0;
    return list;
  }

  private Conditional conditional(Matcher condition, int depth) {
    int first = line++;
    List<Part> then = read(depth + 1);
    int otherwise = 0;
    List<Part> other = List.of();
    if (line <= file.lines() && ELSE.matcher(text(line)).matches()) {
      otherwise = line++;
      other = read(depth + 1);
    }
    if (line > file.lines() || !ENDIF.matcher(text(line)).matches()) {
      whole = false;
    }
    int last = Math.min(line++, file.lines());
    boolean negated = !condition.group(1).isEmpty();
    return new Conditional(first, otherwise, last, negated, condition.group(2), then, other);
  }

  private Part part(String text) {
    int first = line;
    Matcher assignment = ASSIGNMENT.matcher(text);
    boolean assigns = !text.startsWith("\t") && assignment.lookingAt();
    boolean rule = !assigns && RULE.matcher(text).lookingAt();
    int last = end(first);
    line = last + 1;
    if (assigns) {
      int value = file.lineStart(first) + bytes(text.substring(0, assignment.end()));
      return new Assignment(first, last, assignment.group(1), assignment.group(2), value);
    }
    if (!rule) {
      return new Other(first, last);
    }
    int next = line;
    while (next <= file.lines()) {
      String follows = text(next);
      if (follows.startsWith("\t")) {
        last = end(next);
        next = last + 1;
      } else if (follows.isBlank() || follows.startsWith("#")) {
        next++; // belongs to the rule only if more lines of the recipe follow
      } else {
        break;
      }
    }
    line = last + 1;
    return new Rule(first, last);
  }

  private static int bytes(String text) {
    return text.getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
  }

  /** Returns the last line of a continued line. */
  private int end(int first) {
    int last = first;
    while (last < file.lines() && text(last).endsWith("\\")) {
      last++;
    }
    return last;
  }
}
