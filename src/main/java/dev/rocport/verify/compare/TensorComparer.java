package dev.rocport.verify.compare;

import dev.rocport.verify.compare.TensorComparison.Outcome;
import dev.rocport.verify.tensor.ElementType;
import dev.rocport.verify.tensor.Tensor;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Compares tensors of the same type and shape, element by element. */
final class TensorComparer {
  private final Profile profile;

  TensorComparer(Profile profile) {
    this.profile = profile;
  }

  /**
   * Compares.
   *
   * @param reference the right values in double precision, where they are known
   * @param terms how many terms were summed for an element; at least 1
   */
  TensorComparison compare(Tensor expected, Tensor actual, Optional<Tensor> reference, long terms) {
    ElementRule rule = profile.rule(expected.type());
    String type = expected.type() + " " + expected.shapeText();
    if (expected.type() != actual.type() || !expected.shape().equals(actual.shape())) {
      return TensorComparison.mismatch(
          expected.name(),
          type,
          "found " + actual.type() + " " + actual.shapeText() + ", expected " + type);
    }
    if (rule instanceof ElementRule.OriginalError
        && reference
            .filter(r -> r.type() == ElementType.F64 && r.shape().equals(expected.shape()))
            .isEmpty()) {
      return TensorComparison.mismatch(
          expected.name(),
          type,
          "the profile compares with a reference, so it needs a tensor %s@ref of type F64 and the same shape"
              .formatted(expected.name()));
    }
    Tally tally = new Tally(expected, actual, reference.orElse(null), rule, terms);
    for (long i = 0; i < expected.count(); i++) {
      tally.element(i);
    }
    return tally.result(type);
  }

  /** The sums over one pair of tensors. */
  private final class Tally {
    private final Tensor expected;
    private final Tensor actual;
    private final @Nullable Tensor reference;
    private final ElementRule rule;
    private final ElementType type;
    private final double limit;
    private final UlpCounts ulps = new UlpCounts();
    private boolean identical = true;
    private long wrong;
    private long nans;
    private double maxAbs;
    private long maxAbsAt = -1;
    private double maxRel;
    private long maxRelAt = -1;
    private double dot;
    private double expectedSquares;
    private double actualSquares;
    private double squares;
    private double portError;
    private double rms;

    Tally(
        Tensor expected, Tensor actual, @Nullable Tensor reference, ElementRule rule, long terms) {
      this.expected = expected;
      this.actual = actual;
      this.reference = reference;
      this.rule = rule;
      this.type = expected.type();
      this.limit =
          switch (rule) {
            case ElementRule.Scaled s ->
                s.factor()
                    * type.epsilon()
                    * (s.worst() ? (double) terms : Math.sqrt((double) terms));
            case ElementRule.OriginalError o -> errorLimit(o);
            default -> 0;
          };
      if (rule instanceof ElementRule.Scaled) {
        rms = rms();
      }
    }

    private double rms() {
      double sum = 0;
      long n = 0;
      for (long i = 0; i < expected.count(); i++) {
        double v = expected.value(i);
        if (Double.isFinite(v)) {
          sum += v * v;
          n++;
        }
      }
      return n == 0 ? 0 : Math.sqrt(sum / n);
    }

    private double errorLimit(ElementRule.OriginalError rule) {
      double error = 0;
      double size = 0;
      if (reference != null) {
        for (long i = 0; i < expected.count(); i++) {
          double off = Math.abs(expected.value(i) - reference.value(i));
          error = Double.isFinite(off) ? Math.max(error, off) : error;
          double r = Math.abs(reference.value(i));
          size = Double.isFinite(r) ? Math.max(size, r) : size;
        }
      }
      return rule.factor() * error + type.epsilon() * size;
    }

