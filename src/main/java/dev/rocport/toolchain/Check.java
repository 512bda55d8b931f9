package dev.rocport.toolchain;

/**
 * The result of one check of this machine.
 *
 * @param name what was looked at
 * @param status how it stands
 * @param found what is there
 * @param advice what to do about it; empty when nothing is to be done
 */
public record Check(String name, Status status, String found, String advice) {

  /** How a thing stands. */
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
