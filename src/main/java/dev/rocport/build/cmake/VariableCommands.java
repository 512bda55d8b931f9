package dev.rocport.build.cmake;

import dev.rocport.build.cmake.Evaluator.Place;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The commands about variables, lists, texts and files. */
final class VariableCommands {
  private static final Pattern AT = Pattern.compile("@(\\w+)@");
  private static final Pattern CMAKEDEFINE =
      Pattern.compile("(?m)^([ \\t]*)#[ \\t]*cmakedefine(01)?[ \\t]+(\\w+)(.*)$");

  private final Evaluator evaluator;

  VariableCommands(Evaluator evaluator) {
    this.evaluator = evaluator;
  }

  /** False if the command is none of these. */
  boolean run(Call call, List<String> words, Place place) throws CMakeException, IOException {
    switch (call.name()) {
      case "set" -> set(call, words, place.scope());
      case "unset" -> place.scope().unset(first(call, words));
      case "option" ->
          place
              .scope()
              .setDefault(first(call, words), words.size() > 2 ? words.get(2) : "OFF", false);
      case "list" -> list(call, words, place.scope());
      case "string" -> string(call, words, place.scope());
      case "file" -> file(call, words, place);
      case "get_filename_component" -> component(call, words, place);
      case "configure_file" -> configure(call, words, place);
      case "get_target_property", "get_property" -> throw call.unsupported(call.name() + "()");
      default -> {
        return false;
      }
    }
    return true;
  }

  private static String first(Call call, List<String> words) throws CMakeException {
    if (words.isEmpty()) {
      throw call.error(call.name() + " needs a name");
    }
    return words.getFirst();
  }

  private static void set(Call call, List<String> words, Scope scope) throws CMakeException {
    String name = first(call, words);
    List<String> values = new ArrayList<>(words.subList(1, words.size()));
    if (name.startsWith("ENV{")) {
      return;
    }
    int cache = values.indexOf("CACHE");
    if (cache >= 0) {
      String value = String.join(";", values.subList(0, cache));
      scope.setDefault(name, value, values.contains("FORCE"));
      return;
    }
    boolean parent = !values.isEmpty() && values.getLast().equals("PARENT_SCOPE");
    if (parent) {
      values.removeLast();
    }
    Scope to = parent && scope.parent() != null ? scope.parent() : scope;
    // set(NAME "") sets to nothing; set(NAME) takes the variable away.
    if (words.size() == 1) {
      to.unset(name);
    } else {
      to.set(name, String.join(";", values));
    }
  }

  private static void list(Call call, List<String> words, Scope scope) throws CMakeException {
    String what = first(call, words);
    if (words.size() < 2) {
      throw call.error("list needs a variable");
    }
    String name = words.get(1);
    List<String> list = new ArrayList<>(scope.list(name));
    List<String> rest = words.subList(2, words.size());
    switch (what) {
      case "APPEND" -> list.addAll(rest);
      case "PREPEND" -> list.addAll(0, rest);
      case "REMOVE_ITEM" -> list.removeAll(rest);
      case "REMOVE_DUPLICATES" -> list = new ArrayList<>(new java.util.LinkedHashSet<>(list));
      case "SORT" -> Collections.sort(list);
      case "REVERSE" -> Collections.reverse(list);
      case "FILTER" -> {
        Pattern p = pattern(call, rest.size() == 3 ? rest.get(2) : "");
        boolean include = rest.getFirst().equals("INCLUDE");
        list.removeIf(e -> p.matcher(e).find() != include);
      }
      case "LENGTH" -> {
        scope.set(rest.getFirst(), Integer.toString(list.size()));
        return;
      }
      case "JOIN" -> {
        scope.set(rest.get(1), String.join(rest.get(0), list));
        return;
      }
      case "FIND" -> {
        scope.set(rest.get(1), Integer.toString(list.indexOf(rest.get(0))));
        return;
      }
      case "GET" -> {
        int i = Integer.parseInt(rest.getFirst());
        int at = i < 0 ? list.size() + i : i;
        scope.set(rest.get(1), at >= 0 && at < list.size() ? list.get(at) : "NOTFOUND");
        return;
      }
      default -> throw call.unsupported("list(" + what + ")");
    }
    scope.set(name, String.join(";", list));
  }

  private static Pattern pattern(Call call, String text) throws CMakeException {
    try {
      return Pattern.compile(text);
    } catch (java.util.regex.PatternSyntaxException e) {
      throw call.unsupported("the expression " + text);
    }
  }

  private static void string(Call call, List<String> words, Scope scope) throws CMakeException {
    String what = first(call, words);
    List<String> w = words.subList(1, words.size());
    try {
      switch (what) {
        case "TOUPPER" -> scope.set(w.get(1), w.get(0).toUpperCase(Locale.ROOT));
        case "TOLOWER" -> scope.set(w.get(1), w.get(0).toLowerCase(Locale.ROOT));
        case "STRIP" -> scope.set(w.get(1), w.get(0).strip());
        case "LENGTH" -> scope.set(w.get(1), Integer.toString(w.get(0).length()));
        case "APPEND" ->
            scope.set(w.get(0), scope.get(w.get(0)) + String.join("", w.subList(1, w.size())));
        case "CONCAT" -> scope.set(w.get(0), String.join("", w.subList(1, w.size())));
        case "JOIN" -> scope.set(w.get(1), String.join(w.get(0), w.subList(2, w.size())));
        case "REPLACE" ->
            scope.set(
                w.get(2), String.join("", w.subList(3, w.size())).replace(w.get(0), w.get(1)));
        case "REGEX" -> {
          if (!w.getFirst().equals("REPLACE")) {
            throw call.unsupported("string(REGEX " + w.getFirst() + ")");
          }
          String input = String.join("", w.subList(4, w.size()));
          String by = w.get(2).replace("$", "\\$").replaceAll("\\\\(\\d)", "\\$$1");
          scope.set(w.get(3), pattern(call, w.get(1)).matcher(input).replaceAll(by));
        }
        default -> throw call.unsupported("string(" + what + ")");
      }
    } catch (IndexOutOfBoundsException e) {
      throw call.error("string(" + what + ") needs more arguments");
    }
  }

