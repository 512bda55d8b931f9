package dev.rocport.core.source;

/** How a port treats a file of a tree. */
public enum FileKind {
  /** C, C++ or CUDA source: ported. */
  SOURCE,
  /** Python: ported behind gates. */
  PYTHON,
  /** Java: ported where it binds CUDA or holds kernels. */
  JAVA,
  /** A build file: names files, is not CUDA itself. */
  BUILD,
  /** Anything else: copied byte for byte. */
  OTHER,
  /** A symbolic link to somewhere in the tree: made again, never followed. */
  LINK,
  /** Excluded; the note of the entry gives the reason. */
  SKIPPED,
  /** Cannot be read; the note of the entry gives the reason. */
  UNREADABLE
}
