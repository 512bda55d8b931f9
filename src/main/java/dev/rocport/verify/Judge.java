package dev.rocport.verify;

import dev.rocport.verify.compare.ElementRule;
import dev.rocport.verify.compare.FileComparer;
import dev.rocport.verify.compare.Profile;
import dev.rocport.verify.compare.Profiles;
import dev.rocport.verify.compare.TensorComparison;
import dev.rocport.verify.tensor.ElementType;
import dev.rocport.verify.tensor.TensorFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Compares what a program left with what was recorded. */
final class Judge {
  private static final int SHOWN = 5;

  /** The exit code of a program that ends with 0 after something was found. */
  private static final int FOUND = 1;

  private final Golden golden;
  private final RunSpec run;
  private final int ranks;
  private final Profiles profiles;
  private final Optional<String> forced;
  private final List<Problem> problems = new ArrayList<>();
  private final List<SeenFinding> found = new ArrayList<>();
  private final Map<String, String> checks = new LinkedHashMap<>();
  private final List<TensorComparison> tensors = new ArrayList<>();
  private boolean compared;

  /**
   * Creates a judge of one run.
   *
   * @param forced a profile for all tensors, overriding that of the run
   */
  Judge(Golden golden, RunSpec run, int ranks, Profiles profiles, Optional<String> forced) {
    this.golden = golden;
    this.run = run;
    this.ranks = ranks;
    this.profiles = profiles;
    this.forced = forced;
  }

  /** What is wrong. */
  List<Problem> problems() {
    return problems;
  }

  /** What the device has found, each once. */
  List<SeenFinding> found() {
    return found;
  }

  /** The checks and their results. */
  Map<String, String> checks() {
    return checks;
  }

  List<TensorComparison> tensors() {
    return tensors;
  }

  /** Whether anything was compared with a recording. */
  boolean compared() {
    return compared;
  }

  void judge(Observed seen) throws IOException, VerifyException {
    exit(seen.run(), seen.findings());
    if (seen.run().isCut()) {
      return;
    }
    stdout(seen.run());
    files(seen);
    if (run.tensors()) {
      tensors(seen);
    }
    rows(seen);
  }

  /** What the device has found; the same of several runs counts once. */
  void found(List<SeenFinding> findings) {
    for (SeenFinding f : findings) {
      Problem known = new Problem(Problem.FOUND, f.toString());
      if (!problems.contains(known)) {
        problems.add(known);
        found.add(f);
      }
    }
  }

  private void exit(ProgramRun ended, List<SeenFinding> findings) {
    found(findings);
    if (ended.timedOut()) {
      checks.put("exit", "time limit");
      problem(Problem.RUN, "did not finish within its time limit" + words(ended));
    } else if (ended.isCut()) {
      checks.put("exit", "output limit");
      problem(
          Problem.RUN,
          "printed more than the limit of %d MiB, and was stopped"
              .formatted(ProgramRun.OUTPUT_LIMIT >> 20));
    } else if (!findings.isEmpty() && ended.code() == FOUND && run.exit() == 0) {
      checks.put("exit", "0, except for the findings of the device");
    } else if (ended.code() != run.exit()) {
      checks.put("exit", ended.code() + ", expected " + run.exit());
      problem(
          Problem.RUN,
          "exited with %d, expected %d%s".formatted(ended.code(), run.exit(), words(ended)));
    } else {
      checks.put("exit", String.valueOf(ended.code()));
    }
  }

  private static String words(ProgramRun ended) {
    String last = ended.lastWords();
    return last.isEmpty() ? "" : ": " + last;
  }

