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

/** What a piece of configure's text does about CUDA, macros of the project's own included. */
final class CudaCheck {
  private static final Pattern DEFUN = Pattern.compile("\\bAC_DEFUN(_ONCE)?\\b");
  private static final Pattern ASSIGNMENT =
      Pattern.compile(
          "(?m)(?:^|[\\s;\\[(,])([A-Za-z_]\\w*)=(\"(?:[^\"\\\\]|\\\\.)*\"|[^\\s;\\])]*)");
  private static final Pattern LIBRARY = Pattern.compile("(?<![\\w-])-l(\\w+)");

  /** Shell variables that options set, by the option's name. */
  final Map<String, String> options = new LinkedHashMap<>();

  /** CUDA is used only where it is asked for. */
  boolean onlyAsked;

  final Set<String> substituted = new LinkedHashSet<>();

  /** Macros of config.h that say that CUDA is in use. */
  final Set<String> defines = new LinkedHashSet<>();

  /** Conditions by name of the automake conditional that says that CUDA is in use. */
  final Map<String, String> conditionals = new LinkedHashMap<>();

  /** Variables of CUDA's that are set. */
  final Set<String> assigned = new LinkedHashSet<>();

  /** Words that are put into variables for nvcc's flags, in order. */
  final List<String> flags = new ArrayList<>();

  /** Libraries that are linked or looked for. */
  final Set<String> libraries = new LinkedHashSet<>();

  private CudaCheck() {}

  /** The macros that files define: their bodies by name. */
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

  /** What this text does. */
  static CudaCheck of(String code, Map<String, String> macros) {
    CudaCheck check = new CudaCheck();
    check.add(code, macros, new LinkedHashSet<>());
    return check;
  }

  /** True if it looks for CUDA, or sets what is CUDA's. */
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
        onlyAsked |= c.argument(3).matches("\\w+=\"?no\"?");
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

  /** A macro that a check defines where it found what it looked for. */
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
