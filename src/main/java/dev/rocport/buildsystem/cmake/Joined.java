package dev.rocport.buildsystem.cmake;

import dev.rocport.buildsystem.cmake.CMakeCommand.Argument;
import java.util.List;
import java.util.Optional;

/**
 * A command that makes a string of the elements of lists: {@code string(JOIN)}, {@code list(JOIN)},
 * and {@code string(REPLACE)}.
 *
 * @param variable the variable with the string
 * @param references texts that refer to the lists
 */
record Joined(String variable, List<String> references) {

  static Optional<Joined> of(CMakeCommand c) {
    List<Argument> a = c.arguments();
    if (a.size() < 4) {
      return Optional.empty();
    }
    Argument first = a.getFirst();
    if (c.name().equals("list") && first.is("JOIN")) {
      return Optional.of(new Joined(a.get(3).text(), List.of("${" + a.get(1).text() + "}")));
    }
    boolean join = first.is("JOIN");
    if (!c.name().equals("string") || (!join && !first.is("REPLACE"))) {
      return Optional.empty();
    }
    int out = join ? 2 : 3;
    List<String> from = a.stream().skip(out + 1L).map(Argument::text).toList();
    return Optional.of(new Joined(a.get(out).text(), from));
  }
}