  private void stdout(ProgramRun ended) throws IOException {
    if (run.stdout().isEmpty()) {
      return;
    }
    Optional<byte[]> expected = golden.stdout(run, ranks);
    if (expected.isEmpty()) {
      checks.put("stdout", "not recorded");
      problem(Problem.NO_GOLDEN, "its output was not recorded");
    } else if (Arrays.equals(expected.get(), ended.stdout())) {
      compared = true;
      checks.put("stdout", "same");
    } else {
      compared = true;
      checks.put("stdout", "differs");
      problem(
          Problem.OUTPUT,
          "output differs from that of the original" + firstLine(expected.get(), ended));
    }
  }

  private static String firstLine(byte[] expected, ProgramRun ended) {
    String[] before = new String(expected, java.nio.charset.StandardCharsets.UTF_8).split("\n", -1);
    String[] now = ended.text().split("\n", -1);
    for (int i = 0; i < Math.max(before.length, now.length); i++) {
      String a = i < before.length ? before[i] : "(nothing)";
      String b = i < now.length ? now[i] : "(nothing)";
      if (!a.equals(b)) {
        return "; line %d: '%s', expected '%s'".formatted(i + 1, b, a);
      }
    }
    return "";
  }

  private void files(Observed seen) throws IOException {
    int same = 0;
    for (Map.Entry<String, Optional<byte[]>> e : seen.files().entrySet()) {
      Optional<byte[]> expected = golden.file(run, ranks, e.getKey());
      if (e.getValue().isEmpty()) {
        problem(Problem.OUTPUT, "did not write " + e.getKey());
      } else if (expected.isEmpty()) {
        problem(Problem.NO_GOLDEN, e.getKey() + " was not recorded");
      } else if (!Arrays.equals(expected.get(), e.getValue().get())) {
        compared = true;
        problem(Problem.OUTPUT, e.getKey() + " differs from that of the original");
      } else {
        compared = true;
        same++;
      }
    }
    if (!seen.files().isEmpty()) {
      checks.put("files", same + " of " + seen.files().size());
    }
  }

  private void tensors(Observed seen) throws IOException {
    SortedMap<String, TensorFile> expected = golden.tensors(run, ranks);
    if (expected.isEmpty()) {
      checks.put("tensors", "not recorded");
      problem(Problem.NO_GOLDEN, "its tensors were not recorded");
      return;
    }
    compared = true;
    compare(expected, seen.tensors());
    long ok = tensors.stream().filter(t -> t.outcome().ok()).count();
    checks.put("tensors", ok + " of " + tensors.size());
    for (TensorComparison t : tensors) {
      if (!t.outcome().ok()) {
        problem(Problem.TENSOR, tensor(t));
      }
    }
  }

  private void compare(
      SortedMap<String, TensorFile> expected, SortedMap<String, TensorFile> actual) {
    TensorFile none = new TensorFile(new TreeMap<>(), new TreeMap<>());
    Set<String> names = new java.util.TreeSet<>(expected.keySet());
    names.addAll(actual.keySet());
    for (String file : names) {
      TensorFile before = expected.getOrDefault(file, none);
      TensorFile now = actual.getOrDefault(file, none);
      tensors.addAll(
          new FileComparer(this::profile, name -> run.terms().getOrDefault(name, 1L))
              .compare(before, now));
    }
  }

  private Profile profile(String tensor) {
    return profiles.get(forced.orElseGet(() -> run.profiles().getOrDefault(tensor, run.profile())));
  }

  /** What differs, in a sentence. */
  static String tensor(TensorComparison t) {
    if (t.outcome() == TensorComparison.Outcome.MISMATCH) {
      return "tensor %s: %s".formatted(t.name(), t.message());
    }
    String where = t.maxAbsAt().isEmpty() ? "" : "; largest difference at " + t.maxAbsAt();
    String more = t.message().isEmpty() ? "" : "; " + t.message();
    return "tensor %s: %d of %d elements outside %s%s%s"
        .formatted(t.name(), t.wrong(), t.count(), t.rule(), where, more);
  }

