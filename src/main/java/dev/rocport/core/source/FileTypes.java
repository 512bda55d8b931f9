package dev.rocport.core.source;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Determines the type of a file from its name and, if the name is ambiguous, from its first bytes.
 */
final class FileTypes {
  private static final int PROBE = 4096;
  private static final Map<String, String> SOURCES =
      Map.ofEntries(
          Map.entry("cu", "cuda"),
          Map.entry("cuh", "cuda"),
          Map.entry("tcu", "cuda"),
          Map.entry("hip", "cuda"),
          Map.entry("c", "c"),
          Map.entry("h", "c++"),
          Map.entry("hh", "c++"),
          Map.entry("hpp", "c++"),
          Map.entry("hxx", "c++"),
          Map.entry("h++", "c++"),
          Map.entry("cc", "c++"),
          Map.entry("cpp", "c++"),
          Map.entry("cxx", "c++"),
          Map.entry("c++", "c++"),
          Map.entry("cppm", "c++"),
          Map.entry("ixx", "c++"),
          Map.entry("inl", "c++"),
          Map.entry("ipp", "c++"),
          Map.entry("tpp", "c++"),
          Map.entry("txx", "c++"),
          Map.entry("tcc", "c++"),
          Map.entry("icc", "c++"),
          Map.entry("impl", "c++"));

  /** These endings are used by other languages too: the content decides. */
  private static final Set<String> DOUBTFUL = Set.of("inc", "def", "tpl", "template", "");

  private static final Set<String> PYTHON = Set.of("py", "pyw", "pyi", "ipynb");

  private static final Set<String> BUILD_NAMES =
      Set.of(
          "cmakelists.txt",
          "makefile",
          "gnumakefile",
          "meson.build",
          "build",
          "build.bazel",
          "sconstruct",
          "sconscript",
          "configure.ac");

  private static final Set<String> BUILD_ENDINGS =
      Set.of("cmake", "mk", "mak", "make", "bzl", "bazel", "am", "ninja", "pro", "pri");

  private FileTypes() {}

  /** The language as results spell it. */
  static String language(Path file) throws IOException {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    if (BUILD_NAMES.contains(name)) {
      return "build";
    }
    String ending = ending(name);
    if (ending.equals("in") && name.length() > 3) {
      // A template of configure or configure_file: what is before .in decides.
      name = name.substring(0, name.length() - 3);
      if (BUILD_NAMES.contains(name)) {
        return "build";
      }
      ending = ending(name);
    }
    if (BUILD_ENDINGS.contains(ending) || name.startsWith("makefile.")) {
      return "build";
    }
    if (PYTHON.contains(ending)) {
      return "python";
    }
    if (ending.equals("java")) {
      return "java";
    }
    if (isOwnHeader(file)) {
      return "other";
    }
    String language = SOURCES.get(ending);
    if (language != null) {
      return name.endsWith(".cu.cc") || name.endsWith(".cu.cpp") ? "cuda" : language;
    }
    return DOUBTFUL.contains(ending) && looksLikeCpp(file) ? "c++" : "other";
  }

  /** A header that rocport put into a ported tree: it is HIP code already. */
  private static boolean isOwnHeader(Path file) throws IOException {
    Path folder = file.getParent();
    return file.getFileName().toString().endsWith(".h")
        && folder != null
        && folder.getFileName() != null
        && folder.getFileName().toString().equals("rocport")
        && head(file).contains("#ifndef ROCPORT_");
  }

  private static String head(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(PROBE), StandardCharsets.ISO_8859_1);
    }
  }

  private static String ending(String name) {
    int dot = name.lastIndexOf('.');
    return dot <= 0 ? "" : name.substring(dot + 1);
  }

  /** True if the first nonblank line is a preprocessor directive, or names CUDA. */
  private static boolean looksLikeCpp(Path file) throws IOException {
    String text = head(file);
    if (text.startsWith("#!") || text.indexOf('\0') >= 0) {
      return false;
    }
    if (text.contains("__global__") || text.contains("__device__") || text.contains("C++ -*-")) {
      return true;
    }
    String code = withoutLeadingComments(text);
    return code.startsWith("#pragma once")
        || code.startsWith("#include")
        || code.startsWith("#if")
        || code.startsWith("template")
        || code.startsWith("namespace ");
  }

  private static int lineEnd(String text) {
    int end = text.indexOf('\n');
    return end < 0 ? text.indexOf('\r') : end;
  }

  private static String withoutLeadingComments(String text) {
    String rest = text.stripLeading();
    while (true) {
      int end;
      if (rest.startsWith("//")) {
        end = lineEnd(rest);
      } else if (rest.startsWith("/*")) {
        end = rest.indexOf("*/");
        end = end < 0 ? end : end + 1;
      } else {
        return rest;
      }
      if (end < 0) {
        return "";
      }
      rest = rest.substring(end + 1).stripLeading();
    }
  }
}
