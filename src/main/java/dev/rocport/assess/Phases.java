package dev.rocport.assess;

import dev.rocport.assess.Words.Hits;
import dev.rocport.core.result.FileReport;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.PhaseInfo;
import dev.rocport.core.result.PhaseInfo.Need;
import dev.rocport.core.result.PhaseInfo.Reason;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.RuleInfo;
import dev.rocport.core.result.Suppressed;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.rules.PhaseTable;
import dev.rocport.rules.PhaseTable.Phase;
import dev.rocport.rules.PhaseTable.Sign;
import dev.rocport.rules.RuleFilter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Decides which phases of the porting guide a tree needs, and why. Created before the port, because
 * the port may write into the tree; queried after it, when the findings are known.
 */
public final class Phases {
  private final PhaseTable table;
  private final Map<String, TreeEntry> entries = new HashMap<>();

  /** Hits of file names and words, for each sign of each phase in order. */
  private final List<Hits> hits;

  private record Told(Need need, List<Reason> reasons) {}

  /** The findings that a sign names: those of its rules whose message it is about. */
  private record Named(Set<String> rules, Pattern about) {
    static Named of(Sign sign, Result result) {
      RuleFilter ids = new RuleFilter(sign.rules(), List.of());
      RuleFilter families = new RuleFilter(sign.families(), List.of());
      Set<String> rules = new HashSet<>();
      for (RuleInfo r : result.rules().values()) {
        boolean named = !sign.rules().isEmpty() && ids.allows(r.id());
        boolean inFamily = !sign.families().isEmpty() && families.allows(r.family());
        if (named || inFamily) {
          rules.add(r.id());
        }
      }
      return new Named(rules, Pattern.compile(sign.about()));
    }

    boolean holds(Finding f) {
      return rules.contains(f.rule())
          && (about.pattern().isEmpty() || about.matcher(f.message()).find());
    }
  }

  private Phases(PhaseTable table, SourceTree tree, Optional<List<Hits>> known) {
    this.table = table;
    this.hits = known.orElseGet(() -> Words.of(signs(table), tree));
    tree.entries().stream().filter(Words::isFile).forEach(e -> entries.put(e.path(), e));
  }

  /** Searches the files of a tree. */
  public static Phases scan(PhaseTable table, SourceTree tree) {
    return new Phases(table, tree, Optional.empty());
  }

  /**
   * Searches the files of a tree, unless it was searched before and has not changed.
   *
   * @param words what {@link #words} returned then
   */
  public static Phases scan(PhaseTable table, SourceTree tree, Optional<String> words) {
    return new Phases(table, tree, words.flatMap(w -> Hits.read(w, signs(table))));
  }

  /** Returns what the search has found, in lines; empty if it does not fit into lines. */
  public String words() {
    return Hits.write(hits, signs(table));
  }

  private static List<Sign> signs(PhaseTable table) {
    return table.phases().stream().flatMap(p -> p.signs().stream()).toList();
  }

  /** Returns the phases, in order, from the results of a run over the same tree. */
  public List<PhaseInfo> of(Result result) {
    List<FileReport> touched =
        result.files().stream()
            .filter(f -> !f.result().findings().isEmpty() || !f.result().edits().isEmpty())
            .toList();
    List<Told> told = new ArrayList<>();
    List<List<Named>> named = new ArrayList<>();
    Need any = Need.NO;
    int sign = 0;
    for (Phase phase : table.phases()) {
      Need need = Need.NO;
      List<Reason> reasons = new ArrayList<>();
      List<Named> ofPhase = phase.signs().stream().map(s -> Named.of(s, result)).toList();
      named.add(ofPhase);
      for (int i = 0; i < ofPhase.size(); i++) {
        Told t = told(phase.signs().get(i), ofPhase.get(i), hits.get(sign++), touched);
        reasons.addAll(t.reasons());
        need = max(need, t.need());
      }
      any = max(any, need);
      told.add(new Told(need, reasons));
    }
    List<Set<String>> findings = findings(named, result);
    List<PhaseInfo> infos = new ArrayList<>();
    for (int i = 0; i < told.size(); i++) {
      infos.add(info(table.phases().get(i), told.get(i), any, findings.get(i)));
    }
    return List.copyOf(infos);
  }

