package dev.rocport.toolchain;

/**
 * The result of one check of this machine.
 *
 * @param name the item that was checked
 * @param status its status
 * @param found what was found
 * @param advice the recommended fix; empty if none is needed
 */
public record Check(String name, Status status, String found, String advice) {

  /** The status of an item. */
  public enum Status {
    /** As it should be. */
    OK,
    /** Something that some uses need is not there. */
    NOTE,
    /** Building ported code is not possible. */
    PROBLEM
  }

  public static Check ok(String name, String found) {
    return new Check(name, Status.OK, found, "");
  }

  public static Check note(String name, String found, String advice) {
    return new Check(name, Status.NOTE, found, advice);
  }

  public static Check problem(String name, String found, String advice) {
    return new Check(name, Status.PROBLEM, found, advice);
  }
}
