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
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

  private record Told(Need need, List<Reason> reasons) {
    Told and(Told more) {
      List<Reason> both = new ArrayList<>(reasons);
      both.addAll(more.reasons);
      return new Told(max(need, more.need), both);
    }
  }

  /**
   * The findings that a sign names: those of its rules whose message it is about.
   *
   * @param phase its place in the table
   */
  private record Named(int phase, Sign sign, Set<String> rules, Pattern about) {
    static Named of(int phase, Sign sign, Result result) {
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
      return new Named(phase, sign, rules, Pattern.compile(sign.about()));
    }

    boolean isNarrow() {
      return !sign.about().isEmpty();
    }

    boolean holds(Finding f) {
      return rules.contains(f.rule()) && (!isNarrow() || about.matcher(f.message()).find());
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

  /**
   * The same for a tree that was searched in parts.
   *
   * @param words what {@link #words} returned for each part, in order
   */
  public static Phases scan(PhaseTable table, SourceTree tree, List<String> words) {
    List<Sign> signs = signs(table);
    List<Hits> sums = new ArrayList<>(Collections.nCopies(signs.size(), Hits.NONE));
    for (String part : words) {
      Optional<List<Hits>> hits = Hits.read(part, signs);
      if (hits.isEmpty()) {
        return scan(table, tree);
      }
      for (int i = 0; i < sums.size(); i++) {
        sums.set(i, sums.get(i).and(hits.get().get(i)));
      }
    }
    return new Phases(table, tree, Optional.of(sums));
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
    List<Named> signs = new ArrayList<>();
    for (int i = 0; i < table.phases().size(); i++) {
      for (Sign s : table.phases().get(i).signs()) {
        signs.add(Named.of(i, s, result));
      }
    }
    Map<String, List<Named>> byRule = new HashMap<>();
    for (Named n : signs) {
      n.rules().forEach(r -> byRule.computeIfAbsent(r, k -> new ArrayList<>()).add(n));
    }
    IdentityHashMap<Named, List<FileReport>> touched = touched(byRule, result);
    List<Told> told = new ArrayList<>();
    table.phases().forEach(p -> told.add(new Told(Need.NO, List.of())));
    Need any = Need.NO;
    for (int i = 0; i < signs.size(); i++) {
      Named n = signs.get(i);
      Told t = told(n, hits.get(i), touched.getOrDefault(n, List.of()));
      told.set(n.phase(), told.get(n.phase()).and(t));
      any = max(any, t.need());
    }
    List<Set<String>> findings = findings(byRule, result);
    List<PhaseInfo> infos = new ArrayList<>();
    for (int i = 0; i < told.size(); i++) {
      infos.add(info(table.phases().get(i), told.get(i), any, findings.get(i)));
    }
    return List.copyOf(infos);
  }

  /** Returns the files that the rules of each sign have edited or found something in. */
  private static IdentityHashMap<Named, List<FileReport>> touched(
      Map<String, List<Named>> byRule, Result result) {
    IdentityHashMap<Named, List<FileReport>> touched = new IdentityHashMap<>();
    for (FileReport file : result.files()) {
      Set<String> rules = new HashSet<>(file.result().edits().keySet());
      file.result().findings().forEach(f -> rules.add(f.rule()));
      Set<Named> signs = Collections.newSetFromMap(new IdentityHashMap<>());
      rules.forEach(r -> signs.addAll(byRule.getOrDefault(r, List.of())));
      signs.forEach(n -> touched.computeIfAbsent(n, k -> new ArrayList<>()).add(file));
    }
    return touched;
  }

  /** Returns the fingerprints of the findings that belong to each phase. */
  private List<Set<String>> findings(Map<String, List<Named>> byRule, Result result) {
    List<Set<String>> findings = new ArrayList<>();
    table.phases().forEach(p -> findings.add(new HashSet<>()));
    for (FileReport file : result.files()) {
      file.result().findings().forEach(f -> add(f, byRule, findings));
      file.result().suppressed().stream()
          .map(Suppressed::finding)
          .forEach(f -> add(f, byRule, findings));
    }
    return findings;
  }

  /** Adds a finding to the last phase with such a sign: the signs of later phases are narrower. */
  private static void add(Finding f, Map<String, List<Named>> byRule, List<Set<String>> findings) {
    Named last = null;
    for (Named n : byRule.getOrDefault(f.rule(), List.of())) {
      boolean narrower = last == null || n.isNarrow() || !last.isNarrow();
      if (narrower && n.holds(f)) {
        last = n;
      }
    }
    if (last != null) {
      findings.get(last.phase()).add(f.fingerprint());
    }
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

  private Told told(Named named, Hits words, List<FileReport> touched) {
    Sign sign = named.sign();
    Hits counted = Hits.NONE;
    for (FileReport f : touched) {
      counted = counted.and(counted(f, named, counted.count() == 0));
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
  private Hits counted(FileReport file, Named named, boolean first) {
    Sign sign = named.sign();
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
