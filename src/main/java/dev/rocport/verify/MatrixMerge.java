package dev.rocport.verify;

import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import dev.rocport.core.result.VerifyInfo;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.verify.matrix.Matrix;
import dev.rocport.verify.matrix.MatrixCell;
import dev.rocport.verify.matrix.MatrixFolder;
import dev.rocport.verify.matrix.MatrixResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Makes one verification of the results of cells. The cells of a run in several orders of waves are
 * one case, as if one process had run them one after the other.
 */
public final class MatrixMerge {
  /** Names of digests of tensors begin with it. */
  static final String TENSOR = "tensor ";

  private final RuleCatalog catalog;
  private final Findings findings;
  private final Set<Finding> known = new LinkedHashSet<>();
  private final List<VerifyInfo.Case> cases = new ArrayList<>();
  private final List<VerifyInfo.Tensor> tensors = new ArrayList<>();
  private final List<VerifyInfo.Cell> checks = new ArrayList<>();
  private final List<VerifyInfo.Place> places = new ArrayList<>();
  private final Set<String> devices = new TreeSet<>();
  private final Set<String> notes = new TreeSet<>();

  private MatrixMerge(RuleCatalog catalog) {
    this.catalog = catalog;
    this.findings = new Findings(catalog);
  }

  /** The runs that belong together, on one kind of device. */
  private record Group(String program, String run, String target, int ranks, String device) {
    static Group of(MatrixResult r) {
      MatrixCell c = r.cell();
      return new Group(c.program(), c.run(), c.target(), c.ranks(), r.info().device());
    }

    /** As in the messages of one process. */
    String where() {
      return RunCase.where(run, target, ranks);
    }
  }

  /**
   * Merges folders of results.
   *
   * @throws VerifyException if there is nothing to merge, or the results do not belong together
   */
  public static Verification of(List<MatrixFolder> folders, RuleCatalog catalog)
      throws IOException, VerifyException {
    List<MatrixResult> results = new ArrayList<>();
    Map<String, Integer> order = new LinkedHashMap<>();
    Map<String, MatrixCell> expected = new LinkedHashMap<>();
    for (MatrixFolder folder : folders) {
      results.addAll(folder.results());
      Optional<Matrix> matrix = folder.matrix();
      if (matrix.isPresent()) {
        matrix.get().cells().forEach(c -> expected.putIfAbsent(c.id(), c));
      }
    }
    if (results.isEmpty() && expected.isEmpty()) {
      throw new VerifyException("the folders contain no results of cells");
    }
    expected.keySet().forEach(id -> order.put(id, order.size()));
    requireOneInput(results);
    results.sort(
        Comparator.<MatrixResult>comparingInt(
                r -> order.getOrDefault(r.cell().id(), Integer.MAX_VALUE))
            .thenComparing(r -> r.cell().id())
            .thenComparing(r -> r.info().device())
            .thenComparing(MatrixResult::host));
    MatrixMerge merge = new MatrixMerge(catalog);
    Map<Group, List<MatrixResult>> groups = new LinkedHashMap<>();
    results.forEach(r -> groups.computeIfAbsent(Group.of(r), g -> new ArrayList<>()).add(r));
    groups.forEach(merge::group);
    for (MatrixResult r : results) {
      expected.remove(r.cell().id());
    }
    for (MatrixCell cell : expected.values()) {
      merge.missing(cell, reason(folders, cell));
    }
    return merge.verification();
  }

  /** Results that come from different sources, options or versions say nothing together. */
  private static void requireOneInput(List<MatrixResult> results) throws VerifyException {
    requireEqual(
        results, r -> "", r -> r.key().settings(), "different options or versions of rocport");
    requireEqual(
        results,
        r -> r.info().device(),
        r -> r.key().platform(),
        "different toolchains or libraries");
    requireEqual(
        results,
        r -> r.cell().program() + "\n" + r.info().device(),
        r -> r.key().input(),
        "different sources or recordings");
  }

