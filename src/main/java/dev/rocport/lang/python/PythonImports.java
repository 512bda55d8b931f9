package dev.rocport.lang.python;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds the files of a tree that import statements name. */
final class PythonImports {
  static final String INIT = "__init__.py";

  private final Set<String> paths;

  /**
   * For a tree.
   *
   * @param paths all its files, relative, with slashes
   */
  PythonImports(Set<String> paths) {
    this.paths = paths;
  }

  /**
   * Returns the file of a module. A name without dots before it is looked up in the folder of the
   * importing file, then in each folder above it and in {@code src} there.
   *
   * @param from the importing file
   * @param module the name, with the dots before a relative one
   */
  Optional<String> file(String from, String module) {
    int dots = 0;
    while (dots < module.length() && module.charAt(dots) == '.') {
      dots++;
    }
    String name = module.substring(dots).replace('.', '/');
    String folder = folder(from);
    for (int i = 1; i < dots; i++) {
      folder = folder(folder);
    }
    Optional<String> found = in(folder, name);
    while (dots == 0 && found.isEmpty() && !folder.isEmpty()) {
      folder = folder(folder);
      String sources = inFolder(folder, "src");
      found = in(folder, name).or(() -> in(sources, name));
    }
    return found;
  }

  private Optional<String> in(String folder, String name) {
    String path = name.isEmpty() ? folder : inFolder(folder, name);
    return List.of(inFolder(path, INIT), path + ".py").stream().filter(paths::contains).findFirst();
  }

  /** Returns the outermost package around a file of a package. */
  String top(String path) {
    String top = folder(path);
    while (!top.isEmpty() && isPackage(folder(top))) {
      top = folder(top);
    }
    return top;
  }

  boolean isPackage(String folder) {
    return paths.contains(inFolder(folder, INIT));
  }

  static String folder(String path) {
    int slash = path.lastIndexOf('/');
    return slash < 0 ? "" : path.substring(0, slash);
  }

  static String inFolder(String folder, String name) {
    return folder.isEmpty() ? name : folder + "/" + name;
  }
}
