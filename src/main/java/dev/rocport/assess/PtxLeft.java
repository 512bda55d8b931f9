package dev.rocport.assess;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.PtxInfo;
import dev.rocport.core.result.Topic;
import dev.rocport.lang.ptx.PtxTable;
import dev.rocport.lang.ptx.find.Lexicon;
import dev.rocport.rules.PtxRow;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The remaining PTX by instruction, with the text of the tables. */
final class PtxLeft {
  /** The key that groups findings: an instruction, else the rule. */
  private record Key(String about, String rule) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      return Comparator.comparing(Key::about).thenComparing(Key::rule).compare(this, other);
    }
  }

  private final RuleCatalog catalog;

  PtxLeft(RuleCatalog catalog) {
    this.catalog = catalog;
  }

  /** Returns the instructions, those with the most places first. */
  List<PtxInfo> of(List<FileResult> files) {
    Map<Key, List<Finding>> groups = new TreeMap<>();
    for (FileResult file : files) {
      for (Finding f : file.findings()) {
        if (f.disposition() == Disposition.UNPORTED && catalog.topic(f.rule()) == Topic.PTX) {
          String rule = f.about().isEmpty() ? f.rule() : "";
          groups.computeIfAbsent(new Key(f.about(), rule), k -> new ArrayList<>()).add(f);
        }
      }
    }
    if (groups.isEmpty()) {
      return List.of();
    }
    Lexicon lexicon = new Lexicon(new PtxTable(catalog.ptx()));
    List<PtxInfo> infos = new ArrayList<>();
    groups.forEach((key, findings) -> infos.add(info(key, findings, lexicon)));
    infos.sort(
        Comparator.comparing((PtxInfo i) -> i.instruction().isEmpty())
            .thenComparing(i -> -i.count()));
    return infos;
  }

  private PtxInfo info(Key key, List<Finding> findings, Lexicon lexicon) {
    Set<String> files = new HashSet<>();
    findings.forEach(f -> files.add(f.path()));
    List<String> places =
        findings.stream().map(f -> f.line() == 0 ? f.path() : f.path() + ":" + f.line()).toList();
    String meaning;
    String advice;
    String effort = "-";
    if (key.about.isEmpty()) {
      Rule rule = catalog.require(key.rule);
      meaning = rule.title();
      advice = rule.advice().strip();
    } else if (key.about.startsWith("%")) {
      PtxRow row =
          catalog.ptx().stream().filter(r -> r.form().equals(key.about)).findFirst().orElse(null);
      meaning = row == null ? "" : row.meaning();
      advice = row == null ? "" : row.note();
      effort = row == null ? "-" : row.effort();
    } else {
      Lexicon.Entry entry = lexicon.of(key.about);
      meaning = entry.meaning();
      advice =
          entry.translated()
              ? "rocport translates this instruction if it can translate the whole asm statement."
              : entry.note();
      effort = entry.effort();
    }
    return new PtxInfo(
        key.about,
        meaning,
        advice,
        effort.equals("-") ? "" : effort,
        findings.size(),
        files.size(),
        places);
  }
}
