package dev.rocport.verify.capture;

import dev.rocport.io.InvalidFileException;
import dev.rocport.verify.tensor.ElementType;
import dev.rocport.verify.tensor.Tensor;
import dev.rocport.verify.tensor.TensorFile;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The calls of a plan as a script for {@code hip-runtime/torch/replay.h}, whose comment has its
 * form.
 */
public final class Script {
  private static final int POINTERS_OF_TRITON = 2;

  private final Plan plan;
  private final Capture capture;
  private final StringBuilder text = new StringBuilder();
  private final ByteArrayOutputStream data = new ByteArrayOutputStream();
  private final List<Saved> saved = new ArrayList<>();
  private final Map<String, Integer> codes = new HashMap<>();
  private final SortedSet<String> taken = new TreeSet<>();
  private final List<String> shared = new ArrayList<>();
  private final List<Step.Collective.Group> groups;
  private int buffers;

  private record Saved(String name, ElementType type, List<Long> shape, long bytes) {}

  private Script(Capture capture, Plan plan, List<Step.Collective.Group> groups) {
    this.capture = capture;
    this.plan = plan;
    this.groups = groups;
    this.buffers = plan.buffers().size();
  }

  /**
   * Writes the script of a plan.
   *
   * @param inputs elements of the inputs by name
   * @param given recorded results of operators
   * @param groups those of the plans of all ranks
   * @throws UnknownOperatorException if an operator has neither a counterpart nor a recorded result
   * @throws InvalidFileException if the data do not match the plan
   */
  public static Script of(
      Capture capture,
      Plan plan,
      TensorFile inputs,
      TensorFile given,
      List<Step.Collective.Group> groups)
      throws UnknownOperatorException {
    Script script = new Script(capture, plan, List.copyOf(groups));
    for (int i = 0; i < groups.size(); i++) {
      Step.Collective.Group group = groups.get(i);
      script.line("team", i, group.start(), group.stride(), group.size());
    }
    for (int i = 0; i < plan.buffers().size(); i++) {
      if (plan.symmetric().contains(i)) {
        script.symmetric(i, plan.buffers().get(i));
      } else {
        script.line("buffer", i, plan.buffers().get(i));
      }
    }
    for (Plan.Input input : plan.inputs()) {
      script.load(input.view(), script.required(inputs, input.data()));
    }
    for (int i = 0; i < plan.steps().size(); i++) {
      switch (plan.steps().get(i)) {
        case Step.Launch launch -> script.launch(i, launch);
        case Step.Call call -> script.call(i, call, given);
        case Step.Collective collective -> script.collective(i, collective);
        case Step.Read read -> script.read(read);
      }
    }
    for (int i = 0; i < plan.outputs().size(); i++) {
      Optional<View> output = plan.outputs().get(i);
      if (output.isPresent()) {
        script.save(Plan.output(i), output.get());
      }
    }
    plan.mutated().forEach((i, view) -> script.save(Plan.input(i), view));
    return script;
  }

  /** The calls, one a line. */
  public String text() {
    return text.toString();
  }

  /** The bytes that its calls load. */
  public byte[] data() {
    return data.toByteArray();
  }

  /** What all ranks must do in the same order: symmetric memory and collectives. */
  public List<String> shared() {
    return Collections.unmodifiableList(shared);
  }

  /** Operators whose results are those of the recording, by name. */
  public SortedSet<String> taken() {
    return Collections.unmodifiableSortedSet(taken);
  }

  /**
   * The tensors that a replay saved.
   *
   * @param results the bytes that it wrote
   * @throws InvalidFileException if they are too few or too many
   */
  public SortedMap<String, Tensor> tensors(byte[] results) {
    SortedMap<String, Tensor> tensors = new TreeMap<>();
    long at = 0;
    for (Saved s : saved) {
      if (at + s.bytes() > results.length) {
        throw new InvalidFileException("the replay of " + plan.graph() + " wrote too little");
      }
      byte[] bytes = Arrays.copyOfRange(results, (int) at, (int) (at + s.bytes()));
      tensors.put(
          s.name(), new Tensor(s.name(), s.type(), s.shape(), MemorySegment.ofArray(bytes)));
      at += s.bytes();
    }
    if (at != results.length) {
      throw new InvalidFileException("the replay of " + plan.graph() + " wrote too much");
    }
    return tensors;
  }

  /** The name under which a result of a candidate is saved. */
  public static String ofCandidate(String name, int candidate) {
    return candidate == 0 ? name : name + " #" + candidate;
  }

