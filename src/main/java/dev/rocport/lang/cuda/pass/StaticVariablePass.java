package dev.rocport.lang.cuda.pass;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.symbols.EnclosingFunction;
import dev.rocport.lang.cuda.symbols.SharedNames;
import java.util.Set;

/**
 * Ports static variables of the device whose names the host does not find: in relocatable device
 * code, where clang 19 chooses the name at the first use and chooses another one if the host uses
 * the variable later, and in modules, where clang keeps them local.
 */
public final class StaticVariablePass {
  static final String RULE = "CXX-STATIC-DEVICE";
  static final String MODULE = "CXX-STATIC-MODULE";

  private static final Set<String> SPACES = Set.of("__device__", "__constant__", "__managed__");

  private StaticVariablePass() {}

  public static void run(CudaFile f) {
    boolean relocatable = f.project.isRelocatable() && f.changes.allows(RULE);
    if (!relocatable && f.project.shared().isEmpty()) {
      return;
    }
    Tokens t = f.t;
    for (int i = 0; i < t.count(); i++) {
      if (!t.isIdentifier(i) || !t.is(i, "static") || f.regions.isDead(i)) {
        continue;
      }
      int name = name(t, i);
      if (name < 0 || EnclosingFunction.of(t, i) != null) {
        continue;
      }
      if (relocatable && isDeviceFirst(f, name)) {
        hostUse(f, name);
      }
      if (f.project.shared().contains(SharedNames.global(t.text(name)))) {
        f.changes.finding(
            MODULE,
            Disposition.UNPORTED,
            t.start(name),
            t.end(name),
            "hipModuleGetGlobal does not find " + t.text(name) + ", because it is static");
      }
    }
  }

  /** Adds a host function that uses a variable, so that clang names it before a kernel uses it. */
  private static void hostUse(CudaFile f, int name) {
    Tokens t = f.t;
    int end = name + 1;
    while (end < t.count() && !t.is(end, ';') && !t.is(end, ',')) {
      boolean opens = t.is(end, '[') || t.is(end, '{') || t.is(end, '(');
      end = opens && t.match(end) > end ? t.match(end) + 1 : end + 1;
    }
    String variable = t.text(name);
    if (end < t.count() && t.is(end, ';') && !t.inDirective(name)) {
      String function =
          " static inline decltype(&%1$s) rocport_use_%1$s() { return &%1$s; }".formatted(variable);
      f.changes.edit(Edit.after(t.end(end), function, RULE));
      return;
    }
    f.changes.finding(
        RULE,
        Disposition.REVIEW,
        t.start(name),
        t.end(name),
        "static variable "
            + variable
            + " of relocatable device code: a kernel uses it before host code does, so clang"
            + " 19 gives it two names and the program does not link");
  }

  /** The name in a declaration of a device variable around {@code static}, or -1. */
  private static int name(Tokens t, int at) {
    boolean space = at > 0 && SPACES.contains(t.text(at - 1));
    for (int i = at + 1; i + 1 < t.count(); i++) {
      if (t.is(i, '(') || t.is(i, ';') || t.is(i, '{') || t.is(i, '}')) {
        return -1;
      }
      space |= SPACES.contains(t.text(i));
      boolean ends = t.is(i + 1, ';') || t.is(i + 1, '[') || t.is(i + 1, '=') || t.is(i + 1, ',');
      if (ends && t.isIdentifier(i)) {
        return space ? i : -1;
      }
    }
    return -1;
  }

  /** True if device code has the first use, and host code has one, too. */
  private static boolean isDeviceFirst(CudaFile f, int name) {
    Tokens t = f.t;
    boolean device = false;
    for (int i = name + 1; i < t.count(); i++) {
      if (!t.isIdentifier(i) || !t.is(i, t.text(name)) || f.regions.isDead(i)) {
        continue;
      }
      EnclosingFunction function = EnclosingFunction.of(t, i);
      if (function == null) {
        return device;
      }
      device = true;
    }
    return false;
  }
}
