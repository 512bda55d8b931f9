package dev.rocport.build.cmake;

import java.util.ArrayList;
import java.util.List;

/** What a folder's commands say about all targets that come after them, in it and below. */
final class Directory {
  final List<String> includes = new ArrayList<>();
  final List<String> definitions = new ArrayList<>();
  final List<String> options = new ArrayList<>();
  final List<String> libraries = new ArrayList<>();
  final List<String> linkOptions = new ArrayList<>();

  Directory copy() {
    Directory d = new Directory();
    d.includes.addAll(includes);
    d.definitions.addAll(definitions);
    d.options.addAll(options);
    d.libraries.addAll(libraries);
    d.linkOptions.addAll(linkOptions);
    return d;
  }

  /** A new target takes what has been said so far. */
  void applyTo(CMakeTarget target) {
    target.includes.own.addAll(includes);
    target.definitions.own.addAll(definitions);
    target.options.own.addAll(options);
    target.libraries.own.addAll(libraries);
    target.linkOptions.own.addAll(linkOptions);
  }
}
