package dev.rocport.lang.cuda.api;

import dev.rocport.core.edit.Edit;
import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.symbols.VariableTypes;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Casts values in braces that C++ does not convert implicitly to a smaller or unsigned type, where
 * they are not constant: nvcc only warns, but clang reports an error. Constants that do not fit are
 * cast for device variables and in device functions, which the host compiler of nvcc does not see.
 * A cast changes no value.
 */
public final class NarrowingPass {
  static final String RULE = "NARROWING-LIST";

  private static final Set<String> INTEGERS =
      Set.of("int", "unsigned", "short", "char", "int32_t", "uint32_t", "uint");
  private static final Set<String> SIZES = Set.of("size_t", "uint64_t");
  private static final Set<String> UNSIGNED = Set.of("unsigned", "uint", "uint32_t");

  private static final Set<String> SIGNED_INT = Set.of("int", "int32_t");
  private static final Set<String> SIGNED = Set.of("int", "int32_t", "short", "char");
  private static final Set<String> FRACTIONS = Set.of("float", "double");

  /** Words of a declaration before its type, and what else can be before one. */
  private static final Set<String> SPECIFIERS =
      Set.of("const", "static", "constexpr", "__shared__", "__constant__", "__device__");

  private final CudaFile f;
  private final Tokens t;
  private final VariableTypes types;

  /** Types of variables that a dimension is computed from. */
  private static final Pattern COUNT =
      Pattern.compile("unsigned|int|long|short|u?int\\d+_t|uint|size_t");

  /** Types whose objects are no numbers. */
  private static final Pattern VECTOR = Pattern.compile("dim3|u?(?:int|long)[1-4]");

  private static final Pattern FRACTION =
      Pattern.compile("(?:\\d+\\.\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?[fF]?");

  /** The bits of integer types. */
  private static final Map<String, Integer> BITS =
      Map.of(
          "int",
          32,
          "int32_t",
          32,
          "short",
          16,
          "char",
          8,
          "unsigned",
          32,
          "uint",
          32,
          "uint32_t",
          32,
          "unsigned int",
          32,
          "unsigned short",
          16,
          "unsigned char",
          8);

  private static final Pattern LITERAL =
      Pattern.compile("(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9]\\d*)([uUlL]*)");

  private static final Pattern CONSTANT = Pattern.compile("[A-Z][A-Z0-9_]+");

  /** Names of {@code constexpr} variables; null until they are needed. */
  private @Nullable Set<String> constants;

  private NarrowingPass(CudaFile f) {
    this.f = f;
    this.t = f.t;
    this.types = new VariableTypes(f.t);
  }

  public static void run(CudaFile f) {
    if (f.isC() || !f.usesCuda() || !f.changes.allows(RULE)) {
      return;
    }
    NarrowingPass pass = new NarrowingPass(f);
    for (int i = 1; i < f.t.count(); i++) {
      if (f.t.is(i, '{') && !f.t.inDirective(i) && !f.regions.isDead(i) && f.t.match(i) > i) {
        pass.braces(i);
      }
    }
  }

  /**
   * {@code dim3{n, 1}}, {@code dim3 d = {n, 1}}, {@code int sizes[] = {bytes / sizeof(float), 1}},
   * {@code float half[] = {x * 0.5}}.
   */
  private void braces(int open) {
    boolean assigned = t.is(open - 1, '=');
    int name = assigned ? open - 2 : open - 1;
    while (t.is(name, ']') && t.match(name) > 0) {
      name = t.match(name) - 1;
    }
    int type = name - 1;
    if (type < 0 || !t.isIdentifier(name)) {
      return;
    }
    boolean scalar = name + 1 == (assigned ? open - 1 : open);
    if ((scalar && isDim3(type)) || (scalar && !assigned && isDim3(name) && isValue(name))) {
      dim3(open);
    } else if (isType(type) && !isType(name)) {
      int first = t.is(type - 1, "unsigned") ? type - 1 : type;
      if (begins(first)) {
        list(t.text(first, type), open, isOnDevice(first) || f.isForDeviceOnly(first));
      }
    }
  }

  private boolean isDim3(int i) {
    return t.is(i, "dim3")
        && !t.is(i - 1, "struct")
        && !t.is(i - 1, "class")
        && !f.isQualified(i)
        && !f.isOwn("dim3", i);
  }

  /** Not {@code auto f() -> dim3 {}} and {@code struct S : dim3 {}}. */
  private boolean isValue(int name) {
    int first = Statements.start(t, name);
    return !t.isPair(name - 1, '-')
        && !t.is(name - 1, "const")
        && IntStream.range(first, name).noneMatch(k -> t.is(k, "struct") || t.is(k, "class"));
  }

  private void dim3(int open) {
    List<Arguments.Span> values = Arguments.between(t, open + 1, t.match(open));
    for (Arguments.Span a : values) {
      boolean number = values.size() > 1 || isNumber(a);
      if (number && !t.is(a.first(), '.') && !isUnsigned(a) && varies(a) && isOne(a)) {
        cast("unsigned", a);
      }
    }
  }

