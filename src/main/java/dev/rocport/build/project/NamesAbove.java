package dev.rocport.build.project;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The literal paths with {@code ..} in a file.
 *
 * @param fromFile paths relative to the folder of the file: includes of sources
 * @param fromAnywhere paths in build files, whose programs run in their folder or in the root
 * @param continuations paths that follow a variable in build files, and includes of sources
 * @param includes quoted includes of a source
 */
record NamesAbove(
    Set<String> fromFile,
    Set<String> fromAnywhere,
    Set<String> continuations,
    Set<String> includes) {
  private static final NamesAbove NONE = new NamesAbove(Set.of(), Set.of(), Set.of(), Set.of());

  /** Maximum size of a file that is read. */
  private static final long LARGEST = 4 << 20;

  private static final Pattern SOURCE =
      Pattern.compile(
          "(?i).*\\.(?:cu|cuh|hip|c|cc|cpp|cxx|c\\+\\+|h|hh|hpp|hxx|h\\+\\+|inl|ipp|inc|tpp|cl)");
  private static final Pattern BUILD =
      Pattern.compile(
          "(?i)(?:gnu)?makefile.*|.*\\.(?:mk|mak|make|cmake|am|ac|in|sh|bash|bzl|bazel|bazelrc|build|py|toml|cfg|txt|ninja|json|options)"
              + "|build|workspace|configure|meson\\.options|\\.bazelrc|setup\\..*|make\\..*");
  private static final Pattern INCLUDE =
      Pattern.compile(
          "(?m)^[ \\t]*#[ \\t]*(?:include|include_next|import|embed)[ \\t]*(?:\"([^\"\\n"
              + "]+)\"|<([^>\\n"
              + "]+)>)");
  // Possessive quantifiers keep long lines of data linear.
  private static final Pattern TOKEN = Pattern.compile("[\\w.+~*?%/-]++");

  /** All files of a folder above, whatever they are, as a list of exclusions has them. */
  private static final Pattern EVERYTHING = Pattern.compile("(?:\\.\\./)+\\*+");

  private static final Pattern OPTION =
      Pattern.compile("^-{1,2}[A-Za-z][A-Za-z-]*?(?=\\.{1,2}(?:/|$))|^-[ILBF]");

  /** Comments, and Python imports, whose dots name packages. */
  private static final Pattern COMMENT =
      Pattern.compile("(?m)^[ \\t]*(?:(?:#|dnl\\b|//).*|from[ \\t]+\\.+)");

  /** The text after a variable of make, CMake, the shell or autoconf. */
  private static final Pattern CONTINUED =
      Pattern.compile(
          "(?:\\$\\([\\w.-]+\\)|\\$\\{[\\w.-]+\\}|\\$\\w+|@\\w+@)/((?:[\\w.+-]+/)*[\\w.+-]+)");

  /** get_filename_component(... DIRECTORY), which is another form of {@code ..} in CMake. */
  private static final Pattern PARENT =
      Pattern.compile(
          "(?i)get_filename_component\\s*\\(\\s*\\w+\\s+\"?\\$\\{\\w*SOURCE_DIR\\}\"?\\s+(?:DIRECTORY|PATH)"
              + "|cmake_path\\s*\\(\\s*GET\\s+\\w*SOURCE_DIR\\s+PARENT_PATH");

  /** Returns whether the name of a file is that of a source or header. */
  static boolean isSource(Path file) {
    return SOURCE.matcher(file.getFileName() + "").matches();
  }

  /** Returns the names in a file; none if it is neither a source nor a build file. */
  static NamesAbove in(Path file) throws IOException {
    String name = file.getFileName() + "";
    boolean source = isSource(file);
    boolean build = !source && BUILD.matcher(name).matches();
    if ((!source && !build) || !Files.isReadable(file) || Files.size(file) > LARGEST) {
      return NONE;
    }
    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
    return source ? ofSource(text) : ofBuild(text);
  }

  private static NamesAbove ofSource(String text) {
    Set<String> above = new LinkedHashSet<>();
    Set<String> all = new LinkedHashSet<>();
    Set<String> quoted = new LinkedHashSet<>();
    for (Matcher m = INCLUDE.matcher(text); m.find(); ) {
      String name = m.group(1) == null ? m.group(2) : m.group(1);
      if (!isPath(name) || name.startsWith("/")) {
        continue;
      }
      boolean climbs = climbs(name);
      (climbs ? above : all).add(name);
      if (m.group(1) != null && !climbs) {
        quoted.add(name);
      }
    }
    return new NamesAbove(above, Set.of(), all, quoted);
  }

  static NamesAbove ofBuild(String whole) {
    String text = COMMENT.matcher(whole).replaceAll("");
    Set<String> above = new LinkedHashSet<>();
    for (Matcher m = TOKEN.matcher(text); m.find(); ) {
      if (!m.group().contains("..")) {
        continue;
      }
      char before = m.start() == 0 ? ' ' : text.charAt(m.start() - 1);
      String name = OPTION.matcher(m.group()).replaceFirst("");
      if (before == '$') {
        name = name.contains("/") ? name.substring(name.indexOf('/')) : "";
      }
      if (name.startsWith("/")) {
        // Only the value of a variable can precede it; otherwise it is an absolute path.
        boolean continues = before == ')' || before == '}' || before == '@' || before == '$';
        name = continues || before == '"' ? name.replaceFirst("^/+", "") : "";
      }
      if (climbs(name) && isPath(name) && !EVERYTHING.matcher(name).matches()) {
        above.add(name);
      }
    }
    if (PARENT.matcher(text).find()) {
      above.add("..");
    }
    Set<String> continued = new LinkedHashSet<>();
    for (Matcher m = CONTINUED.matcher(text); m.find(); ) {
      if (!climbs(m.group(1))) {
        continued.add(m.group(1));
      }
    }
    return new NamesAbove(Set.of(), above, continued, Set.of());
  }

  private static boolean climbs(String name) {
    return ("/" + name + "/").contains("/../");
  }

  private static boolean isPath(String name) {
    try {
      return !name.isEmpty() && Path.of(name).getNameCount() > 0;
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /** Returns the files in a folder that match a shell or make pattern, sorted. */
  static List<Path> matching(Path folder, String pattern) throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(folder, pattern.replace('%', '*'))) {
      for (Path file : files) {
        if (Files.isRegularFile(file)) {
          found.add(file);
        }
      }
    }
    found.sort(null);
    return found;
  }
}
