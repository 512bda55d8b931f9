package dev.rocport.assess;

import dev.rocport.core.result.BaselineInfo;
import dev.rocport.core.result.Effort;
import dev.rocport.core.result.FileReport;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.RuleInfo;
import dev.rocport.core.result.Run;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.rules.RuleFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes the result of a run from the results of its files. */
public final class Assessment {
  private final RuleCatalog catalog;
  private final RuleFilter filter;
  private final List<Suppression> suppressions;
  private final @Nullable Baseline baseline;

  /**
   * Creates an assessment.
   *
   * @param filter the active rules
   * @param suppressions from the configuration
   * @param baseline the known findings; null for none
   */
  public Assessment(
      RuleCatalog catalog,
      RuleFilter filter,
      List<Suppression> suppressions,
      @Nullable Baseline baseline) {
    this.catalog = catalog;
    this.filter = filter;
    this.suppressions = List.copyOf(suppressions);
    this.baseline = baseline;
  }

  /** Applies suppressions, effort weights and the baseline to the findings. */
  public Result of(Run run, List<FileResult> files) {
    List<FileResult> left = new ConfigSuppressions(suppressions, catalog, filter).apply(files);
    EffortModel model = new EffortModel(catalog.effort());
    Sums sums = new Sums(catalog);
    List<FileReport> reports = new ArrayList<>();
    List<Finding> findings = new ArrayList<>();
    for (FileResult f : left) {
      Effort effort = model.file(f);
      reports.add(new FileReport(f, effort));
      sums.add(f, effort);
      findings.addAll(f.findings());
    }
    BaselineInfo compared = baseline == null ? null : baseline.compare(findings);
    return new Result(run, reports, sums.totals(model), model.method(), rules(), compared)
        .withPtx(new PtxLeft(catalog).of(left));
  }

  private SortedMap<String, RuleInfo> rules() {
    SortedMap<String, RuleInfo> infos = new TreeMap<>();
    for (Rule r : catalog.rules()) {
      infos.put(
          r.id(),
          new RuleInfo(
              r.id(),
              r.family(),
              r.title(),
              r.why(),
              r.severity(),
              r.confidence().label(),
              r.advice(),
              r.topic()));
    }
    return infos;
  }
}
