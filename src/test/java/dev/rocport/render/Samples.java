package dev.rocport.render;

import dev.rocport.core.result.BaselineInfo;
import dev.rocport.core.result.Change;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Effort;
import dev.rocport.core.result.EffortMethod;
import dev.rocport.core.result.FileFix;
import dev.rocport.core.result.FileReport;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.FileResult.Status;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Left;
import dev.rocport.core.result.PhaseInfo;
import dev.rocport.core.result.PtxInfo;
import dev.rocport.core.result.Replacement;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.RuleInfo;
import dev.rocport.core.result.Run;
import dev.rocport.core.result.Severity;
import dev.rocport.core.result.ShmemInfo;
import dev.rocport.core.result.Suppressed;
import dev.rocport.core.result.Topic;
import dev.rocport.core.result.Totals;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** A small result with one of everything. */
public final class Samples {
  private Samples() {}

  public static Result result() {
    Finding asm =
        new Finding(
            "PTX-INLINE",
            Severity.ERROR,
            Disposition.UNPORTED,
            "src/k.cu",
            12,
            3,
            12,
            60,
            "inline PTX: \"bar.sync 1;\\u001b[31m\"".replace("\\u001b", "\u001b"),
            "Rewrite it with HIP's builtins.",
            "asm volatile(\"bar.sync 1;\");",
            "bar.sync",
            "00000000000000aa");
    Finding note =
        new Finding(
            "GUARD-ARCH",
            Severity.NOTE,
            Disposition.PORTED,
            "src/k.cu",
            3,
            1,
            3,
            25,
            "the branch <300> | that `HIP` takes",
            "",
            "#if __CUDA_ARCH__ >= 300",
            "00000000000000bb");
    Finding put =
        new Finding(
            "API-UNKNOWN",
            Severity.WARNING,
            Disposition.REVIEW,
            "src/k.cu",
            20,
            5,
            20,
            12,
            "cuThing is not known",
            "",
            "cuThing();",
            "00000000000000cc");
    FileResult kernel =
        new FileResult(
            "src/k.cu",
            Status.PORTED,
            "cuda",
            640,
            25,
            counts("API-RUNTIME", 21, "GUARD-ARCH", 1),
            List.of(note, asm),
            List.of(new Suppressed(put, "a function of our own", "src/k.cu:19")),
            List.of(
                new Change("W64-GROUPS", 7, "int a = f(x);\n\tb < c;", "int a = g(x);\n\tb < d;")),
            "");
    FileResult plain =
        new FileResult("src/main.cpp", Status.UNCHANGED, "c++", 100, 5, counts(), List.of(), "");
    FileResult lost =
        new FileResult(
            "src/secret.cu",
            Status.FAILED,
            "cuda",
            10,
            0,
            counts(),
            List.of(),
            "cannot be read: permission denied");
    SortedMap<Status, Integer> byStatus = new TreeMap<>();
    byStatus.put(Status.PORTED, 1);
    byStatus.put(Status.UNCHANGED, 1);
    byStatus.put(Status.FAILED, 1);
    Totals totals =
        new Totals(
            3,
            750,
            30,
            byStatus,
            counts("c++", 1, "cuda", 2),
            22,
            counts("API-RUNTIME", 21, "GUARD-ARCH", 1),
            counts("api/runtime", 21, "cuda/guards", 1),
            2,
            new TreeMap<>(java.util.Map.of(Severity.NOTE, 1, Severity.ERROR, 1)),
            new TreeMap<>(java.util.Map.of(Disposition.PORTED, 1, Disposition.UNPORTED, 1)),
            counts("GUARD-ARCH", 1, "PTX-INLINE", 1),
            1,
            List.of(new Left("PTX-INLINE", Severity.ERROR, 1, 0, 1, 180)),
            new Effort(183, Effort.Size.MEDIUM),
            new TreeMap<>(java.util.Map.of(Effort.Size.NONE, 2, Effort.Size.MEDIUM, 1)));
    Result result =
        new Result(
            new Run("1.2.3", "audit", List.of("src"), "lib", options()),
            List.of(
                new FileReport(kernel, new Effort(63, Effort.Size.MEDIUM)),
                new FileReport(plain, Effort.NONE),
                new FileReport(lost, Effort.NONE)),
            totals,
            new EffortMethod(
                "minutes = what it takes",
                List.of(
                    new EffortMethod.Weight("PTX-*", "unported", 60, 25, 120, "it is rewritten"))),
            rules(),
            new BaselineInfo("known.json", Set.of("00000000000000bb"), 1, 4));
    return result.with(phases()).withPtx(ptx()).withShmem(shmem()).withFixes(fixes());
  }

