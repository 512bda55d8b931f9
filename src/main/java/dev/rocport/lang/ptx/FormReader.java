package dev.rocport.lang.ptx;

import dev.rocport.io.InvalidFileException;
import dev.rocport.rules.PtxRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/** Parses the forms of rows; {@link Form} describes the syntax. */
final class FormReader {
  private FormReader() {}

  /**
   * Reads a row's form.
   *
   * @throws InvalidFileException if it makes no sense
   */
  static Form read(PtxRow row) {
    String text = row.form().strip();
    int blank = text.indexOf(' ');
    String head = blank < 0 ? text : text.substring(0, blank);
    String tail = blank < 0 ? "" : text.substring(blank + 1).strip();
    boolean open = head.endsWith(".*");
    if (open) {
      if (row.isTranslated() || !tail.isEmpty()) {
        throw new InvalidFileException("rules/ptx: '" + text + "': '.*' is for rows without 'hip'");
      }
      head = head.substring(0, head.length() - 2);
    }
    int dot = Math.min(at(head, '.'), at(head, '['));
    String opcode = head.substring(0, dot);
    List<Choice> elements = new ArrayList<>();
    Map<Character, String> absent = new HashMap<>();
    int i = dot;
    while (i < head.length()) {
      boolean optional = head.charAt(i) == '[';
      i += optional ? 1 : 0;
      if (i >= head.length() || head.charAt(i) != '.') {
        throw new InvalidFileException("rules/ptx: '" + text + "': a dot is missing at " + i);
      }
      i++;
      int end = i;
      Choice element;
      if (end < head.length() && head.charAt(end) == '{') {
        end = head.indexOf('}', i);
        if (end < 0) {
          throw new InvalidFileException("rules/ptx: '" + text + "': a '}' is missing");
        }
        element = Choice.of(head.substring(i + 1, end), optional);
        end++;
      } else {
        while (end < head.length()
            && head.charAt(end) != '.'
            && "[]".indexOf(head.charAt(end)) < 0) {
          end++;
        }
        element = new Choice((char) 0, List.of(head.substring(i, end)), optional);
      }
      elements.add(element);
      i = end;
      if (optional) {
        if (i >= head.length() || head.charAt(i) != ']') {
          throw new InvalidFileException("rules/ptx: '" + text + "': a ']' is missing");
        }
        i++;
        if (i < head.length() && head.charAt(i) == '=') {
          end = i + 1;
          while (end < head.length() && ".[".indexOf(head.charAt(end)) < 0) {
            end++;
          }
          String word = head.substring(i + 1, end);
          if (element.group() == 0 || !element.words().contains(word)) {
            throw new InvalidFileException(
                "rules/ptx: '" + text + "': no group has '" + word + "'");
          }
          absent.put(element.group(), word);
          i = end;
        }
      }
    }
    ShapeReader reader = new ShapeReader(text, tail);
    List<Shape> shapes = tail.isEmpty() ? List.of() : reader.all();
    int required = shapes.size() - (reader.optional ? 1 : 0);
    requirePlaces(row, elements, shapes);
    return new Form(row, opcode, open, elements, absent, shapes, required);
  }

  /** What is in braces and after dollars of the translation must be in the form. */
  private static void requirePlaces(PtxRow row, List<Choice> elements, List<Shape> shapes) {
    Set<String> names = new HashSet<>();
    names.add("cc");
    Set<Character> groups = new HashSet<>();
    elements.forEach(e -> groups.add(e.group()));
    shapes.forEach(shape -> collect(shape, names, groups));
    Matcher m = Form.PLACE.matcher(row.hip());
    while (m.find()) {
      boolean there =
          m.group(1) != null ? names.contains(m.group(1)) : groups.contains(m.group(3).charAt(0));
      if (!there) {
        throw new InvalidFileException(
            "rules/ptx: '" + row.form() + "': '" + m.group() + "' is not in the form");
      }
    }
  }

  private static void collect(Shape shape, Set<String> names, Set<Character> groups) {
    switch (shape) {
      case Shape.Value v -> {
        names.add(v.name());
        if (v.part() != null) {
          groups.add(v.part().group());
        }
      }
      case Shape.Memory m -> {
        names.add(m.address().name());
        m.further().forEach(x -> collect(x, names, groups));
      }
      case Shape.Several s -> s.elements().forEach(x -> collect(x, names, groups));
      case Shape.Two t -> {
        collect(t.first(), names, groups);
        collect(t.second(), names, groups);
      }
      case Shape.Constant c -> {}
    }
  }

  private static int at(String s, char c) {
    int at = s.indexOf(c);
    return at < 0 ? s.length() : at;
  }

  /** Reads the operands of a form. */
  private static final class ShapeReader {
    private final String form;
    private final String s;
    private int i;
    private boolean optional;

    ShapeReader(String form, String s) {
      this.form = form;
      this.s = s;
    }

    List<Shape> all() {
      List<Shape> list = new ArrayList<>();
      do {
        optional = take('?');
        list.add(shape());
      } while (!optional && take(','));
      if (i < s.length()) {
        throw problem();
      }
      return list;
    }

    private Shape shape() {
      Shape first = single();
      return take('|') ? new Shape.Two(first, single()) : first;
    }

    private Shape single() {
      if (take('[')) {
        if (!(single() instanceof Shape.Value address)) {
          throw problem();
        }
        List<Shape> further = new ArrayList<>();
        while (take(',')) {
          further.add(single());
        }
        expect(']');
        return new Shape.Memory(address, further);
      }
      if (take('{')) {
        List<Shape> elements = new ArrayList<>();
        do {
          elements.add(single());
        } while (take(','));
        expect('}');
        return new Shape.Several(elements);
      }
      String word = word();
      if (word.matches("-?[0-9]+")) {
        return new Shape.Constant(Long.parseLong(word));
      }
      Choice part = part();
      String type = "";
      if (take(':')) {
        type = word();
        boolean known =
            PtxType.of(type) != null
                || type.equals("imm")
                || type.equals("symbol")
                || type.matches("[A-Z]");
        if (!known) {
          throw new InvalidFileException("rules/ptx: '" + form + "': no type '" + type + "'");
        }
      }
      return new Shape.Value(word, type, part);
    }

    private @Nullable Choice part() {
      boolean optional = s.startsWith("[.{", i);
      if (!optional && !s.startsWith(".{", i)) {
        return null;
      }
      int open = s.indexOf('{', i);
      int close = s.indexOf('}', i);
      if (close < 0) {
        throw problem();
      }
      i = close + 1;
      if (optional) {
        expect(']');
      }
      return Choice.of(s.substring(open + 1, close), optional);
    }

    private String word() {
      blanks();
      int start = i;
      while (i < s.length()
          && (Character.isLetterOrDigit(s.charAt(i)) || s.charAt(i) == '-' || s.charAt(i) == '_')) {
        i++;
      }
      if (i == start) {
        throw problem();
      }
      return s.substring(start, i);
    }

    private boolean take(char c) {
      blanks();
      boolean is = i < s.length() && s.charAt(i) == c;
      i += is ? 1 : 0;
      return is;
    }

    private void expect(char c) {
      if (!take(c)) {
        throw problem();
      }
    }

    private void blanks() {
      while (i < s.length() && s.charAt(i) == ' ') {
        i++;
      }
    }

    private InvalidFileException problem() {
      return new InvalidFileException("rules/ptx: '" + form + "': invalid operands at " + i);
    }
  }
}
