package dev.rocport.verify.compare;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The result of comparing two tensors.
 *
 * @param name of the tensor
 * @param type of its elements, and its shape: {@code F32 [2, 3]}
 * @param count of elements that were compared
 * @param outcome what came out
 * @param wrong elements that break their rule
 * @param nanMismatches elements of which just one is NaN, or that the profile's NaN rule refuses
 * @param maxUlp steps between the elements farthest apart; NaNs left out
 * @param p99Ulp steps that 99 of 100 elements do not exceed
 * @param histogram elements by steps apart
 * @param maxAbs greatest difference
 * @param maxAbsAt where: {@code [1, 0]: 1.5 expected, 1.25 found}; empty where nothing differs
 * @param maxRel greatest difference over the expected value's size
 * @param maxRelAt where
 * @param cosine of the angle between the tensors as vectors; NaN where there is none
 * @param relativeL2 norm of the difference over the expected norm
 * @param rule the tolerance that was applied
 * @param message what is to be known besides; why they differ where that is not by elements
 */
public record TensorComparison(
    String name,
    String type,
    long count,
    Outcome outcome,
    long wrong,
    long nanMismatches,
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

  /** The outcome of a comparison. */
  public enum Outcome {
    /** Every bit. */
    IDENTICAL,
    /** Within the tolerance. */
    CLOSE,
    /** Beyond the tolerance. */
    DIFFERENT,
    /** Not comparable: missing, or of another type or shape. */
    MISMATCH;

    public boolean ok() {
      return this == IDENTICAL || this == CLOSE;
    }
  }

  public TensorComparison {
    histogram = Collections.unmodifiableMap(new LinkedHashMap<>(histogram));
  }

  /** Tensors that cannot be compared. */
  static TensorComparison mismatch(String name, String type, String message) {
    return new TensorComparison(
        name,
        type,
        0,
        Outcome.MISMATCH,
        0,
        0,
        0,
        0,
        Map.of(),
        0,
        "",
        0,
        "",
        Double.NaN,
        0,
        "",
        message);
  }

  /** Tensors of which the hashes tell that they are the same. */
  static TensorComparison identical(String name, String type, long count, String rule) {
    return new TensorComparison(
        name,
        type,
        count,
        Outcome.IDENTICAL,
        0,
        0,
        0,
        0,
        Map.of("0", count),
        0,
        "",
        0,
        "",
        1,
        0,
        rule,
        "by hash");
  }

  /** The same, of a tensor that is called otherwise. */
  public TensorComparison named(String other, String otherType, String why) {
    return with(other, otherType, outcome, why);
  }

  /** The same, of tensors whose samples are the same and whose bytes are not. */
  TensorComparison close() {
    return with(name, type, Outcome.CLOSE, message);
  }

  TensorComparison failed(String why) {
    return with(name, type, Outcome.DIFFERENT, why);
  }

  private TensorComparison with(
      String otherName, String otherType, Outcome otherOutcome, String otherMessage) {
    return new TensorComparison(
        otherName,
        otherType,
        count,
        otherOutcome,
        wrong,
        nanMismatches,
        maxUlp,
        p99Ulp,
        histogram,
        maxAbs,
        maxAbsAt,
        maxRel,
        maxRelAt,
        cosine,
        relativeL2,
        rule,
        otherMessage);
  }
}
