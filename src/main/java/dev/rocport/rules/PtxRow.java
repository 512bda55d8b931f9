package dev.rocport.rules;

import dev.rocport.io.InvalidFileException;
import dev.rocport.io.TsvTable;
import java.util.List;

/**
 * A row of a table below {@code rules/ptx/}: a form of a PTX instruction, or a special register,
 * and its translation.
 *
 * @param form the instruction with its qualifiers and operands, see {@code
 *     dev.rocport.lang.ptx.Form}
 * @param hip its HIP translation; empty if it cannot be translated
 * @param exact {@code exact}, {@code hint}, or the bound of the error; {@code -} for rows without
 *     {@code hip}
 * @param effort the remaining manual work: {@code minutes}, {@code hours}, {@code days} or {@code
 *     redesign}; {@code -} for nothing
 * @param meaning what the instruction does, one sentence
 * @param note remarks on the translation, or why there is none and what to do instead
 * @param rule id of the rule that the table belongs to
 */
public record PtxRow(
    String form,
    String hip,
    String exact,
    String effort,
    String meaning,
    String note,
    String rule) {
  static final String HEADER = "ptx\thip\texact\teffort\tmeaning\tnote";
  private static final List<String> EFFORTS = List.of("-", "minutes", "hours", "days", "redesign");

  static PtxRow of(TsvTable.Row row, String rule) {
    PtxRow made =
        new PtxRow(
            row.cell(0), row.cell(1), row.cell(2), row.cell(3), row.cell(4), row.cell(5), rule);
    if (made.form.isBlank() || made.meaning.isBlank()) {
      throw new InvalidFileException(row.where() + ": a form and its meaning are needed");
    }
    if (!EFFORTS.contains(made.effort)) {
      throw new InvalidFileException(row.where() + ": the effort is not one of " + EFFORTS);
    }
    if (made.hip.isEmpty() && made.note.isBlank()) {
      throw new InvalidFileException(
          row.where() + ": the note must say why the instruction is not translated");
    }
    if (made.hip.isEmpty() != made.exact.equals("-")) {
      throw new InvalidFileException(
          row.where() + ": 'exact' must be '-' for rows without 'hip', and only for those");
    }
    return made;
  }

  /** Whether it is translated. */
  public boolean isTranslated() {
    return !hip.isEmpty();
  }

  /** The instruction's first word; empty for a special register. */
  public String opcode() {
    int i = 0;
    while (i < form.length()
        && (Character.isLetterOrDigit(form.charAt(i)) || form.charAt(i) == '_')) {
      i++;
    }
    return form.substring(0, i);
  }

  /** Whether it is a special register, {@code %tid.x}. */
  public boolean isRegister() {
    return form.startsWith("%");
  }
}
