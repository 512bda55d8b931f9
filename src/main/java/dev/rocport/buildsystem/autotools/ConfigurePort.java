package dev.rocport.buildsystem.autotools;

import dev.rocport.buildsystem.autotools.ConfigureScript.Statement;
import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.source.SourceFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Ports a {@code configure.ac}: inserts the ROCm options before the check for CUDA and the check
 * for ROCm after it, and repeats for ROCm what configure does with the results for CUDA. In both
 * styles, lines are only inserted, so the check for CUDA is unchanged.
 */
final class ConfigurePort {
  private static final Pattern READ = Pattern.compile("\\$\\{?(\\w+)");

  /** Statements about configure itself, which cannot be in a shell condition. */
  private static final Pattern FIXED =
      Pattern.compile(
          "\\b(AC_CONFIG_\\w+|AC_OUTPUT|AC_ARG_\\w+|AM_CONDITIONAL|AC_INIT|AM_INIT_\\w+|LT_INIT"
              + "|AC_PROG_(CC|CXX|CPP)\\b|AC_REQUIRE)");

  private static final Pattern ON =
      Pattern.compile("\\s*test\\s+\"?x?\\$\\{?(\\w+)\\}?\"?\\s*==?\\s*\"?x?(\\w+)\"?\\s*");
  static final String USED = "test \"x$have_rocm\" = xyes";

  private final Autotools owner;
  private final ConfigureScript script;
  private final SourceFile file;
  private final Map<String, String> macros;
  private final List<Statement> region = new ArrayList<>();
  private final List<Statement> uses = new ArrayList<>();

  ConfigurePort(Autotools owner, ConfigureScript script, Map<String, String> macros) {
    this.owner = owner;
    this.script = script;
    this.file = script.file();
    this.macros = macros;
  }

  /**
   * Adds the edits.
   *
   * @param used CUDA variables to which makefiles refer
   * @param paths the subset that follows -I or -L
   * @param included macro file that must be included; empty if aclocal finds it
   * @return false if nothing was ported; the reason is reported
   */
  boolean port(Set<String> used, Set<String> paths, String included) {
    if (!owner.changes(file).allows(Autotools.CONFIGURE)) {
      return false;
    }
    StringBuilder code = new StringBuilder();
    for (Statement s : script.statements()) {
      if (CudaCheck.of(s.code(), macros).isCheck() && !isMacro(s)) {
        region.add(s);
        code.append(s.code()).append('\n');
      } else if (!isMacro(s) && reads(s).stream().anyMatch(Names::isCuda)) {
        uses.add(s);
      }
    }
    CudaCheck check = CudaCheck.of(code.toString(), macros);
    int first;
    int last;
    if (region.isEmpty()) {
      Optional<Statement> place =
          script.statements().stream()
              .filter(s -> s.code().matches("(?s)\\s*(AC_CONFIG_FILES|AC_OUTPUT|AM_COND_IF).*"))
              .findFirst();
      if (place.isEmpty()) {
        owner.problem(
            file, 0, 0, "this file has neither AC_CONFIG_FILES nor AC_OUTPUT; it was not ported");
        return false;
      }
      first = place.get().first();
      last = first - 1;
    } else {
      first = region.getFirst().first();
      last = region.getLast().last();
    }
    boolean optional = !check.options.isEmpty();
    if (!optional && !wrap()) {
      return false;
    }
    List<String> before = new ArrayList<>();
    if (!included.isEmpty()) {
      before.add("m4_include([" + included + "])");
    }
    before.add(argument(check, optional));
    List<String> after = new ArrayList<>();
    after.add("AX_CHECK_ROCM" + (test(check).isEmpty() ? "" : "([" + test(check) + "])"));
    Set<String> needed = new TreeSet<>(used);
    List<Statement> later = new ArrayList<>();
    for (Statement s : uses) {
      if (s.first() > last) {
        later.add(s);
        needed.addAll(reads(s));
      } else if (s.first() > first) {
        unknown(s, "this statement uses CUDA before the check for ROCm; port it by hand");
      }
    }
    after.addAll(new RocmSettings(owner, file, region).lines(check, needed, paths));
    if (region.isEmpty()) {
      before.addAll(after);
      insert(first, before);
    } else {
      insert(first, before);
      insertAfter(last, after);
    }
    for (Statement s : later) {
      use(s, check);
    }
    owner
        .changes(file)
        .finding(
            Autotools.CONFIGURE,
            Disposition.PORTED,
            file.lineStart(first),
            file.lineEnd(Math.max(first, Math.min(last, file.lines()))),
            "added the options --with-rocm and --with-rocm-arch; run autoreconf -i");
    return true;
  }

