package dev.rocport.lang.python;

import java.util.Optional;

/** The folders of a tree with copies of libraries that ROCm has, too. */
public interface CopiedFolders {
  /** A tree without copies. */
  CopiedFolders NONE =
      new CopiedFolders() {
        @Override
        public Optional<Found> at(String folder, String path, String shown, String build) {
          return Optional.empty();
        }

        @Override
        public String key() {
          return "";
        }
      };

  /** What becomes of an include folder that leads to a copy. */
  enum Kind {
    /** Builds for ROCm leave it out. */
    LEFT_OUT,
    /** It stays, for code that runs on the host. */
    STAYS,
    /** It cannot be left out, and hides the headers of ROCm. */
    HIDES
  }

  /**
   * An include folder that leads to a copy.
   *
   * @param message what becomes of it, and why
   */
  record Found(Kind kind, String message) {}

  /**
   * Looks at an include folder of a build.
   *
   * @param folder the folder that the path may be relative to; empty for the root of the tree
   * @param path the folder as the build names it; names that are not known begin with {@code $}
   * @param shown what a message calls the folder
   * @param build the text of the build
   */
  Optional<Found> at(String folder, String path, String shown, String build);

  /** Returns a text that is equal only for the same copies. */
  String key();
}
