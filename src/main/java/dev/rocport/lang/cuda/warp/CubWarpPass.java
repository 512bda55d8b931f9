package dev.rocport.lang.cuda.warp;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Arguments.Span;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes the size of CUB logical warps explicit: the default is 32 lanes in CUB, and the 64 lanes of
 * the wave in hipCUB. Functions on lane and warp numbers come from {@code rocport/cub_warp.h}.
 */
public final class CubWarpPass {
  static final String RULE = "W64-CUB";
  private static final String SHIM = "cub_warp.h";
  private static final String LANES = "32";
  private static final String LANE_COUNT = "CUB_PTX_WARP_THREADS";

  /**
   * Class templates.
   *
   * @param index of the argument that is the number of lanes, from 0
   * @param before the default of the argument before it, where that has one; otherwise empty
   */
  private record Template(int index, String before) {}

  private static final Map<String, Template> TEMPLATES =
      Map.of(
          "WarpReduce", new Template(1, ""),
          "WarpScan", new Template(1, ""),
          "WarpExchange", new Template(2, ""),
          "WarpMergeSort", new Template(2, ""),
          "WarpLoad", new Template(3, "WARP_LOAD_DIRECT"),
          "WarpStore", new Template(3, "WARP_STORE_DIRECT"));

  private static final Map<String, String> FUNCTIONS =
      Map.of(
          "LaneId", "rocport::lane_id",
          "WarpId", "rocport::warp_id",
          "WarpMask", "rocport::warp_mask",
          "LaneMaskLt", "rocport::lanemask_lt",
          "LaneMaskLe", "rocport::lanemask_le",
          "LaneMaskGt", "rocport::lanemask_gt",
          "LaneMaskGe", "rocport::lanemask_ge");

  /** Arrangements that hang on the number of lanes. */
  private static final Set<String> STRIPES =
      Set.of("LoadDirectWarpStriped", "StoreDirectWarpStriped");

  private final CudaFile f;
  private final Tokens t;

  /** The namespace qualifier; empty if names have none. */
  private final Set<String> scopes = new HashSet<>(Set.of("cub"));

  private CubWarpPass(CudaFile f) {
    this.f = f;
    this.t = f.t;
  }

  public static void run(CudaFile f) {
    if (!f.t.mentions(LANE_COUNT)
        && !f.t.mentions(TEMPLATES.keySet())
        && !f.t.mentions(FUNCTIONS.keySet())
        && !f.t.mentions(STRIPES)) {
      return;
    }
    CubWarpPass pass = new CubWarpPass(f);
    pass.namespaces();
    for (int i = 0; i < f.t.count(); i++) {
      if (f.t.isIdentifier(i) && !f.regions.isDead(i)) {
        pass.name(i);
      }
    }
  }

  private void namespaces() {
    for (int i = 2; i < t.count(); i++) {
      if (t.is(i, "cub") && t.is(i - 1, '=') && t.is(i - 3, "namespace")) {
        scopes.add(t.text(i - 2));
      } else if (t.is(i, "cub") && t.is(i - 1, "namespace") && t.is(i - 2, "using")) {
        scopes.add("");
      }
    }
  }

  private void name(int i) {
    String name = t.text(i);
    if (name.equals(LANE_COUNT)) {
      replace(i, i, LANES);
      return;
    }
    Template template = TEMPLATES.get(name);
    String function = FUNCTIONS.get(name);
    boolean known = template != null || function != null || STRIPES.contains(name);
    if (!known || !isOfCub(i, name)) {
      return;
    }
    int first = t.isPair(i - 1, ':') ? i - 2 : i;
    if (template != null) {
      lanes(i, template, first == i ? "" : t.text(first));
    } else if (function != null && (t.is(i + 1, '(') || t.is(i + 1, '<'))) {
      f.shims.add(SHIM);
      replace(first, i, function);
    } else if (STRIPES.contains(name)) {
      review(
          i,
          " stripes data across the 64 lanes of a wave; CUB stripes it across 32",
          "Read the data back only with hipCUB functions, or use a different arrangement.");
    }
  }

  private boolean isOfCub(int i, String name) {
    if (t.isPair(i - 1, ':')) {
      return t.isIdentifier(i - 2) && scopes.contains(t.text(i - 2));
    }
    boolean free = !t.is(i - 1, '.') && !t.isPair(i - 1, '-') && !t.isIdentifier(i - 1);
    boolean behindWord = t.is(i - 1, "typename") || t.is(i - 1, "typedef") || t.is(i - 1, "return");
    return scopes.contains("") && (free || behindWord) && !f.isOwn(name, i);
  }

  /** Writes the number of lanes into the arguments of a template that leave it out. */
  private void lanes(int i, Template template, String scope) {
    int close = t.is(i + 1, '<') ? close(i + 1) : -1;
    if (close < 0 || !f.changes.allows(RULE)) {
      return;
    }
    List<Span> arguments = Arguments.between(t, i + 2, close);
    int missing = template.index() - arguments.size();
    if (arguments.stream().anyMatch(a -> t.is(a.last(), '.'))) {
      review(
          i,
          " takes its arguments from a parameter pack; if the pack gives no number of lanes,"
              + " hipCUB uses 64",
          "Specify the number of lanes: 32.");
      return;
    }
    if (arguments.isEmpty() || missing < 0 || missing > (template.before().isEmpty() ? 0 : 1)) {
      return;
    }
    String qualifier = scope.isEmpty() ? "" : (scope.equals("cub") ? "hipcub" : scope) + "::";
    String before = missing == 0 ? "" : ", " + qualifier + template.before();
    String text = before + ", " + LANES;
    f.changes.edit(Edit.after(t.end(arguments.getLast().last()), text, RULE));
  }

  private void review(int i, String what, String advice) {
    f.changes.finding(
        RULE, Severity.WARNING, Disposition.REVIEW, t.start(i), t.end(i), t.text(i) + what, advice);
  }

  /** The bracket after the arguments of a known template, or -1. */
  private int close(int open) {
    int depth = 0;
    for (int k = open; k < t.count() && !t.is(k, ';') && !t.is(k, '{'); k++) {
      depth += t.is(k, '<') ? 1 : t.is(k, '>') ? -1 : 0;
      if (depth == 0) {
        return k;
      }
      k = Math.max(k, t.match(k));
    }
    return -1;
  }

  private void replace(int first, int last, String text) {
    if (f.changes.allows(RULE)) {
      f.changes.dropInside(t.start(first), t.end(last));
      f.changes.edit(Edit.replace(t.start(first), t.end(last), text, RULE));
    }
  }
}