  private static boolean isMacro(Statement s) {
    return s.code().stripLeading().startsWith("AC_DEFUN");
  }

  private String argument(CudaCheck check, boolean optional) {
    String variables = String.join(" ", new LinkedHashSet<>(check.options.values()));
    boolean requested = !optional || check.onlyIfRequested;
    String mode = owner.isSingleSource() ? (requested ? "asked" : "") : "port";
    return "AX_ARG_ROCM([" + variables + "]" + (mode.isEmpty() ? "" : ", [" + mode + "]") + ")";
  }

  /** Returns a shell command that succeeds if CUDA is in use; empty if there is none. */
  private static String test(CudaCheck check) {
    if (!check.conditionals.isEmpty()) {
      return "test -z \"$" + check.conditionals.keySet().iterator().next() + "_TRUE\"";
    }
    if (check.assigned.contains("have_cuda")) {
      return "test \"x$have_cuda\" = xyes";
    }
    return check.assigned.contains("NVCC") ? "test -n \"$NVCC\" && test \"x$NVCC\" != xno" : "";
  }

  /** Makes the check for CUDA conditional in a build that always uses CUDA. */
  private boolean wrap() {
    for (Statement s : List.copyOf(uses)) {
      if (!region.isEmpty()
          && s.first() > region.getFirst().first()
          && s.last() < region.getLast().first()) {
        uses.remove(s);
        region.add(s);
      }
    }
    region.sort(Comparator.comparingInt(Statement::first));
    for (Statement s : region) {
      if (FIXED.matcher(expanded(s)).find() && !isConditional(s)) {
        unknown(
            s,
            "this statement always checks for CUDA and cannot be made conditional; port it by"
                + " hand");
        return false;
      }
    }
    int i = 0;
    while (i < region.size()) {
      Statement s = region.get(i);
      if (isConditional(s)) {
        String condition = M4.calls(s.code(), "AM_CONDITIONAL").getFirst().argument(1);
        String name = M4.calls(s.code(), "AM_CONDITIONAL").getFirst().argument(0);
        insertAfter(
            s.last(),
            List.of(
                "AM_CONDITIONAL(["
                    + name
                    + "], [test \"x$with_rocm\" = xno && { "
                    + condition
                    + "; }])"));
        i++;
        continue;
      }
      int end = i;
      while (end + 1 < region.size()
          && !isConditional(region.get(end + 1))
          && isNext(region.get(end), region.get(end + 1))) {
        end++;
      }
      insert(s.first(), List.of("if test \"x$with_rocm\" = xno; then"));
      insertAfter(region.get(end).last(), List.of("fi"));
      i = end + 1;
    }
    return true;
  }

  /** Returns true if only comments are between two statements. */
  private boolean isNext(Statement a, Statement b) {
    return script.statements().indexOf(b) == script.statements().indexOf(a) + 1;
  }

  private static boolean isConditional(Statement s) {
    return s.code().matches("(?s)\\s*AM_CONDITIONAL\\b.*");
  }

  /** Returns the text of a statement and of the project's macros that it calls. */
  private String expanded(Statement s) {
    StringBuilder text = new StringBuilder(s.code());
    macros.forEach(
        (name, body) -> {
          if (!M4.calls(s.code(), Pattern.quote(name)).isEmpty()) {
            text.append(body);
          }
        });
    return text.toString();
  }

