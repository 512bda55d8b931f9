package dev.rocport.rules;

import dev.rocport.rules.ApiName.Kind;
import java.util.List;

/**
 * One NVSHMEM name and its counterpart.
 *
 * @param name the name, {@code nvshmem_int64_put}
 * @param parameters names of its parameters
 * @param target what to write, qualified: a name, or a call in which {@code $name} is an argument;
 *     empty if there is none
 * @param value the value of the call if the NVSHMEM function returns one and the rocSHMEM function
 *     does not; may be empty
 * @param row the row that defines it, with its versions and note
 */
public record ShmemName(
    String name, List<String> parameters, String target, String value, ShmemRow row) {
  /** What a port does about a name. */
  public enum Answer {
    /** Same arguments, same meaning. */
    DIRECT,
    /** Other arguments, or something to know. */
    CHANGED,
    /** A call into {@code rocport/shmem.h}. */
    ADDED,
    /** Nothing to port it to. */
    MISSING
  }

  private static final String ADDED = "rocport::";

  public ShmemName {
    parameters = List.copyOf(parameters);
  }

  /** Whether the arguments are written anew. */
  public boolean isCall() {
    return target.indexOf('(') > 0;
  }

  /** Whether it is built on rocSHMEM by {@code rocport/shmem.h}. */
  public boolean isAdded() {
    return target.startsWith(ADDED);
  }

  public Answer answer() {
    if (target.isEmpty()) {
      return Answer.MISSING;
    }
    if (isAdded()) {
      return Answer.ADDED;
    }
    return isCall() || !row.note().isEmpty() ? Answer.CHANGED : Answer.DIRECT;
  }

  public String rule() {
    return row.rule();
  }

  public Kind kind() {
    return row.kind();
  }
}
