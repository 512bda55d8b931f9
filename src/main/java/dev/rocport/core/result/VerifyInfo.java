package dev.rocport.core.result;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The result of a verification, except its findings. It contains no times: the same programs give
 * the same result.
 *
 * @param device {@code emulated}, {@code hardware}, {@code mixed} if cells ran on both, or "none"
 *     if only files were compared
 * @param note remarks about the device
 * @param cases programs that ran, in order
 * @param tensors that were compared, in order
 * @param cells the checks that programs performed themselves, in order
 * @param faults injected faults, in order
 * @param places where cells ran, in order; empty if all ran in this process
 * @param found what the checks of the device found, in order; for reports with sources
 */
public record VerifyInfo(
    String device,
    String note,
    List<Case> cases,
    List<Tensor> tensors,
    List<Cell> cells,
    List<Fault> faults,
    List<Place> places,
    List<Found> found) {

  /** A result without sources of findings. */
  public VerifyInfo(
      String device,
      String note,
      List<Case> cases,
      List<Tensor> tensors,
      List<Cell> cells,
      List<Fault> faults,
      List<Place> places) {
    this(device, note, cases, tensors, cells, faults, places, List.of());
  }

  /** The result of one process. */
  public VerifyInfo(
      String device,
      String note,
      List<Case> cases,
      List<Tensor> tensors,
      List<Cell> cells,
      List<Fault> faults) {
    this(device, note, cases, tensors, cells, faults, List.of());
  }

  /**
   * One program on one target.
   *
   * @param fixture its name, or the folder's
   * @param run the name of the run within it
   * @param target GPU target
   * @param ranks MPI processes; 0 without MPI
   * @param status {@code ok}, {@code failed} or {@code not-run}
   * @param checks the checks and their results: {@code stdout} to {@code same}
   * @param standIns libraries of rocport that it loaded in place of ROCm's
   * @param rocmLibraries libraries of AMD that it loaded, with their versions; on hardware, none is
   *     noted
   * @param message why it failed or was not run; otherwise empty
   */
  public record Case(
      String fixture,
      String run,
      String target,
      int ranks,
      String status,
      Map<String, String> checks,
      List<String> standIns,
      List<String> rocmLibraries,
      String message) {
    public Case {
      standIns = List.copyOf(standIns);
      rocmLibraries = List.copyOf(rocmLibraries);
      checks = Collections.unmodifiableMap(new LinkedHashMap<>(checks));
    }
  }

  /**
   * A finding of the device with the lines that take part.
   *
   * @param where program and target, or program and checks
   * @param title what is wrong
   * @param sides the places, the one that the finding is about first
   */
  public record Found(String where, String title, List<Sides> sides) {
    public Found {
      sides = List.copyOf(sides);
    }
  }

  /**
   * A place in a ported file, and the line of the CUDA source that it was ported from.
   *
   * @param ported file and line
   * @param portedLines that line, marked, with those around it
   * @param original file and line; empty if the port recorded none
   * @param originalLines the same of the original; empty if it is not there any more
   */
  public record Sides(
      String ported, List<String> portedLines, String original, List<String> originalLines) {
    public Sides {
      portedLines = List.copyOf(portedLines);
      originalLines = List.copyOf(originalLines);
    }
  }

  /**
   * One tensor of one case.
   *
   * @param where fixture, run and target, or the files that were compared
   * @param outcome {@code identical}, {@code close}, {@code different} or {@code mismatch}
   * @param histogram elements by steps of the type apart
   * @param rule the tolerance
   */
  public record Tensor(
      String where,
      String name,
      String type,
      String outcome,
      long count,
      long wrong,
      long maxUlp,
      long p99Ulp,
      Map<String, Long> histogram,
      double maxAbs,
      String maxAbsAt,
      double maxRel,
      String maxRelAt,
      double cosine,
      double relativeL2,
      String rule,
      String message) {
    public Tensor {
      histogram = Collections.unmodifiableMap(new LinkedHashMap<>(histogram));
    }
  }

  /**
   * What a program checked itself, of one kernel, type, operation and count on one target: rows of
   * all variants and kinds of data together.
   */
  public record Cell(
      String fixture,
      String target,
      String kernel,
      String type,
      String op,
      long count,
      long rows,
      long checks,
      long wrong,
      long maxUlp,
      double maxAbs,
      double errRef) {}

  /**
   * A fault put into the ported code on purpose.
   *
   * @param by what noticed it; empty if nothing did
   */
  public record Fault(String fixture, String name, boolean caught, String by) {}

  /**
   * Where a cell of a matrix ran.
   *
   * @param cell its name: {@code ring.small.gfx90a.np2.s0}
   * @param host name of the machine
   * @param device {@code emulated} or {@code hardware}
   */
  public record Place(String cell, String host, String device) {}

  public VerifyInfo {
    cases = List.copyOf(cases);
    tensors = List.copyOf(tensors);
    cells = List.copyOf(cells);
    faults = List.copyOf(faults);
    places = List.copyOf(places);
    found = List.copyOf(found);
  }

  /** Cases by status. */
  public SortedMap<String, Integer> byStatus() {
    SortedMap<String, Integer> counts = new TreeMap<>();
    cases.forEach(c -> counts.merge(c.status(), 1, Integer::sum));
    return counts;
  }

  /** Libraries of rocport that programs loaded in place of ROCm's, sorted. */
  public SortedSet<String> standIns() {
    SortedSet<String> all = new TreeSet<>();
    cases.forEach(c -> all.addAll(c.standIns()));
    return all;
  }

  /** Libraries of AMD that programs loaded on the rocport device, with their versions, sorted. */
  public SortedSet<String> rocmLibraries() {
    SortedSet<String> all = new TreeSet<>();
    cases.forEach(c -> all.addAll(c.rocmLibraries()));
    return all;
  }

  /** Elements that programs checked themselves. */
  public long checks() {
    return cells.stream().mapToLong(Cell::checks).sum();
  }

  /** Those of them that were wrong. */
  public long wrongChecks() {
    return cells.stream().mapToLong(Cell::wrong).sum();
  }

  /** Rows of checks. */
  public long rows() {
    return cells.stream().mapToLong(Cell::rows).sum();
  }

  /** Faults that were noticed. */
  public long caught() {
    return faults.stream().filter(Fault::caught).count();
  }
}
