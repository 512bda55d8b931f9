package dev.rocport;

import java.util.List;

/** A generator's decisions, from a list that shrinks; the first one each where the list ends. */
public final class Choices {
  private final List<Integer> numbers;
  private int next;

  public Choices(List<Integer> numbers) {
    this.numbers = numbers;
  }

  /** A number below {@code bound}. */
  public int below(int bound) {
    return next < numbers.size() ? Math.floorMod(numbers.get(next++), bound) : 0;
  }

  @SafeVarargs
  public final <T> T of(T... values) {
    return values[below(values.length)];
  }

  public boolean isOver() {
    return next >= numbers.size();
  }
}