  /** Whether a value is not a {@code dim3} to copy, such as {@code other} or {@code grid(n)}. */
  private boolean isNumber(Arguments.Span a) {
    boolean number = false;
    for (int i = a.first(); i <= a.last(); i++) {
      if (t.isIdentifier(i) && t.is(i + 1, '(')) {
        i = Math.max(i, t.match(i + 1));
      } else if (t.isIdentifier(i) && VECTOR.matcher(types.of(i)).matches()) {
        if (!t.is(i + 1, '.')) {
          return false;
        }
        number = true;
      } else {
        number |= t.kind(i) == Tokens.NUMBER;
        number |= t.isIdentifier(i) && COUNT.matcher(types.of(i)).matches();
      }
    }
    return number;
  }

  /**
   * Whether tokens are one value for certain. Neither statements, branches of {@code #if} nor
   * macros of several values are.
   */
  private boolean isOne(Arguments.Span a) {
    for (int i = a.first(); i <= a.last(); i++) {
      if (t.inDirective(i) || t.is(i, '{') || t.is(i, ';')) {
        return false;
      }
    }
    int first = a.first();
    boolean whole = first == a.last() || (t.is(first + 1, '(') && t.match(first + 1) == a.last());
    return !whole || !t.isIdentifier(first) || !mayBeList(first);
  }

  /** {@code #define SHAPE 16, 16}, or a macro that another file defines. */
  private boolean mayBeList(int name) {
    boolean found = false;
    for (Directive d : t.directives()) {
      if (d.name().equals("define") && t.is(d.body(), t.text(name))) {
        found = true;
        boolean takes = t.is(d.body() + 1, '(') && t.touches(d.body());
        int body = takes ? t.match(d.body() + 1) + 1 : d.body() + 1;
        if (Arguments.between(t, body, d.last()).size() > 1) {
          return true;
        }
      }
    }
    return !found && CONSTANT.matcher(t.text(name)).matches() && types.declaration(name) < 0;
  }

  private boolean begins(int i) {
    return i == 0
        || t.is(i - 1, ';')
        || t.is(i - 1, '{')
        || t.is(i - 1, '}')
        || t.is(i - 1, ')')
        || SPECIFIERS.contains(t.text(i - 1));
  }

  /** Whether a declaration with this type is that of a variable of the GPU. */
  private boolean isOnDevice(int type) {
    int i = type - 1;
    boolean found = false;
    while (i >= 0 && SPECIFIERS.contains(t.text(i))) {
      found |= t.is(i, "__constant__") || t.is(i, "__device__");
      i--;
    }
    return found;
  }

  private void list(String type, int open, boolean device) {
    for (Arguments.Span a : Arguments.between(t, open + 1, t.match(open))) {
      if (t.is(a.first(), '{') && t.match(a.first()) == a.last()) {
        list(type, a.first(), device);
      } else if (!t.is(a.first(), '.')
          && !isCast(a)
          && isOne(a)
          && ((device && isTooLarge(type, a))
              || isOfOtherKind(type, a)
              || (type.equals("float")
                  ? isDouble(a) && varies(a)
                  : (isSize(a) && varies(a) && !SIZES.contains(type)) || isFraction(a)))) {
        cast(type, a);
      }
    }
  }

  /**
   * Whether a value is one variable, or is computed from some without calls and indices, and one of
   * them has a type whose values do not all fit.
   */
  private boolean isOfOtherKind(String target, Arguments.Span a) {
    boolean other = false;
    for (int i = a.first(); i <= a.last(); i++) {
      boolean operator = t.is(i, '+') || t.is(i, '-') || t.is(i, '*') || t.is(i, '/');
      boolean member = t.isIdentifier(i) && (t.is(i - 1, '.') || t.isPair(i - 1, '-'));
      boolean object = t.isIdentifier(i) && (t.is(i + 1, '.') || t.isPair(i + 1, '-'));
      boolean path = member || object || t.is(i, '.') || t.isPair(i, '-');
      boolean variable = !path && t.isIdentifier(i) && types.declaration(i) >= 0;
      if (!operator && !variable && !path && t.kind(i) != Tokens.NUMBER) {
        return false;
      }
      other |= variable && !constants().contains(t.text(i)) && isNarrowed(types.of(i), target);
    }
    return other;
  }

  /** Whether a conversion between two types of numbers is one that braces do not allow. */
  private static boolean isNarrowed(String from, String target) {
    boolean wide = SIZES.contains(from);
    return switch (target) {
      case "float" ->
          wide || INTEGERS.contains(from) || from.equals("bool") || from.equals("double");
      case "int", "int32_t" -> wide || UNSIGNED.contains(from) || FRACTIONS.contains(from);
      case "size_t", "uint64_t" -> SIGNED.contains(from) || FRACTIONS.contains(from);
      case "unsigned", "unsigned int", "uint", "uint32_t" ->
          wide || SIGNED.contains(from) || FRACTIONS.contains(from);
      case "char", "unsigned char", "short", "unsigned short" ->
          wide || UNSIGNED.contains(from) || SIGNED_INT.contains(from) || FRACTIONS.contains(from);
      default -> false;
    };
  }

