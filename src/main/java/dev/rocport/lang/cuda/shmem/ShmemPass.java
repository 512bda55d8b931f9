package dev.rocport.lang.cuda.shmem;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.lang.cuda.condition.Regions;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.names.ApiTable;
import dev.rocport.lang.cuda.names.CallPattern;
import dev.rocport.lang.cuda.pass.CallRewriter;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.symbols.EnclosingFunction;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.ShmemName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Replaces NVSHMEM calls with calls of rocSHMEM, or of functions that {@code rocport/shmem.h}
 * builds on it. The counterpart can differ between host and device.
 */
public final class ShmemPass {
  private final CudaFile f;
  private final Tokens t;
  private final ShmemLiterals literals;
  private final Set<String> told = new HashSet<>();
  private boolean teams;

  private static final Set<String> INITS =
      Set.of("nvshmem_init", "nvshmem_init_thread", "nvshmemx_init_attr");
  private static final String VENDOR = "NVSHMEM_VENDOR_";

  /** The compilers of a place; OPEN if only the compiler knows. */
  private enum Side {
    HOST,
    DEVICE,
    OPEN
  }

  public ShmemPass(CudaFile f) {
    this.f = f;
    this.t = f.t;
    this.literals = new ShmemLiterals(f);
  }

  /** Ports an NVSHMEM name that is neither declared by the project nor a member. */
  public void name(ApiTable.Entry e, int i) {
    boolean dead = f.regions.isDead(i);
    teams |= e.text.equals("nvshmem_team_t");
    Side side = side(i);
    ShmemName name = choose(e.shmem, side);
    if (f.isC() && !dead) {
      tell(e.shmem.getFirst(), i, "rocSHMEM is a C++ library: compile this file as C++");
      return;
    }
    if (name == null) {
      ShmemName other = e.shmem.getFirst();
      String where = other.row().device().isEmpty() ? "the host" : "the device";
      String problem =
          side == Side.OPEN
              ? " is in code for both host and device, which use different forms of it"
              : " is for " + where + " only";
      String message = e.text + problem + " in rocSHMEM";
      f.unported(other.rule(), i, i, message, other.row().note());
      return;
    }
    if (name.answer() == ShmemName.Answer.MISSING) {
      f.unported(name.rule(), i, i, e.text + " has no counterpart", name.row().note());
      return;
    }
    if (!f.changes.allows(name.rule())) {
      return;
    }
    if (!name.parameters().isEmpty()) {
      literals.arguments(name, i);
    }
    if (INITS.contains(e.text)) {
      ShmemDevice.check(f, i);
    }
    if (name.isCall()) {
      ApiName api = e.name;
      if (!CallRewriter.rewrite(f, pattern(name, i), i, api)) {
        f.unported(
            name.rule(),
            i,
            i,
            e.text + " takes different arguments in rocSHMEM: only calls to it can be ported",
            "Rewrite this use by hand; a call becomes " + name.target().replace("$", "") + ".");
        return;
      }
    } else {
      rename(name, i);
    }
    if (!dead && isCondition(i) && e.text.startsWith(VENDOR)) {
      f.changes.finding(
          name.rule(),
          Severity.WARNING,
          Disposition.REVIEW,
          t.start(i),
          t.end(i),
          "a condition on the NVSHMEM version now checks the rocSHMEM version",
          "Check for the rocSHMEM version that introduced the functions that the code needs.");
    }
    if (!dead && !name.row().note().isEmpty() && told.add(e.text)) {
      f.changes.finding(
          name.rule(),
          Severity.NOTE,
          Disposition.PORTED,
          t.start(i),
          t.end(i),
          e.text
              + " becomes "
              + plain(name)
              + " (rocSHMEM "
              + since(name, side)
              + "), with a difference",
          name.row().note());
    }
  }