    void element(long i) {
      long e = expected.bits(i);
      long a = actual.bits(i);
      identical &= e == a;
      double x = type.value(e);
      double y = type.value(a);
      if (Double.isNaN(x) || Double.isNaN(y)) {
        boolean equal =
            Double.isNaN(x)
                && Double.isNaN(y)
                && switch (profile.nan()) {
                  case EQUAL -> true;
                  case UNEQUAL -> false;
                  case BITS -> e == a;
                };
        if (!equal) {
          nans++;
          wrong++;
        }
        return;
      }
      ulps.add(type.distance(e, a));
      // 64-bit integers differ where their doubles do not.
      double off =
          x == y ? (type.isFloating() ? 0 : (double) type.distance(e, a)) : Math.abs(y - x);
      if (off > maxAbs) {
        maxAbs = off;
        maxAbsAt = i;
      }
      double relative = off == 0 ? 0 : off / Math.abs(x);
      if (relative > maxRel) {
        maxRel = relative;
        maxRelAt = i;
      }
      if (Double.isFinite(x) && Double.isFinite(y)) {
        dot += x * y;
        expectedSquares += x * x;
        actualSquares += y * y;
        squares += off * off;
      }
      if (!within(i, e, a, x, y, off)) {
        wrong++;
      }
    }

    private boolean within(long i, long e, long a, double x, double y, double off) {
      if (rule instanceof ElementRule.Exact) {
        return e == a || (!profile.signedZeros() && type.isFloating() && x == y);
      }
      // An infinity is right or wrong, never near.
      if (Double.isInfinite(x) || Double.isInfinite(y)) {
        return x == y;
      }
      return switch (rule) {
        case ElementRule.Exact _ -> e == a;
        case ElementRule.Close c ->
            c.symmetric()
                ? off <= Math.max(c.atol(), c.rtol() * Math.max(Math.abs(x), Math.abs(y)))
                : off <= c.atol() + c.rtol() * Math.abs(x);
        case ElementRule.Ulps u -> type.distance(e, a) <= u.most();
        case ElementRule.Scaled _ -> off <= limit * Math.max(Math.abs(x), rms);
        case ElementRule.OriginalError _ -> {
          double error = reference == null ? Double.NaN : Math.abs(y - reference.value(i));
          portError = Math.max(portError, error);
          yield error <= limit;
        }
      };
    }

    TensorComparison result(String shape) {
      double norms = Math.sqrt(expectedSquares) * Math.sqrt(actualSquares);
      double cosine =
          norms > 0 ? Math.clamp(dot / norms, -1.0, 1.0) : expectedSquares == actualSquares ? 1 : 0;
      double relativeL2 =
          squares == 0
              ? 0
              : expectedSquares == 0
                  ? Double.POSITIVE_INFINITY
                  : Math.sqrt(squares / expectedSquares);
      StringBuilder message = new StringBuilder();
      boolean ok = wrong <= profile.badFraction() * expected.count();
      if (cosine < profile.leastCosine()) {
        ok = false;
        message.append("cosine below ").append(profile.leastCosine());
      }
      if (relativeL2 > profile.greatestRelativeL2()) {
        ok = false;
        message.append(message.isEmpty() ? "" : "; ");
        message.append("relative L2 above ").append(profile.greatestRelativeL2());
      }
      if (rule instanceof ElementRule.OriginalError) {
        message.append(message.isEmpty() ? "" : "; ");
        message.append("error %.3g, allowed %.3g".formatted(portError, limit));
      }
      Outcome outcome = !ok ? Outcome.DIFFERENT : identical ? Outcome.IDENTICAL : Outcome.CLOSE;
      return new TensorComparison(
          expected.name(),
          shape,
          expected.count(),
          outcome,
          wrong,
          nans,
          ulps.most(),
          ulps.percentile99(),
          ulps.histogram(),
          maxAbs,
          place(maxAbsAt),
          maxRel,
          place(maxRelAt),
          cosine,
          relativeL2,
          rule.text(),
          message.toString());
    }

    private String place(long at) {
      return at < 0
          ? ""
          : "%s: %s expected, %s found"
              .formatted(expected.place(at), text(expected, at), text(actual, at));
    }

    private String text(Tensor tensor, long at) {
      return type.isFloating()
          ? String.valueOf(tensor.value(at))
          : type == ElementType.U64
              ? Long.toUnsignedString(tensor.bits(at))
              : type == ElementType.I64
                  ? String.valueOf(tensor.bits(at))
                  : String.valueOf((long) tensor.value(at));
    }
  }
}
