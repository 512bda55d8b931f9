package dev.rocport.fleet;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/**
 * The answers to the questions about a fleet.
 *
 * @param sections in the order of the report
 */
record Answers(List<Section> sections) {
  /** Prints them as {@code text}, {@code json} or {@code html}. */
  void print(String format, PrintStream out) throws IOException {
    switch (format) {
      case "json" -> AnswersJson.write(this, out);
      case "html" -> AnswersHtml.write(this, out);
      default -> AnswersText.write(this, out);
    }
  }

  /**
   * The answer to one question.
   *
   * @param key its name in JSON
   * @param title its heading
   * @param columns names, as in the query
   * @param rows a {@link String} or a {@link Long} for each column
   */
  record Section(String key, String title, List<String> columns, List<List<Object>> rows) {}
}
