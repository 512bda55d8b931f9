package dev.rocport.fleet;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/** The answers as JSON: an array of objects for each question. */
final class AnswersJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private AnswersJson() {}

  static void write(Answers answers, PrintStream out) throws IOException {
    ObjectNode all = JSON.createObjectNode();
    all.put("schema", OutputFolder.SCHEMA);
    for (Answers.Section section : answers.sections()) {
      ArrayNode rows = all.putArray(section.key());
      for (List<Object> row : section.rows()) {
        ObjectNode object = rows.addObject();
        for (int i = 0; i < row.size(); i++) {
          String name = section.columns().get(i);
          if (row.get(i) instanceof Long n) {
            object.put(name, n);
          } else {
            object.put(name, row.get(i).toString());
          }
        }
      }
    }
    out.println(JSON.writerWithDefaultPrettyPrinter().writeValueAsString(all));
    out.flush();
  }
}
