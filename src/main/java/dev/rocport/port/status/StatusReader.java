package dev.rocport.port.status;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.PortStatus;
import dev.rocport.core.result.PortStatus.Kernel;
import dev.rocport.core.result.PortStatus.Step;
import dev.rocport.core.result.Severity;
import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.port.PortRecord;
import dev.rocport.port.decide.Decision;
import dev.rocport.port.decide.Decisions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads the state of a port from what the commands left. */
public final class StatusReader {
  private static final int MOST = 5;

  private final Path root;
  private final PortRecord record;
  private final List<Step> steps;
  private final Optional<Boolean> verified;

  /**
   * A reader of a ported tree.
   *
   * @param verified whether the last verification succeeded; empty if there was none
   */
  public StatusReader(Path root, PortRecord record, List<Step> steps, Optional<Boolean> verified) {
    this.root = root;
    this.record = record;
    this.steps = List.copyOf(steps);
    this.verified = verified;
  }

  /**
   * Returns the state.
   *
   * @param before the figures of the last time; empty if there was none
   */
  public PortStatus read(SortedMap<String, Long> before) throws IOException {
    List<Kernel> kernels = kernels();
    SortedMap<String, Long> figures = figures(kernels);
    List<String> changes = new ArrayList<>();
    if (!before.isEmpty()) {
      figures.forEach(
          (name, now) -> {
            long was = before.getOrDefault(name, 0L);
            if (was != now) {
              changes.add(name + ": " + was + " -> " + now);
            }
          });
    }
    return new PortStatus(
        root.toString(), record.input(), figures, kernels, steps, changes, next(kernels));
  }

  private SortedMap<String, Long> figures(List<Kernel> kernels) throws IOException {
    SortedMap<String, Long> figures = new TreeMap<>();
    for (FileResult f : record.files()) {
      String status = f.status().name().toLowerCase(Locale.ROOT).replace('_', ' ');
      figures.merge("files " + status, 1L, Long::sum);
      figures.merge("edits", (long) f.editCount(), Long::sum);
      for (Finding x : f.findings()) {
        if (x.disposition() != Disposition.PORTED) {
          figures.merge("open " + x.severity().label() + "s", 1L, Long::sum);
        }
      }
    }
    for (Severity s : Severity.values()) {
      figures.putIfAbsent("open " + s.label() + "s", 0L);
    }
    figures.put("ports to merge", (long) record.pending().size());
    for (Decision d : decisions()) {
      figures.merge("decisions to " + d.action().label(), 1L, Long::sum);
    }
    figures.put("kernels", (long) kernels.size());
    figures.put("kernels ported", kernels.stream().filter(Kernel::ported).count());
    figures.put("kernels built", kernels.stream().filter(Kernel::built).count());
    figures.put("kernels run", kernels.stream().filter(Kernel::run).count());
    figures.put("kernels compared", kernels.stream().filter(Kernel::compared).count());
    figures.put("kernels checked", kernels.stream().filter(Kernel::checked).count());
    return figures;
  }

  /** Returns the decisions of the original tree, if it is still where the port found it. */
  private Iterable<Decision> decisions() throws IOException {
    Path input = record.input().isEmpty() ? root : root.resolve(record.input());
    return Files.isDirectory(input) ? Decisions.read(input).all() : List.of();
  }

  private List<Kernel> kernels() throws IOException {
    Map<String, FileResult> results = new HashMap<>();
    record.files().forEach(f -> results.put(f.path(), f));
    List<Kernel> kernels = new ArrayList<>();
    for (TreeEntry entry : SourceTree.walk(TreeSelection.of(List.of(root))).entries()) {
      if (!entry.isSource() || entry.path().startsWith("build-rocport/")) {
        continue;
      }
      SourceFile file = new SourceFile(entry.path(), Files.readAllBytes(entry.file()));
      FileResult result = results.get(entry.path());
      boolean ported = result == null || errors(result) == 0;
      for (String name : KernelNames.of(file)) {
        List<String> programs =
            steps.stream()
                .filter(s -> s.command().equals("build") && s.ok())
                .filter(s -> s.kernels().stream().anyMatch(k -> KernelNames.isOf(k, name)))
                .map(Step::subject)
                .toList();
        kernels.add(
            new Kernel(
                name,
                entry.path(),
                ported,
                !programs.isEmpty(),
                succeeded("run", programs) || succeeded("check", programs),
                verified.orElse(false),
                succeeded("check", programs)));
      }
    }
    kernels.sort(Comparator.comparing(Kernel::path).thenComparing(Kernel::name));
    return kernels;
  }

  private boolean succeeded(String command, List<String> programs) {
    return steps.stream()
        .anyMatch(s -> s.command().equals(command) && s.ok() && programs.contains(s.subject()));
  }

  private static long errors(FileResult result) {
    return result.findings().stream().filter(f -> f.severity() == Severity.ERROR).count();
  }

  private List<String> next(List<Kernel> kernels) {
    List<String> next = new ArrayList<>();
    for (String path : record.pending()) {
      next.add("merge the new port of " + path + " in .rocport/conflicts, and delete it there");
    }
    next.addAll(open(Severity.ERROR));
    for (Step s : steps) {
      if (!s.ok()) {
        next.add(s.command() + " of " + s.subject() + " failed: " + s.outcome());
      }
    }
    if (steps.stream().noneMatch(s -> s.command().equals("build"))) {
      next.add("build the tree: rocport build " + root);
    } else if (kernels.stream().anyMatch(k -> k.built() && !k.run())) {
      next.add("run the programs that were built: rocport run -- PROGRAM");
    }
    if (kernels.stream().anyMatch(k -> k.built() && !k.checked())) {
      next.add("check the programs for races and uninitialized data: rocport check -- PROGRAM");
    }
    if (verified.isEmpty()) {
      next.add(
          "compare the results with those of an NVIDIA GPU: rocport verify --report REPORTS, then"
              + " rocport status --verified REPORTS/report.json");
    } else if (!verified.get()) {
      next.add("find out why the verification failed");
    }
    next.addAll(open(Severity.WARNING));
    return next.subList(0, Math.min(MOST, next.size()));
  }

  /** Returns the open findings of a severity, the rules with the most places first. */
  private List<String> open(Severity severity) {
    Map<String, List<Finding>> byRule = new TreeMap<>();
    for (FileResult f : record.files()) {
      for (Finding x : f.findings()) {
        if (x.severity() == severity && x.disposition() != Disposition.PORTED) {
          byRule.computeIfAbsent(x.rule(), k -> new ArrayList<>()).add(x);
        }
      }
    }
    return byRule.values().stream()
        .sorted(Comparator.comparingInt((List<Finding> l) -> l.size()).reversed())
        .map(
            l -> {
              Finding first = l.getFirst();
              String place = first.line() == 0 ? first.path() : first.path() + ":" + first.line();
              String places = l.size() == 1 ? "1 place" : l.size() + " places";
              return first.rule() + " (" + places + ", first " + place + "): " + first.advice();
            })
        .toList();
  }
}
