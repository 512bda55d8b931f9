package dev.rocport.inventory;

import dev.rocport.inventory.Evidence.Kind;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds libraries, architectures and nvcc in the lines of builds and scripts. */
final class Flags {
  private static final Pattern LIBRARY =
      Pattern.compile("(?<![\\w.-])-l(?::lib)?([A-Za-z][\\w-]*)(?![\\w-])");
  private static final Pattern FILE =
      Pattern.compile(
          "(?<![\\w+-])lib([A-Za-z][\\w+-]*?)\\.(?:so|a|dylib)(?:\\.(\\d[\\d.]*))?(?![\\w-])");
  private static final Pattern WINDOWS =
      Pattern.compile(
          "(?<![\\w-])([A-Za-z][\\w-]*)\\.(?:lib|dll)(?![\\w])", Pattern.CASE_INSENSITIVE);
  private static final Pattern AUTOCONF =
      Pattern.compile(
          "AC_(?:CHECK_LIB\\(|SEARCH_LIBS\\(\\s*+\\[?\\w*+\\]?\\s*+,)\\s*+\\[?\\s*+(\\w[\\w ]*+)");
  private static final Pattern HEADER =
      Pattern.compile("AC_CHECK_HEADERS?\\(\\s*+\\[?\\s*+([\\w./ ]++)");
  private static final Pattern ARCHITECTURES =
      Pattern.compile(
          "-arch\\b|--?gpu-architecture|-?-gencode|--?generate-code|arch=compute|code=sm");
  private static final Pattern ARCHITECTURE =
      Pattern.compile("(?<![\\w])((?:sm|compute|lto)_\\d{2,3}[af]?)(?!\\w)");
  private static final Pattern TORCH = Pattern.compile("TORCH_CUDA_ARCH_LIST\\W+([\\d.+PTX;, a]+)");
  private static final Pattern TORCH_ARCHITECTURE = Pattern.compile("(\\d+)\\.(\\d)(a?)(\\+PTX)?");
  private static final Pattern CMAKE =
      Pattern.compile("CMAKE_CUDA_ARCHITECTURES(?::\\w+)?[=\\s\"':]+([\\dafrelvitu;-]+)");
  private static final Pattern CMAKE_ARCHITECTURE =
      Pattern.compile("(\\d{2,3}[af]?)(-virtual)?(?![\\w])");
  private static final Pattern MESON =
      Pattern.compile(
          "dependency\\(\\s*'cuda'(?:.*?version\\s*:\\s*\\[?\\s*'([^']+)')?(?:.*?modules\\s*:\\s*\\[?([^\\])]*))?");
  private static final Pattern MESON_LANGUAGE =
      Pattern.compile("(?:add_languages|project)\\([^()]*'cuda'");
  private static final Pattern FIND_LIBRARY = Pattern.compile("find_library\\(\\s*'([\\w-]+)'");
  private static final Pattern NVCC = Pattern.compile("(?<![\\w.-])nvcc(?![\\w.-])");
  private static final Pattern DLL = Pattern.compile("(.+?)(?:64)?(?:_(\\d[\\d_]*))?");

  /** Longer names are not library names, and matching them would be slow. */
  static final int LONGEST_NAME = 200;

  private final ComponentTable table;
  private final Ledger ledger;

  Flags(ComponentTable table, Ledger ledger) {
    this.table = table;
    this.ledger = ledger;
  }

  /** Looks at one line. */
  void line(String path, int number, String line) {
    Matcher m = LIBRARY.matcher(line);
    while (m.find()) {
      link(path, number, m.group(1), m.group().strip(), "");
    }
    files(path, number, line);
    m = AUTOCONF.matcher(line);
    while (m.find()) {
      for (String library : m.group(1).strip().split(" +")) {
        link(path, number, library, library, "");
      }
    }
    m = HEADER.matcher(line);
    while (m.find()) {
      for (String header : m.group(1).strip().split(" +")) {
        Component c = table.header(header);
        if (c != null) {
          ledger.add(c, new Evidence(Kind.FLAG, path, number, header, ""));
        }
      }
    }
    meson(path, number, line);
    if (NVCC.matcher(line).find()) {
      ledger.add(table.require("cuda-toolkit"), new Evidence(Kind.FLAG, path, number, "nvcc", ""));
    }
    if (ARCHITECTURES.matcher(line).find()) {
      m = ARCHITECTURE.matcher(line);
      while (m.find()) {
        target(path, number, m.group(1), m.group(1));
      }
    }
    m = CMAKE.matcher(line);
    while (m.find()) {
      Matcher a = CMAKE_ARCHITECTURE.matcher(m.group(1));
      while (a.find()) {
        String name = (a.group(2) == null ? "sm_" : "compute_") + a.group(1);
        target(path, number, name, "CMAKE_CUDA_ARCHITECTURES " + a.group());
      }
    }
    m = TORCH.matcher(line);
    if (m.find()) {
      Matcher a = TORCH_ARCHITECTURE.matcher(m.group(1));
      while (a.find()) {
        target(path, number, "sm_" + a.group(1) + a.group(2) + a.group(3), a.group());
      }
    }
  }

  private void meson(String path, int number, String line) {
    Matcher m = FIND_LIBRARY.matcher(line);
    while (m.find()) {
      link(path, number, m.group(1), m.group() + ")", "");
    }
    Component toolkit = table.require("cuda-toolkit");
    if (MESON_LANGUAGE.matcher(line).find()) {
      ledger.add(toolkit, new Evidence(Kind.FLAG, path, number, "language cuda", ""));
    }
    m = MESON.matcher(line);
    if (m.find()) {
      String version = m.group(1) == null ? "" : VersionNumber.ofSpec(m.group(1));
      ledger.add(toolkit, new Evidence(Kind.FLAG, path, number, "dependency('cuda')", version));
      for (String module : (m.group(2) == null ? "" : m.group(2)).split("[',\\s]+", -1)) {
        link(path, number, module, module, "");
      }
    }
  }

  /** Files of libraries that a line names: {@code libcudart.so.12}, {@code cublas.lib}. */
  void files(String path, int number, String line) {
    Matcher m = FILE.matcher(line);
    while (m.find()) {
      String version = m.group(2) == null ? "" : m.group(2).replaceFirst("\\.+$", "");
      link(path, number, m.group(1), m.group(), version);
    }
    m = WINDOWS.matcher(line);
    while (m.find()) {
      Matcher dll = DLL.matcher(m.group(1));
      if (m.group(1).length() <= LONGEST_NAME && dll.matches()) {
        link(path, number, dll.group(1), m.group(), "");
      }
    }
  }

  void target(String path, int number, String name, String text) {
    ledger.target(name, "flag", new Evidence(Kind.FLAG, path, number, text, ""));
  }

  void link(String path, int number, String library, String text, String version) {
    Component c = table.link(library);
    if (c != null) {
      ledger.add(c, new Evidence(Kind.LINK, path, number, text, version));
    }
  }
}
