package dev.rocport.toolchain.packages;

import dev.rocport.io.InvalidFileException;
import dev.rocport.io.TsvTable;
import dev.rocport.rules.BuiltInText;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The packages that produced the results in {@code docs/conformance.md}, from {@code
 * rules/conformance/packages.tsv}.
 *
 * @param packages by name
 */
public record PackageLock(Map<String, PackageLock.Entry> packages) {
  /** The only target of the device that the packages have code for. */
  public static final String TARGET = "gfx90a";

  public static final String HEADER = "package\tversion\tsha256\tdownload\tunpacked";

  /**
   * One package.
   *
   * @param sha256 hash of its file, hexadecimal
   * @param download bytes of its file
   * @param unpacked bytes of its files that are unpacked: those of other GPUs are not
   */
  public record Entry(String name, String version, String sha256, long download, long unpacked) {}

  public PackageLock {
    packages = Map.copyOf(packages);
  }

  /** The lock file that rocport comes with. */
  public static PackageLock builtIn() {
    return of(BuiltInText.table("conformance/packages.tsv", HEADER));
  }

  static PackageLock of(TsvTable table) {
    Map<String, Entry> packages = new LinkedHashMap<>();
    for (TsvTable.Row r : table.rows()) {
      try {
        packages.put(
            r.cell(0),
            new Entry(
                r.cell(0),
                r.cell(1),
                r.cell(2),
                Long.parseLong(r.cell(3)),
                Long.parseLong(r.cell(4))));
      } catch (NumberFormatException e) {
        throw new InvalidFileException(r.where() + ": a size is not a number", e);
      }
    }
    return new PackageLock(packages);
  }

  /**
   * The entry of a package.
   *
   * @throws InvalidFileException if there is none
   */
  public Entry entry(String name) {
    Entry entry = packages.get(name);
    if (entry == null) {
      throw new InvalidFileException("rules/conformance/packages.tsv has no " + name);
    }
    return entry;
  }

  /** Bytes to download for a set. */
  public long download(PackageSet set) {
    return set.packages().stream().mapToLong(p -> entry(p).download()).sum();
  }

  /** Bytes on disk for a set, files of packages included. */
  public long room(PackageSet set) {
    return download(set) + set.packages().stream().mapToLong(p -> entry(p).unpacked()).sum();
  }

  /** Bytes in MB for a message, rounded up. */
  public static long megabytes(long bytes) {
    return (bytes + 999_999) / 1_000_000;
  }

  /** Sentences about the packages whose versions are not those of the lock file. */
  public List<String> differences(Collection<Deb> debs) {
    return debs.stream()
        .filter(d -> !entry(d.name()).version().equals(d.version()))
        .map(
            d ->
                "%s %s (SHA-256 %s) was used; rules/conformance/packages.tsv has %s"
                    .formatted(d.name(), d.version(), d.sha256(), entry(d.name()).version()))
        .toList();
  }
}
