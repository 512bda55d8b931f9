package dev.rocport.lang.ptx;

import dev.rocport.io.InvalidFileException;
import dev.rocport.rules.PtxRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The tables of instructions and special registers in {@code rules/ptx/}. */
public final class PtxTable {
  private final Map<String, List<PtxRow>> unread = new HashMap<>();
  private final Map<String, List<Form>> read = new HashMap<>();
  private final Map<String, PtxRow> registers = new HashMap<>();

  /**
   * A table of these rows; the first that fits holds, those with a form before those with a star.
   */
  public PtxTable(List<PtxRow> rows) {
    for (PtxRow row : rows) {
      if (row.isRegister()) {
        for (String name : names(row.form())) {
          registers.putIfAbsent(name, row);
        }
      } else {
        unread.computeIfAbsent(row.opcode(), k -> new ArrayList<>()).add(row);
      }
    }
  }

  /** {@code %tid.{x,y,z}} is three registers. */
  private static List<String> names(String form) {
    int open = form.indexOf('{');
    int close = form.indexOf('}');
    if (open < 0 || close < open) {
      return List.of(form);
    }
    List<String> list = new ArrayList<>();
    for (String part : form.substring(open + 1, close).split(",", -1)) {
      list.add(form.substring(0, open) + part.strip() + form.substring(close + 1));
    }
    return list;
  }

  /** Forms are parsed at the first lookup of their opcode: most trees use few. */
  private synchronized List<Form> forms(String opcode) {
    return read.computeIfAbsent(
        opcode,
        o -> {
          List<Form> forms = new ArrayList<>();
          for (PtxRow row : unread.getOrDefault(o, List.of())) {
            forms.add(FormReader.read(row));
          }
          forms.sort(Comparator.comparingInt(f -> f.isOpen() ? 1000 - f.length() : 0));
          return List.copyOf(forms);
        });
  }

  /** Whether any row is about this opcode. */
  public boolean knows(String opcode) {
    return unread.containsKey(opcode);
  }

  /** All opcodes, sorted. */
  public List<String> opcodes() {
    return unread.keySet().stream().sorted().toList();
  }

  /**
   * The rows about an instruction.
   *
   * @param name an opcode, {@code ld}, or the beginning of a head, {@code ld.acquire.sys}: the rows
   *     whose forms have these words
   */
  public List<PtxRow> rows(String name) {
    List<String> words = List.of(name.split("\\.", -1));
    return forms(words.getFirst()).stream()
        .filter(f -> f.has(words.subList(1, words.size())))
        .map(Form::row)
        .toList();
  }

  /** The row of a special register, {@code %tid.x}; null if there is none. */
  public @Nullable PtxRow register(String name) {
    return registers.get(name);
  }

  /** How an instruction fits a form, or null. */
  Form.@Nullable Match match(Item.Instruction i) {
    return match(i, m -> true);
  }

  /**
   * How an instruction fits a form, or null.
   *
   * @param types whether the registers' types are those of a form too, where several fit
   */
  Form.@Nullable Match match(Item.Instruction i, Predicate<Form.Match> types) {
    Form.Match translated = null;
    Form.Match first = null;
    for (Form f : forms(i.opcode())) {
      Form.Match m = f.match(i);
      if (m == null) {
        continue;
      }
      if (m.row().isTranslated()) {
        if (types.test(m)) {
          return m;
        }
        translated = translated == null ? m : translated;
      }
      first = first == null ? m : first;
    }
    return translated != null ? translated : first;
  }

  /** The most specific row for an instruction: of its form, or of one with the same head. */
  public @Nullable PtxRow row(Item.Instruction i) {
    return row(i, match(i));
  }

  /** The same where it is known which registers are predicates. */
  public @Nullable PtxRow row(Item.Instruction i, Predicate<String> isPredicate) {
    return row(i, match(i, m -> m.fitsPredicates(isPredicate)));
  }

  private @Nullable PtxRow row(Item.Instruction i, Form.@Nullable Match m) {
    if (m != null) {
      return m.row();
    }
    return forms(i.opcode()).stream()
        .filter(f -> f.fitsHead(i))
        .findFirst()
        .map(Form::row)
        .orElse(null);
  }

  /**
   * Reads every form, to find out about rows that make no sense.
   *
   * @throws InvalidFileException for the first of them
   */
  public void check() {
    unread.keySet().stream().sorted().forEach(this::forms);
  }
}