  /** The NVSHMEM uses in the file, ported or not; headers are not checked. */
  public List<ShmemUse> uses() {
    List<ShmemUse> uses = new ArrayList<>();
    for (int i = 0; i < t.count(); i++) {
      ApiTable.Entry e = t.isIdentifier(i) ? f.api.find(t, i) : null;
      if (e == null
          || e.shmem.isEmpty()
          || f.isQualified(i)
          || f.isOwn(e.text, i)
          || (t.is(i + 1, '(') && CallRewriter.isDeclaration(t, i))
          || f.regions.isDead(i)) {
        continue;
      }
      Side side = side(i);
      ShmemName name = choose(e.shmem, side);
      ShmemName known = name == null ? e.shmem.getFirst() : name;
      String since = since(known, side);
      int line = f.source.line(t.start(i));
      uses.add(new ShmemUse(known, name != null, since, line));
    }
    return uses;
  }

  /** Handles what is known only for the whole file. */
  public void finish() {
    if (teams) {
      literals.teams();
    }
  }

  /** The version of rocSHMEM that a side needs for a name; empty if it has none there. */
  private static String since(ShmemName name, Side side) {
    String host = name.row().host();
    String device = name.row().device();
    return switch (side) {
      case HOST -> host;
      case DEVICE -> device;
      case OPEN -> device.isEmpty() ? host : device;
    };
  }

  private boolean isCondition(int i) {
    int d = t.directiveOf(i);
    return d >= 0 && t.directives().get(d).name().endsWith("if");
  }

  private void rename(ShmemName name, int i) {
    String target = name.target();
    if (target.contains("::") && Regions.asksForMacro(t, i)) {
      return;
    }
    String shim = f.api.shim(name.rule());
    if (shim != null) {
      f.shims.add(shim);
    }
    f.changes.edit(Edit.replace(t.start(i), t.end(i), target, name.rule()));
  }

  private static String plain(ShmemName name) {
    int open = name.target().indexOf('(');
    return open < 0 ? name.target() : name.target().substring(0, open);
  }

  private CallPattern pattern(ShmemName name, int i) {
    List<String> arguments = name.parameters().stream().map(p -> "$" + p).toList();
    String call =
        name.value().isEmpty() || !isUsed(i)
            ? name.target()
            : "(" + name.target() + ", " + name.value() + ")";
    return CallPattern.of(f.api.rule(name.rule()), name.name(), arguments, call);
  }

  /** False only if the call is a separate statement. */
  private boolean isUsed(int i) {
    int before = i - 1;
    boolean starts =
        t.is(before, ';')
            || t.is(before, '{')
            || t.is(before, '}')
            || t.is(before, ')')
            || t.is(before, "else")
            || t.is(before, "do");
    int close = t.is(i + 1, '(') ? t.match(i + 1) : -1;
    return !starts || close < 0 || !t.is(close + 1, ';');
  }

  private @Nullable ShmemName choose(List<ShmemName> names, Side side) {
    if (names.getFirst().target().isEmpty()) {
      return names.getFirst();
    }
    ShmemName found = null;
    for (ShmemName n : names) {
      boolean host = !n.row().host().isEmpty();
      boolean device = !n.row().device().isEmpty();
      boolean fits =
          switch (side) {
            case HOST -> host;
            case DEVICE -> device;
            case OPEN -> (host && device) || names.size() == 1;
          };
      if (fits && (found == null || (found.isAdded() && !n.isAdded()))) {
        found = n;
      }
    }
    return found;
  }

  private Side side(int i) {
    if (t.inDirective(i)) {
      return Side.OPEN;
    }
    EnclosingFunction around = EnclosingFunction.of(t, i);
    if (around != null) {
      return around.host() ? Side.OPEN : Side.DEVICE;
    }
    return mayBeDevice(i) ? Side.OPEN : Side.HOST;
  }

  /** A macro of the project before a function may say that it is for the device. */
  private boolean mayBeDevice(int i) {
    int k = i;
    while (k >= 0) {
      if (t.is(k, '{')) {
        for (int h = Statements.definitionStart(t, k); h < k; h++) {
          if (t.isIdentifier(h) && isMacroLike(t.text(h))) {
            return true;
          }
        }
        k--;
      } else {
        k = t.before(k);
      }
    }
    return false;
  }

  private static boolean isMacroLike(String text) {
    return text.length() > 2
        && text.chars().noneMatch(Character::isLowerCase)
        && text.chars().anyMatch(Character::isUpperCase);
  }

  private void tell(ShmemName name, int i, String message) {
    if (told.add(message)) {
      f.unported(name.rule(), i, i, message, "");
    }
  }
}
