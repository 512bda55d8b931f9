package dev.rocport.lang.python;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/**
 * Finds the code cells in a notebook's JSON text, of nbformat 4 ({@code cells}, {@code source}) and
 * 3 ({@code worksheets}, {@code input}).
 */
final class NotebookReader {
  /** Pictures are long strings; how deep lists may nest stays limited. */
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .build();

  private final byte[] bytes;
  private final JsonParser parser;
  private final List<CodeCell> cells = new ArrayList<>();
  private int number;
  private String language = "";
  private String kernel = "";

  private NotebookReader(byte[] bytes, JsonParser parser) {
    this.bytes = bytes;
    this.parser = parser;
  }

  /**
   * A cell of code.
   *
   * @param number 1-based, all kinds of cells counted
   * @param isList whether its text is a list of strings, or else one string
   * @param start offset of the list's bracket or of the string
   * @param strings offsets of the opening quotes
   */
  record CodeCell(int number, boolean isList, int start, List<Integer> strings) {
    CodeCell {
      strings = List.copyOf(strings);
    }
  }

  /** The file is not a notebook. */
  static final class NotNotebook extends Exception {
    private static final long serialVersionUID = 1;

    NotNotebook(String message) {
      super(message);
    }
  }

  /**
   * The code cells of a notebook for Python, in order; none for one in another language.
   *
   * @throws NotNotebook if the text is not JSON, or not a notebook's
   */
  static List<CodeCell> cells(byte[] bytes) throws NotNotebook {
    NotebookReader r;
    // The parser looks at the first bytes for the encoding when it is made.
    try (JsonParser p = JSON.createParser(ObjectReadContext.empty(), bytes)) {
      r = new NotebookReader(bytes, p);
      r.notebook();
      if (p.nextToken() != null) {
        throw new NotNotebook("other text follows the notebook");
      }
    } catch (JacksonException e) {
      throw new NotNotebook("its JSON cannot be read: " + e.getOriginalMessage());
    }
    String said = r.language.isEmpty() ? r.kernel : r.language;
    return said.isEmpty() || said.toLowerCase(Locale.ROOT).startsWith("python")
        ? r.cells
        : List.of();
  }

  private void notebook() throws NotNotebook {
    require(parser.nextToken(), JsonToken.START_OBJECT);
    boolean found = false;
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      JsonToken value = parser.nextToken();
      switch (name) {
        case "cells" -> {
          require(value, JsonToken.START_ARRAY);
          require(found);
          found = true;
          cells("source");
        }
        case "worksheets" -> {
          require(value, JsonToken.START_ARRAY);
          require(found);
          found = true;
          while (parser.nextToken() == JsonToken.START_OBJECT) {
            worksheet();
          }
          require(parser.currentToken(), JsonToken.END_ARRAY);
        }
        case "metadata" -> {
          require(value, JsonToken.START_OBJECT);
          metadata();
        }
        default -> parser.skipChildren();
      }
    }
  }

  private void worksheet() throws NotNotebook {
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      JsonToken value = parser.nextToken();
      if (name.equals("cells") && value == JsonToken.START_ARRAY) {
        cells("input");
      } else {
        parser.skipChildren();
      }
    }
  }

  private void metadata() {
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      JsonToken value = parser.nextToken();
      boolean of = name.equals("kernelspec") || name.equals("language_info");
      if (!of || value != JsonToken.START_OBJECT) {
        parser.skipChildren();
        continue;
      }
      for (String key = parser.nextName(); key != null; key = parser.nextName()) {
        if (parser.nextToken() != JsonToken.VALUE_STRING) {
          parser.skipChildren();
        } else if (key.equals(name.equals("kernelspec") ? "language" : "name")) {
          language = parser.getString();
        } else if (key.equals("name")) {
          kernel = parser.getString();
        }
      }
    }
  }

  private void cells(String text) throws NotNotebook {
    while (parser.nextToken() == JsonToken.START_OBJECT) {
      number++;
      cell(text);
    }
    require(parser.currentToken(), JsonToken.END_ARRAY);
  }

  private void cell(String text) throws NotNotebook {
    boolean code = false;
    boolean python = true;
    CodeCell cell = null;
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      JsonToken value = parser.nextToken();
      if (name.equals("cell_type") && value == JsonToken.VALUE_STRING) {
        code = parser.getString().equals("code");
      } else if (name.equals("language") && value == JsonToken.VALUE_STRING) {
        python = parser.getString().startsWith("python");
      } else if (name.equals(text)) {
        require(cell != null);
        cell = source(value);
      } else {
        parser.skipChildren();
      }
    }
    if (code && python && cell != null) {
      cells.add(cell);
    }
  }

  private @Nullable CodeCell source(JsonToken value) throws NotNotebook {
    int start = offset();
    if (value == JsonToken.VALUE_STRING) {
      return new CodeCell(number, false, start, List.of(quote()));
    }
    if (value != JsonToken.START_ARRAY) {
      parser.skipChildren();
      return null;
    }
    List<Integer> strings = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      require(parser.currentToken(), JsonToken.VALUE_STRING);
      strings.add(quote());
    }
    return strings.isEmpty() ? null : new CodeCell(number, true, start, strings);
  }

  private int offset() {
    return (int) parser.currentTokenLocation().getByteOffset();
  }

  private int quote() throws NotNotebook {
    int at = offset();
    require(at < 0 || at >= bytes.length || bytes[at] != '"');
    return at;
  }

  private static void require(boolean otherwise) throws NotNotebook {
    if (otherwise) {
      throw new NotNotebook("its cells are not notebook cells");
    }
  }

  private static void require(@Nullable JsonToken is, JsonToken wanted) throws NotNotebook {
    require(is != wanted);
  }
}
