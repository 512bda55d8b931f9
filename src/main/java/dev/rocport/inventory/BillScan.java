package dev.rocport.inventory;

import dev.rocport.buildsystem.cmake.CMakeCommand;
import dev.rocport.buildsystem.shared.BuildFileNames;
import dev.rocport.core.source.Encoding;
import dev.rocport.core.source.FileKind;
import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.inventory.Evidence.Kind;
import dev.rocport.inventory.binary.Binaries;
import dev.rocport.inventory.binary.Inside;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Examines all files of a tree. */
public final class BillScan {
  private static final Pattern SCRIPT =
      Pattern.compile(
          ".*\\.(sh|bash|m4|ac|pc|pc\\.in|vcxproj|props|targets|toml|cfg|yml|yaml|bat|ps1|spec)"
              + "|(.*/)?(compile_commands|cmake(user)?presets)\\.json"
              + "|(.*/)?(docker|container)file[^/]*|.*\\.(docker|container)file");
  private static final Pattern LIBRARY =
      Pattern.compile("lib(.+?)\\.(?:so|a|dylib)(?:\\.(\\d[\\d.]*))?");
  private static final Pattern WINDOWS =
      Pattern.compile("(.+?)(?:64)?(?:_(\\d[\\d_]*))?\\.(?:dll|lib)", Pattern.CASE_INSENSITIVE);

  private final ComponentTable table;
  private final Set<String> modules;
  private final long maxFile;
  private final Ledger ledger = new Ledger();
  private boolean looked;

  private BillScan(ComponentTable table, Set<String> modules, long maxFile) {
    this.table = table;
    this.modules = modules;
    this.maxFile = maxFile;
  }

  /**
   * What a tree depends on.
   *
   * @param roots the paths as given
   * @param maxFile bytes of the largest text that is looked at
   * @param jobs threads that look
   */
  public static Bill of(
      ComponentTable table, SourceTree tree, List<String> roots, long maxFile, int jobs) {
    Set<String> modules = new HashSet<>();
    tree.entries().forEach(e -> module(e.path(), modules));
    Ledger all = new Ledger();
    int files = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(jobs)) {
      List<Future<BillScan>> scans = new ArrayList<>();
      for (TreeEntry e : tree.entries()) {
        scans.add(
            threads.submit(
                () -> {
                  BillScan scan = new BillScan(table, modules, maxFile);
                  scan.entry(e);
                  return scan;
                }));
      }
      // In the order of the paths, whoever was first.
      for (Future<BillScan> f : scans) {
        BillScan scan = f.get();
        all.addAll(scan.ledger);
        files += scan.looked ? 1 : 0;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
    return all.bill(roots, files);
  }

  /** A module or package of Python that the tree has itself. */
  private static void module(String path, Set<String> modules) {
    if (path.endsWith(".py")) {
      String[] parts = path.split("/");
      String name = parts[parts.length - 1];
      if (!name.equals("__init__.py")) {
        modules.add(name.substring(0, name.length() - 3));
      } else if (parts.length > 1) {
        modules.add(parts[parts.length - 2]);
      }
    }
  }

  private void entry(TreeEntry e) {
    if (e.kind() == FileKind.UNREADABLE) {
      ledger.note(e.path(), e.note());
      return;
    }
    if (e.kind() == FileKind.SKIPPED || e.kind() == FileKind.LINK) {
      return;
    }
    looked = true;
    try {
      if (e.kind() == FileKind.OTHER) {
        binary(e);
      }
      boolean text = e.kind() != FileKind.OTHER || isScript(e.path()) || mayInstall(e.path());
      if (text && e.size() > maxFile) {
        ledger.note(e.path(), "larger than --max-file: not examined");
      } else if (text) {
        SourceFile file = new SourceFile(e.path(), Files.readAllBytes(e.file()));
        if (file.encoding().isText()) {
          text(e, file.withLineFeeds());
        } else if (file.encoding() == Encoding.WIDE) {
          ledger.note(e.path(), "UTF-16 or UTF-32: not examined");
        } else if (e.kind() != FileKind.OTHER) {
          binary(e);
        }
      }
    } catch (IOException x) {
      ledger.note(e.path(), SourceTree.reason(x));
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError x) {
      // One file must not end the bill of all others.
      ledger.note(e.path(), "could not be examined: " + x);
    }
  }

  private static boolean isScript(String path) {
    return SCRIPT.matcher(path.toLowerCase(Locale.ROOT)).matches();
  }

  /** Text files; requirements have many names. */
  private static boolean mayInstall(String path) {
    String lower = path.toLowerCase(Locale.ROOT);
    return lower.endsWith(".txt")
        || lower.endsWith(".in")
        || lower.endsWith("pipfile")
        || lower.endsWith(".lock")
        || lower.endsWith("/metadata");
  }

  private void text(TreeEntry e, SourceFile file) {
    String text = new String(file.bytes(), StandardCharsets.ISO_8859_1);
    new PackageScan(table, ledger, file).scan();
    switch (e.language()) {
      case "cuda", "c++", "c" -> new SourceScan(table, ledger, file, isCuda(e)).scan();
      case "python" -> {
        List<String> lines = text.lines().toList();
        new PythonScan(table, ledger, modules).scan(e.path(), lines);
        if (e.path().endsWith("setup.py")) {
          flags(file, text);
        }
      }
      case "build" -> {
        Optional<List<CMakeCommand>> commands =
            BuildFileNames.isCMake(e.path()) ? CMakeCommand.of(text) : Optional.empty();
        if (commands.isPresent()) {
          new CMakeScan(table, ledger, file).scan(commands.get());
        } else {
          flags(file, text);
        }
      }
      default -> {
        if (isScript(e.path())) {
          flags(file, text);
        }
      }
    }
  }

  /** HIP's files have the language's names, too. */
  private static boolean isCuda(TreeEntry e) {
    return e.language().equals("cuda") && !e.path().endsWith(".hip");
  }

  private void flags(SourceFile file, String text) {
    Flags flags = new Flags(table, ledger);
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      String plain = line.stripLeading();
      if (!plain.startsWith("#") && !plain.startsWith("dnl ") && !plain.startsWith("REM ")) {
        flags.line(file.path(), number, line);
      }
    }
  }