  private static void requireEqual(
      List<MatrixResult> results,
      Function<MatrixResult, String> group,
      Function<MatrixResult, String> hash,
      String difference)
      throws VerifyException {
    Map<String, MatrixResult> first = new HashMap<>();
    for (MatrixResult r : results) {
      MatrixResult other = first.putIfAbsent(group.apply(r), r);
      if (other != null && !hash.apply(other).equals(hash.apply(r))) {
        throw new VerifyException(
            "%s on %s and %s on %s are results of %s; run the cells again"
                .formatted(other.cell().id(), other.host(), r.cell().id(), r.host(), difference));
      }
    }
  }

  private static String reason(List<MatrixFolder> folders, MatrixCell cell) throws IOException {
    for (MatrixFolder folder : folders) {
      Optional<String> reason = folder.reason(cell);
      if (reason.isPresent()) {
        return reason.get();
      }
    }
    return "it has not ended";
  }

  private void group(Group group, List<MatrixResult> results) {
    MatrixResult first = results.getFirst();
    VerifyInfo.Case row = first.row();
    Map<String, String> said = new LinkedHashMap<>(row.checks());
    String status = row.status();
    for (MatrixResult r : results) {
      places.add(new VerifyInfo.Place(r.cell().id(), r.host(), r.info().device()));
      devices.add(r.info().device());
      notes.add(r.info().note());
      for (Finding f : r.findings()) {
        if (known.add(f)) {
          findings.add(f);
        }
      }
      if (!r.equals(first)) {
        boolean same = compare(group, first, r, said);
        status = !same || isFailed(r) ? "failed" : status;
      }
    }
    cases.add(
        new VerifyInfo.Case(
            row.fixture(),
            row.run(),
            row.target(),
            row.ranks(),
            status,
            said,
            row.standIns(),
            row.rocmLibraries(),
            row.message()));
    tensors.addAll(first.info().tensors());
    checks.addAll(first.info().cells());
  }

  /** Returns whether a later run is as good as the first one, and notes how it compares. */
  private boolean compare(
      Group group, MatrixResult first, MatrixResult later, Map<String, String> said) {
    String how = how(group, first, later);
    Set<String> names = new TreeSet<>(first.digests().keySet());
    names.addAll(later.digests().keySet());
    names.removeIf(
        n -> first.digests().getOrDefault(n, "").equals(later.digests().getOrDefault(n, "")));
    long bits = names.stream().filter(n -> n.startsWith(TENSOR)).count();
    names.removeIf(n -> n.startsWith(TENSOR));
    if (names.isEmpty() && bits == 0) {
      boolean fails = isFailed(later) && !isFailed(first);
      said.put(how, fails ? "fails" : "same");
      return true;
    }
    String tensorText = "%d tensors are not bitwise identical".formatted(bits);
    said.put(how, names.isEmpty() ? tensorText : "differs");
    findings.add(
        first.path(),
        group.where(),
        new Problem(
            Problem.ORDER,
            "%s: %s"
                .formatted(
                    how, names.isEmpty() ? tensorText : "different " + String.join(", ", names))));
    return catalog.require(Problem.ORDER).severity() != Severity.ERROR;
  }

  private static boolean isFailed(MatrixResult result) {
    return result.row().status().equals("failed");
  }

  private static String how(Group group, MatrixResult first, MatrixResult later) {
    int seed = later.cell().seed();
    if (seed == first.cell().seed()) {
      return "on " + later.host();
    }
    return group.device().equals("emulated") ? "order " + seed : "run " + (seed + 1);
  }

  private void missing(MatrixCell cell, String reason) {
    String message = "no result of this cell: " + reason;
    findings.add(cell.program(), cell.id(), new Problem(Problem.RUN, message));
    cases.add(
        new VerifyInfo.Case(
            cell.program(),
            cell.run(),
            cell.target(),
            cell.ranks(),
            "not-run",
            new TreeMap<>(),
            List.of(),
            List.of(),
            cell.id() + ": " + message));
  }

  private Verification verification() {
    String device =
        devices.size() > 1 ? "mixed" : devices.isEmpty() ? "none" : devices.iterator().next();
    return new Verification(
        findings.files(),
        new VerifyInfo(
            device, String.join("; ", notes), cases, tensors, checks, List.of(), places));
  }
}
