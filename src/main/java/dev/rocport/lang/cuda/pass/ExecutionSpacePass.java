package dev.rocport.lang.cuda.pass;

import dev.rocport.core.edit.Edit;
import dev.rocport.lang.cuda.pass.FunctionHeads.Head;
import dev.rocport.lang.cuda.symbols.MemberSpaces;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Gives all declarations of a function the same execution spaces. nvcc combines the spaces of a
 * function's declarations, and gives specializations of a template their own ones; clang overloads
 * functions by execution space, so that declarations with other spaces do not match. Constructors
 * of class templates that are for the device become constructors for the host as well, since host
 * code makes such objects for kernels: in templates, nvcc does not distinguish execution spaces.
 */
public final class ExecutionSpacePass {
  static final String RULE = "CXX-EXECUTION-SPACE";

  private final CudaFile f;

  private ExecutionSpacePass(CudaFile f) {
    this.f = f;
  }

  public static void run(CudaFile f) {
    if (f.isC() || !f.changes.allows(RULE)) {
      return;
    }
    Map<String, Integer> macros = SpaceWords.of(f.project.shared());
    if (!f.t.mentions("__device__") && !f.t.mentions(macros.keySet())) {
      return;
    }
    ExecutionSpacePass pass = new ExecutionSpacePass(f);
    List<Head> heads =
        FunctionHeads.of(f.t, macros).stream().filter(h -> !f.regions.isDead(h.start())).toList();
    Map<String, List<Head>> functions = new LinkedHashMap<>();
    Map<String, List<Head>> templates = new LinkedHashMap<>();
    for (Head h : heads) {
      if (h.kind() != FunctionHeads.Kind.SPECIALIZATION) {
        functions.computeIfAbsent(h.signature(), k -> new ArrayList<>()).add(h);
      }
      if (h.kind() != FunctionHeads.Kind.FUNCTION) {
        templates.computeIfAbsent(h.family(), k -> new ArrayList<>()).add(h);
      }
    }
    Map<Head, Integer> wanted = new LinkedHashMap<>();
    functions.values().stream()
        .filter(ExecutionSpacePass::isFunction)
        .forEach(d -> widen(d, wanted));
    templates.values().stream().filter(ExecutionSpacePass::isFamily).forEach(d -> widen(d, wanted));
    for (Head h : heads) {
      if (h.constructs() && h.defines() && h.isSure() && h.spaces() == FunctionHeads.DEVICE) {
        wanted.put(h, FunctionHeads.HOST | FunctionHeads.DEVICE);
      }
    }
    heads.stream()
        .filter(h -> pass.isForBothElsewhere(h, heads))
        .forEach(h -> wanted.put(h, FunctionHeads.HOST | FunctionHeads.DEVICE));
    wanted.forEach(pass::edit);
  }

  /** A member whose class is in another file and declares it for the host as well. */
  private boolean isForBothElsewhere(Head h, List<Head> heads) {
    String family = h.family();
    int scopes = family.lastIndexOf("::", family.lastIndexOf("::") - 1);
    String member = scopes < 0 ? family : family.substring(scopes + 2);
    return h.qualified()
        && h.defines()
        && h.isSure()
        && h.spaces() == FunctionHeads.DEVICE
        && heads.stream().noneMatch(o -> !o.qualified() && o.family().equals(family))
        && MemberSpaces.areForBoth(f.project.shared(), member);
  }

  /** A template that all specializations can mean, and at least one specialization. */
  private static boolean isFamily(List<Head> heads) {
    List<Head> primary =
        heads.stream().filter(h -> h.kind() == FunctionHeads.Kind.TEMPLATE).toList();
    return !primary.isEmpty()
        && primary.size() < heads.size()
        && primary.stream().mapToInt(Head::spaces).distinct().count() == 1
        && heads.stream().allMatch(Head::isSure);
  }

  /** Declarations of one function, of which one at most defines it. */
  private static boolean isFunction(List<Head> heads) {
    boolean member = heads.stream().anyMatch(Head::qualified);
    return heads.size() > 1
        && heads.stream().filter(Head::defines).count() <= 1
        && heads.stream().allMatch(Head::isSure)
        && (member || heads.stream().allMatch(h -> h.spaces() != 0));
  }

  /** Notes the heads to which words must be added, and what they all become. */
  private static void widen(Collection<Head> heads, Map<Head, Integer> wanted) {
    int all = heads.stream().mapToInt(h -> spaces(h, wanted)).reduce(0, (a, b) -> a | b);
    for (Head h : heads) {
      if (h.spaces() != all && (h.spaces() != 0 || all != FunctionHeads.HOST)) {
        wanted.put(h, all);
      }
    }
  }

  /**
   * A function without a word is one of the host, except outside the class of a member: there, the
   * declaration in the class says what it is.
   */
  private static int spaces(Head h, Map<Head, Integer> wanted) {
    int own = h.spaces() == 0 && !h.qualified() ? FunctionHeads.HOST : h.spaces();
    return own | wanted.getOrDefault(h, 0);
  }

  private void edit(Head h, int spaces) {
    int added = spaces & ~h.spaces();
    String words =
        ((added & FunctionHeads.HOST) != 0 ? "__host__ " : "")
            + ((added & FunctionHeads.DEVICE) != 0 ? "__device__ " : "");
    f.changes.edit(Edit.before(f.t.start(h.place()), words, RULE));
  }
}