  private static List<FileFix> fixes() {
    return List.of(
        new FileFix(
            "src/k.cu",
            List.of(
                new Replacement(1, 1, 1, 1, "#include <hip/hip_runtime.h>\r\n"),
                new Replacement(5, 3, 5, 7, "hip"),
                new Replacement(7, 1, 9, 1, "")),
            List.of("rocport/warp.h")));
  }

  private static List<PtxInfo> ptx() {
    return List.of(
        new PtxInfo(
            "bar.sync", "Waits", "Use <b>.", "hours", 2, 1, List.of("src/k.cu:12", "src/k.cu:14")),
        new PtxInfo("", "A module of PTX", "", "", 1, 1, List.of("src/k.ptx:1")));
  }

  private static List<ShmemInfo> shmem() {
    return List.of(
        new ShmemInfo(
            "nvshmemx_mc_ptr", "missing", "", "", "none | here", 1, 1, List.of("src/kernel.cu:4")),
        new ShmemInfo(
            "nvshmem_quiet",
            "direct",
            "rocshmem::rocshmem_quiet",
            "2.0",
            "",
            2,
            1,
            List.of("src/kernel.cu:5", "src/kernel.cu:7")));
  }

  private static List<PhaseInfo> phases() {
    PhaseInfo.Reason files = new PhaseInfo.Reason("source files", 2, 2, "src/a\u001b[31m.cu");
    PhaseInfo.Reason calls = new PhaseInfo.Reason("calls | names", 21, 1, "src/kernel.cu:3");
    PhaseInfo.Reason third = new PhaseInfo.Reason("more of them", 1, 1, "src/kernel.cu:9");
    PhaseInfo.Reason none = new PhaseInfo.Reason("no graph is captured", 0, 0, "");
    return List.of(
        new PhaseInfo(
            2,
            "Translation",
            "CUDA to HIP",
            PhaseInfo.Need.YES,
            List.of(files, calls, third),
            Set.of("00000000000000aa")),
        new PhaseInfo(
            3,
            "Architecture",
            "lanes",
            PhaseInfo.Need.MAYBE,
            List.of(calls),
            Set.of("00000000000000cc")),
        new PhaseInfo(7, "Graphs", "capture by hand", PhaseInfo.Need.NO, List.of(none), Set.of()));
  }

  private static SortedMap<String, RuleInfo> rules() {
    SortedMap<String, RuleInfo> rules = new TreeMap<>();
    for (RuleInfo r :
        List.of(
            rule("API-RUNTIME", "api/runtime", "The CUDA runtime becomes the HIP runtime"),
            rule("API-UNKNOWN", "cuda/source", "A name that nobody knows"),
            rule("GUARD-ARCH", "cuda/guards", "Conditions on __CUDA_ARCH__"),
            rule("NEVER-USED", "cuda/source", "Not in this report"),
            rule("PTX-INLINE", "cuda/source", "Inline PTX"))) {
      rules.put(r.id(), r);
    }
    return rules;
  }

  private static RuleInfo rule(String id, String family, String title) {
    Topic topic = id.startsWith("PTX-") ? Topic.PTX : Topic.NONE;
    return new RuleInfo(id, family, title, "Because.", Severity.NOTE, "certain", "", topic);
  }

  private static SortedMap<String, String> options() {
    SortedMap<String, String> options = new TreeMap<>();
    options.put("launch", "chevrons");
    return options;
  }

  private static SortedMap<String, Integer> counts(Object... pairs) {
    SortedMap<String, Integer> counts = new TreeMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      counts.put((String) pairs[i], (Integer) pairs[i + 1]);
    }
    return counts;
  }
}
