package dev.rocport.lang.ptx;

import dev.rocport.rules.PtxRow;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;

/**
 * Translates whole asm statements: every instruction has a form in the table, registers become
 * variables, branches become loops and conditions, and inputs are read before outputs are written,
 * as in assembly. It refuses statements that it cannot translate with certainty.
 */
public final class Translator {
  /** What a statement's carry flag is called where several statements share it. */
  public static final String CARRY = "rocport_carry";

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
    Places places = new Places(statement);
    places.taken().add(CARRY);
    try {
      // An argument of a macro may be called like any variable that is in it.
      String prefix = statement.macro() ? "rocport_" : "";
      List<Flow> flow = Flow.of(statement.items(), prefix, places.taken());
      return new Work(places, carry).translate(flow);
    } catch (Flow.Unstructured e) {
      return new Translation.Refused(e.offset, e.about, message(e), null);
    } catch (Refusal e) {
      return new Translation.Refused(e.at.start(), e.at.head(), message(e), e.row);
    }
  }

  private static String message(Exception e) {
    return String.valueOf(e.getMessage());
  }

  /** The work on one statement. */
  private final class Work {
    private final Places places;
    private final Sources sources;
    private final Targets targets;
    private final boolean outerCarry;
    private final IdentityHashMap<Flow.Step, Matched> matches = new IdentityHashMap<>();
    private final Set<PtxRow> rows = new LinkedHashSet<>();
    private final List<Matched> order = new ArrayList<>();
    private boolean carry;
    private boolean borrows;

    Work(Places places, boolean outerCarry) {
      this.places = places;
      this.sources = new Sources(places, table, rows);
      this.targets = new Targets(places);
      this.outerCarry = outerCarry;
    }

    Translation translate(List<Flow> flow) throws Refusal {
      match(flow);
      boolean straight = flow.stream().allMatch(Flow.Step.class::isInstance);
      places.choose(order, straight && order.size() <= 1, !straight);
      List<Code> body = code(flow, 0);
      List<Code> all = new ArrayList<>(places.before());
      if (carry && !outerCarry) {
        all.add(new Code.Line("bool " + CARRY + " = false"));
      }
      all.addAll(places.declarations());
      all.addAll(body);
      all.addAll(places.after());
      return new Translation.Hip(all, List.copyOf(rows));
    }

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
                ? "its operands do not match the form '" + near.form() + "'"
                : table.knows(i.opcode())
                    ? "this form of '" + i.opcode() + "' is not known"
                    : "'" + i.opcode() + "' is not a known instruction";
        throw new Refusal(i, near, why);
      }
      if (!m.row().isTranslated()) {
        throw new Refusal(i, m.row(), m.row().note());
      }
      Matched at = new Matched(s, m);
      matches.put(s, at);
      order.add(at);
      boolean reads =
          i.opcode().equals("addc") || i.opcode().equals("subc") || i.opcode().equals("madc");
      boolean writes = i.qualifiers().contains("cc");
      if (reads && !outerCarry && !carry) {
        throw at.refuse("it reads a carry that no instruction before it sets");
      }
      boolean borrow = i.opcode().startsWith("sub");
      if (reads && !outerCarry && borrow != borrows) {
        throw at.refuse("it uses a borrow as a carry, or a carry as a borrow");
      }
      borrows = writes ? borrow : borrows;
      carry |= reads || writes;
      rows.add(m.row());
    }

    private static boolean isPredicate(Flow.Step s, String register) {
      Flow.Local local = s.registers().get(register);
      return local != null && local.type().kind() == PtxType.Kind.PREDICATE;
    }

    private List<Code> code(List<Flow> flow, int depth) throws Refusal {
      List<Code> list = new ArrayList<>();
      boolean guarded = false; // whether what stands last is the condition of a guarded step
      for (Flow f : flow) {
        switch (f) {
          case Flow.Step s -> step(s, depth, list, guarded);
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
        guarded = f instanceof Flow.Step s && s.instruction().guard() != null;
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
        throw new Refusal(s.instruction(), null, "its guard is not a predicate of the statement");
      }
      return (guard.negated() == holds ? "!" : "") + local.name();
    }

    private void step(Flow.Step s, int depth, List<Code> list, boolean guarded) throws Refusal {
      Matched at = Objects.requireNonNull(matches.get(s));
      if (s.instruction().guard() == null) {
        list.addAll(plain(at, depth));
        return;
      }
      String head = "if (" + condition(s, true) + ")";
      List<Code> body = plain(at, depth + 1);
      if (guarded
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
      while (at < order.size() && !order.get(at).step().equals(s)) {
        at++;
      }
      Item.Guard guard = s.instruction().guard();
      return at == 0
          || guard == null
          || order.get(at - 1).match().operands().stream()
              .anyMatch(b -> b.isWritten() && b.operand().equals(guard.register()));
    }

    /** One instruction without its guard. */
    private List<Code> plain(Matched at, int depth) throws Refusal {
      Form.Match m = at.match();
      String hip = m.row().hip();
      Form.Bound written =
          m.operands().stream().filter(Form.Bound::isWritten).findFirst().orElse(null);
      boolean statementForm =
          m.operands().stream().anyMatch(b -> b.isWritten() && Places.uses(hip, b.name()) > 0);
      List<Code> before = new ArrayList<>();
      List<Code> after = new ArrayList<>();
      StringBuilder out = new StringBuilder();
      Matcher place = Form.PLACE.matcher(hip);
      int done = 0;
      while (place.find()) {
        out.append(hip, done, place.start());
        done = place.end();
        if (place.group(3) != null) {
          out.append(word(at, place.group(3).charAt(0), !place.group(2).isEmpty()));
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
                ? targets.reference(at, b, depth, before, after)
                : sources.value(at, b, isWhole(hip, place.start(), place.end())));
      }
      out.append(hip.substring(done));
      List<Code> all = new ArrayList<>(before);
      if (statementForm || written == null) {
        all.add(new Code.Line(out.toString()));
      } else {
        all.add(new Code.Line(targets.store(at, written, out.toString(), depth)));
      }
      all.addAll(after);
      return all;
    }

    private static String word(Matched at, char group, boolean carrier) throws Refusal {
      String word = at.match().words().get(group);
      if (word == null) {
        throw new IllegalStateException(
            "rules/ptx: '" + at.match().row().form() + "' has no group " + group);
      }
      if (!carrier) {
        return word.replace("::", "_");
      }
      PtxType type = PtxType.of(word);
      if (type == null) {
        throw at.refuse("'" + word + "' is not a type");
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
  }
}
