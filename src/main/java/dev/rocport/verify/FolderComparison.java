package dev.rocport.verify;

import dev.rocport.core.result.VerifyInfo;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.verify.compare.FileComparer;
import dev.rocport.verify.compare.Profile;
import dev.rocport.verify.compare.TensorComparison;
import dev.rocport.verify.tensor.TensorFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Compares existing tensor files. */
public final class FolderComparison {
  private FolderComparison() {}

  /**
   * Compares two files, or the files of tensors in two folders by their paths.
   *
   * @param terms how many terms were summed for an element
   */
  public static Verification compare(
      Path expected, Path actual, Profile profile, long terms, RuleCatalog catalog)
      throws IOException {
    Findings findings = new Findings(catalog);
    List<VerifyInfo.Tensor> tensors = new ArrayList<>();
    FileComparer comparer = new FileComparer(name -> profile, name -> terms);
    if (Files.isDirectory(expected)) {
      NavigableSet<String> names = names(expected);
      names.addAll(names(actual));
      for (String name : names) {
        if (!Files.exists(actual.resolve(name)) || !Files.exists(expected.resolve(name))) {
          String what = Files.exists(actual.resolve(name)) ? "is not expected" : "is missing";
          findings.add(name, "", new Problem(Problem.TENSOR, "the file " + what));
        } else {
          one(expected.resolve(name), actual.resolve(name), name, comparer, findings, tensors);
        }
      }
      if (names.isEmpty()) {
        findings.add(
            ".", "", new Problem(Problem.NO_GOLDEN, "neither folder contains a file of tensors"));
      }
    } else {
      one(expected, actual, actual.getFileName() + "", comparer, findings, tensors);
    }
    return new Verification(
        findings.files(),
        new VerifyInfo(
            "none", "only files were compared", List.of(), tensors, List.of(), List.of()));
  }

  private static void one(
      Path expected,
      Path actual,
      String name,
      FileComparer comparer,
      Findings findings,
      List<VerifyInfo.Tensor> tensors)
      throws IOException {
    for (TensorComparison t :
        comparer.compare(TensorFile.read(expected), TensorFile.read(actual))) {
      tensors.add(TensorRow.of(name, t));
      if (!t.outcome().ok()) {
        findings.add(name, "", new Problem(Problem.TENSOR, Judge.tensor(t)));
      }
    }
  }

  private static NavigableSet<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      NavigableSet<String> names = new TreeSet<>();
      files
          .filter(Files::isRegularFile)
          .map(f -> folder.relativize(f).toString())
          .filter(n -> n.matches("(?s).*\\.(safetensors(\\.xz)?|npy|npz)"))
          .forEach(names::add);
      return names;
    }
  }
}
