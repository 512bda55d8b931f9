package dev.rocport.lang.cuda.warp;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.lang.cuda.ast.SyntaxTree;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.LaunchMask;
import dev.rocport.lang.cuda.lex.Launches;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.symbols.HostBodies;
import dev.rocport.warp.Decision;
import dev.rocport.warp.WarpModel;
import dev.rocport.warp.WarpPlan;
import dev.rocport.warp.WarpScan;
import dev.rocport.warp.ir.ConstantText;
import dev.rocport.warp.ir.Expr;
import dev.rocport.warp.ir.Launch;
import dev.rocport.warp.ir.Lowering;
import dev.rocport.warp.ir.Names;
import dev.rocport.warp.ir.Span;
import dev.rocport.warp.ir.Unit;
import dev.rocport.warp.proof.Site;
import dev.rocport.warp.proof.WarpFunction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Writes the decisions of the warp analysis: which 32 becomes the wave size of the target, and
 * which stays 32.
 */
public final class WarpPass {
  static final String KEEP = "W64-KEEP";
  static final String UNSURE = "W64-UNSURE";
  static final String WIDE = "W64-WIDE";
  static final String SITE = "W64-SITE";

  /** Kernels whose warps are the target's waves, since a library's functions are of waves. */
  static final String WAVES = "W64-WAVES";

  private static final List<String> RULES = List.of(KEEP, UNSURE, WIDE, SITE, WAVES);
  private static final String HEADER = "wave.h";

  /** Calls that launch what they are given. */
  private static final Set<String> LAUNCHERS =
      Set.of(
          "cudaLaunchKernel",
          "cudaLaunchKernelEx",
          "cudaLaunchKernelExC",
          "cudaLaunchCooperativeKernel",
          "hipLaunchKernelGGL",
          "hipLaunchKernel");

  private WarpPass() {}

  /**
   * The warp facts of a file for other files.
   *
   * @param allowed tests whether a rule is in force
   */
  public static WarpScan scan(String path, Tokens t, Predicate<String> allowed) {
    boolean device = t.mentions(List.of("__global__", "__device__"));
    boolean hinted = false;
    for (int i = 0; i < t.count() && !hinted; i++) {
      hinted = t.isIdentifier(i) && mentionsWarps(t, i);
    }
    List<String> includes = new ArrayList<>();
    for (Directive d : t.directives()) {
      if (t.is(d.first() + 1, "include") && d.last() > d.first() + 2) {
        String file = t.text(d.first() + 2);
        String name = file.substring(file.lastIndexOf('/') + 1).replaceAll("[<>\"]", "");
        includes.add(name);
        hinted |= name.toLowerCase(Locale.ROOT).contains("warp");
      }
    }
    byte[] bytes = t.file().bytes();
    byte[] masked = hinted ? LaunchMask.mask(t) : new byte[0];
    BitSet blank = hinted ? HostBodies.blank(t, masked) : new BitSet();
    SyntaxTree tree = hinted ? SyntaxTree.parse(path, masked) : null;
    List<Launch> launches = tree != null ? List.of() : launches(path, t);
    boolean counts = device || hinted || !launches.isEmpty() || path.endsWith(".cu");
    Names mentions = new Names();
    Names unseen = counts ? names(t, blank, mentions) : new Names();
    Optional<Unit> unit =
        tree == null
            ? Optional.empty()
            : Optional.of(Lowering.lower(path, bytes, tree, unseen, mentions));
    return new WarpScan(
        path,
        unit,
        launches,
        List.copyOf(includes),
        unseen.packed(),
        device,
        Arrays.hashCode(bytes),
        tree == null ? Optional.empty() : SchedulePass.of(tree, t, allowed));
  }

  /** All names of a file; those of blanked host code go to {@code mentions}. */
  private static Names names(Tokens t, BitSet blank, Names mentions) {
    Names all = new Names();
    byte[] bytes = t.file().bytes();
    for (int i = 0; i < t.count(); i++) {
      Names names = blank.get(i) ? mentions : all;
      if (t.isIdentifier(i) && t.isSpliced(i)) {
        names.add(t.text(i), 1);
      } else if (t.isIdentifier(i)) {
        names.add(bytes, t.start(i), t.end(i));
      }
    }
    return all;
  }

  private static boolean mentionsWarps(Tokens t, int i) {
    byte[] b = t.file().bytes();
    int s = t.start(i);
    int length = t.end(i) - s;
    if (length < 4) {
      return false;
    }
    if (b[s] == '_' && b[s + 1] == '_') {
      return length > 5 && WarpFunction.of(t.text(i)) != null;
    }
    for (int k = s; k + 4 <= t.end(i); k++) {
      if ((b[k] | 32) == 'w'
          && (b[k + 1] | 32) == 'a'
          && (b[k + 2] | 32) == 'r'
          && (b[k + 3] | 32) == 'p') {
        return true;
      }
    }
    return false;
  }

