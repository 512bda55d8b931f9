package dev.rocport.verify.capture;

import dev.rocport.io.InvalidFileException;
import dev.rocport.io.PathText;
import dev.rocport.verify.tensor.ElementType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/** Reads {@code plans/TARGET/GRAPH.json} of a capture, and checks every number in it. */
final class PlanReader {
  private static final int MOST_DIMENSIONS = 32;
  private static final int MOST_CHOICES = 1000;
  private static final long LARGEST_BUFFER = 1L << 33;
  private static final Set<String> REDUCTIONS = Set.of("sum", "avg", "product", "min", "max");

  private final Path file;
  private final List<Long> buffers = new ArrayList<>();

  private PlanReader(Path file) {
    this.file = file;
  }

  /**
   * Reads a plan.
   *
   * @throws InvalidFileException if it makes no sense
   */
  static Plan read(Path file) throws IOException {
    return new PlanReader(file).plan(Capture.json(file));
  }

  private Plan plan(JsonNode node) {
    String failed = node.path("failed").asString(node.path("reference_failed").asString(""));
    String graph = text(node, "graph");
    String target = text(node, "target");
    int choices = node.has("choices") ? (int) number(node.path("choices"), 1, MOST_CHOICES) : 1;
    if (!failed.isEmpty()) {
      return new Plan(
          graph,
          target,
          choices,
          Optional.of(failed),
          false,
          List.of(),
          List.of(),
          Collections.emptySortedSet(),
          List.of(),
          List.of(),
          List.of(),
          Collections.emptySortedMap(),
          Optional.empty(),
          Optional.empty());
    }
    for (JsonNode bytes : list(node, "buffers")) {
      buffers.add(number(bytes, 0, LARGEST_BUFFER));
    }
    SortedSet<Integer> symmetric = new TreeSet<>();
    node.path("symmetric").forEach(n -> symmetric.add((int) number(n, 0, buffers.size() - 1L)));
    List<Plan.Input> inputs = new ArrayList<>();
    for (JsonNode input : list(node, "inputs")) {
      inputs.add(new Plan.Input(view(input), text(input, "data")));
    }
    List<Step> steps = new ArrayList<>();
    for (JsonNode step : list(node, "steps")) {
      steps.add(step(step));
    }
    List<Optional<View>> outputs = new ArrayList<>();
    for (JsonNode output : list(node, "outputs")) {
      outputs.add(output.has("buffer") ? Optional.of(view(output)) : Optional.empty());
    }
    SortedMap<Integer, View> mutated = new TreeMap<>();
    for (JsonNode input : list(node, "mutated")) {
      mutated.put((int) number(input.path("input"), 0, Integer.MAX_VALUE), view(input));
    }
    List<String> notes = new ArrayList<>();
    node.path("notes").forEach(n -> notes.add(n.asString("")));
    return new Plan(
        graph,
        target,
        choices,
        Optional.empty(),
        node.path("random").asBoolean(false),
        notes,
        buffers,
        symmetric,
        inputs,
        steps,
        outputs,
        mutated,
        path(node, "golden"),
        path(node, "given"));
  }

  private Step step(JsonNode step) {
    if (step.has("launch")) {
      return launch(step);
    }
    if (step.has("read")) {
      return read(step);
    }
    return step.has("collective") ? collective(step) : call(step);
  }

  private Step read(JsonNode step) {
    View place = view(step.path("read"));
    if (place.count() != 1) {
      throw wrong("read", "expected one element");
    }
    JsonNode value = step.path("value");
    long bits =
        switch (place.type()) {
          case F64 -> Double.doubleToRawLongBits(real(value));
          case F32 -> Float.floatToRawIntBits((float) real(value)) & 0xffff_ffffL;
          case BOOL, U8, I8, I16, I32, I64 -> whole(value);
          default -> throw wrong("read", "no value of type " + place.type() + " can be read");
        };
    return new Step.Read(place, bits);
  }

