package dev.rocport.buildsystem.autotools;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** CUDA-related effects of a part of configure, including macros of the project. */
final class CudaCheck {
  private static final Pattern DEFUN = Pattern.compile("\\bAC_DEFUN(_ONCE)?\\b");
  private static final Pattern ASSIGNMENT =
      Pattern.compile(
          "(?m)(?:^|[\\s;\\[(,])([A-Za-z_]\\w*)=(\"(?:[^\"\\\\]|\\\\.)*\"|[^\\s;\\])]*)");
  private static final Pattern LIBRARY = Pattern.compile("(?<![\\w-])-l(\\w+)");

  /** Shell variables that options set, by the option's name. */
  final Map<String, String> options = new LinkedHashMap<>();

  /** Whether CUDA is used only on request. */
  boolean onlyIfRequested;

  final Set<String> substituted = new LinkedHashSet<>();

  /** Macros of config.h that are defined if CUDA is in use. */
  final Set<String> defines = new LinkedHashSet<>();

  /** Conditions of automake conditionals for CUDA, by name. */
  final Map<String, String> conditionals = new LinkedHashMap<>();

  /** CUDA variables that are set. */
  final Set<String> assigned = new LinkedHashSet<>();

  /** Words that are assigned to variables for nvcc flags, in order. */
  final List<String> flags = new ArrayList<>();

  /** Libraries that are linked or checked for. */
  final Set<String> libraries = new LinkedHashSet<>();

  private CudaCheck() {}

  /** Returns the macros that files define, as bodies by name. */
  static Map<String, String> macros(List<String> codes) {
    Map<String, String> macros = new LinkedHashMap<>();
    for (String code : codes) {
      for (M4.Call call : M4.calls(code, DEFUN.pattern().replace("\\b", ""))) {
        if (call.arguments().size() > 1) {
          macros.put(call.argument(0), call.argument(1));
        }
      }
    }
    return macros;
  }

  /** Returns the effects of a text. */
  static CudaCheck of(String code, Map<String, String> macros) {
    CudaCheck check = new CudaCheck();
    check.add(code, macros, new LinkedHashSet<>());
    return check;
  }

  /** Returns true if it checks for CUDA or sets CUDA variables. */
  boolean isCheck() {
    return !options.isEmpty()
        || !conditionals.isEmpty()
        || !defines.isEmpty()
        || !assigned.isEmpty()
        || !substituted.isEmpty();
  }

  private void add(String code, Map<String, String> macros, Set<String> seen) {
    for (M4.Call c : M4.calls(code, "AC_ARG_WITH|AC_ARG_ENABLE")) {
      if (Names.isOption(c.argument(0))) {
        String prefix = c.name().equals("AC_ARG_WITH") ? "with_" : "enable_";
        options.put(c.argument(0), prefix + c.argument(0).replaceAll("\\W", "_"));
        onlyIfRequested |= c.argument(3).matches("\\w+=\"?no\"?");
      }
    }
    for (M4.Call c : M4.calls(code, "AC_SUBST|AC_ARG_VAR")) {
      if (isCudaVariable(c.argument(0))) {
        substituted.add(c.argument(0));
        if (c.name().equals("AC_SUBST")) {
          value(c.argument(0), c.argument(1).replaceAll("^\"|\"$", ""));
        }
      }
    }
    for (M4.Call c : M4.calls(code, "AC_PATH_PROGS?|AC_PATH_TOOL|AC_CHECK_PROGS?|AC_CHECK_TOOL")) {
      if (isCudaVariable(c.argument(0))) {
        substituted.add(c.argument(0));
        assigned.add(c.argument(0));
      }
    }
    for (M4.Call c : M4.calls(code, "AC_DEFINE|AC_DEFINE_UNQUOTED")) {
      if (Names.isSwitch(c.argument(0))) {
        defines.add(c.argument(0));
      }
    }
    for (M4.Call c : M4.calls(code, "AC_CHECK_HEADERS(?:_ONCE)?")) {
      for (String header : c.argument(0).split("\\s+")) {
        defined("HAVE_" + header);
      }
    }
    for (M4.Call c : M4.calls(code, "AM_CONDITIONAL")) {
      if (Names.isSwitch(c.argument(0))) {
        conditionals.put(c.argument(0), c.argument(1));
      }
    }
    for (M4.Call c : M4.calls(code, "AC_CHECK_LIB|AC_SEARCH_LIBS")) {
      String library = c.name().equals("AC_CHECK_LIB") ? c.argument(0) : c.argument(1);
      libraries.addAll(List.of(library.split("\\s+")));
      if (c.name().equals("AC_CHECK_LIB") && c.argument(2).isEmpty()) {
        defined("HAVE_LIB" + library);
      }
    }
    Matcher m = ASSIGNMENT.matcher(code);
    while (m.find()) {
      if (isCudaVariable(m.group(1))) {
        assigned.add(m.group(1));
        value(m.group(1), m.group(2).replaceAll("^\"|\"$", ""));
      }
    }
    for (Map.Entry<String, String> macro : macros.entrySet()) {
      if (!M4.calls(code, Pattern.quote(macro.getKey())).isEmpty() && seen.add(macro.getKey())) {
        add(macro.getValue(), macros, seen);
      }
    }
  }

  /** Records a macro that a check defines on success. */
  private void defined(String name) {
    String macro = name.replaceAll("\\W", "_").toUpperCase(Locale.ROOT);
    if (Names.isSwitch(macro)) {
      defines.add(macro);
    }
  }

  private static boolean isCudaVariable(String name) {
    return Names.variable(name).isPresent() || (Names.isCuda(name) && !Names.isOption(name));
  }

  private void value(String name, String value) {
    Matcher m = LIBRARY.matcher(value);
    while (m.find()) {
      libraries.add(m.group(1));
    }
    if (name.contains("NVCC") && name.contains("FLAGS")) {
      flags.addAll(Words.of(value).stream().map(Words.Word::text).toList());
    }
  }
}