  /** The launches of a file without a tree. */
  private static List<Launch> launches(String path, Tokens t) {
    List<Launch> list = new ArrayList<>();
    Launches found = Launches.of(t);
    Map<String, Expr> locals = found.count() > 0 ? locals(t) : Map.of();
    for (int n = 0; n < found.count(); n++) {
      int open = found.open(n);
      int name = Launches.kernel(t, open);
      if (found.close(n) > 0 && name >= 0) {
        list.add(launch(path, t, name, block(t, open + 3, found.close(n) - 1), locals));
      }
    }
    int end = t.mentions(LAUNCHERS) ? t.count() : 0;
    for (int i = 0; i < end; i++) {
      if (t.isIdentifier(i) && t.is(i + 1, '(') && LAUNCHERS.contains(t.text(i))) {
        for (int k = i + 2; k < t.match(i + 1); k++) {
          if (t.isIdentifier(k)) {
            list.add(launch(path, t, k, null, locals));
          }
        }
      }
    }
    return list;
  }

  private static Launch launch(
      String path, Tokens t, int name, @Nullable Expr block, Map<String, Expr> locals) {
    Span at = new Span(t.start(name), t.end(name), false);
    Expr known = block == null ? new Expr.Other("", List.of(), at) : block;
    return new Launch(path, t.text(name), known, block == null ? Map.of() : locals, at);
  }

  /** The second argument between the chevrons. */
  private static @Nullable Expr block(Tokens t, int first, int last) {
    int begin = -1;
    for (int k = first; k <= last; k++) {
      if (t.match(k) > k) {
        k = t.match(k);
      } else if (t.is(k, ',')) {
        if (begin > 0) {
          return ConstantText.parse(t.text(begin, k - 1));
        }
        begin = k + 1;
      }
    }
    return begin > 0 && begin <= last ? ConstantText.parse(t.text(begin, last)) : null;
  }

  /** Variables that the file sets once, to a number. */
  private static Map<String, Expr> locals(Tokens t) {
    Map<String, Expr> values = new TreeMap<>();
    Set<String> twice = new HashSet<>();
    for (int i = 1; i + 2 < t.count(); i++) {
      boolean set = t.isIdentifier(i) && t.is(i + 1, '=') && !t.is(i + 2, '=');
      if (set
          || (t.isIdentifier(i) && t.is(i + 2, '=') && !t.is(i + 1, '=') && !t.is(i + 3, '='))) {
        Expr x =
            set && t.is(i + 3, ';') && t.isIdentifier(i - 1)
                ? ConstantText.parse(t.text(i + 2))
                : null;
        if (x == null || values.put(t.text(i), x) != null) {
          twice.add(t.text(i));
        }
      }
    }
    for (Directive d : t.directives()) {
      if (d.name().equals("define") && d.last() > d.body()) {
        Expr x =
            d.last() > d.body() + 1 ? ConstantText.parse(t.text(d.body() + 1, d.last() - 1)) : null;
        if (x == null || values.put(t.text(d.body()), x) != null) {
          twice.add(t.text(d.body()));
        }
      } else if (d.name().equals("ifndef") && d.last() > d.body()) {
        twice.add(t.text(d.body())); // a build may define it
      }
    }
    Expr unknown = new Expr.Other("", List.of(), new Span(0, 0, false));
    twice.forEach(n -> values.put(n, unknown));
    return values;
  }

  /** Writes the decisions into a file. */
  public static void run(CudaFile f) {
    if (!f.project.looksAtTrees() || RULES.stream().noneMatch(f.changes::allows)) {
      return;
    }
    WarpPlan plan = f.project.warps().plan(f.source.path());
    if (f.scanned().isEmpty()) {
      WarpScan alone = scan(f.source.path(), f.t, rule -> false);
      plan = WarpModel.of(List.of(alone), f.options.warp()).plan(f.source.path());
    }
    boolean wide = false;
    for (WarpPlan.Placed p : plan.sites()) {
      Site s = p.site();
      boolean edits = p.decision() == Decision.WIDE && f.changes.allows(WIDE);
      if (edits && !s.wide().isEmpty()) {
        f.changes.edit(Edit.replace(s.at().start(), s.at().end(), s.wide(), WIDE));
        drop(f, s.at());
        wide = true;
      }
      f.changes.finding(
          SITE,
          Disposition.PORTED,
          s.at().start(),
          s.at().end(),
          s.kind().title()
              + ": "
              + (edits ? "uses the wave size of the target" : "keeps 32 lanes"));
    }
    if (wide) {
      f.shims.add(HEADER);
    }
    for (WarpPlan.Note n : plan.notes()) {
      String rule =
          switch (n.decision()) {
            case KEEP -> KEEP;
            case UNSURE -> UNSURE;
            case WIDE -> WIDE;
          };
      boolean broken = n.bound() && n.decision() != Decision.WIDE;
      boolean unproven = n.bound() && !n.proven();
      f.changes.finding(
          n.bound() ? WAVES : rule,
          broken ? Severity.ERROR : unproven ? Severity.WARNING : Severity.NOTE,
          broken ? Disposition.UNPORTED : unproven ? Disposition.REVIEW : Disposition.PORTED,
          n.at().start(),
          n.at().end(),
          n.message(),
          n.advice());
    }
  }

  private static void drop(CudaFile f, Span at) {
    for (int i = f.t.at(at.start()); i < f.t.count() && f.t.start(i) < at.end(); i++) {
      f.dropped.add(i);
    }
  }
}
