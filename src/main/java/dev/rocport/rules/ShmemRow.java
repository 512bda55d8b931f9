package dev.rocport.rules;

import dev.rocport.io.InvalidFileException;
import dev.rocport.io.TsvTable;
import dev.rocport.rules.ApiName.Kind;
import java.util.Locale;

/**
 * A row of a table below {@code rules/shmem/}: an NVSHMEM name, or a family of names, and the
 * counterpart. {@code <set>} in the name matches each member of a set of {@code types.tsv}; {@code
 * <set>} in the counterpart is what rocSHMEM calls that member, {@code <set.name>} what NVSHMEM
 * calls it, {@code <set.type>} its type in C++.
 *
 * @param name the name
 * @param parameters names of its parameters, separated by commas; empty if it is not a function
 * @param target the counterpart: a name, or a call with these parameters, followed by {@code : 0}
 *     for a value that rocSHMEM does not return; empty if there is none
 * @param kind the kind of name
 * @param host the rocSHMEM version that introduced it for the host; empty if not available there
 * @param device the same for the device
 * @param note what differs, or what to do where there is no counterpart; may be empty
 * @param rule id of the rule that the table belongs to
 */
public record ShmemRow(
    String name,
    String parameters,
    String target,
    Kind kind,
    String host,
    String device,
    String note,
    String rule) {
  static final String HEADER = "nvshmem\tparameters\trocshmem\tkind\thost\tdevice\tnote";

  static ShmemRow of(TsvTable.Row row, String rule) {
    Kind kind;
    try {
      kind = Kind.valueOf(row.cell(3).toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new InvalidFileException(row.where() + ": no such kind: " + row.cell(3), e);
    }
    ShmemRow made =
        new ShmemRow(
            row.cell(0),
            row.cell(1),
            row.cell(2),
            kind,
            row.cell(4),
            row.cell(5),
            row.cell(6),
            rule);
    if (made.name.isEmpty()) {
      throw new InvalidFileException(row.where() + ": has no name");
    }
    if (made.target.isEmpty() && made.note.isEmpty()) {
      throw new InvalidFileException(row.where() + ": no counterpart and no note for " + made.name);
    }
    if (made.target.isEmpty() != (made.host.isEmpty() && made.device.isEmpty())) {
      throw new InvalidFileException(
          row.where() + ": a row needs a version if and only if it has a counterpart");
    }
    return made;
  }

  /**
   * A member of sets.
   *
   * @param name what NVSHMEM calls it: {@code int64}, {@code 128}, {@code sum}
   * @param rocshmem what rocSHMEM calls it; a number of bytes for a number of bits
   * @param type its type in C++; may be empty
   * @param sets the sets it belongs to, parted by spaces
   */
  public record Member(String name, String rocshmem, String type, String sets) {
    static final String HEADER = "name\trocshmem\ttype\tsets";

    static Member of(TsvTable.Row row) {
      return new Member(row.cell(0), row.cell(1), row.cell(2), row.cell(3));
    }

    boolean isIn(String set) {
      return (" " + sets + " ").contains(" " + set + " ");
    }
  }
}
