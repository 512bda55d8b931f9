package dev.rocport.render.html;

import dev.rocport.core.result.BaselineInfo;
import dev.rocport.core.result.BuildInfo;
import dev.rocport.core.result.Change;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Effort;
import dev.rocport.core.result.EffortMethod;
import dev.rocport.core.result.FileReport;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.FileResult.Status;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Left;
import dev.rocport.core.result.PhaseInfo;
import dev.rocport.core.result.PtxInfo;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.RuleInfo;
import dev.rocport.core.result.Run;
import dev.rocport.core.result.Severity;
import dev.rocport.core.result.ShmemInfo;
import dev.rocport.core.result.Suppressed;
import dev.rocport.core.result.Topic;
import dev.rocport.core.result.Totals;
import dev.rocport.core.result.VerifyInfo;
import dev.rocport.render.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Results in which every text tries to inject markup. */
public final class HostileResult {
  /** What sources, paths, rules of a user and programs' output may hold. */
  public static final List<String> TEXTS =
      List.of(
          "</script><script>window.hacked=1</script>",
          "\"><img src=x onerror=\"window.hacked=2\">",
          "' onmouseover='window.hacked=3",
          "javascript:window.hacked=4",
          "</title></style><svg onload=window.hacked=5>",
          "<!--<script>",
          "a\u202egnp.exe\u2066\u200b",
          "bell\u0007 escape\u001b[31m nul\u0000 next\u0085 c1\u009b",
          "\u2028'); window.hacked=6; ('",
          "]]>&lt;&#60;\\u003cb\\u003e");

  private HostileResult() {}

  public static Result of(String text) {
    Finding finding =
        new Finding(
            text,
            Severity.ERROR,
            Disposition.UNPORTED,
            text,
            1,
            1,
            1,
            2,
            text,
            text,
            text,
            text,
            text);
    FileResult file =
        new FileResult(
            text,
            Status.FAILED,
            text,
            1,
            1,
            new TreeMap<>(Map.of(text, 1)),
            List.of(finding, finding("W64-KEEP", text, 1)),
            List.of(new Suppressed(finding, text, text)),
            List.of(new Change(text, 1, text, text)),
            text);
    SortedMap<String, Integer> counts = new TreeMap<>(Map.of(text, 1, "api/" + text, 2));
    Totals totals =
        new Totals(
            1,
            1,
            1,
            new TreeMap<>(Map.of(Status.FAILED, 1)),
            counts,
            3,
            counts,
            counts,
            2,
            new TreeMap<>(Map.of(Severity.ERROR, 2)),
            new TreeMap<>(Map.of(Disposition.UNPORTED, 2)),
            counts,
            1,
            List.of(new Left(text, Severity.ERROR, 1, 1, 1, 9)),
            new Effort(9, Effort.Size.SMALL),
            new TreeMap<>());
    SortedMap<String, RuleInfo> rules = new TreeMap<>();
    rules.put(
        "W64-KEEP",
        new RuleInfo("W64-KEEP", text, text, text, Severity.ERROR, text, text, Topic.WARP));
    rules.put(text, new RuleInfo(text, text, text, text, Severity.ERROR, text, text, Topic.NONE));
    VerifyInfo verify =
        new VerifyInfo(
            text,
            text,
            List.of(
                new VerifyInfo.Case(
                    text,
                    text,
                    text,
                    2,
                    text,
                    Map.of(text, text),
                    List.of(text),
                    List.of(text),
                    text)),
            List.of(
                new VerifyInfo.Tensor(
                    text,
                    text,
                    text,
                    text,
                    2,
                    1,
                    1,
                    1,
                    Map.of("0", 5L, text, 1L),
                    1,
                    text,
                    1,
                    text,
                    1,
                    1,
                    text,
                    text)),
            List.of(new VerifyInfo.Cell(text, text, text, text, text, 1, 1, 1, 1, 1, 1, 1)),
            List.of(new VerifyInfo.Fault(text, text, false, text)),
            List.of(),
            List.of(
                new VerifyInfo.Found(
                    text,
                    text,
                    List.of(new VerifyInfo.Sides(text, List.of(text), text, List.of(text))))));
    BuildInfo build =
        new BuildInfo(
            text,
            text,
            text,
            List.of(text),
            List.of(
                new BuildInfo.Unit(
                    text,
                    text,
                    text,
                    new TreeMap<>(Map.of(text, false)),
                    new TreeMap<>(Map.of(text, 1)),
                    1,
                    text)),
            List.of(
                new BuildInfo.Link(
                    text,
                    text,
                    text,
                    text,
                    List.of(text),
                    List.of(text),
                    new TreeMap<>(Map.of(text, List.of(text))),
                    text)),
            List.of(text));
    PhaseInfo.Reason reason = new PhaseInfo.Reason(text, 1, 1, text);
    return new Result(
            new Run(text, text, List.of(text), text, new TreeMap<>(Map.of(text, text))),
            List.of(new FileReport(file, new Effort(9, Effort.Size.SMALL))),
            totals,
            new EffortMethod(text, List.of(new EffortMethod.Weight(text, text, 1, 1, 1, text))),
            rules,
            new BaselineInfo(text, Set.of(), 2, 0))
        .with(verify)
        .with(build)
        .with(
            List.of(
                new PhaseInfo(1, text, text, PhaseInfo.Need.YES, List.of(reason), Set.of(text))))
        .withPtx(List.of(new PtxInfo(text, text, text, text, 1, 1, List.of(text))))
        .withShmem(List.of(new ShmemInfo(text, text, text, text, text, 1, 1, List.of(text))));
  }

  private static Finding finding(String rule, String path, int line) {
    return new Finding(
        rule,
        List.of(Severity.NOTE, Severity.WARNING, Severity.ERROR).get(line % 3),
        List.of(Disposition.PORTED, Disposition.REVIEW, Disposition.UNPORTED).get(line % 3),
        path,
        line,
        1,
        line,
        2,
        "message " + line,
        "",
        "call_" + line + "();",
        "0000000000000000");
  }

  /** A plain result with many findings in some files. */
  public static Result many(int findings, int files) {
    Result sample = Samples.result();
    List<FileReport> reports = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      String path = "src/part" + i % 7 + "/file" + i + ".cu";
      List<Finding> list = new ArrayList<>();
      for (int k = 1; k <= findings / files; k++) {
        list.add(finding("RULE-" + k % 5, path, k));
      }
      FileResult file =
          new FileResult(path, Status.PORTED, "cuda", 10, 1, new TreeMap<>(), list, "");
      reports.add(new FileReport(file, new Effort(1 + i, Effort.Size.SMALL)));
    }
    return new Result(
        sample.run(), reports, sample.totals(), sample.method(), sample.rules(), null);
  }
}
