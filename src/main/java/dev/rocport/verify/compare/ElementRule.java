package dev.rocport.verify.compare;

/** The tolerance for an element. */
public sealed interface ElementRule {
  /** Not at all. */
  record Exact() implements ElementRule {
    @Override
    public String text() {
      return "exact";
    }
  }

  /**
   * By {@code atol + rtol * |expected|}, or, symmetric, by the greater of {@code atol} and {@code
   * rtol * max(|expected|, |actual|)}, as Python's {@code math.isclose} has it.
   */
  record Close(double rtol, double atol, boolean symmetric) implements ElementRule {
    @Override
    public String text() {
      return "rtol %s, atol %s%s".formatted(rtol, atol, symmetric ? ", symmetric" : "");
    }
  }

  /** By so many steps of the type. */
  record Ulps(long most) implements ElementRule {
    @Override
    public String text() {
      return most + " ulp";
    }
  }

  /**
   * By the rounding errors of a sum of {@code n} terms: {@code factor * eps * g(n)} times the
   * greater of {@code |expected|} and the root mean square of the expected tensor, with {@code
   * g(n)} the square root (errors that are independent) or {@code n} (the worst).
   */
  record Scaled(double factor, boolean worst) implements ElementRule {
    @Override
    public String text() {
      return factor + " eps " + (worst ? "n" : "sqrt(n)");
    }
  }

  /**
   * By {@code factor} times the greatest error of the original against a reference in double
   * precision, and one rounding of the greatest reference value.
   */
  record OriginalError(double factor) implements ElementRule {
    @Override
    public String text() {
      return "error at most " + factor + " times that of the original";
    }
  }

  /** The rule in a few words. */
  String text();
}