  /** A floating-point literal, which no integer in braces is initialized with, constant or not. */
  private boolean isFraction(Arguments.Span a) {
    int number = t.is(a.first(), '-') || t.is(a.first(), '+') ? a.first() + 1 : a.first();
    return number == a.last()
        && t.kind(number) == Tokens.NUMBER
        && FRACTION.matcher(t.text(number)).matches();
  }

  /** An integer literal whose value the type does not have. */
  private boolean isTooLarge(String type, Arguments.Span a) {
    boolean negative = t.is(a.first(), '-');
    int number = negative ? a.first() + 1 : a.first();
    Matcher literal = LITERAL.matcher(t.text(number).replace("'", ""));
    if (number != a.last() || !literal.matches() || !BITS.containsKey(type)) {
      return false;
    }
    boolean ofUnsigned = type.startsWith("u");
    if (negative) {
      return ofUnsigned && !literal.group(2).matches("(?i).*u.*");
    }
    String digits = literal.group(1).toLowerCase(Locale.ROOT);
    BigInteger value =
        digits.length() > 1 && digits.charAt(0) == '0' && digits.charAt(1) != 'x'
            ? new BigInteger(digits, 8)
            : digits.startsWith("0x")
                ? new BigInteger(digits.substring(2), 16)
                : new BigInteger(digits);
    int bits = Objects.requireNonNull(BITS.get(type));
    return value.bitLength() > (ofUnsigned ? bits : bits - 1);
  }

  private void cast(String type, Arguments.Span a) {
    f.changes.edit(Edit.before(t.start(a.first()), "static_cast<" + type + ">(", RULE));
    f.changes.alsoEdit(Edit.after(t.end(a.last()), ")", RULE));
  }

  /**
   * Whether a value is a conversion as a whole: {@code static_cast<T>(x)}, {@code T(x)}, {@code
   * (T)x}.
   */
  private boolean isCast(Arguments.Span a) {
    int first = a.first();
    int named = t.is(first + 3, '>') ? first + 4 : first + 5;
    boolean c = t.is(first, '(') && t.is(first + 2, ')') && isType(first + 1);
    return t.is(first, "static_cast")
        ? t.match(named) == a.last()
        : c
            ? a.last() == first + 3 || t.match(first + 3) == a.last()
            : isType(first) && t.is(first + 1, '(') && t.match(first + 1) == a.last();
  }

  private boolean isType(int i) {
    String name = t.text(i);
    return name.equals("float") || INTEGERS.contains(name) || SIZES.contains(name);
  }

  /** Whether a value contains a name of something that may not be constant. */
  private boolean varies(Arguments.Span a) {
    boolean varies = false;
    for (int i = a.first(); i <= a.last(); i++) {
      if (t.text(i).equals("...")) {
        return false; // each of several values
      }
      if (t.is(i, "sizeof") && t.match(i + 1) > i) {
        i = t.match(i + 1);
      } else if (t.isIdentifier(i) && !constants().contains(t.text(i))) {
        varies = true;
      }
    }
    return varies;
  }

  /** Constants that fit are not narrowed. */
  private Set<String> constants() {
    Set<String> known = constants;
    if (known == null) {
      known = new HashSet<>();
      for (int i = 0; i < t.count(); i++) {
        int k = t.is(i, "constexpr") ? i + 1 : t.count();
        while (t.isIdentifier(k)) {
          k++;
        }
        if (t.is(k, '=') || t.is(k, '{')) {
          known.add(t.text(k - 1));
        }
      }
      constants = known;
    }
    return known;
  }

  /** Whether a value is unsigned for certain: a variable, a member of an index, or a cast. */
  private boolean isUnsigned(Arguments.Span a) {
    int first = a.first();
    int last = a.last();
    if (isCast(a)) {
      int type = t.is(first, "static_cast") ? first + 2 : t.is(first, '(') ? first + 1 : first;
      return UNSIGNED.contains(t.text(type));
    }
    boolean member = last == first + 2 && t.is(first + 1, '.');
    return member
        ? types.of(first).equals("dim3")
        : first == last && UNSIGNED.contains(types.of(first));
  }

  /** Whether a value has the type {@code size_t}, since it contains a size. */
  private boolean isSize(Arguments.Span a) {
    return (a.first() == a.last() && SIZES.contains(types.of(a.first())))
        || IntStream.rangeClosed(a.first(), a.last())
            .anyMatch(
                i ->
                    t.is(i, "sizeof") || (t.is(i, "size") && t.is(i - 1, '.') && t.is(i + 1, '(')));
  }

  /** Whether a value has the type {@code double}, since it contains a literal of that type. */
  private boolean isDouble(Arguments.Span a) {
    return IntStream.rangeClosed(a.first(), a.last()).anyMatch(this::isDoubleLiteral);
  }

  private boolean isDoubleLiteral(int i) {
    return t.kind(i) == Tokens.NUMBER
        && t.text(i).matches("(\\d[\\d']*\\.\\d*|\\.\\d+)([eE][+-]?\\d+)?");
  }
}
