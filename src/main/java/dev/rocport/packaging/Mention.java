package dev.rocport.packaging;

/**
 * A package or image that a file requires.
 *
 * @param kind installer
 * @param name name of the package, or image without tag
 * @param spec its version as written, with its operator; the tag of an image; may be empty
 * @param offset of the first byte of the requirement
 */
public record Mention(Kind kind, String name, String spec, int offset) {
  /** Installer of a package or image. */
  public enum Kind {
    PIP,
    CONDA,
    /** The packages of a distribution: apt, dnf, zypper. */
    APT,
    IMAGE
  }
}