  private void file(Call call, List<String> words, Place place) throws CMakeException, IOException {
    String what = first(call, words);
    if (what.equals("MAKE_DIRECTORY") || what.equals("TO_CMAKE_PATH")) {
      return;
    }
    if (!what.equals("GLOB") && !what.equals("GLOB_RECURSE")) {
      throw call.unsupported("file(" + what + ")");
    }
    List<String> found = new ArrayList<>();
    List<String> globs = new ArrayList<>(words.subList(2, words.size()));
    globs.remove("CONFIGURE_DEPENDS");
    globs.remove("FOLLOW_SYMLINKS");
    Path base = null;
    int relative = globs.indexOf("RELATIVE");
    if (relative >= 0) {
      base = place.folder().resolve(globs.get(relative + 1)).normalize();
      globs.subList(relative, relative + 2).clear();
    }
    for (int i = globs.indexOf("LIST_DIRECTORIES"); i >= 0; i = -1) {
      globs.subList(i, i + 2).clear();
    }
    for (String glob : globs) {
      glob(place.folder().resolve(glob).normalize(), what.equals("GLOB_RECURSE"), base, found);
    }
    place.scope().set(words.get(1), String.join(";", found));
  }

  private void glob(Path glob, boolean deep, @Nullable Path base, List<String> found)
      throws IOException {
    Path folder = glob.getParent();
    String name = glob.getFileName().toString();
    while (folder != null && folder.toString().matches(".*[*?\\[].*")) {
      name = folder.getFileName() + "/" + name;
      folder = folder.getParent();
    }
    if (folder == null || !Files.isDirectory(folder)) {
      return;
    }
    PathMatcher whole = FileSystems.getDefault().getPathMatcher("glob:" + name);
    PathMatcher last = FileSystems.getDefault().getPathMatcher("glob:" + glob.getFileName());
    int levels = deep ? Integer.MAX_VALUE : (int) name.chars().filter(c -> c == '/').count() + 1;
    try (Stream<Path> walk = Files.walk(folder, levels)) {
      Path start = folder;
      walk.filter(Files::isRegularFile)
          .filter(f -> !f.startsWith(evaluator.binary))
          .filter(f -> deep ? last.matches(f.getFileName()) : whole.matches(start.relativize(f)))
          .sorted()
          .forEach(f -> found.add((base == null ? f : base.relativize(f)).toString()));
    }
  }

  private static void component(Call call, List<String> words, Place place) throws CMakeException {
    if (words.size() < 3) {
      throw call.error("get_filename_component needs a variable, a name and a part");
    }
    String file = words.get(1);
    String name = file.substring(file.lastIndexOf('/') + 1);
    int dot = name.indexOf('.');
    int slash = file.lastIndexOf('/');
    String value =
        switch (words.get(2)) {
          case "NAME" -> name;
          case "NAME_WE" -> dot < 0 ? name : name.substring(0, dot);
          case "NAME_WLE" ->
              name.lastIndexOf('.') < 0 ? name : name.substring(0, name.lastIndexOf('.'));
          case "EXT" -> dot < 0 ? "" : name.substring(dot);
          case "DIRECTORY", "PATH" -> slash < 0 ? "" : file.substring(0, slash);
          case "ABSOLUTE", "REALPATH" -> place.folder().resolve(file).normalize().toString();
          default -> throw call.unsupported("get_filename_component(" + words.get(2) + ")");
        };
    place.scope().set(words.getFirst(), value);
  }

  private void configure(Call call, List<String> words, Place place)
      throws CMakeException, IOException {
    if (words.size() < 2) {
      throw call.error("configure_file needs two names");
    }
    Path in = place.folder().resolve(words.get(0)).normalize();
    Path here = evaluator.binary.resolve(evaluator.root.relativize(place.folder()));
    Path out = here.resolve(words.get(1)).normalize();
    if (!out.startsWith(evaluator.binary)) {
      throw call.unsupported("configure_file into the sources");
    }
    String text = Files.readString(in);
    Scope scope = place.scope();
    if (!words.contains("COPYONLY")) {
      text = CMAKEDEFINE.matcher(text).replaceAll(m -> Matcher.quoteReplacement(define(m, scope)));
      text = AT.matcher(text).replaceAll(m -> Matcher.quoteReplacement(scope.get(m.group(1))));
      if (!words.contains("@ONLY")) {
        text = variables(text, scope);
      }
    }
    Files.createDirectories(out.getParent());
    Files.writeString(out, text);
  }

  private static String define(java.util.regex.MatchResult m, Scope scope) {
    boolean on = !Scope.isFalse(scope.get(m.group(3)));
    if (m.group(2) != null) {
      return m.group(1) + "#define " + m.group(3) + (on ? " 1" : " 0");
    }
    return on
        ? m.group(1) + "#define " + m.group(3) + m.group(4)
        : "/* #undef " + m.group(3) + " */";
  }

  private static String variables(String text, Scope scope) {
    return Pattern.compile("\\$\\{(\\w+)}")
        .matcher(text)
        .replaceAll(m -> Matcher.quoteReplacement(scope.get(m.group(1))));
  }
}
