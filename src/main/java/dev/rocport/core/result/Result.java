package dev.rocport.core.result;

import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The result of a run, from which every output is rendered. Immutable; equal inputs give equal
 * results.
 *
 * @param run what was run
 * @param files in order of their path
 * @param totals sums over the files
 * @param method how the effort was estimated
 * @param rules all rules in force, by id
 * @param baseline the comparison with the baseline; null if none was given
 * @param build what was built; null if nothing
 * @param verify what was verified; null if nothing
 * @param phases the phases that a port of this tree needs, in order; empty if not requested
 * @param ptx the remaining PTX, by instruction
 * @param nvshmem the NVSHMEM names that the tree uses; empty if none or not requested
 * @param fixes the changes of a port to each file, in order of the path; empty if not requested
 */
public record Result(
    Run run,
    List<FileReport> files,
    Totals totals,
    EffortMethod method,
    SortedMap<String, RuleInfo> rules,
    @Nullable BaselineInfo baseline,
    @Nullable BuildInfo build,
    @Nullable VerifyInfo verify,
    List<PhaseInfo> phases,
    List<PtxInfo> ptx,
    List<ShmemInfo> nvshmem,
    List<FileFix> fixes) {

  public Result {
    files = List.copyOf(files);
    phases = List.copyOf(phases);
    ptx = List.copyOf(ptx);
    nvshmem = List.copyOf(nvshmem);
    fixes = List.copyOf(fixes);
  }

  /** A result of something other than a build or a verification. */
  public Result(
      Run run,
      List<FileReport> files,
      Totals totals,
      EffortMethod method,
      SortedMap<String, RuleInfo> rules,
      @Nullable BaselineInfo baseline) {
    this(
        run, files, totals, method, rules, baseline, null, null, List.of(), List.of(), List.of(),
        List.of());
  }

  public Result with(Run other) {
    return new Result(
        other, files, totals, method, rules, baseline, build, verify, phases, ptx, nvshmem, fixes);
  }

  public Result with(BuildInfo info) {
    return new Result(
        run, files, totals, method, rules, baseline, info, verify, phases, ptx, nvshmem, fixes);
  }

  public Result with(VerifyInfo info) {
    return new Result(
        run, files, totals, method, rules, baseline, build, info, phases, ptx, nvshmem, fixes);
  }

  public Result with(List<PhaseInfo> needed) {
    return new Result(
        run, files, totals, method, rules, baseline, build, verify, needed, ptx, nvshmem, fixes);
  }

  /** The same compared with a baseline. */
  public Result with(BaselineInfo info) {
    return new Result(
        run, files, totals, method, rules, info, build, verify, phases, ptx, nvshmem, fixes);
  }

  /** The same with what was left of PTX. */
  public Result withPtx(List<PtxInfo> left) {
    return new Result(
        run, files, totals, method, rules, baseline, build, verify, phases, left, nvshmem, fixes);
  }

  /** The same with what the tree uses of NVSHMEM. */
  public Result withShmem(List<ShmemInfo> used) {
    return new Result(
        run, files, totals, method, rules, baseline, build, verify, phases, ptx, used, fixes);
  }

  /** The same with what a port changes. */
  public Result withFixes(List<FileFix> changes) {
    return new Result(
        run, files, totals, method, rules, baseline, build, verify, phases, ptx, nvshmem, changes);
  }

  /** All findings that are not suppressed, in order of the files. */
  public List<Finding> findings() {
    return files.stream().flatMap(f -> f.result().findings().stream()).toList();
  }

  /** Whether the baseline does not list this finding; true for all if there is none. */
  public boolean isNew(Finding finding) {
    return baseline == null || !baseline.known().contains(finding.fingerprint());
  }

  /** The phase that a finding belongs to; null if none, or if the phases were not requested. */
  public @Nullable PhaseInfo phase(Finding finding) {
    for (PhaseInfo p : phases) {
      if (p.findings().contains(finding.fingerprint())) {
        return p;
      }
    }
    return null;
  }

  /** What a rule is about; nothing in particular for one that is not known. */
  public Topic topic(String rule) {
    RuleInfo info = rules.get(rule);
    return info == null ? Topic.NONE : info.topic();
  }

  /** The rules that have an edit or a finding in this result, by id. */
  public Collection<RuleInfo> rulesUsed() {
    SortedMap<String, RuleInfo> used = new TreeMap<>();
    totals.editsByRule().keySet().forEach(id -> use(used, id));
    totals.byRule().keySet().forEach(id -> use(used, id));
    files.forEach(f -> f.result().suppressed().forEach(s -> use(used, s.finding().rule())));
    return used.values();
  }

  private void use(SortedMap<String, RuleInfo> used, String id) {
    RuleInfo info = rules.get(id);
    if (info != null) {
      used.put(id, info);
    }
  }
}