  private static Set<String> reads(Statement s) {
    Set<String> names = new TreeSet<>();
    Matcher m = READ.matcher(s.code());
    while (m.find()) {
      names.add(m.group(1));
    }
    return names;
  }

  private void unknown(Statement s, String why) {
    owner.problem(file, file.lineStart(s.first()), file.lineEnd(s.first()), why);
  }

  /** Ports a statement that uses the results of the check for CUDA. */
  private void use(Statement s, CudaCheck check) {
    for (String name : reads(s)) {
      boolean known = Names.variable(name).isPresent();
      if (Names.isCuda(name) && (!known || !isYesOrNo(name, check))) {
        unknown(s, "this statement uses $" + name + ", which has no known ROCm counterpart");
        return;
      }
    }
    List<M4.Call> conditionals = M4.calls(s.code(), "AM_CONDITIONAL");
    if (isConditional(s) && conditionals.size() == 1) {
      String condition = conditionals.getFirst().argument(1);
      insertAfter(
          s.last(),
          List.of(
              "AM_CONDITIONAL(["
                  + conditionals.getFirst().argument(0)
                  + "], [if "
                  + USED
                  + "; then "
                  + renamed(condition)
                  + "; else "
                  + condition
                  + "; fi])"));
      return;
    }
    if (FIXED.matcher(s.code()).find()) {
      unknown(s, "this statement depends on CUDA and cannot be made conditional; port it by hand");
      return;
    }
    List<String> before = new ArrayList<>();
    before.add("if " + USED + "; then");
    renamed(script.text(s)).lines().forEach(before::add);
    before.add("else");
    insert(s.first(), before);
    insertAfter(s.last(), List.of("fi"));
  }

  /** Returns false if a condition compares {@code have_cuda} with a value other than yes. */
  private static boolean isYesOrNo(String name, CudaCheck check) {
    if (!name.equals("have_cuda")) {
      return true;
    }
    for (String condition : check.conditionals.values()) {
      Matcher m = ON.matcher(condition);
      if (m.matches() && m.group(1).equals(name)) {
        return m.group(2).equals("yes");
      }
    }
    return true;
  }

  private static String renamed(String text) {
    Matcher m =
        Pattern.compile("(\\$\\{?)(\\w+)|\\b(CUDA)\\b(?!_)|\\b([A-Z]\\w*)\\b").matcher(text);
    StringBuilder s = new StringBuilder();
    while (m.find()) {
      String now = m.group();
      if (m.group(2) != null) {
        Optional<Names.Variable> v = Names.variable(m.group(2));
        now = v.isPresent() ? m.group(1) + v.get().name() : now;
      } else if (m.group(3) != null) {
        now = "ROCm";
      } else if (Names.isSwitch(m.group(4))) {
        now = Names.twin(m.group(4));
      }
      m.appendReplacement(s, Matcher.quoteReplacement(now));
    }
    return m.appendTail(s).toString();
  }

  private void insert(int line, List<String> lines) {
    int at = file.lineStart(line);
    owner.changes(file).edit(Edit.before(at, text(lines), Autotools.CONFIGURE));
  }

  private void insertAfter(int line, List<String> lines) {
    String nl = file.newline();
    boolean noNewline =
        line >= file.lines() && file.length() > 0 && file.bytes()[file.length() - 1] != '\n';
    int at = line < file.lines() ? file.lineStart(line + 1) : file.length();
    String text =
        !noNewline
            ? text(lines)
            : owner.isSingleSource()
                ? ConfigureGate.GATE.atEnd(lines, nl)
                : nl + String.join(nl, lines);
    owner.changes(file).edit(Edit.after(at, text, Autotools.CONFIGURE));
  }

  private String text(List<String> lines) {
    String nl = file.newline();
    return owner.isSingleSource()
        ? ConfigureGate.GATE.around(lines, nl)
        : String.join(nl, lines) + nl;
  }
}