  /** Returns the fingerprints of the findings that belong to each phase. */
  private static List<Set<String>> findings(List<List<Named>> named, Result result) {
    List<Set<String>> findings = new ArrayList<>();
    named.forEach(n -> findings.add(new HashSet<>()));
    for (FileReport file : result.files()) {
      file.result().findings().forEach(f -> add(f, named, findings));
      file.result().suppressed().stream()
          .map(Suppressed::finding)
          .forEach(f -> add(f, named, findings));
    }
    return findings;
  }

  private static void add(Finding f, List<List<Named>> named, List<Set<String>> findings) {
    int phase = last(named, n -> !n.about().pattern().isEmpty() && n.holds(f));
    if (phase < 0) {
      phase = last(named, n -> n.holds(f));
    }
    if (phase >= 0) {
      findings.get(phase).add(f.fingerprint());
    }
  }

  /** The last phase with such a sign: the signs of later phases are narrower. */
  private static int last(List<List<Named>> named, Predicate<Named> sign) {
    for (int i = named.size() - 1; i >= 0; i--) {
      if (named.get(i).stream().anyMatch(sign)) {
        return i;
      }
    }
    return -1;
  }

  private static PhaseInfo info(Phase phase, Told told, Need any, Set<String> findings) {
    List<Reason> reasons = new ArrayList<>(told.reasons());
    Need need = phase.follows().isEmpty() ? told.need() : max(told.need(), any);
    if (need == Need.NO) {
      reasons.add(new Reason(phase.otherwise(), 0, 0, ""));
    } else if (!phase.follows().isEmpty()) {
      reasons.add(new Reason(phase.follows(), 0, 0, ""));
    }
    return new PhaseInfo(phase.number(), phase.title(), phase.what(), need, reasons, findings);
  }

  private Told told(Sign sign, Named named, Hits words, List<FileReport> touched) {
    Hits counted = Hits.NONE;
    for (FileReport f : touched) {
      counted = counted.and(counted(f, named, sign, counted.count() == 0));
    }
    if (counted.count() > 0) {
      return new Told(sign.maybe() ? Need.MAYBE : Need.YES, reason(sign, counted));
    }
    if (words.count() == 0) {
      return new Told(Need.NO, List.of());
    }
    boolean looked = !named.rules().isEmpty();
    return new Told(looked || sign.maybe() ? Need.MAYBE : Need.YES, reason(sign, words));
  }

  private static List<Reason> reason(Sign sign, Hits hits) {
    return List.of(new Reason(sign.says(), hits.count(), hits.files(), hits.example()));
  }

  /** Rules often report their edits, so the larger of the two numbers counts. */
  private Hits counted(FileReport file, Named named, Sign sign, boolean first) {
    if (named.rules().isEmpty()) {
      return Hits.NONE;
    }
    Map<String, Integer> byRule = new HashMap<>();
    int line = 0;
    for (Finding f : file.result().findings()) {
      if (named.holds(f)) {
        byRule.merge(f.rule(), 1, Integer::sum);
        line = line == 0 ? f.line() : line;
      }
    }
    if (sign.about().isEmpty()) {
      file.result()
          .edits()
          .forEach(
              (rule, n) -> {
                if (named.rules().contains(rule)) {
                  byRule.merge(rule, n, Math::max);
                }
              });
    }
    int count = byRule.values().stream().mapToInt(Integer::intValue).sum();
    if (count == 0) {
      return Hits.NONE;
    }
    String path = file.result().path();
    String example = !first ? path : line > 0 ? path + ":" + line : marked(path, sign);
    return new Hits(count, 1, example);
  }

  /** Returns the place of an edit, which results do not keep: the first line with a mark. */
  private String marked(String path, Sign sign) {
    TreeEntry entry = entries.get(path);
    List<String> marks = sign.marks().isEmpty() ? sign.words() : sign.marks();
    if (entry == null || marks.isEmpty()) {
      return path;
    }
    Hits found = Words.in(path, Words.text(entry), marks);
    return found.count() == 0 ? path : found.example();
  }

  private static Need max(Need a, Need b) {
    return a.compareTo(b) >= 0 ? a : b;
  }
}
