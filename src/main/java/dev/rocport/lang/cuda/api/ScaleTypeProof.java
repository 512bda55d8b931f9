package dev.rocport.lang.cuda.api;

import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Scopes;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.names.ApiTable;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.symbols.Functions.Function;
import dev.rocport.lang.cuda.symbols.Variables;
import dev.rocport.rules.ApiName;
import java.util.List;
import java.util.Set;

/**
 * Proves that a call sets the scale type that its descriptor was created with. Each use of the
 * descriptor and of the variable in the function must be one that is known to change neither.
 */
final class ScaleTypeProof {
  private static final String CREATE = "cublasLtMatmulDescCreate";
  private static final String SET = "cublasLtMatmulDescSetAttribute";
  private static final String DESCRIPTOR = "cublasLtMatmulDesc_t";

  /** Functions that take a descriptor by value and keep its scale type. */
  private static final Set<String> READERS =
      Set.of(
          "cublasLtMatmul",
          "cublasLtMatmulAlgoCheck",
          "cublasLtMatmulAlgoGetHeuristic",
          "cublasLtMatmulDescDestroy",
          "cublasLtMatmulDescGetAttribute");

  /** Words before a statement that may be executed not at all, or from elsewhere. */
  private static final Set<String> CONDITIONAL =
      Set.of("if", "else", "for", "while", "do", "switch", "case", "default", "and", "or");

  /** What has an operand in round brackets that is not evaluated, or not once. */
  private static final Set<String> NOT_ONCE =
      Set.of("for", "while", "switch", "catch", "sizeof", "decltype", "noexcept", "alignof");

  private final CudaFile f;
  private final Tokens t;
  private final Function function;
  private final int set;
  private final int descriptor;
  private final int variable;

  /** The call that creates the descriptor; -1 if there is none. */
  private final int create;

  /**
   * True if each call to set the type follows one to create the descriptor, without a loop between.
   */
  private final boolean straight;

  /**
   * Prepares a proof.
   *
   * @param set the name of the function that sets the type
   * @param descriptor its first argument, an identifier
   * @param variable the identifier whose address is its third argument
   */
  ScaleTypeProof(CudaFile f, Function function, int set, int descriptor, int variable) {
    this.f = f;
    this.t = f.t;
    this.function = function;
    this.set = set;
    this.descriptor = descriptor;
    this.variable = variable;
    this.create = creation();
    this.straight = create > 0 && isUnconditional(set) && isOnce(Scopes.enclosing(t, set));
  }

  boolean holds() {
    if (create < 0 || !precedes() || isInDirectives()) {
      return false;
    }
    Arguments.Span created = Arguments.of(t, create + 1).get(2);
    if (created.first() != created.last()) {
      return false;
    }
    int object = declaration(descriptor, Set.of(DESCRIPTOR), create);
    int type = declaration(variable, ScaleTypePass.TYPES, set);
    return object > 0 && type > 0 && keepsDescriptor(object) && isSameType(type, created.first());
  }

  /** The first call that creates the descriptor. */
  private int creation() {
    for (int i = function.body(); i < set; i++) {
      if (t.is(i, CREATE) && t.is(i + 1, '(') && isApi(i)) {
        List<Arguments.Span> a = Arguments.of(t, i + 1);
        if (a.size() == 3 && isAddress(a.getFirst(), descriptor)) {
          return i;
        }
      }
    }
    return -1;
  }

  /** True if the descriptor is created each time before the type is set. */
  private boolean precedes() {
    int block = Scopes.enclosing(t, create);
    boolean ofSwitch = t.is(block - 1, ')') && t.is(t.match(block - 1) - 1, "switch");
    if (ofSwitch || t.match(block) < set || !isUnconditional(create)) {
      return false;
    }
    for (int k = function.body(); k < function.close(); k++) {
      boolean between = create < k && k < set;
      if (t.is(k, "goto") || (between && (t.is(k, "case") || t.is(k, "default")))) {
        return false;
      }
    }
    return true;
  }

