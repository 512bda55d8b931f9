package dev.rocport.verify;

import dev.rocport.core.result.VerifyInfo;
import dev.rocport.verify.compare.TensorComparison;
import java.util.LinkedHashMap;
import java.util.Locale;

/** The comparison of two tensors as reports have it. */
final class TensorRow {
  private TensorRow() {}

  static VerifyInfo.Tensor of(String where, TensorComparison t) {
    return new VerifyInfo.Tensor(
        where,
        t.name(),
        t.type(),
        t.outcome().name().toLowerCase(Locale.ROOT),
        t.count(),
        t.wrong(),
        t.maxUlp(),
        t.p99Ulp(),
        new LinkedHashMap<>(t.histogram()),
        t.maxAbs(),
        t.maxAbsAt(),
        t.maxRel(),
        t.maxRelAt(),
        t.cosine(),
        t.relativeL2(),
        t.rule(),
        t.message());
  }
}
