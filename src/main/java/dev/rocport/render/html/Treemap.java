package dev.rocport.render.html;

import java.util.ArrayList;
import java.util.List;

/**
 * Divides a rectangle into rectangles of given areas that are as close to squares as possible:
 * Bruls, Huizing, van Wijk, "Squarified Treemaps" (2000).
 */
final class Treemap {
  /** A part of the rectangle. */
  record Box(double x, double y, double width, double height) {}

  private final List<Box> boxes = new ArrayList<>();
  private double x;
  private double y;
  private double width;
  private double height;

  private Treemap(double width, double height) {
    this.width = width;
    this.height = height;
  }

  /**
   * Returns a box for each weight, in their order.
   *
   * @param weights above 0, the largest first
   */
  static List<Box> boxes(List<Integer> weights, double width, double height) {
    Treemap map = new Treemap(width, height);
    double unit = width * height / weights.stream().mapToLong(Integer::intValue).sum();
    int from = 0;
    while (from < weights.size()) {
      int to = from + 1;
      double area = weights.get(from) * unit;
      double worst = map.worst(area, weights.get(from) * unit, weights.get(from) * unit);
      while (to < weights.size()) {
        double next = weights.get(to) * unit;
        double worse = map.worst(area + next, weights.get(from) * unit, next);
        if (worse > worst) {
          break;
        }
        worst = worse;
        area += next;
        to++;
      }
      map.row(weights.subList(from, to), area, unit);
      from = to;
    }
    return map.boxes;
  }

  /** Returns the worst aspect ratio in a row of this area along the shorter side. */
  private double worst(double area, double largest, double smallest) {
    double side = Math.min(width, height);
    double square = side * side;
    return Math.max(square * largest / (area * area), area * area / (square * smallest));
  }

  private void row(List<Integer> weights, double area, double unit) {
    boolean down = height <= width;
    double thick = area / (down ? height : width);
    double at = down ? y : x;
    for (int w : weights) {
      double length = w * unit / thick;
      boxes.add(down ? new Box(x, at, thick, length) : new Box(at, y, length, thick));
      at += length;
    }
    if (down) {
      x += thick;
      width -= thick;
    } else {
      y += thick;
      height -= thick;
    }
  }
}
