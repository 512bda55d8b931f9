package dev.rocport.ptx;

import dev.rocport.rules.PtxRow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Translates asm statements as wholes: every instruction has a form in the table, registers become
 * variables, branches become loops and conditions, inputs are read before outputs are written as
 * the assembler has it. What it is not sure of it refuses.
 */
public final class Translator {
  /** What a statement's carry flag is called where several statements share it. */
  public static final String CARRY = "carry";

  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_]\\w*");
  private static final Pattern NUMBER = Pattern.compile("[0-9][0-9a-fA-FxX]*[uUlL]*");
  private static final Pattern EFFECTS =
      Pattern.compile("\\+\\+|--|[^=!<>]=[^=]|[\\w>]\\s*\\(|\\bnew\\b");

  private final PtxTable table;

  public Translator(PtxTable table) {
    this.table = table;
  }

  /**
   * Translates one statement.
   *
   * @param carry whether a variable {@link #CARRY} is declared around it
   */
  public Translation translate(Statement statement, boolean carry) {
    Set<String> taken = new HashSet<>();
    for (Statement.Outer o : statement.operands()) {
      Matcher m = IDENTIFIER.matcher(o.expression());
      while (m.find()) {
        taken.add(m.group());
      }
    }
    taken.addAll(CppWords.ALL);
    taken.add(CARRY);
    try {
      // An argument of a macro may be called like any variable that stands in it.
      String prefix = statement.macro() ? "rocport_" : "";
      List<Flow> flow = Flow.of(statement.items(), prefix, taken);
      return new Work(statement, taken, carry).translate(flow);
    } catch (Flow.Unstructured e) {
      return new Translation.Refused(e.offset, e.about, message(e), null);
    } catch (Refusal e) {
      return new Translation.Refused(e.at.start(), e.at.head(), message(e), e.row);
    }
  }

  private static String message(Exception e) {
    return String.valueOf(e.getMessage());
  }

  /** Why an instruction is not translated. */
  private static final class Refusal extends Exception {
    private static final long serialVersionUID = 1;
    final transient Item.Instruction at;
    final transient @Nullable PtxRow row;

    Refusal(Item.Instruction at, @Nullable PtxRow row, String message) {
      super(message);
      this.at = at;
      this.row = row;
    }
  }

  /** A step with its form. */
  private record Matched(Flow.Step step, Form.Match match) {}

  /** The work on one statement. */
  private final class Work {
    private final Statement statement;
    private final Set<String> taken;
    private final boolean outerCarry;
    private final Map<Flow.Step, Form.Match> matches = new LinkedHashMap<>();
    private final Set<PtxRow> rows = new LinkedHashSet<>();
    private final List<Matched> order = new ArrayList<>();
    private final Map<Integer, String> inputs = new LinkedHashMap<>();
    private final Map<Integer, String> outputs = new LinkedHashMap<>();
    private final Set<String> declared = new HashSet<>();
    private final Map<String, PtxType> hoisted = new LinkedHashMap<>();
    private boolean carry;
    private boolean simple;

    Work(Statement statement, Set<String> taken, boolean outerCarry) {
      this.statement = statement;
      this.taken = taken;
      this.outerCarry = outerCarry;
    }

    Translation translate(List<Flow> flow) throws Refusal {
      match(flow);
      simple = order.size() <= 1 && flow.stream().allMatch(Flow.Step.class::isInstance);
      choosePlaces(flow);
      List<Code> body = code(flow, 0);
      List<Code> all = new ArrayList<>();
      for (Map.Entry<Integer, String> e : inputs.entrySet()) {
        all.add(new Code.Line(declaredInput(e.getKey(), e.getValue())));
      }
      for (Map.Entry<Integer, String> e : outputs.entrySet()) {
        Statement.Outer o = statement.operands().get(e.getKey());
        String value = o.read() ? " = " + raw(e.getKey()) : "";
        all.add(new Code.Line(carrier(o) + " " + e.getValue() + value));
      }
      if (carry && !outerCarry) {
        all.add(new Code.Line("bool " + CARRY + " = false"));
      }
      hoisted.forEach((name, type) -> all.add(new Code.Line(type.carrier() + " " + name)));
      all.addAll(body);
      for (Map.Entry<Integer, String> e : outputs.entrySet()) {
        all.add(new Code.Line(assigned(e.getKey(), e.getValue())));
      }
      return new Translation.Hip(all, List.copyOf(rows));
    }

    // ---- forms

    private void match(List<Flow> flow) throws Refusal {
      for (Flow f : flow) {
        switch (f) {
          case Flow.Step s -> match(s);
          case Flow.Unless(Flow.Step guard, List<Flow> body) -> match(body);
          case Flow.Loop(List<Flow> body, Flow.Step again) -> match(body);
          case Flow.Leave l -> {}
        }
      }
    }

    private void match(Flow.Step s) throws Refusal {
      Item.Instruction i = s.instruction();
      Form.Match m = table.match(i, form -> form.fitsPredicates(r -> isPredicate(s, r)));
      if (m == null) {
        PtxRow near = table.row(i);
        String why =
            near != null
                ? "its operands are not those of the form '" + near.form() + "'"
                : table.knows(i.opcode())
                    ? "this form of '" + i.opcode() + "' is not known"
                    : "'" + i.opcode() + "' is no instruction that is known";
        throw new Refusal(i, near, why);
      }
      if (!m.row().isTranslated()) {
        throw new Refusal(i, m.row(), m.row().note());
      }
      matches.put(s, m);
      order.add(new Matched(s, m));
      boolean reads =
          i.opcode().equals("addc") || i.opcode().equals("subc") || i.opcode().equals("madc");
      boolean writes = i.qualifiers().contains("cc");
      if (reads && !outerCarry && !carry) {
        throw new Refusal(
            i, m.row(), "it takes the carry of an instruction that does not stand in front of it");
      }
      carry |= reads || writes;
      rows.add(m.row());
    }

    private static boolean isPredicate(Flow.Step s, String register) {
      Flow.Local local = s.registers().get(register);
      return local != null && local.type().kind() == PtxType.Kind.PREDICATE;
    }

    // ---- where values live

    /** Decides which operands need variables of their own. */
    private void choosePlaces(List<Flow> flow) throws Refusal {
      int n = statement.operands().size();
      int[] reads = new int[n];
      int[] writes = new int[n];
      int[] firstWrite = new int[n];
      int[] lastRead = new int[n];
      boolean[] inLoop = new boolean[n];
      java.util.Arrays.fill(firstWrite, Integer.MAX_VALUE);
      java.util.Arrays.fill(lastRead, -1);
      boolean looping = flow.stream().anyMatch(f -> !(f instanceof Flow.Step));
      for (int k = 0; k < order.size(); k++) {
        Matched m = order.get(k);
        for (Form.Bound b : m.match.operands()) {
          int index = outer(b.operand());
          if (index < 0) {
            continue;
          }
          if (index >= n) {
            throw new Refusal(m.step.instruction(), m.match.row(), "there is no operand %" + index);
          }
          int uses = uses(m.match.row().hip(), b.name());
          if (b.isWritten()) {
            writes[index]++;
            firstWrite[index] = Math.min(firstWrite[index], k);
          } else {
            reads[index] += uses;
            lastRead[index] = k;
          }
          inLoop[index] |= looping;
        }
      }
      Set<String> written = new HashSet<>();
      int first = Integer.MAX_VALUE;
      for (int k = 0; k < n; k++) {
        if (writes[k] > 0) {
          written.addAll(identifiers(k));
          first = Math.min(first, firstWrite[k]);
        }
      }
      for (int k = 0; k < n; k++) {
        Statement.Outer o = statement.operands().get(k);
        if (o.written()) {
          boolean asIs = isName(o) && others(k, written) && (reads[k] == 0 || !o.mayBePointer());
          boolean once = writes[k] == 1 && reads[k] == 0 && !inLoop[k];
          if (writes[k] > 0 && !asIs && !(once && (simple || !effects(o)))) {
            outputs.put(k, free("out" + k));
          }
          continue;
        }
        if (reads[k] == 0 || o.constraint() == 'n') {
          continue;
        }
        boolean late = lastRead[k] > first || inLoop[k];
        boolean clash = late && identifiers(k).stream().anyMatch(written::contains);
        boolean once = reads[k] == 1 && !inLoop[k] && (simple || (lastRead[k] == 0 && !effects(o)));
        if (clash || !(isName(o) || isNumber(o) || once)) {
          inputs.put(k, free("in" + k));
        }
      }
    }

    private boolean others(int k, Set<String> written) {
      for (int other = 0; other < statement.operands().size(); other++) {
        Statement.Outer o = statement.operands().get(other);
        if (other != k
            && o.written()
            && identifiers(other).contains(statement.operands().get(k).expression().strip())) {
          return false;
        }
      }
      return !written.isEmpty();
    }

    private static int uses(String hip, String name) {
      int n = 0;
      Matcher m = Form.PLACE.matcher(hip);
      while (m.find()) {
        n += name.equals(m.group(1)) ? 1 : 0;
      }
      return n;
    }

    private static int outer(Operand o) {
      return switch (o) {
        case Operand.Outer(int index) -> index;
        case Operand.Address a -> outer(a.base());
        case Operand.Not(Operand of) -> outer(of);
        default -> -1;
      };
    }

    private Set<String> identifiers(int k) {
      Set<String> names = new HashSet<>();
      Matcher m = IDENTIFIER.matcher(statement.operands().get(k).expression());
      while (m.find()) {
        names.add(m.group());
      }
      return names;
    }

    private boolean isName(Statement.Outer o) {
      return !statement.macro() && IDENTIFIER.matcher(o.expression().strip()).matches();
    }

    private static boolean isNumber(Statement.Outer o) {
      return NUMBER.matcher(o.expression().strip()).matches();
    }

    private boolean effects(Statement.Outer o) {
      return statement.macro() || EFFECTS.matcher(o.expression()).find();
    }

    private String free(String plain) {
      String name = statement.macro() ? "rocport_" + plain : plain;
      String free = name;
      for (int n = 2; !taken.add(free); n++) {
        free = name + "_" + n;
      }
      return free;
    }

    private String raw(int k) {
      return String.valueOf(Translation.operand(k));
    }

    private static String carrier(Statement.Outer o) {
      return switch (o.constraint()) {
        case 'h' -> "unsigned short";
        case 'l' -> "unsigned long long";
        case 'f' -> "float";
        case 'd' -> "double";
        default -> "unsigned";
      };
    }

    private static PtxType type(Statement.Outer o) {
      String name =
          switch (o.constraint()) {
            case 'h' -> "b16";
            case 'l' -> "b64";
            case 'f' -> "f32";
            case 'd' -> "f64";
            default -> "b32";
          };
      return java.util.Objects.requireNonNull(PtxType.of(name));
    }

    private String declaredInput(int k, String name) {
      Statement.Outer o = statement.operands().get(k);
      String value = o.mayBePointer() ? "rocport::ptx::word(" + raw(k) + ")" : raw(k);
      return "const " + carrier(o) + " " + name + " = " + value;
    }

    private String assigned(int k, String value) {
      Statement.Outer o = statement.operands().get(k);
      if (o.mayBePointer()) {
        return "rocport::ptx::set(" + raw(k) + ", " + value + ")";
      }
      return raw(k) + " = " + value;
    }

    // ---- code

    private List<Code> code(List<Flow> flow, int depth) throws Refusal {
      List<Code> list = new ArrayList<>();
      for (Flow f : flow) {
        switch (f) {
          case Flow.Step s -> step(s, depth, list);
          case Flow.Unless(Flow.Step guard, List<Flow> body) -> {
            String condition = condition(guard, false);
            list.add(new Code.Braces("if (" + condition + ")", code(body, depth + 1), ""));
          }
          case Flow.Loop(List<Flow> body, Flow.Step again) -> {
            List<Code> inner = code(body, depth + 1);
            list.add(
                again == null
                    ? new Code.Braces("for (;;)", inner, "")
                    : new Code.Braces("do", inner, "while (" + condition(again, true) + ")"));
          }
          case Flow.Leave(Flow.Step guard) ->
              list.add(
                  guard == null
                      ? new Code.Line("break")
                      : new Code.Line("if (" + condition(guard, true) + ") break"));
        }
      }
      return list;
    }

    private String condition(Flow.Step s, boolean holds) throws Refusal {
      Item.Guard guard = s.instruction().guard();
      if (guard == null) {
        throw new IllegalStateException("a branch without a guard has no condition");
      }
      Flow.Local local =
          guard.register() instanceof Operand.Register(String name)
              ? s.registers().get(name)
              : null;
      if (local == null || local.type().kind() != PtxType.Kind.PREDICATE) {
        throw new Refusal(s.instruction(), null, "its guard is no predicate of the statement");
      }
      return (guard.negated() == holds ? "!" : "") + local.name();
    }

    private void step(Flow.Step s, int depth, List<Code> list) throws Refusal {
      Form.Match m = java.util.Objects.requireNonNull(matches.get(s));
      if (s.instruction().guard() == null) {
        list.addAll(plain(s, m, depth));
        return;
      }
      String head = "if (" + condition(s, true) + ")";
      List<Code> body = plain(s, m, depth + 1);
      if (!list.isEmpty()
          && list.getLast() instanceof Code.Braces(String h, List<Code> before, String tail)
          && h.equals(head)
          && tail.isEmpty()
          && !writesGuard(s)) {
        List<Code> both = new ArrayList<>(before);
        both.addAll(body);
        list.set(list.size() - 1, new Code.Braces(head, both, ""));
        return;
      }
      list.add(new Code.Braces(head, body, ""));
    }

    /** Whether the step in front may have changed the guard of this one. */
    private boolean writesGuard(Flow.Step s) {
      int at = 0;
      while (at < order.size() && !order.get(at).step.equals(s)) {
        at++;
      }
      Item.Guard guard = s.instruction().guard();
      return at == 0
          || guard == null
          || order.get(at - 1).match.operands().stream()
              .anyMatch(b -> b.isWritten() && b.operand().equals(guard.register()));
    }

    /** One instruction without its guard. */
    private List<Code> plain(Flow.Step s, Form.Match m, int depth) throws Refusal {
      String hip = m.row().hip();
      Form.Bound written =
          m.operands().stream().filter(Form.Bound::isWritten).findFirst().orElse(null);
      boolean statementForm =
          m.operands().stream().anyMatch(b -> b.isWritten() && uses(hip, b.name()) > 0);
      List<Code> before = new ArrayList<>();
      List<Code> after = new ArrayList<>();
      StringBuilder out = new StringBuilder();
      Matcher place = Form.PLACE.matcher(hip);
      int at = 0;
      while (place.find()) {
        out.append(hip, at, place.start());
        at = place.end();
        if (place.group(3) != null) {
          out.append(word(s, m, place.group(3).charAt(0), !place.group(2).isEmpty()));
          continue;
        }
        String name = place.group(1);
        if (name.equals("cc")) {
          out.append(CARRY);
          continue;
        }
        Form.Bound b = m.operand(name);
        if (b == null) {
          throw new IllegalStateException(
              "rules/ptx: '" + m.row().form() + "' has no operand " + name);
        }
        out.append(
            b.isWritten()
                ? reference(s, m, b, depth, before, after)
                : value(s, m, b, isWhole(hip, place.start(), place.end())));
      }
      out.append(hip.substring(at));
      List<Code> all = new ArrayList<>(before);
      if (statementForm || written == null) {
        all.add(new Code.Line(out.toString()));
      } else {
        all.add(new Code.Line(store(s, m, written, out.toString(), depth)));
      }
      all.addAll(after);
      return all;
    }

    private String word(Flow.Step s, Form.Match m, char group, boolean carrier) throws Refusal {
      String word = m.words().get(group);
      if (word == null) {
        throw new IllegalStateException(
            "rules/ptx: '" + m.row().form() + "' has no group " + group);
      }
      if (!carrier) {
        return word.replace("::", "_");
      }
      PtxType type = PtxType.of(word);
      if (type == null) {
        throw new Refusal(s.instruction(), m.row(), "'" + word + "' is no type");
      }
      return type.carrier();
    }

    /**
     * Whether a placeholder is all there is, or a whole argument of a call: it is converted then.
     */
    private static boolean isWhole(String hip, int start, int end) {
      if (start == 0 && end == hip.length()) {
        return true;
      }
      int left = start - 1;
      while (left >= 0 && hip.charAt(left) == ' ') {
        left--;
      }
      int right = end;
      while (right < hip.length() && hip.charAt(right) == ' ') {
        right++;
      }
      boolean between =
          left >= 0
              && (hip.charAt(left) == '(' || hip.charAt(left) == ',')
              && right < hip.length()
              && (hip.charAt(right) == ')' || hip.charAt(right) == ',');
      int depth = 0;
      for (int k = left; between && k >= 0; k--) {
        char c = hip.charAt(k);
        if (c == ')' || c == '}') {
          depth++;
        } else if ((c == '(' || c == '{') && depth-- == 0) {
          return c == '('
              && k > 0
              && (Character.isLetterOrDigit(hip.charAt(k - 1))
                  || hip.charAt(k - 1) == '_'
                  || hip.charAt(k - 1) == '>');
        }
      }
      return false;
    }

    // ---- operands that are read

    private String value(Flow.Step s, Form.Match m, Form.Bound b, boolean argument) throws Refusal {
      if (b.address()) {
        return address(s, m, (Operand.Address) b.operand());
      }
      PtxType type = b.type();
      if (type == null) {
        return constant(s, m, b.operand());
      }
      return value(s, m, b.operand(), type, argument);
    }

    private String constant(Flow.Step s, Form.Match m, Operand o) throws Refusal {
      if (o instanceof Operand.Outer(int k) && statement.operands().get(k).constraint() == 'n') {
        return "(" + raw(k) + ")";
      }
      Long v = o instanceof Operand.Immediate(String text) ? Numbers.integer(text) : null;
      if (v != null) {
        return v < 0 || v > Integer.MAX_VALUE ? "0x" + Long.toHexString(v) + "u" : v.toString();
      }
      throw new Refusal(s.instruction(), m.row(), "an operand must be a constant here");
    }

    private String value(Flow.Step s, Form.Match m, Operand o, PtxType type, boolean argument)
        throws Refusal {
      return switch (o) {
        case Operand.Register(String name) -> {
          Flow.Local local = local(s, m, name);
          yield converted(s, m, local.name(), local.type(), type, argument, true);
        }
        case Operand.Outer(int k) -> {
          Statement.Outer outer = statement.operands().get(k);
          String own = inputs.getOrDefault(k, outputs.get(k));
          if (outer.constraint() == 'n') {
            yield argument ? raw(k) : "static_cast<" + type.carrier() + ">(" + raw(k) + ")";
          }
          boolean wrapped =
              own == null && outer.mayBePointer() && type.kind() != PtxType.Kind.DOUBLE;
          String text = own != null ? own : wrapped ? "rocport::ptx::word(" + raw(k) + ")" : raw(k);
          boolean exact =
              own != null
                  || wrapped
                  || (isName(outer) && outer.known() == Statement.Known.UNSIGNED);
          yield converted(s, m, text, type(outer), type, argument, exact);
        }
        case Operand.Special(String name) -> {
          PtxRow row = table.register(name);
          if (row == null || !row.isTranslated()) {
            String why = row == null ? name + " is no register that is known" : row.note();
            throw new Refusal(s.instruction(), row, why);
          }
          rows.add(row);
          yield argument ? row.hip() : "static_cast<" + type.carrier() + ">(" + row.hip() + ")";
        }
        case Operand.Immediate(String text) -> immediate(s, m, text, type, argument);
        case Operand.Not(Operand of) -> {
          if (type.kind() != PtxType.Kind.PREDICATE) {
            throw new Refusal(s.instruction(), m.row(), "'!' stands before what is no predicate");
          }
          yield "!" + value(s, m, of, type, false);
        }
        default -> throw new Refusal(s.instruction(), m.row(), "an operand of an unusual form");
      };
    }

    private static Flow.Local place(Flow.Step s, Form.Match m, String name) throws Refusal {
      Flow.Local local = s.registers().get(name);
      if (local == null) {
        throw new Refusal(s.instruction(), m.row(), "'" + name + "' is not declared before it");
      }
      return local;
    }

    private Flow.Local local(Flow.Step s, Form.Match m, String name) throws Refusal {
      Flow.Local local = place(s, m, name);
      if (declared.add(local.name())) { // read before it is written: as undefined as in PTX
        hoisted.put(local.name(), local.type());
      }
      return local;
    }

    private String converted(
        Flow.Step s,
        Form.Match m,
        String text,
        PtxType from,
        PtxType to,
        boolean argument,
        boolean exact)
        throws Refusal {
      if (from.kind() == to.kind()) {
        boolean same = exact && from.carrier().equals(to.carrier());
        boolean plain =
            argument
                || same
                || from.kind() == PtxType.Kind.FLOAT
                || from.kind() == PtxType.Kind.DOUBLE
                || from.kind() == PtxType.Kind.PREDICATE;
        return plain ? text : "static_cast<" + to.carrier() + ">(" + text + ")";
      }
      String bits =
          switch (from.kind()) {
            case FLOAT -> "__float_as_uint(" + text + ")";
            case DOUBLE -> "static_cast<unsigned long long>(__double_as_longlong(" + text + "))";
            default -> text;
          };
      int have = size(from.kind());
      int want = size(to.kind());
      boolean predicate =
          from.kind() == PtxType.Kind.PREDICATE || to.kind() == PtxType.Kind.PREDICATE;
      if (predicate || have < want) {
        throw new Refusal(
            s.instruction(),
            m.row(),
            "an operand of type ." + from.name() + " stands where ." + to.name() + " is read");
      }
      return switch (to.kind()) {
        case FLOAT -> {
          requireSize(s, m, from, to);
          yield "__uint_as_float(" + bits + ")";
        }
        case DOUBLE -> {
          requireSize(s, m, from, to);
          yield "__longlong_as_double(" + bits + ")";
        }
        default -> argument ? bits : "static_cast<" + to.carrier() + ">(" + bits + ")";
      };
    }

    private void requireSize(Flow.Step s, Form.Match m, PtxType from, PtxType to) throws Refusal {
      if (size(from.kind()) != size(to.kind())) {
        throw new Refusal(
            s.instruction(),
            m.row(),
            "." + from.name() + " stands where ." + to.name() + " is read");
      }
    }

    private static int size(PtxType.Kind kind) {
      return switch (kind) {
        case PREDICATE -> 1;
        case BITS8 -> 8;
        case BITS16 -> 16;
        case BITS32, FLOAT -> 32;
        case BITS64, DOUBLE -> 64;
        case BITS128 -> 128;
      };
    }

    private String immediate(Flow.Step s, Form.Match m, String text, PtxType type, boolean argument)
        throws Refusal {
      Integer f = Numbers.floatBits(text);
      Long d = Numbers.doubleBits(text);
      Double decimal =
          d != null ? Double.valueOf(Double.longBitsToDouble(d)) : Numbers.decimal(text);
      Long integer = Numbers.integer(text);
      switch (type.kind()) {
        case FLOAT -> {
          if (f != null) {
            return "__uint_as_float(0x%08xu)".formatted(f);
          }
          if (decimal != null) { // the assembler rounds a double to the type of the instruction
            int bits = Float.floatToRawIntBits(decimal.floatValue());
            return "__uint_as_float(0x%08xu)".formatted(bits);
          }
        }
        case DOUBLE -> {
          if (d != null) {
            return "__longlong_as_double(0x%016xll)".formatted(d);
          }
          Double value = f != null ? Double.valueOf(Float.intBitsToFloat(f)) : decimal;
          if (value != null) {
            return "__longlong_as_double(0x%016xll)".formatted(Double.doubleToRawLongBits(value));
          }
        }
        case PREDICATE -> {
          if (integer != null) {
            return integer != 0 ? "true" : "false";
          }
        }
        default -> {
          if (f != null && size(type.kind()) == 32) {
            return "0x%08xu".formatted(f);
          }
          if (integer != null) {
            return number(integer, type, argument);
          }
        }
      }
      throw new Refusal(
          s.instruction(), m.row(), "'" + text + "' is no constant of type ." + type.name());
    }

    private static String number(long v, PtxType type, boolean argument) {
      int bits = size(type.kind());
      boolean signed = type.name().startsWith("s");
      long cut = bits >= 64 ? v : signed ? v << (64 - bits) >> (64 - bits) : v & ((1L << bits) - 1);
      if (bits < 32) {
        String text = signed ? Long.toString(cut) : Long.toUnsignedString(cut);
        return argument ? text : "static_cast<" + type.carrier() + ">(" + text + ")";
      }
      if (signed) {
        boolean least = cut == (bits == 64 ? Long.MIN_VALUE : Integer.MIN_VALUE);
        String suffix = bits == 64 ? "ll" : "";
        return least
            ? "(" + (cut + 1) + suffix + " - 1)"
            : cut < 0 ? "(" + cut + suffix + ")" : cut + suffix;
      }
      String suffix = bits == 64 ? "ull" : "u";
      boolean small = cut >= 0 && cut < 1024;
      return (small ? Long.toString(cut) : "0x" + Long.toHexString(cut)) + suffix;
    }

    private String address(Flow.Step s, Form.Match m, Operand.Address a) throws Refusal {
      boolean shared = s.instruction().qualifiers().stream().anyMatch(q -> q.startsWith("shared"));
      String text =
          switch (a.base()) {
            case Operand.Register(String name) -> {
              Flow.Local local = local(s, m, name);
              boolean wide = local.type().kind() == PtxType.Kind.BITS64;
              if (!wide && !(shared && local.type().kind() == PtxType.Kind.BITS32)) {
                throw new Refusal(s.instruction(), m.row(), "its address has not 64 bits");
              }
              yield local.name();
            }
            case Operand.Outer(int k) -> {
              char c = statement.operands().get(k).constraint();
              if (c != 'l' && !(shared && c == 'r')) {
                throw new Refusal(s.instruction(), m.row(), "its address has not 64 bits");
              }
              yield inputs.getOrDefault(k, raw(k));
            }
            default ->
                throw new Refusal(s.instruction(), m.row(), "its address is a variable of the PTX");
          };
      if (a.offset() == 0) {
        return text;
      }
      String type = shared ? "rocport::ptx::SharedAddress(" : "rocport::ptx::Address(";
      return type + text + ") + " + (a.offset() < 0 ? "(" + a.offset() + ")" : a.offset());
    }

    // ---- operands that are written

    /** A place for a destination that is handed over by reference. */
    private String reference(
        Flow.Step s, Form.Match m, Form.Bound b, int depth, List<Code> before, List<Code> after)
        throws Refusal {
      PtxType type = b.type();
      if (type == null) {
        throw new IllegalStateException(
            "rules/ptx: '" + m.row().form() + "': no type for " + b.name());
      }
      if (b.operand() instanceof Operand.Register(String name)) {
        Flow.Local local = place(s, m, name);
        if (local.type().carrier().equals(type.carrier())) {
          if (declared.add(local.name())) {
            hoist(local, depth, before);
          }
          return local.name();
        }
      }
      if (b.operand() instanceof Operand.Outer(int k)) {
        Statement.Outer o = statement.operands().get(k);
        boolean typed =
            o.constraint() == 'f'
                || o.constraint() == 'd'
                || (isName(o) && o.known() == Statement.Known.UNSIGNED)
                || outputs.containsKey(k);
        boolean same = typed && carrier(o).equals(type.carrier());
        if (same) {
          return outputs.getOrDefault(k, raw(k));
        }
      }
      String own = free(b.name());
      before.add(new Code.Line(type.carrier() + " " + own));
      if (!(b.operand() instanceof Operand.Sink)) {
        after.add(new Code.Line(store(s, m, b, own, depth)));
      }
      return own;
    }

    private void hoist(Flow.Local local, int depth, List<Code> before) {
      if (depth == 0) {
        before.add(new Code.Line(local.type().carrier() + " " + local.name()));
      } else {
        hoisted.put(local.name(), local.type());
      }
    }

    /** An assignment of a value of the operand's type to it. */
    private String store(Flow.Step s, Form.Match m, Form.Bound b, String value, int depth)
        throws Refusal {
      PtxType type = b.type();
      if (type == null) {
        throw new IllegalStateException(
            "rules/ptx: '" + m.row().form() + "': no type for " + b.name());
      }
      switch (b.operand()) {
        case Operand.Sink k -> {
          return value;
        }
        case Operand.Register(String name) -> {
          Flow.Local local = place(s, m, name);
          String text = stored(s, m, value, type, local.type());
          if (declared.add(local.name())) {
            if (depth == 0) {
              return local.type().carrier() + " " + local.name() + " = " + text;
            }
            hoisted.put(local.name(), local.type());
          }
          return local.name() + " = " + text;
        }
        case Operand.Outer(int k) -> {
          Statement.Outer o = statement.operands().get(k);
          if (!o.written()) {
            throw new Refusal(s.instruction(), m.row(), "it writes to the input %" + k);
          }
          String text = stored(s, m, value, type, type(o));
          String own = outputs.get(k);
          return own != null ? own + " = " + text : assigned(k, text);
        }
        default -> throw new Refusal(s.instruction(), m.row(), "a destination of an unusual form");
      }
    }

    private String stored(Flow.Step s, Form.Match m, String value, PtxType from, PtxType to)
        throws Refusal {
      if (from.kind() == to.kind()) {
        return value;
      }
      boolean predicate =
          from.kind() == PtxType.Kind.PREDICATE || to.kind() == PtxType.Kind.PREDICATE;
      boolean floating = to.kind() == PtxType.Kind.FLOAT || to.kind() == PtxType.Kind.DOUBLE;
      boolean fits =
          floating ? size(from.kind()) == size(to.kind()) : size(from.kind()) <= size(to.kind());
      if (predicate || !fits) {
        throw new Refusal(
            s.instruction(),
            m.row(),
            "a result of type ." + from.name() + " goes to a place of type ." + to.name());
      }
      return switch (to.kind()) {
        case FLOAT -> "__uint_as_float(" + value + ")";
        case DOUBLE -> "__longlong_as_double(" + value + ")";
        default ->
            switch (from.kind()) {
              case FLOAT -> "__float_as_uint(" + value + ")";
              case DOUBLE -> "__double_as_longlong(" + value + ")";
              default -> value;
            };
      };
    }
  }
}
