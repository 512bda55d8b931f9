package dev.rocport.lang.ptx.find;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.rules.Changes;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Reports the PTX in a text: its location in the file, its meaning, and what to do. */
public final class Findings {
  /** A module of PTX, in a file or in a string. */
  public static final String MODULE = "PTX-MODULE";

  /** Instructions in a string. */
  public static final String STRING = "PTX-STRING";

  /** What Python code holds. */
  public static final String PYTHON = "PTX-PYTHON";

  /** Signals between GPUs, for which there are functions. */
  public static final String SIGNAL = "PTX-SIGNAL";

  /** Cubins and fat binaries. */
  public static final String BINARY = "PTX-BINARY";

  private static final int LONGEST = 120;
  private static final int NAMES = 8;

  private final RuleCatalog catalog;
  private final Lexicon lexicon;
  private final Changes changes;

  public Findings(RuleCatalog catalog, Lexicon lexicon, Changes changes) {
    this.catalog = catalog;
    this.lexicon = lexicon;
    this.changes = changes;
  }

  /**
   * Finds the module that a text holds.
   *
   * @param holder what holds it, as {@code a string}; empty for the file itself
   * @return false if it holds none
   */
  public boolean module(PtxText text, String holder) {
    Module m = Module.of(text.text());
    if (m == null) {
      return false;
    }
    int end = m.at();
    while (end < text.text().length() && text.text().charAt(end) >= ' ') {
      end++;
    }
    report("", MODULE, text, m.at(), end, says(m, holder), "");
    m.uses()
        .forEach(
            (head, use) -> {
              Lexicon.Entry e = lexicon.of(use.text());
              if (e.isKnown() && !e.translated() && !isGlue(head, e)) {
                String times = use.count() == 1 ? "once" : use.count() + " times";
                report(
                    head,
                    MODULE,
                    text,
                    use.first(),
                    use.end(),
                    head + ", " + times + " in this module: " + meaning(e),
                    e.note());
              }
            });
    return true;
  }

  /** Calls, branches, returns, and parameters occur in every module. */
  private static boolean isGlue(String head, Lexicon.Entry e) {
    return e.family().equals("control") || head.contains(".param");
  }

  private String says(Module m, String holder) {
    StringBuilder said = new StringBuilder("PTX module for ").append(m.target());
    said.append(", PTX ").append(m.version());
    if (m.bits() > 0) {
      said.append(", ").append(m.bits()).append("-bit addresses");
    }
    if (!holder.isEmpty()) {
      said.append(", in ").append(holder);
    }
    List<String> first = m.entries().subList(0, Math.min(NAMES, m.entries().size()));
    said.append("; ").append(m.entries().isEmpty() ? "no kernels" : "kernels ");
    said.append(String.join(", ", first));
    if (m.entries().size() > NAMES) {
      said.append(" and ").append(m.entries().size() - NAMES).append(" more");
    }
    if (m.functions() > 0) {
      said.append("; ").append(number(m.functions(), "function"));
    }
    said.append("; ").append(number(m.instructions(), "instruction"));
    Map<String, Integer> families = new TreeMap<>();
    m.uses().values().forEach(u -> families.merge(family(u), u.count(), Integer::sum));
    if (!families.isEmpty()) {
      said.append(
          families.entrySet().stream()
              .map(e -> e.getValue() + " " + e.getKey())
              .collect(Collectors.joining(", ", ": ", "")));
    }
    return said.toString();
  }

  private static String number(int n, String what) {
    return n + " " + what + (n == 1 ? "" : "s");
  }

  private String family(Module.Use use) {
    String family = lexicon.of(use.text()).family();
    return family.isEmpty() ? "others" : family;
  }

  /**
   * Finds the instructions of an asm template, or of a string that holds nothing else.
   *
   * @param rule what they are reported by
   * @param holder what they are in, as {@code tl.inline_asm_elementwise}
   */
  public void inline(String rule, PtxText text, String holder) {
    Map<String, Spot> spots = new LinkedHashMap<>();
    Statements all = new Statements(text.text());
    while (all.next()) {
      if (all.kind() == Statements.Kind.INSTRUCTION) {
        Spot before = spots.get(all.name());
        spots.put(
            all.name(),
            before == null
                ? new Spot(all.start(), all.nameStart(), all.end(), 1)
                : new Spot(before.start, before.name, before.end, before.count + 1));
      }
    }
    spots.forEach(
        (head, spot) -> {
          String instruction = text.text().substring(spot.name, spot.end).strip();
          Lexicon.Entry e = lexicon.of(instruction);
          StringBuilder said = new StringBuilder(holder).append(": ");
          said.append(shortened(text.text().substring(spot.start, spot.end)));
          if (spot.count > 1) {
            said.append(" (").append(spot.count).append(" times here)");
          }
          if (e.isKnown()) {
            said.append(" - ").append(meaning(e));
          } else if (head.indexOf(PtxText.HOLE) >= 0) {
            said.append(" - built at run time");
          } else {
            said.append(" - an instruction that rocport does not know");
          }
          String about = head.indexOf(PtxText.HOLE) >= 0 ? "" : head;
          report(about, rule, text, spot.start, spot.end, said.toString(), advice(e));
        });
    if (spots.isEmpty() && !text.text().isEmpty()) {
      String said = holder + ": " + shortened(text.text());
      report("", rule, text, 0, text.text().length(), said, "");
    }
  }

  /** Places of an instruction in a template: the first, and how many there are. */
  private record Spot(int start, int name, int end, int count) {}

  private static String meaning(Lexicon.Entry e) {
    return e.effort().equals("-") ? e.meaning() : e.meaning() + " (effort: " + e.effort() + ")";
  }

  private static String advice(Lexicon.Entry e) {
    return e.translated()
        ? "rocport translates this instruction only in C++ code. Move it to a C++ function, or use"
            + " operations of the surrounding language. "
            + e.note()
        : e.note();
  }

  private static String shortened(String text) {
    String one = text.replace(PtxText.HOLE + "", "{...}").replaceAll("\\s+", " ").strip();
    return one.length() > LONGEST ? one.substring(0, LONGEST) + "..." : one;
  }

  /** A finding about a stretch of the text; the rule's advice where there is no other. */
  private void report(
      String about, String rule, PtxText text, int start, int end, String message, String advice) {
    Rule r = catalog.require(rule);
    Severity severity = r.severity();
    String told = advice.isBlank() ? r.advice() : advice.strip();
    changes.findingAbout(
        about,
        rule,
        severity,
        Disposition.UNPORTED,
        text.start(start),
        text.end(end),
        message,
        told);
  }
}
