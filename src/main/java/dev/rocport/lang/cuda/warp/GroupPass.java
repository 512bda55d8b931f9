package dev.rocport.lang.cuda.warp;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Angles;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Replaces members of cooperative groups that the HIP classes lack, or that span 64 lanes there,
 * with the free functions of {@code rocport/cg_reduce.h}: {@code tile.shfl_down(v, 4)} becomes
 * {@code rocport::cg::shfl_down(tile, v, 4)}.
 */
public final class GroupPass {
  static final String MEMBER = "CG-MEMBER";
  static final String COALESCED = "W64-COALESCED";
  static final String TILE_SIZE = "CG-TILE-SIZE";
  private static final String SHIM = "cg_reduce.h";

  /** Lanes of a wave, the size of the largest tile. */
  private static final int LANES = 64;

  private static final Set<String> TYPES =
      Set.of(
          "thread_block",
          "grid_group",
          "coalesced_group",
          "thread_group",
          "multi_grid_group",
          "thread_block_tile");

  private static final Set<String> MAKERS =
      Set.of(
          "this_thread_block",
          "this_grid",
          "this_multi_grid",
          "tiled_partition",
          "coalesced_threads",
          "labeled_partition",
          "binary_partition");

  /** Members whose names nothing else in a file with cooperative groups is likely to have. */
  private static final Set<String> TELLING =
      Set.of("shfl", "shfl_up", "shfl_down", "shfl_xor", "match_any", "match_all", "ballot");

  /** Names of variables for tiles and groups. */
  private static final Pattern GROUP_NAME = Pattern.compile("_*(\\w*_)?(tile|group|warp)_*");

  private static final Set<String> OTHERS =
      Set.of(
          "any",
          "all",
          "num_threads",
          "dim_threads",
          "num_blocks",
          "dim_blocks",
          "block_rank",
          "block_index");

  private final CudaFile f;
  private final Tokens t;
  private final Set<String> groups = new HashSet<>();

  /** The file does not name the groups: their types are parameters of templates. */
  private boolean generic;

  private GroupPass(CudaFile f) {
    this.f = f;
    this.t = f.t;
  }

  public static void run(CudaFile f) {
    GroupPass pass = new GroupPass(f);
    if (mentionsGroups(f.t)) {
      pass.collect();
    } else {
      pass.collectParameters();
      if (pass.groups.isEmpty()) {
        return;
      }
      pass.generic = true;
    }
    for (int i = f.t.count() - 1; i >= 0; i--) {
      if (f.t.isIdentifier(i)) {
        pass.member(i);
        pass.coalesced(i);
        pass.size(i);
      }
    }
  }

  private static boolean mentionsGroups(Tokens t) {
    return t.mentions("cooperative_groups")
        || t.directives().stream().anyMatch(d -> t.is(d.body(), "<cooperative_groups.h>"));
  }

  /** Variables and parameters that are groups by their type or their initializer. */
  private void collect() {
    for (int i = 0; i < t.count(); i++) {
      if (!t.isIdentifier(i)) {
        continue;
      }
      String word = t.text(i);
      if (TYPES.contains(word)) {
        int k = t.is(i + 1, '<') ? Angles.close(t, i + 1, t.count()) + 1 : i + 1;
        if (k == 0) {
          k = closeAngle(i + 1);
        }
        while (t.is(k, '&') || t.is(k, "const") || t.is(k, '*')) {
          k++;
        }
        if (t.isIdentifier(k)) {
          groups.add(t.text(k));
        }
      } else if (MAKERS.contains(word)) {
        int k = i;
        while (t.isPair(k - 1, ':') && t.isIdentifier(k - 2)) {
          k -= 2;
        }
        if (t.is(k - 1, '=') && t.isIdentifier(k - 2)) {
          groups.add(t.text(k - 2));
        }
      }
    }
  }

  /**
   * Variables and parameters that are groups by their names, and whose type is a parameter of a
   * template: {@code template <typename Tile> __device__ int lead(const Tile& tile)}.
   */
  private void collectParameters() {
    Set<String> types = new HashSet<>();
    for (int i = 1; i < t.count() && TELLING.stream().anyMatch(t::mentions); i++) {
      boolean parameter = t.is(i - 1, "typename") || t.is(i - 1, "class");
      if (parameter && t.isIdentifier(i) && (t.is(i + 1, ',') || t.is(i + 1, '>'))) {
        types.add(t.text(i));
      } else if (types.contains(t.text(i))) {
        int k = i + 1;
        while (t.is(k, '&') || t.is(k, "const")) {
          k++;
        }
        if (t.isIdentifier(k) && GROUP_NAME.matcher(t.text(k)).matches()) {
          groups.add(t.text(k));
        }
      }
    }
  }

  /**
   * {@code thread_block_tile<32> tile}: a type's name follows, which {@link Angles} does not take.
   */
  private int closeAngle(int open) {
    int depth = 0;
    for (int k = open; k < t.count() && !t.is(k, ';') && !t.is(k, '{'); k++) {
      depth += t.is(k, '<') ? 1 : t.is(k, '>') ? -1 : 0;
      if (depth == 0) {
        return k + 1;
      }
    }
    return open;
  }

  private void member(int i) {
    boolean arrow = t.isPair(i - 1, '-');
    if ((!t.is(i - 1, '.') && !arrow) || !t.is(i + 1, '(') || !t.isIdentifier(i - 2)) {
      return;
    }
    String name = t.text(i);
    boolean known =
        groups.contains(t.text(i - 2))
            && (TELLING.contains(name) || (OTHERS.contains(name) && !generic));
    boolean simple = !t.is(i - 3, '.') && !t.isPair(i - 3, '-') && !t.isPair(i - 3, ':');
    if (arrow
        || !simple
        || !(known || (TELLING.contains(name) && !generic))
        || !f.changes.allows(MEMBER)) {
      return;
    }
    boolean empty = t.is(i + 2, ')');
    f.shims.add(SHIM);
    f.changes.edit(Edit.before(t.start(i - 2), "rocport::cg::" + name + "(", MEMBER));
    int to = empty ? t.end(i + 1) : t.start(i + 2);
    f.changes.alsoEdit(Edit.replace(t.end(i - 2), to, empty ? "" : ", ", MEMBER));
  }

  private void coalesced(int i) {
    if (!t.is(i, "coalesced_threads") || !t.is(i + 1, '(') || !f.changes.allows(COALESCED)) {
      return;
    }
    int first = i;
    while (t.isPair(first - 1, ':') && t.isIdentifier(first - 2)) {
      first -= 2;
    }
    if (t.is(first, "rocport")) {
      return;
    }
    f.shims.add(SHIM);
    f.changes.edit(
        Edit.replace(t.start(first), t.end(i), "rocport::cg::coalesced_threads", COALESCED));
  }

  /** A tile larger than a wave, which HIP does not have. */
  private void size(int i) {
    boolean tile = t.is(i, "tiled_partition") || t.is(i, "thread_block_tile");
    if (!tile || !t.is(i + 1, '<') || t.kind(i + 2) != Tokens.NUMBER || f.regions.isDead(i)) {
      return;
    }
    String size = t.text(i + 2);
    if (size.matches("[0-9]{1,9}") && Integer.parseInt(size) > LANES) {
      f.changes.finding(
          TILE_SIZE,
          Disposition.UNPORTED,
          t.start(i),
          t.end(i + 2),
          "a tile of " + size + " threads is larger than a wave of " + LANES + " lanes");
    }
  }
}
