package dev.rocport.packaging;

import dev.rocport.io.TsvTable;
import dev.rocport.rules.BuiltInText;
import java.util.List;
import java.util.Optional;

/** Packages of distributions and of conda that belong to CUDA: {@code packages/system.tsv}. */
final class SystemPackages {
  private static final List<TsvTable.Row> ROWS =
      BuiltInText.table("packages/system.tsv", "kind\tname\twhy").rows();

  private SystemPackages() {}

  /** Returns why a package is left out for ROCm; empty if it stays. */
  static Optional<String> leftOut(String kind, String name) {
    return ROWS.stream()
        .filter(r -> r.cell(0).equals(kind))
        .filter(r -> PackageTable.Glob.matches(r.cell(1), name))
        .findFirst()
        .map(r -> r.cell(2));
  }
}
