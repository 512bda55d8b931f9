package dev.rocport.packaging;

/**
 * A package or image that a file requires.
 *
 * @param kind who installs it
 * @param name name of the package, or image without tag
 * @param spec its version as written, with its operator; the tag of an image; may be empty
 * @param offset of the first byte of the requirement
 */
public record Mention(Kind kind, String name, String spec, int offset) {
  /** Who installs what is mentioned. */
  public enum Kind {
    PIP,
    CONDA,
    /** The packages of a distribution: apt, dnf, zypper. */
    APT,
    IMAGE
  }
}