  private Step collective(JsonNode step) {
    String name = text(step, "collective");
    Step.Collective.Kind kind =
        Stream.of(Step.Collective.Kind.values())
            .filter(k -> k.text().equals(name))
            .findFirst()
            .orElseThrow(() -> wrong("collective", "unknown collective '" + name + "'"));
    String reduction = text(step, "reduction");
    boolean reduces =
        kind == Step.Collective.Kind.ALL_REDUCE || kind == Step.Collective.Kind.REDUCE_SCATTER;
    if (reduces != REDUCTIONS.contains(reduction)) {
      throw wrong("reduction", "'%s' does not fit %s".formatted(reduction, name));
    }
    View operand = view(step.path("operand"));
    View result = view(step.path("result"));
    boolean fits =
        switch (kind) {
          case ALL_REDUCE, ALL_TO_ALL, BROADCAST -> operand.count() == result.count();
          case ALL_GATHER -> operand.count() <= result.count();
          case REDUCE_SCATTER -> operand.count() >= result.count();
        };
    if (!fits || operand.type() != result.type()) {
      throw wrong("result", "does not fit the operand of " + name);
    }
    int root = (int) number(step.path("root"), 0, Integer.MAX_VALUE);
    return new Step.Collective(
        kind, text(step, "operator"), reduction, root, group(step), operand, result);
  }

  private Step.Collective.Group group(JsonNode step) {
    List<Integer> ranks = new ArrayList<>();
    step.path("ranks").forEach(n -> ranks.add((int) number(n, 0, Capture.MOST_RANKS - 1)));
    if (ranks.isEmpty()) {
      return Step.Collective.Group.ALL;
    }
    int stride = ranks.size() == 1 ? 1 : ranks.get(1) - ranks.get(0);
    for (int i = 0; i < ranks.size(); i++) {
      if (stride < 1 || ranks.get(i) != ranks.getFirst() + i * stride) {
        throw wrong("ranks", "expected ranks at equal distances");
      }
    }
    return new Step.Collective.Group(ranks.getFirst(), stride, ranks.size());
  }

  private Step launch(JsonNode step) {
    List<Step.Candidate> candidates = new ArrayList<>();
    for (JsonNode c : list(step, "candidates")) {
      List<Long> grid = new ArrayList<>();
      for (JsonNode n : list(c, "grid")) {
        grid.add(number(n, 1, Integer.MAX_VALUE));
      }
      if (grid.size() != 3) {
        throw wrong("grid", "expected three numbers");
      }
      List<Argument> arguments = new ArrayList<>();
      for (JsonNode a : list(c, "args")) {
        arguments.add(argument(a));
      }
      if (arguments.stream().noneMatch(a -> a instanceof Argument.Pointer p && p.written())) {
        throw wrong("args", "the kernel writes no tensor");
      }
      candidates.add(
          new Step.Candidate(
              inside(text(c, "code")),
              inside(text(c, "source")),
              text(c, "kernel"),
              number(c.path("shared"), 0, 1 << 20),
              (int) number(c.path("threads"), 1, 1024),
              grid,
              arguments));
    }
    if (candidates.isEmpty()) {
      throw wrong("candidates", "there is none");
    }
    return new Step.Launch(text(step, "launch"), candidates);
  }

  private Argument argument(JsonNode node) {
    String type = text(node, "type");
    JsonNode value = node.path("value");
    if (type.startsWith("*")) {
      return value.isNull()
          ? new Argument.Absent()
          : new Argument.Pointer(
              text(node, "name"), view(value), node.path("written").asBoolean(false));
    }
    return switch (type) {
      case "i1", "u1", "i8", "u8" -> new Argument.Scalar(1, whole(value));
      case "i16", "u16" -> new Argument.Scalar(2, whole(value));
      case "i32", "u32" -> new Argument.Scalar(4, whole(value));
      case "i64", "u64" -> new Argument.Scalar(8, whole(value));
      case "fp32" ->
          new Argument.Scalar(4, Float.floatToRawIntBits((float) real(value)) & 0xffff_ffffL);
      case "fp64" -> new Argument.Scalar(8, Double.doubleToRawLongBits(real(value)));
      default -> throw wrong("args", "unknown type '" + type + "'");
    };
  }

