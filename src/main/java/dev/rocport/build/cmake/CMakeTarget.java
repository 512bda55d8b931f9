package dev.rocport.build.cmake;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A target of a project. The lists are as written: generator expressions are still in them. */
public final class CMakeTarget {
  /** Kinds of targets. */
  public enum Kind {
    EXECUTABLE,
    STATIC,
    SHARED,
    OBJECT,
    INTERFACE
  }

  /** A property with the part that only the target has and the part that its users get. */
  static final class Usage {
    final List<String> own = new ArrayList<>();
    final List<String> passed = new ArrayList<>();

    void add(String visibility, String value) {
      if (!visibility.equals("INTERFACE")) {
        own.add(value);
      }
      if (!visibility.equals("PRIVATE")) {
        passed.add(value);
      }
    }
  }

  private final String name;
  private final Kind kind;
  private final Path folder;
  final Set<Path> sources = new LinkedHashSet<>();
  final Usage includes = new Usage();
  final Usage definitions = new Usage();
  final Usage options = new Usage();
  final Usage libraries = new Usage();
  final Usage linkOptions = new Usage();
  final Usage features = new Usage();
  final List<String> objectsOf = new ArrayList<>();
  final Map<String, String> properties = new HashMap<>();

  CMakeTarget(String name, Kind kind, Path folder) {
    this.name = name;
    this.kind = kind;
    this.folder = folder;
  }

  public String name() {
    return name;
  }

  public Kind kind() {
    return kind;
  }

  /** Folder of its CMakeLists.txt. */
  public Path folder() {
    return folder;
  }

  /** Sources, absolute. */
  public Set<Path> sources() {
    return sources;
  }

  /** Names of object libraries whose objects it takes. */
  public List<String> objectsOf() {
    return objectsOf;
  }

  /** A property, or an empty text. */
  public String property(String key) {
    return properties.getOrDefault(key, "");
  }
}