  private void launch(int step, Step.Launch launch) {
    List<Step.Candidate> candidates = launch.candidates();
    Set<Integer> written = new LinkedHashSet<>();
    for (Argument a : candidates.getFirst().arguments()) {
      if (a instanceof Argument.Pointer p && p.written()) {
        written.add(p.view().buffer());
      }
    }
    if (candidates.size() > 1) {
      written.forEach(b -> line("hold", b));
    }
    // The recorded candidate is the last, since later calls read its results.
    for (int c = candidates.size() - 1; c >= 0; c--) {
      launch(step, candidates.get(c), c);
      if (c > 0) {
        written.forEach(b -> line("back", b));
      }
    }
  }

  private void launch(int step, Step.Candidate candidate, int number) {
    Integer code = codes.get(candidate.code());
    if (code == null) {
      code = codes.size();
      codes.put(candidate.code(), code);
      line("code", code, capture.folder().resolve(candidate.code()));
    }
    List<Object> fields = new ArrayList<>();
    fields.addAll(List.of("launch", code, candidate.kernel(), candidate.shared()));
    fields.addAll(candidate.grid());
    fields.add(candidate.threads());
    for (Argument a : candidate.arguments()) {
      fields.add(
          switch (a) {
            case Argument.Pointer p -> "p:%d:%d".formatted(p.view().buffer(), p.view().offset());
            case Argument.Scalar s -> "b:%d:%x".formatted(s.bytes(), s.bits());
            case Argument.Absent _ -> "n";
          });
    }
    // Kernels of Triton end with two more parameters, scratch memory that these do not use.
    for (int i = 0; i < POINTERS_OF_TRITON; i++) {
      fields.add("n");
    }
    line(fields.toArray());
    for (Argument a : candidate.arguments()) {
      if (a instanceof Argument.Pointer p && p.written()) {
        save(ofCandidate(Plan.result(step, p.name()), number), p.view());
      }
    }
  }

  private void call(int step, Step.Call call, TensorFile given) throws UnknownOperatorException {
    Optional<Product> product = Product.of(call, capture.folder(), plan.buffers());
    if (product.isPresent()) {
      multiply(product.get());
    } else {
      for (int r = 0; r < call.results().size(); r++) {
        Tensor recorded = given.tensors().get(Plan.result(step, "result" + r));
        if (recorded == null) {
          throw new UnknownOperatorException(call.operator());
        }
        load(call.results().get(r), recorded);
      }
      taken.add(call.operator());
      return;
    }
    for (int r = 0; r < call.results().size(); r++) {
      save(Plan.result(step, "result" + r), call.results().get(r));
    }
  }

  private void symmetric(int buffer, long bytes) {
    line("symmetric", buffer, bytes);
    shared.add("symmetric %d %d".formatted(buffer, bytes));
  }

  /** A collective between places in the symmetric heap: those of the plan, or copies. */
  private void collective(int step, Step.Collective c) {
    View from = c.operand();
    if (!plan.symmetric().contains(from.buffer()) || !from.isContiguous()) {
      from = from.packed(buffers++);
      symmetric(from.buffer(), Math.max(1, from.bytes()));
      copy(c.operand(), from);
    }
    View to = c.result().packed(buffers++);
    symmetric(to.buffer(), Math.max(1, Math.max(from.bytes(), to.bytes())));
    List<Object> fields = new ArrayList<>(List.of(c.kind().text()));
    switch (c.kind()) {
      case ALL_REDUCE, REDUCE_SCATTER ->
          fields.addAll(List.of(to.type(), c.reduction(), to.count()));
      case ALL_GATHER, ALL_TO_ALL -> fields.add(from.bytes());
      case BROADCAST -> fields.addAll(List.of(from.bytes(), c.root()));
    }
    fields.addAll(List.of(from.buffer(), from.offset(), to.buffer(), to.offset()));
    // Each rank is in a group of its own number, but all groups have one size.
    shared.add(fields + " " + c.group().size());
    if (!c.group().isAll()) {
      fields.add(groups.indexOf(c.group()));
    }
    line(fields.toArray());
    copy(to, c.result());
    save(Plan.result(step, "result0"), c.result());
  }

  private void read(Step.Read read) {
    View place = read.place();
    line(
        "expect",
        place.type().bytes(),
        place.buffer(),
        place.offset(),
        Long.toHexString(read.bits()));
  }