  private long whole(JsonNode value) {
    if (value.isBoolean()) {
      return value.asBoolean() ? 1 : 0;
    }
    return number(value, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  private double real(JsonNode value) {
    JsonNode special = value.path("float");
    return switch (special.asString("")) {
      case "inf" -> Double.POSITIVE_INFINITY;
      case "-inf" -> Double.NEGATIVE_INFINITY;
      case "nan" -> Double.NaN;
      default -> {
        if (!value.isNumber()) {
          throw wrong("args", "expected a number, not " + value);
        }
        yield value.asDouble();
      }
    };
  }

  private Step call(JsonNode step) {
    List<View> results = new ArrayList<>();
    for (JsonNode r : list(step, "results")) {
      results.add(view(r));
    }
    return new Step.Call(text(step, "call"), step.path("args"), step.path("options"), results);
  }

  /** The tensor of an object with a {@code buffer}. */
  private View view(JsonNode node) {
    return view(node, file, buffers);
  }

  static View view(JsonNode node, Path file, List<Long> buffers) {
    PlanReader reader = new PlanReader(file);
    if (!node.isObject() || !node.has("buffer")) {
      throw reader.wrong("", "expected a tensor, not " + node);
    }
    int buffer = (int) reader.number(node.path("buffer"), 0, buffers.size() - 1L);
    ElementType type =
        ElementType.named(reader.text(node, "dtype"))
            .orElseThrow(() -> reader.wrong("dtype", "unknown type " + node.path("dtype")));
    List<Long> size = reader.numbers(node, "size");
    List<Long> stride = reader.numbers(node, "stride");
    if (size.size() != stride.size() || size.size() > MOST_DIMENSIONS) {
      throw reader.wrong("size", "does not match the strides");
    }
    long offset = reader.number(node.path("offset"), 0, Long.MAX_VALUE);
    View view = new View(buffer, offset, type, size, stride);
    try {
      if (view.end() > buffers.get(buffer)) {
        throw reader.wrong("size", "leads out of buffer " + buffer);
      }
    } catch (ArithmeticException e) {
      throw reader.wrong("size", "is too large");
    }
    return view;
  }

  private List<Long> numbers(JsonNode node, String field) {
    List<Long> numbers = new ArrayList<>();
    for (JsonNode n : list(node, field)) {
      numbers.add(number(n, 0, LARGEST_BUFFER));
    }
    return numbers;
  }

  private List<JsonNode> list(JsonNode node, String field) {
    JsonNode list = node.path(field);
    if (!list.isArray()) {
      throw wrong(field, "expected a list");
    }
    return StreamSupport.stream(list.spliterator(), false).toList();
  }

  private long number(JsonNode node, long least, long most) {
    if (!node.isIntegralNumber() || !node.canConvertToLong()) {
      throw wrong("", "expected an integer, not " + node);
    }
    long number = node.asLong();
    if (number < least || number > most) {
      throw wrong("", "must be %d to %d, not %d".formatted(least, most, number));
    }
    return number;
  }

  private String text(JsonNode node, String field) {
    JsonNode value = node.path(field);
    // Fields of a script are separated by tabs, and its calls by line feeds.
    if (!value.isString() || value.asString().chars().anyMatch(c -> c < ' ')) {
      throw wrong(field, "expected a string");
    }
    return value.asString();
  }

  private Optional<String> path(JsonNode node, String field) {
    return node.has(field) ? Optional.of(inside(text(node, field))) : Optional.empty();
  }

  private String inside(String path) {
    if (!PathText.isWithin(path)) {
      throw wrong(path, "is not a path within the capture");
    }
    return path;
  }

  private InvalidFileException wrong(String where, String why) {
    return new InvalidFileException(file + ": " + (where.isEmpty() ? "" : where + ": ") + why);
  }
}
