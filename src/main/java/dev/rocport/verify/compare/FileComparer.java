package dev.rocport.verify.compare;

import dev.rocport.verify.compare.TensorComparison.Outcome;
import dev.rocport.verify.tensor.ElementType;
import dev.rocport.verify.tensor.Tensor;
import dev.rocport.verify.tensor.TensorFile;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Compares tensor files, both complete ones and those with summaries and samples only. */
public final class FileComparer {
  private static final String REFERENCE = "@ref";
  private static final String SAMPLE = "@sample";
  private static final String INDEX = "@index";

  private final Function<String, Profile> profiles;
  private final ToLongFunction<String> terms;

  /**
   * A comparer.
   *
   * @param profiles the profile for the tensor of a name
   * @param terms how many terms were summed for an element of the tensor of that name
   */
  public FileComparer(Function<String, Profile> profiles, ToLongFunction<String> terms) {
    this.profiles = profiles;
    this.terms = terms;
  }

  /** One comparison a tensor, in order of the names. */
  public List<TensorComparison> compare(TensorFile expected, TensorFile actual) {
    NavigableSet<String> names = names(expected);
    names.addAll(names(actual));
    List<TensorComparison> all = new ArrayList<>();
    for (String name : names) {
      all.add(compare(name, expected, actual));
    }
    return all;
  }

  private static NavigableSet<String> names(TensorFile file) {
    NavigableSet<String> names = new TreeSet<>(Summary.names(file));
    file.tensors().keySet().stream().filter(n -> !n.contains("@")).forEach(names::add);
    return names;
  }

  private TensorComparison compare(String name, TensorFile expected, TensorFile actual) {
    Tensor e = expected.tensors().get(name);
    Tensor a = actual.tensors().get(name);
    if (e != null && a != null) {
      Tensor own = expected.tensors().get(name + REFERENCE);
      Optional<Tensor> reference =
          Optional.ofNullable(own == null ? actual.tensors().get(name + REFERENCE) : own);
      return comparer(name).compare(e, a, reference, terms.applyAsLong(name));
    }
    Optional<Summary> es = Summary.of(expected, name);
    Optional<Summary> as = Summary.of(actual, name);
    if ((e == null && es.isEmpty()) || (a == null && as.isEmpty())) {
      String type = e != null ? e.type() + " " + e.shapeText() : es.map(Summary::text).orElse("");
      return TensorComparison.mismatch(
          name, type, e == null && es.isEmpty() ? "not expected" : "missing");
    }
    return summaries(name, expected, actual, e, a, es, as);
  }

  private TensorComparer comparer(String name) {
    return new TensorComparer(profiles.apply(name));
  }

  private TensorComparison summaries(
      String name,
      TensorFile expected,
      TensorFile actual,
      @Nullable Tensor e,
      @Nullable Tensor a,
      Optional<Summary> es,
      Optional<Summary> as) {
    String type = e != null ? e.type() + " " + e.shapeText() : es.map(Summary::text).orElse("");
    String found = a != null ? a.type() + " " + a.shapeText() : as.map(Summary::text).orElse("");
    if (!type.equals(found)) {
      return TensorComparison.mismatch(name, type, "found " + found + ", expected " + type);
    }
    String eHash = e != null ? Summary.hash(e) : es.map(Summary::sha256).orElse("");
    String aHash = a != null ? Summary.hash(a) : as.map(Summary::sha256).orElse("");
    Tensor index = (e != null ? actual : expected).tensors().get(name + INDEX);
    if (eHash.equals(aHash)) {
      long count =
          e != null ? e.count() : a != null ? a.count() : es.map(Summary::elements).orElse(0L);
      return TensorComparison.identical(name, type, count, "exact");
    }
    if (index == null || index.type() != ElementType.I64) {
      return TensorComparison.mismatch(name, type, "the bytes differ and there are no samples");
    }
    Optional<Tensor> x = sample(name, e, expected, index);
    Optional<Tensor> y = sample(name, a, actual, index);
    if (x.isEmpty() || y.isEmpty()) {
      return TensorComparison.mismatch(name, type, "the bytes differ and the samples do not match");
    }
    TensorComparison compared =
        comparer(name)
            .compare(
                x.get(),
                y.get(),
                Optional.ofNullable(expected.tensors().get(name + REFERENCE + SAMPLE)),
                terms.applyAsLong(name));
    String why = "based on %d samples; the bytes differ".formatted(x.get().count());
    // Equal samples of unequal tensors prove nothing for a rule that allows no difference.
    boolean exact = profiles.apply(name).rule(x.get().type()) instanceof ElementRule.Exact;
    TensorComparison told =
        compared.named(
            name, type, why + (compared.message().isEmpty() ? "" : "; " + compared.message()));
    if (told.outcome() == Outcome.MISMATCH) {
      return told;
    }
    Optional<Statistics> whole = Optional.ofNullable(a).map(Statistics::of);
    for (String count : List.of("nan", "inf")) {
      long before = es.map(s -> s.count(count)).orElse(-1L);
      long own = whole.map(s -> count.equals("nan") ? s.nan() : s.infinite()).orElse(-1L);
      long now = as.map(s -> s.count(count)).orElse(own);
      if (before >= 0 && now >= 0 && before != now) {
        return told.failed("%s; %d values are %s, expected %d".formatted(why, now, count, before));
      }
    }
    if (exact) {
      return told.failed(why);
    }
    return told.outcome() == Outcome.IDENTICAL ? told.close() : told;
  }

  /** The elements at the places of the samples. */
  private static Optional<Tensor> sample(
      String name, @Nullable Tensor whole, TensorFile file, Tensor index) {
    if (whole == null) {
      Tensor other = file.tensors().get(name + INDEX);
      Tensor sample = file.tensors().get(name + SAMPLE);
      boolean fits =
          other != null
              && sample != null
              && sample.count() == index.count()
              && other.data().mismatch(index.data()) < 0;
      return fits ? Optional.ofNullable(sample) : Optional.empty();
    }
    ByteArrayOutputStream picked = new ByteArrayOutputStream();
    int size = whole.type().bytes();
    for (long k = 0; k < index.count(); k++) {
      long at = index.bits(k);
      if (at < 0 || at >= whole.count()) {
        return Optional.empty();
      }
      picked.writeBytes(whole.data().asSlice(at * size, size).toArray(ValueLayout.JAVA_BYTE));
    }
    return Optional.of(
        new Tensor(
            name,
            whole.type(),
            List.of(index.count()),
            MemorySegment.ofArray(picked.toByteArray())));
  }
}