  private void binary(TreeEntry e) throws IOException {
    Inside inside = Binaries.of(e.file(), e.path());
    inside.troubles().forEach(t -> ledger.note(t.place(), t.message()));
    for (Inside.Library l : inside.libraries()) {
      library(l);
    }
    for (Inside.GpuCode code : inside.code()) {
      code(code);
    }
  }

  private void library(Inside.Library l) {
    if (l.file().length() > Flags.LONGEST_NAME) {
      return;
    }
    for (Pattern p : List.of(LIBRARY, WINDOWS)) {
      Matcher m = p.matcher(l.file());
      if (m.matches()) {
        Component c = table.link(m.group(1));
        if (c != null) {
          String version = m.group(2) == null ? "" : VersionNumber.ofFile(m.group(2));
          String text = l.loaded() ? "needs " + l.file() : "is " + l.file();
          ledger.add(c, new Evidence(Kind.BINARY, l.place(), 0, text, version));
        }
        return;
      }
    }
  }

  private void code(Inside.GpuCode code) {
    boolean ptx = code.code() == Inside.Code.PTX;
    String how =
        switch (code.code()) {
          case CUBIN -> "cubin";
          case PTX -> "ptx";
          case LTO_IR -> "lto-ir";
          case OTHER -> "other code";
        };
    String name = code.architecture() == 0 ? "" : (ptx ? "compute_" : "sm_") + code.architecture();
    String version = code.version().isEmpty() ? "" : code.version();
    Evidence e = new Evidence(Kind.BINARY, code.place(), 0, (how + " " + name).strip(), version);
    ledger.add(table.require(ptx ? "ptx" : "device-code"), e);
    if (!name.isEmpty()) {
      ledger.target(name, how, e);
    }
  }
}
