package dev.rocport.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class CostModelTest {
  private static final long WARM = 1000;

  private static List<CostModel.Sample> samples(int count, double noise) {
    Random random = new Random(7);
    List<CostModel.Sample> samples = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      long cuda = random.nextLong(20_000_000 / i + 1000);
      long python = random.nextLong(5_000_000 / i + 1000);
      double time = 80 + cuda * 900e-6 + python * 30e-6;
      double error = 1 + noise * random.nextGaussian();
      samples.add(
          new CostModel.Sample(
              Map.of("cuda", cuda, "python", python, "other", 1_000L),
              time * error,
              4000 + cuda * 0.25,
              WARM));
    }
    return samples;
  }

  @Test
  void findsTheCoefficients() {
    CostModel model = CostModel.of(samples(200, 0));
    assertThat(model.classes()).containsExactly("cuda", "other", "python");
    assertThat(model.milliseconds()[1]).isCloseTo(900e-6, within(1e-6));
    assertThat(model.milliseconds()[3]).isCloseTo(30e-6, within(1e-6));
    assertThat(model.tables()[1]).isCloseTo(0.25, within(1e-3));
    assertThat(model.tables()[3]).isCloseTo(0, within(1e-3));
    // All repositories have the same bytes of the third class, so it shares the constant.
    double constant = model.milliseconds()[0] + 1000 * model.milliseconds()[2];
    assertThat(constant).isCloseTo(80, within(0.5));
    assertThat(model.medianError(samples(200, 0))).isZero();
  }

  @Test
  void errorsOfMeasurementsEvenOut() {
    List<CostModel.Sample> noisy = samples(1000, 0.2);
    CostModel model = CostModel.of(noisy);
    assertThat(model.milliseconds()[1]).isCloseTo(900e-6, within(50e-6));
    double measured = noisy.stream().mapToDouble(CostModel.Sample::milliseconds).sum();
    double predicted = model.predictedMilliseconds(noisy);
    assertThat(predicted / measured).isCloseTo(1, within(0.05));
    assertThat(model.medianError(noisy)).isBetween(5L, 20L);
  }

  /** The largest repositories come first, when the processes are slow. */
  @Test
  void startsOfProcessesAreNoCostOfBytes() {
    List<CostModel.Sample> all = new ArrayList<>();
    double slower = 0;
    for (CostModel.Sample s : samples(200, 0)) {
      long age = all.size() / 2;
      double more = age < 8 ? 4 * s.milliseconds() : 0;
      slower += more;
      all.add(new CostModel.Sample(s.bytes(), s.milliseconds() + more, s.tables(), age));
    }
    CostModel model = CostModel.of(all);
    assertThat(model.milliseconds()[1]).isCloseTo(900e-6, within(1e-6));
    assertThat(model.start()).isCloseTo(slower / 2, within(slower / 1000));
    double measured = all.stream().mapToDouble(CostModel.Sample::milliseconds).sum();
    assertThat(model.predictedMilliseconds(all)).isCloseTo(measured, within(measured / 1000));
    long bytes = all.stream().mapToLong(CostModel.Sample::allBytes).sum();
    CostModel.Sample twice = model.extrapolated(all, 400, bytes * 2.0);
    assertThat(twice.milliseconds()).isCloseTo(2 * measured, within(measured / 500));
  }

  /** What a division costs is neither a cost of bytes nor of the start of processes. */
  @Test
  void partsCostWhatIsLeft() {
    List<CostModel.Sample> all = new ArrayList<>(samples(200, 0));
    for (CostModel.Sample s : samples(4, 0)) {
      double time = s.milliseconds() + 6 * 250;
      all.add(new CostModel.Sample(s.bytes(), time, s.tables(), WARM, 6, 0));
    }
    CostModel model = CostModel.of(all);
    assertThat(model.milliseconds()[1]).isCloseTo(900e-6, within(1e-6));
    assertThat(model.part()).isCloseTo(250, within(2.5));
    double measured = all.stream().mapToDouble(CostModel.Sample::milliseconds).sum();
    assertThat(model.predictedMilliseconds(all)).isCloseTo(measured, within(measured / 1000));
    long bytes = all.stream().mapToLong(CostModel.Sample::allBytes).sum();
    assertThat(model.extrapolated(all, 204, bytes).milliseconds())
        .isCloseTo(measured, within(measured / 500));
  }

  @Test
  void aLargerFleetCostsMore() {
    List<CostModel.Sample> samples = samples(100, 0);
    CostModel model = CostModel.of(samples);
    long bytes = samples.stream().mapToLong(CostModel.Sample::allBytes).sum();
    CostModel.Sample same = model.extrapolated(samples, 100, bytes);
    double measured = samples.stream().mapToDouble(CostModel.Sample::milliseconds).sum();
    assertThat(same.milliseconds()).isCloseTo(measured, within(measured / 1000));
    CostModel.Sample ten = model.extrapolated(samples, 1000, bytes * 10.0);
    assertThat(ten.milliseconds()).isCloseTo(10 * same.milliseconds(), within(10.0));
  }

  @Test
  void nothingCostsLessThanNothing() {
    double[][] x = {{1, 1}, {1, 2}, {1, 3}};
    assertThat(LeastSquares.fit(x, new double[] {3, 2, 1}, new double[] {1, 1, 1})[1]).isZero();
    assertThat(LeastSquares.fit(x, new double[] {3, 5, 7}, new double[] {1, 1, 1}))
        .containsExactly(new double[] {1, 2}, within(1e-6));
  }
}
