package dev.rocport.lang.ptx.find;

import dev.rocport.lang.ptx.Item;
import dev.rocport.lang.ptx.Operand;
import dev.rocport.lang.ptx.PtxException;
import dev.rocport.lang.ptx.PtxParser;
import dev.rocport.lang.ptx.PtxTable;
import dev.rocport.rules.PtxRow;
import dev.rocport.rules.RuleCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Describes single instructions in words, from the tables. Thread-safe. */
public final class Lexicon {
  private static final String PREFIX = "PTX-";

  private final PtxTable table;

  /** The words of a catalog's tables. */
  public Lexicon(RuleCatalog catalog) {
    this(new PtxTable(catalog.ptx()));
  }

  /** The words of a table that other classes also use. */
  public Lexicon(PtxTable table) {
    this.table = table;
  }

  /**
   * An instruction in words.
   *
   * @param family the subject it belongs to, such as {@code memory}; empty if it is not known
   * @param meaning what it does; empty if it is not known
   * @param translated whether C++ has a counterpart of the same meaning
   * @param note why it has none, and what a person would do on AMD; may be empty
   * @param effort {@code minutes}, {@code hours}, {@code days}, {@code redesign}; else {@code -}
   */
  public record Entry(
      String family, String meaning, boolean translated, String note, String effort) {
    static final Entry UNKNOWN = new Entry("", "", false, "", "-");

    /** Whether the tables know it. */
    public boolean isKnown() {
      return !meaning.isEmpty();
    }
  }

  /**
   * What is known about one instruction.
   *
   * @param text the instruction with its operands, without predicate and semicolon
   */
  public Entry of(String text) {
    Item.Instruction i = instruction(text);
    PtxRow row = table.row(i);
    if (row == null) {
      return Entry.UNKNOWN;
    }
    List<PtxRow> rows = new ArrayList<>(List.of(row));
    for (Operand o : i.operands()) {
      if (o instanceof Operand.Special(String name) && table.register(name) != null) {
        rows.add(table.register(name));
      }
    }
    @Nullable PtxRow missing =
        rows.stream().filter(r -> !r.isTranslated()).findFirst().orElse(null);
    StringBuilder meaning = new StringBuilder(sentence(row));
    for (PtxRow register : rows.subList(1, rows.size())) {
      meaning.append("; ").append(register.form()).append(": ").append(sentence(register));
    }
    String family = row.rule().toLowerCase(Locale.ROOT);
    return new Entry(
        row.rule().startsWith(PREFIX) ? family.substring(PREFIX.length()) : family,
        meaning.toString(),
        missing == null,
        missing == null ? row.note() : missing.note(),
        missing == null ? row.effort() : missing.effort());
  }

  private static String sentence(PtxRow row) {
    String said = row.meaning().strip();
    return said.endsWith(".") ? said.substring(0, said.length() - 1) : said;
  }

  /** Reads one instruction; where its operands cannot be read, opcode and qualifiers alone. */
  private static Item.Instruction instruction(String text) {
    try {
      boolean dollars = text.matches("(?s).*\\$\\d.*");
      List<Item> items = dollars ? PtxParser.dollars(text) : PtxParser.template(text);
      if (items.size() == 1 && items.getFirst() instanceof Item.Instruction i) {
        return i;
      }
    } catch (PtxException e) {
      // A register name with a hole in it, or similar: its head is the most informative part.
    }
    String head = text.strip().split("\\s", 2)[0];
    List<String> parts = List.of(head.split("\\.", -1));
    return new Item.Instruction(
        0, text.length(), null, parts.getFirst(), parts.subList(1, parts.size()), List.of());
  }
}
