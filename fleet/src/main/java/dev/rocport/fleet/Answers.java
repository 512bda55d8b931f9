package dev.rocport.fleet;

import java.util.List;

/**
 * The answers to the questions about a fleet.
 *
 * @param sections in the order of the report
 */
record Answers(List<Section> sections) {
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
