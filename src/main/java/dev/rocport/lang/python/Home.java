package dev.rocport.lang.python;

/** Where a file imports its gate from. */
sealed interface Home {
  /**
   * From the module {@code _rocm} that the port adds.
   *
   * @param folder its folder, relative to the tree, empty for the root
   * @param from what is between {@code from} and {@code import} for it, without its name
   */
  record Module(String folder, String from) implements Home {
    /** The module of this name as an import statement names it. */
    String module(String name) {
      return from.isEmpty() || from.endsWith(".") ? from + name : from + "." + name;
    }

    String path(String name) {
      return (folder.isEmpty() ? "" : folder + "/") + name + ".py";
    }
  }

  /**
   * Defined by the file itself: it belongs to no package.
   *
   * @param alone true if no module can be put beside it
   */
  record Own(boolean alone) implements Home {}
}
