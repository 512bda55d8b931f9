package dev.rocport.verify;

import dev.rocport.io.Sha256;
import dev.rocport.toolchain.runtime.LoadedLibraries;
import dev.rocport.verify.tensor.TensorFile;
import java.lang.foreign.ValueLayout;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The results of one run of a program.
 *
 * @param run its exit code and output
 * @param findings the findings of the device
 * @param files the files that it should write, by path; empty if one is missing
 * @param tensors by file name
 * @param rows its own checks
 * @param libraries that it loaded beside the HIP runtime
 */
record Observed(
    ProgramRun run,
    List<SeenFinding> findings,
    SortedMap<String, Optional<byte[]>> files,
    SortedMap<String, TensorFile> tensors,
    List<CheckRow> rows,
    LoadedLibraries libraries) {
  Observed {
    findings = List.copyOf(findings);
    files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
    tensors = Collections.unmodifiableSortedMap(new TreeMap<>(tensors));
    rows = List.copyOf(rows);
  }

  /** A hash of each output, by its name: what {@link Judge#same} compares. */
  SortedMap<String, String> digests() {
    SortedMap<String, String> digests = new TreeMap<>();
    digests.put("exit code", run.code() + " " + run.ending());
    digests.put("output", Sha256.of(run.stdout()));
    files.forEach((name, bytes) -> digests.put(name, bytes.map(Sha256::of).orElse("")));
    tensors.forEach(
        (file, content) ->
            content
                .tensors()
                .forEach(
                    (name, t) ->
                        digests.put(
                            MatrixMerge.TENSOR + file + "/" + name,
                            t.type()
                                + t.shape().toString()
                                + Sha256.of(t.data().toArray(ValueLayout.JAVA_BYTE)))));
    return digests;
  }

  /** Wrong elements among the program's own checks. */
  long wrong() {
    return rows.stream().mapToLong(CheckRow::wrong).sum();
  }
}