  /** True if only conditions are between a block and that of the call to create the descriptor. */
  private boolean isOnce(int block) {
    int outer = Scopes.enclosing(t, create);
    int k = block;
    while (k > outer) {
      int start = Statements.definitionStart(t, k);
      boolean condition = t.is(start, "if") && t.match(start + 1) == k - 1;
      if (!condition || !isAfterStatement(start)) {
        return false;
      }
      k = Scopes.enclosing(t, k);
    }
    return k == outer;
  }

  /** True if a statement ends before a token; directives may be between. */
  private boolean isAfterStatement(int start) {
    int before = start - 1;
    while (t.inDirective(before)) {
      before--;
    }
    return t.is(before, ';') || t.is(before, '{') || t.is(before, '}');
  }

  /** True if a call is evaluated each time that its block is executed up to there. */
  private boolean isUnconditional(int call) {
    int k = call - 1;
    while (k > 0 && !t.is(k, '{')) {
      if (t.is(k, '(') && NOT_ONCE.contains(t.text(k - 1))) {
        return false;
      }
      k = t.before(k);
    }
    int start = Statements.definitionStart(t, call);
    if (!isAfterStatement(start)) {
      return false; // a directive in a statement
    }
    if (t.is(start, "if") && t.is(start + 1, '(') && t.match(start + 1) > call) {
      start++; // in the condition, which is evaluated
    }
    for (k = start; k < call; k++) {
      boolean skips = t.is(k, '?') || isTwice(k, '&') || isTwice(k, '|');
      if (skips || t.is(k, ':') || CONDITIONAL.contains(t.text(k))) {
        return false;
      }
    }
    return true;
  }

  /** True if a macro of this file has one of the two names, or a directive in the function asks. */
  private boolean isInDirectives() {
    for (int k = 0; k < t.count(); k++) {
      if (t.inDirective(k) && (t.isSame(k, descriptor) || t.isSame(k, variable))) {
        return true;
      }
    }
    return false;
  }

  /**
   * The declaration of a local variable or parameter that is visible at a token: its name.
   *
   * @return -1 if there is none, or it has another type
   */
  private int declaration(int name, Set<String> types, int at) {
    for (int k = function.open() + 1; k < at; k++) {
      if (t.isSame(k, name) && !Scopes.isMember(t, k)) {
        boolean declares = k < function.body() ? isParameter(k, types) : isLocal(k, types, at);
        return declares ? k : -1;
      }
    }
    return -1;
  }

  private boolean isParameter(int k, Set<String> types) {
    return types.contains(t.text(k - 1)) && (t.is(k + 1, ',') || t.is(k + 1, ')'));
  }

  private boolean isLocal(int k, Set<String> types, int at) {
    int first = Statements.definitionStart(t, k);
    int type = first;
    boolean constant = false;
    boolean shared = false;
    while (t.is(type, "const") || t.is(type, "constexpr") || t.is(type, "static")) {
      shared |= t.is(type, "static");
      constant |= !t.is(type, "static");
      type++;
    }
    boolean follows = k == type + 1 || t.is(k - 1, ',');
    return types.contains(t.text(type))
        && follows
        && (constant || !shared)
        && Variables.declarators(t, first).contains(k)
        && t.match(Scopes.enclosing(t, k)) > at;
  }

  /** True if nothing else changes the scale type of the descriptor. */
  private boolean keepsDescriptor(int declaration) {
    int own = Arguments.of(t, create + 1).getFirst().last();
    int end = straight ? set : function.close();
    for (int k = declaration + 1; k < end; k++) {
      if (k != own && k != descriptor && isUse(k, descriptor) && !keepsType(k)) {
        return false;
      }
    }
    return declaration > function.body();
  }

