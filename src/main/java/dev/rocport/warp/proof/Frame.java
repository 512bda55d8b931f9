package dev.rocport.warp.proof;

import dev.rocport.warp.ir.Function;
import dev.rocport.warp.ir.Variable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The variables of one call of a function. */
final class Frame {
  final Function function;
  final Map<String, Value> values = new HashMap<>();
  final Map<String, Type> types = new HashMap<>();
  final Map<String, Variable> variables = new HashMap<>();

  /** How often each variable was set: two uses mean the same value only between two settings. */
  final Map<String, Integer> versions = new HashMap<>();

  /** The conditions under which the call's statements run, those of the callers first. */
  final List<Guard> guards;

  final List<Returned> returned = new ArrayList<>();

  /** Parameters, and what identifies the expressions that they were given. */
  final Map<String, Given> given = new HashMap<>();

  /** Number of the guards that the caller stood under. */
  final int entry;

  final @Nullable Frame caller;

  /** The lanes that continue after some have returned; null while none has. */
  @Nullable Guard afterReturn;

  /** The same for lanes that have left the current loop, or its iteration. */
  @Nullable Guard afterJump;

  /** Where lanes left the current loop, or its iteration. */
  final List<Jumped> jumps = new ArrayList<>();

  Frame(Function function, List<Guard> guards, @Nullable Frame caller) {
    this.function = function;
    this.guards = new ArrayList<>(guards);
    this.entry = guards.size();
    this.caller = caller;
  }

  /** What lanes hold that leave a loop under these conditions. */
  record Jumped(Map<String, Value> values, Map<String, Integer> versions, List<Guard> guards) {}

  /** A value that is returned under these conditions. */
  record Returned(Value value, List<Guard> guards) {}

  /** An argument's key, which holds while the parameter has this version. */
  record Given(String key, int version) {}

  int depth() {
    return caller == null ? 0 : 1 + caller.depth();
  }

  boolean calls(Function f) {
    return function.equals(f) || (caller != null && caller.calls(f));
  }

  void declare(Variable v, Type type) {
    variables.put(v.name(), v);
    types.put(v.name(), type);
    touch(v.name());
  }

  void set(String name, Value v) {
    values.put(name, v);
    touch(name);
  }

  /** The type of a variable; null if it is not a known integer type. */
  @Nullable IntType integer(String name) {
    Variable v = variables.get(name);
    return v == null ? null : IntType.of(v.type());
  }

  void touch(String name) {
    versions.merge(name, 1, Integer::sum);
  }

  VariableKey key(Variable v) {
    return new VariableKey(function.path(), v.name(), v.typeAt(), v.type(), v.alone());
  }

  /** What a number is, as far as rounding matters. */
  enum Type {
    INTEGER,
    FLOAT,
    UNKNOWN;

    private static final Pattern QUALIFIERS =
        Pattern.compile("[*&]|\\b(const|volatile|__restrict__|static|__shared__)\\b");

    private static final Pattern FLOATS = Pattern.compile("float|double|half|bfloat");

    private static final Pattern INTEGERS =
        Pattern.compile(
            "(std::)?(((un)?signed|int|char|short|long|bool|size_t|u?int(8|16|32|64)_t|uint|uchar"
                + "|ushort|ulong|u32|u64|i32|i64)\\s*)+");

    static Type of(String text, Map<String, Type> templates) {
      if (text.equals("int") || text.equals("const int") || text.equals("unsigned")) {
        return INTEGER;
      }
      String t = QUALIFIERS.matcher(text).replaceAll("").strip();
      Type known = templates.get(t);
      if (known != null) {
        return known;
      }
      if (FLOATS.matcher(t).find()) {
        return FLOAT;
      }
      return INTEGERS.matcher(t).matches() ? INTEGER : UNKNOWN;
    }

    Type with(Type o) {
      return this == FLOAT || o == FLOAT ? FLOAT : this == o ? this : UNKNOWN;
    }
  }

  Value get(String name) {
    return Objects.requireNonNull(values.get(name));
  }
}
