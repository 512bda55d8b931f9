package dev.rocport.inventory;

import dev.rocport.buildsystem.cmake.CMakeCommand;
import dev.rocport.buildsystem.cmake.CMakeCommand.Argument;
import dev.rocport.core.source.SourceFile;
import dev.rocport.inventory.Evidence.Kind;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds what CMake files reference: packages, targets, libraries, languages, architectures. */
final class CMakeScan {
  private static final Pattern TARGET = Pattern.compile("CUDA::(\\w+)");
  private static final Pattern VARIABLE =
      Pattern.compile("\\b(?:CUDA_)?([A-Za-z0-9]\\w*?)_LIBRAR(?:Y|IES)\\b");
  private static final Pattern NUMBERS =
      Pattern.compile("(?<![\\w.])(\\d{2,3}[af]?)(?:-(real|virtual))?(?![\\w.])");
  private static final Set<String> VERSIONS =
      Set.of(
          "CUDAToolkit_VERSION",
          "CUDA_VERSION",
          "CMAKE_CUDA_COMPILER_VERSION",
          "CUDA_VERSION_STRING");
  private static final Set<String> LANGUAGES =
      Set.of("project", "enable_language", "check_language");

  private final ComponentTable table;
  private final Ledger ledger;
  private final SourceFile file;
  private final Flags flags;

  CMakeScan(ComponentTable table, Ledger ledger, SourceFile file) {
    this.table = table;
    this.ledger = ledger;
    this.file = file;
    this.flags = new Flags(table, ledger);
  }

  void scan(List<CMakeCommand> commands) {
    for (CMakeCommand c : commands) {
      List<Argument> args = c.arguments();
      if (c.name().equals("find_package") && !args.isEmpty()) {
        findPackage(args);
      } else if (LANGUAGES.contains(c.name())) {
        args.stream()
            .skip(c.name().equals("project") ? 1 : 0)
            .filter(a -> a.is("CUDA"))
            .forEach(a -> add("cuda-toolkit", a, c.name() + " CUDA", ""));
      }
      boolean links =
          c.name().equals("target_link_libraries")
              || c.name().equals("link_libraries")
              || c.name().equals("find_library");
      for (int i = 0; i < args.size(); i++) {
        Argument a = args.get(i);
        argument(a);
        if (links && i > 0 && a.text().matches("[A-Za-z][\\w-]*")) {
          flags.link(file.path(), line(a), a.text(), a.text(), "");
        }
        if (VERSIONS.contains(a.text().replaceAll("[${}]", "")) && i + 2 < args.size()) {
          comparison(a, args.get(i + 1).text(), args.get(i + 2).text());
        }
      }
      architectures(c.name(), args);
    }
  }

  private int line(Argument a) {
    return file.line(a.start());
  }

  private void add(String component, Argument a, String text, String version) {
    Evidence e = new Evidence(Kind.CMAKE, file.path(), line(a), text, version);
    ledger.add(table.require(component), e);
  }

  private void findPackage(List<Argument> args) {
    String name = args.getFirst().text();
    Component c = table.cmake(name);
    if (c == null) {
      return;
    }
    String second = args.size() > 1 ? args.get(1).text() : "";
    String version = second.matches("\\d[\\d.]*(\\.\\.\\.<?[\\d.]+)?") ? second : "";
    boolean exact = args.stream().anyMatch(a -> a.is("EXACT"));
    String shown = version.isEmpty() || exact || version.contains("...") ? version : ">=" + version;
    String text = "find_package(" + name + (version.isEmpty() ? "" : " " + version) + ")";
    ledger.add(c, new Evidence(Kind.CMAKE, file.path(), line(args.getFirst()), text, shown));
  }

  private void argument(Argument a) {
    String text = a.text();
    Matcher m = TARGET.matcher(text);
    while (m.find()) {
      String name = m.group(1).equals("toolkit") ? "cuda_toolkit" : m.group(1);
      Component c = table.link(name);
      if (c != null) {
        ledger.add(c, new Evidence(Kind.CMAKE, file.path(), line(a), m.group(), ""));
      }
    }
    m = VARIABLE.matcher(text);
    while (m.find()) {
      String name = m.group(1).equals("CUDA") ? "cudart" : m.group(1).toLowerCase(Locale.ROOT);
      Component c = table.link(name);
      if (c != null && m.group().startsWith("CU")) {
        ledger.add(c, new Evidence(Kind.CMAKE, file.path(), line(a), m.group(), ""));
      }
    }
    if (a.quoted() || text.indexOf('-') >= 0 || text.indexOf('.') >= 0) {
      flags.line(file.path(), line(a), text);
    }
  }

  private void comparison(Argument a, String operator, String version) {
    String shown =
        switch (operator) {
          case "VERSION_GREATER_EQUAL" -> ">=";
          case "VERSION_GREATER" -> ">";
          case "VERSION_LESS_EQUAL" -> "<=";
          case "VERSION_LESS" -> "<";
          case "VERSION_EQUAL" -> "";
          default -> "?";
        };
    if (!shown.equals("?") && version.matches("\\d[\\d.]*")) {
      String text = a.text() + " " + operator + " " + version;
      Evidence e = new Evidence(Kind.CONDITION, file.path(), line(a), text, shown + version);
      ledger.add(table.require("cuda-toolkit"), e);
    }
  }

  private void architectures(String command, List<Argument> args) {
    for (int i = 0; i < args.size(); i++) {
      String name = args.get(i).text();
      boolean set = command.equals("set") && i == 0 && name.equals("CMAKE_CUDA_ARCHITECTURES");
      if (!set && !name.equals("CUDA_ARCHITECTURES")) {
        continue;
      }
      for (Argument a : args.subList(i + 1, args.size())) {
        Matcher m = NUMBERS.matcher(a.text());
        if (!a.text().matches("[\\d;afrelvitu-]+")) {
          break;
        }
        while (m.find()) {
          String kind = "virtual".equals(m.group(2)) ? "compute_" : "sm_";
          flags.target(file.path(), line(a), kind + m.group(1), name + " " + m.group());
        }
      }
    }
  }
}