  /** A descriptor is an argument of a function that keeps its type, or returned. */
  private boolean keepsType(int k) {
    if (t.is(k - 1, "return") && t.is(k + 1, ';')) {
      return true;
    }
    int open = callOf(k, k);
    if (open < 0 || !isApi(open - 1)) {
      return false;
    }
    List<Arguments.Span> a = Arguments.of(t, open);
    return READERS.contains(t.text(open - 1))
        || (t.is(open - 1, SET)
            && a.size() == 4
            && a.get(1).first() == a.get(1).last()
            && t.begins(a.get(1).first(), "CUBLASLT_MATMUL_DESC_")
            && !t.is(a.get(1).first(), ScaleTypePass.ATTRIBUTE));
  }

  /** True if the variable has the type that the descriptor was created with. */
  private boolean isSameType(int declaration, int created) {
    boolean same = t.isSame(created, variable);
    if (!same && !(isConstant(created) && isInitialized(declaration, created))) {
      return false;
    }
    for (int k = declaration + 1; k < function.close(); k++) {
      boolean apart = same && straight && (k < create || k > set);
      if (isUse(k, variable)
          && !isRead(k)
          && !(apart && t.is(k + 1, '=') && Variables.isAssigned(t, k))) {
        return false;
      }
    }
    return true;
  }

  private boolean isConstant(int i) {
    ApiTable.Entry e = f.api.find(t, i);
    ApiName name = e == null ? null : f.nameOf(e);
    return name != null && name.kind() == ApiName.Kind.ENUM && !f.isOwn(name.cuda(), i);
  }

  /** {@code name = constant}, {@code name{constant}} or {@code name(constant)}. */
  private boolean isInitialized(int name, int constant) {
    boolean braces = t.is(name + 1, '{') || t.is(name + 1, '(');
    return t.isSame(name + 2, constant)
        && (braces
            ? t.match(name + 1) == name + 3
            : t.is(name + 1, '=') && (t.is(name + 3, ';') || t.is(name + 3, ',')));
  }

  /** A variable is compared, has its size taken, or is an argument of cuBLAS, which reads it. */
  private boolean isRead(int k) {
    if (t.is(k - 1, '(') && t.is(k - 2, "sizeof") && t.is(k + 1, ')')) {
      return true;
    }
    boolean equality = t.is(k + 2, '=') && (t.is(k + 1, '=') || t.is(k + 1, '!'));
    if (equality && (t.is(k - 1, '(') || isTwice(k - 2, '&') || isTwice(k - 2, '|'))) {
      return true;
    }
    boolean address = t.is(k - 1, '&');
    int open = callOf(address ? k - 1 : k, k);
    if (open < 0 || !t.begins(open - 1, "cublas") || !isApi(open - 1)) {
      return false;
    }
    List<Arguments.Span> a = Arguments.of(t, open);
    return !address
        || (t.text(open - 1).endsWith("SetAttribute")
            && a.size() == 4
            && a.get(2).last() == k
            && isAddress(a.get(2), variable));
  }

  /** The bracket of the call that has these tokens as a whole argument; -1 if there is none. */
  private int callOf(int first, int last) {
    if ((!t.is(first - 1, '(') && !t.is(first - 1, ','))
        || (!t.is(last + 1, ')') && !t.is(last + 1, ','))) {
      return -1;
    }
    int k = first - 1;
    while (k > function.open() && !t.is(k, '(')) {
      if (t.is(k, ';') || t.is(k, '{')) {
        return -1;
      }
      k = t.before(k);
    }
    return t.is(k, '(') && t.isIdentifier(k - 1) ? k : -1;
  }

  private boolean isTwice(int k, char c) {
    return t.is(k, c) && t.is(k + 1, c);
  }

  private boolean isUse(int k, int name) {
    return t.isSame(k, name) && !Scopes.isMember(t, k);
  }

  private boolean isAddress(Arguments.Span a, int name) {
    return t.is(a.first(), '&') && a.last() == a.first() + 1 && t.isSame(a.last(), name);
  }

  /** True if the name of a call is that of the library. */
  private boolean isApi(int i) {
    return f.api.find(t, i) != null && !f.isQualified(i) && !f.isOwn(t.text(i), i);
  }
}
