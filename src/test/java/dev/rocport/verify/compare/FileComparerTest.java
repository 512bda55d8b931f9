package dev.rocport.verify.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.verify.compare.TensorComparison.Outcome;
import dev.rocport.verify.tensor.ElementType;
import dev.rocport.verify.tensor.Tensor;
import dev.rocport.verify.tensor.TensorFile;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileComparerTest {
  private static final Profiles PROFILES = Profiles.ofHome();
  private static final double NAN = Double.NaN;

  private static Tensor floats(String name, double... values) {
    ByteBuffer b = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    for (double v : values) {
      b.putFloat((float) v);
    }
    return tensor(name, ElementType.F32, values.length, b.array());
  }

  private static Tensor doubles(String name, double... values) {
    ByteBuffer b = ByteBuffer.allocate(8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    for (double v : values) {
      b.putDouble(v);
    }
    return tensor(name, ElementType.F64, values.length, b.array());
  }

  private static Tensor longs(String name, long... values) {
    ByteBuffer b = ByteBuffer.allocate(8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    for (long v : values) {
      b.putLong(v);
    }
    return tensor(name, ElementType.I64, values.length, b.array());
  }

  private static Tensor tensor(String name, ElementType type, long n, byte[] bytes) {
    return new Tensor(name, type, List.of(n), MemorySegment.ofArray(bytes));
  }

  private static TensorFile file(Map<String, String> metadata, Tensor... tensors) {
    SortedMap<String, Tensor> map = new TreeMap<>();
    for (Tensor t : tensors) {
      map.put(t.name(), t);
    }
    return new TensorFile(new TreeMap<>(metadata), map);
  }

  private static TensorComparison compare(String profile, long terms, TensorFile a, TensorFile b) {
    List<TensorComparison> all =
        new FileComparer(n -> PROFILES.get(profile), n -> terms).compare(a, b);
    assertThat(all).hasSize(1);
    return all.getFirst();
  }

  private static TensorComparison compare(String profile, double expected, double actual) {
    return compare(
        profile, 1, file(Map.of(), floats("x", expected)), file(Map.of(), floats("x", actual)));
  }

  @ParameterizedTest
  @CsvSource({
    "exact, 1, 1, IDENTICAL",
    "exact, 1, 1.0000001, DIFFERENT",
    "exact, 0, -0.0, CLOSE",
    "bits, 0, -0.0, DIFFERENT",
    "exact, NaN, NaN, IDENTICAL",
    "exact, NaN, 1, DIFFERENT",
    "torch, 1, NaN, DIFFERENT",
    "torch, 1, 1.000009, CLOSE",
    "torch, 1, 1.00002, DIFFERENT",
    "torch, Infinity, 3e38, DIFFERENT",
    "torch, Infinity, Infinity, IDENTICAL",
    "torch, -Infinity, Infinity, DIFFERENT",
    "guide, 1, 1.00019, CLOSE",
    "guide, 1, 1.00021, DIFFERENT",
    "codepin, 1000, 1000.9, CLOSE",
    "codepin, 1000, 1001.1, DIFFERENT",
    "codepin, 0, 1e-7, CLOSE",
    "codepin, 0, 2e-7, DIFFERENT",
    "ulp4, 1, 1.0000004, CLOSE",
    "ulp4, 1, 1.0000006, DIFFERENT",
    "ulp4, 3.4028235e38, Infinity, DIFFERENT",
  })
  void profilesSayHowFarIsTooFar(String profile, double expected, double actual, Outcome outcome) {
    assertThat(compare(profile, expected, actual).outcome()).isEqualTo(outcome);
  }

  @Test
  void aScaledToleranceGrowsWithTheLengthOfTheSum() {
    TensorFile a = file(Map.of(), floats("x", 1000));
    TensorFile b = file(Map.of(), floats("x", 1000.01));
    assertThat(compare("scaled", 1, a, b).outcome()).isEqualTo(Outcome.DIFFERENT);
    assertThat(compare("scaled", 10_000, a, b).outcome()).isEqualTo(Outcome.CLOSE);
    assertThat(compare("scaled-worst", 10, a, b).outcome()).isEqualTo(Outcome.DIFFERENT);
    assertThat(compare("scaled-worst", 100, a, b).outcome()).isEqualTo(Outcome.CLOSE);
  }

  @Test
  void theErrorIsMeasuredAgainstTheReference() {
    Tensor reference = doubles("x@ref", 1, 100);
    TensorFile original = file(Map.of(), floats("x", 1.01, 100), reference);
    TensorFile twice = file(Map.of(), floats("x", 0.98, 100));
    TensorFile worse = file(Map.of(), floats("x", 1, 100.03));
    assertThat(compare("original-error", 1, original, twice).outcome()).isEqualTo(Outcome.CLOSE);
    assertThat(compare("original-error", 1, original, worse))
        .matches(c -> c.outcome() == Outcome.DIFFERENT && c.wrong() == 1);
    TensorFile without = file(Map.of(), floats("x", 1.01, 100));
    assertThat(compare("original-error", 1, without, twice).message()).contains("x@ref");
  }

  @Test
  void numbersOfADifferenceAreRight() {
    TensorComparison c =
        compare(
            "torch",
            1,
            file(Map.of(), floats("x", 3, 4, 0, NAN, 1)),
            file(Map.of(), floats("x", 3, 4.5, 0, NAN, NAN)));
    assertThat(c.wrong()).isEqualTo(2);
    assertThat(c.nanMismatches()).isEqualTo(1);
    assertThat(c.maxAbs()).isEqualTo(0.5);
    assertThat(c.maxAbsAt()).isEqualTo("[1]: 4.0 expected, 4.5 found");
    assertThat(c.maxRel()).isEqualTo(0.125);
    assertThat(c.maxUlp()).isEqualTo(1 << 20);
    assertThat(c.histogram()).isEqualTo(Map.of("0", 2L, ">1024", 1L));
    assertThat(c.relativeL2()).isEqualTo(0.1);
    assertThat(c.cosine()).isCloseTo((9 + 18) / (5 * Math.sqrt(9 + 20.25)), within(1e-15));
  }

  private static org.assertj.core.data.Offset<Double> within(double x) {
    return org.assertj.core.data.Offset.offset(x);
  }

  @Test
  void integersOf64BitsDifferWhereTheirDoublesDoNot() {
    TensorComparison c =
        compare(
            "torch",
            1,
            file(Map.of(), longs("x", Long.MAX_VALUE)),
            file(Map.of(), longs("x", Long.MAX_VALUE - 1)));
    assertThat(c.outcome()).isEqualTo(Outcome.DIFFERENT);
    assertThat(c.maxAbs()).isEqualTo(1);
  }

  @Test
  void anotherTypeOrAMissingTensorIsAMismatch() {
    TensorFile a = file(Map.of(), floats("x", 1));
    assertThat(compare("torch", 1, a, file(Map.of(), doubles("x", 1))).message())
        .contains("found F64 [1]");
    assertThat(compare("torch", 1, a, file(Map.of())).message()).isEqualTo("missing");
    assertThat(compare("torch", 1, file(Map.of()), a).message()).isEqualTo("not expected");
  }

  @Test
  void percentilesAndHistogramsCountEveryElement() {
    UlpCounts counts = new UlpCounts();
    for (int i = 0; i < 990; i++) {
      counts.add(i % 3);
    }
    for (int i = 0; i < 10; i++) {
      counts.add(5000);
    }
    assertThat(counts.percentile99()).isEqualTo(2);
    assertThat(counts.most()).isEqualTo(5000);
    counts.add(5000);
    assertThat(counts.percentile99()).isEqualTo(5000);
    assertThat(counts.histogram()).isEqualTo(Map.of("0", 330L, "1", 330L, "2", 330L, ">1024", 11L));
  }

  /** What the recorder writes of a tensor that is too large. */
  private static TensorFile summary(long nan, double first, double second, Tensor whole) {
    String text =
        "dtype=F32 shape=4 sha256=%s finite=4 nan=%d inf=0 zero=0"
            .formatted(Summary.hash(whole), nan);
    return file(
        Map.of("tensor.x", text), floats("x@sample", first, second), longs("x@index", 0, 3));
  }

  @Test
  void largeTensorsAreComparedByHashAndThenBySamples() {
    Tensor whole = floats("x", 1, 2, 3, 4);
    Tensor near = floats("x", 1, 2, 3, 4.000002);
    Tensor hidden = floats("x", 1, 2, 30, 4);
    TensorFile recorded = summary(0, 1, 4, whole);
    assertThat(compare("torch", 1, recorded, file(Map.of(), whole)).outcome())
        .isEqualTo(Outcome.IDENTICAL);
    assertThat(compare("torch", 1, recorded, file(Map.of(), near)).outcome())
        .isEqualTo(Outcome.CLOSE);
    assertThat(compare("exact", 1, recorded, file(Map.of(), near)).outcome())
        .isEqualTo(Outcome.DIFFERENT);
    // The samples are the same: a rule that allows nothing must still see it.
    assertThat(compare("exact", 1, recorded, file(Map.of(), hidden)).outcome())
        .isEqualTo(Outcome.DIFFERENT);
    assertThat(compare("torch", 1, recorded, summary(1, 1, 4, hidden)).message())
        .contains("1 values are nan, expected 0");
  }
}