  private void multiply(Product p) {
    View out = packed(p.out());
    boolean adds = p.added().isPresent() && p.beta() != 0;
    if (adds) {
      copy(p.added().map(a -> broadcast(a, p.out().size())).orElseThrow(), out);
    }
    int rank = out.size().size();
    long rows = out.size().get(rank - 2);
    long columns = out.size().get(rank - 1);
    long depth = p.left().size().get(rank - 1);
    long batch = rank == 2 ? 1 : out.size().getFirst();
    if (rows == 0 || columns == 0 || batch == 0) {
      return;
    }
    List<Object> fields = new ArrayList<>();
    fields.addAll(List.of("gemm", p.out().type(), batch, columns, rows, depth));
    fields.addAll(List.of(p.alpha(), adds ? p.beta() : 0.0));
    // hipBLAS stores columns one after the other: it computes the transposed product.
    operand(fields, p.right());
    operand(fields, p.left());
    fields.addAll(List.of(out.buffer(), out.offset(), columns, rows * columns));
    line(fields.toArray());
    if (!p.out().isContiguous()) {
      copy(out, p.out());
    }
  }

  private void operand(List<Object> fields, View given) {
    int rank = given.size().size();
    boolean direct = isMatrix(given, rank - 2, rank - 1) || isMatrix(given, rank - 1, rank - 2);
    View view = given;
    if (!direct) {
      view = packed(given);
      copy(given, view);
    }
    boolean plain = isMatrix(view, rank - 2, rank - 1);
    long leading =
        Math.max(
            view.stride().get(plain ? rank - 2 : rank - 1),
            Math.max(1, view.size().get(plain ? rank - 1 : rank - 2)));
    fields.addAll(
        List.of(
            view.buffer(),
            view.offset(),
            plain ? "n" : "t",
            leading,
            rank == 2 ? 0 : view.stride().getFirst()));
  }

  /** Whether one dimension is dense, and the lines along the other do not overlap. */
  private static boolean isMatrix(View v, int line, int dense) {
    return (v.stride().get(dense) == 1 || v.size().get(dense) == 1)
        && (v.size().get(line) == 1 || v.stride().get(line) >= Math.max(1, v.size().get(dense)));
  }

  /** The tensor itself if it has no gaps, else a place of its size in a new buffer. */
  private View packed(View view) {
    if (!view.isContiguous()) {
      return fresh(view);
    }
    List<Long> stride = view.packed(view.buffer()).stride();
    return new View(view.buffer(), view.offset(), view.type(), view.size(), stride);
  }

  private View fresh(View view) {
    int buffer = buffers++;
    line("buffer", buffer, Math.max(1, view.bytes()));
    return view.packed(buffer);
  }

  /** A tensor as one of another shape, by repetition along its missing or single dimensions. */
  private static View broadcast(View view, List<Long> shape) {
    List<Long> stride = new ArrayList<>();
    int missing = shape.size() - view.size().size();
    for (int d = 0; d < shape.size(); d++) {
      boolean repeats = d < missing || view.size().get(d - missing) == 1;
      stride.add(repeats ? 0L : view.stride().get(d - missing));
    }
    return new View(view.buffer(), view.offset(), view.type(), shape, stride);
  }

  private void load(View view, Tensor tensor) {
    if (tensor.type() != view.type() || tensor.count() != view.count()) {
      throw new InvalidFileException(
          "%s: the data of a tensor of graph %s do not match its plan"
              .formatted(capture.own(), plan.graph()));
    }
    if (view.count() == 0) {
      return;
    }
    View to = view.isContiguous() ? view : fresh(view);
    line("load", to.buffer(), to.offset(), data.size(), tensor.data().byteSize());
    data.writeBytes(tensor.data().toArray(ValueLayout.JAVA_BYTE));
    if (!view.isContiguous()) {
      copy(to, view);
    }
  }

  private void copy(View from, View to) {
    List<Object> fields = new ArrayList<>(shape("copy", from));
    place(fields, from);
    place(fields, to);
    line(fields.toArray());
  }

  private void save(String name, View view) {
    List<Object> fields = new ArrayList<>(shape("save", view));
    place(fields, view);
    line(fields.toArray());
    saved.add(new Saved(name, view.type(), view.size(), view.bytes()));
  }

  private static List<Object> shape(String verb, View view) {
    List<Object> fields = new ArrayList<>();
    fields.addAll(List.of(verb, view.type().bytes(), view.size().size()));
    fields.addAll(view.size());
    return fields;
  }

  private static void place(List<Object> fields, View view) {
    fields.add(view.buffer());
    fields.add(view.offset());
    view.stride().forEach(s -> fields.add(s * view.type().bytes()));
  }

  private Tensor required(TensorFile file, String name) {
    Tensor tensor = file.tensors().get(name);
    if (tensor == null) {
      throw new InvalidFileException(
          "%s: data.safetensors has no tensor '%s'".formatted(capture.own(), name));
    }
    return tensor;
  }

  private void line(Object... fields) {
    for (int i = 0; i < fields.length; i++) {
      text.append(i == 0 ? "" : "\t").append(fields[i]);
    }
    text.append('\n');
  }
}
