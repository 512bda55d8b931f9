package dev.rocport.verify;

import dev.rocport.core.result.VerifyInfo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Rows of checks, summed up by kernel, type, operation, count and target. */
final class CellTable {
  private static final Comparator<VerifyInfo.Cell> ORDER =
      Comparator.comparing(VerifyInfo.Cell::fixture)
          .thenComparing(VerifyInfo.Cell::kernel)
          .thenComparing(VerifyInfo.Cell::type)
          .thenComparing(VerifyInfo.Cell::op)
          .thenComparingLong(VerifyInfo.Cell::count)
          .thenComparing(VerifyInfo.Cell::target);

  private final Map<List<Object>, VerifyInfo.Cell> cells = new HashMap<>();

  void add(String fixture, String target, List<CheckRow> rows) {
    for (CheckRow r : rows) {
      VerifyInfo.Cell one =
          new VerifyInfo.Cell(
              fixture,
              target,
              r.kernel(),
              r.type(),
              r.op(),
              r.count(),
              1,
              r.checks(),
              r.wrong(),
              // More than a signed number holds is as good as any such number.
              r.maxUlp() < 0 ? Long.MAX_VALUE : r.maxUlp(),
              r.maxAbs(),
              r.errRef());
      cells.merge(
          List.of(fixture, target, r.kernel(), r.type(), r.op(), r.count()), one, CellTable::sum);
    }
  }

  private static VerifyInfo.Cell sum(VerifyInfo.Cell a, VerifyInfo.Cell b) {
    return new VerifyInfo.Cell(
        a.fixture(),
        a.target(),
        a.kernel(),
        a.type(),
        a.op(),
        a.count(),
        a.rows() + b.rows(),
        a.checks() + b.checks(),
        a.wrong() + b.wrong(),
        Math.max(a.maxUlp(), b.maxUlp()),
        Math.max(a.maxAbs(), b.maxAbs()),
        Math.max(a.errRef(), b.errRef()));
  }

  /** In order of fixture, kernel, type, operation, count, target. */
  List<VerifyInfo.Cell> cells() {
    List<VerifyInfo.Cell> sorted = new ArrayList<>(cells.values());
    sorted.sort(ORDER);
    return sorted;
  }
}
