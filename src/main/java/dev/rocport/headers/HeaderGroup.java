package dev.rocport.headers;

import java.util.List;

/**
 * Headers of one library with the names that a table maps to them.
 *
 * @param rule the rule of the table
 * @param headers what a program includes, in this order
 * @param names the names, each once, in the order of the table
 */
public record HeaderGroup(String rule, List<String> headers, List<HeaderName> names) {
  public HeaderGroup {
    headers = List.copyOf(headers);
    names = List.copyOf(names);
  }
}