  private void rows(Observed seen) throws IOException, VerifyException {
    if (seen.rows().isEmpty()) {
      if (run.checks()) {
        checks.put("checks", "none");
        problem(Problem.CHECKS, "reported no checks of its own");
      }
      return;
    }
    List<CheckRow> wrong = seen.rows().stream().filter(r -> r.wrong() > 0).toList();
    long elements = seen.rows().stream().mapToLong(CheckRow::checks).sum();
    checks.put(
        "checks",
        "%d of %d rows (%d elements)"
            .formatted(seen.rows().size() - wrong.size(), seen.rows().size(), elements));
    for (CheckRow r : wrong.subList(0, Math.min(SHOWN, wrong.size()))) {
      problem(
          Problem.CHECKS,
          "%s: %d of %d elements wrong, by up to %s ulp"
              .formatted(r.key(), r.wrong(), r.checks(), Long.toUnsignedString(r.maxUlp())));
    }
    if (wrong.size() > SHOWN) {
      problem(Problem.CHECKS, "and " + (wrong.size() - SHOWN) + " more rows with wrong elements");
    }
    List<CheckRow> recorded = golden.rows(run, ranks);
    if (!recorded.isEmpty()) {
      compared = true;
      recorded(recorded, seen.rows());
    }
  }

  /** The same cells as the original, and no worse. */
  private void recorded(List<CheckRow> before, List<CheckRow> now) {
    Map<String, CheckRow> rows = new LinkedHashMap<>();
    now.forEach(r -> rows.put(r.key(), r));
    List<String> missing = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (CheckRow r : before) {
      if (!rows.containsKey(r.key()) && seen.add(r.key())) {
        missing.add(r.key());
      }
    }
    if (!missing.isEmpty()) {
      problem(
          Problem.CHECKS,
          "%d rows of the original are missing, such as %s"
              .formatted(missing.size(), missing.getFirst()));
    }
    if (profile("").rule(ElementType.F32) instanceof ElementRule.OriginalError o) {
      for (CheckRow r : before) {
        CheckRow own = rows.get(r.key());
        if (own != null && own.errRef() > o.factor() * r.errRef()) {
          problem(
              Problem.CHECKS,
              "%s: error %.3g against the reference; error of the original is %.3g"
                  .formatted(r.key(), own.errRef(), r.errRef()));
        }
      }
    }
  }

  /** What a later run of the same program left that the first one did not. */
  void same(Observed first, Observed later, String how) {
    List<String> different = new ArrayList<>();
    if (first.run().code() != later.run().code() || first.run().ending() != later.run().ending()) {
      different.add("exit code");
    }
    if (!Arrays.equals(first.run().stdout(), later.run().stdout())) {
      different.add("output");
    }
    first
        .files()
        .forEach(
            (name, bytes) -> {
              Optional<byte[]> other = later.files().getOrDefault(name, Optional.empty());
              if (!Arrays.equals(bytes.orElse(null), other.orElse(null))) {
                different.add(name);
              }
            });
    if (!different.isEmpty()) {
      checks.put(how, "differs");
      problem(Problem.ORDER, how + ": different " + String.join(", ", different));
      return;
    }
    long bits = differing(first.tensors(), later.tensors());
    checks.put(how, bits == 0 ? "same" : bits + " tensors are not bitwise identical");
    if (bits > 0) {
      problem(Problem.ORDER, "%s: %d tensors are not bitwise identical".formatted(how, bits));
    }
  }

  private long differing(SortedMap<String, TensorFile> first, SortedMap<String, TensorFile> later) {
    Profile same = profiles.get("same");
    long differing = 0;
    for (String file : first.keySet()) {
      TensorFile other = later.get(file);
      if (other == null) {
        differing++;
      } else {
        differing +=
            new FileComparer(name -> same, name -> 1)
                .compare(first.get(file), other).stream().filter(t -> !t.outcome().ok()).count();
      }
    }
    return differing;
  }

  void problem(String rule, String message) {
    problems.add(new Problem(rule, message));
  }
}
