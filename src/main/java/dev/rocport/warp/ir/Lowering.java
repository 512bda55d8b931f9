package dev.rocport.warp.ir;

import dev.rocport.lang.cuda.ast.SyntaxTree;
import dev.rocport.warp.code.Symbol;
import dev.rocport.warp.code.Symbols;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.eclipse.cdt.core.dom.ast.ASTVisitor;
import org.eclipse.cdt.core.dom.ast.IASTASMDeclaration;
import org.eclipse.cdt.core.dom.ast.IASTArrayDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTArrayModifier;
import org.eclipse.cdt.core.dom.ast.IASTArraySubscriptExpression;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTBreakStatement;
import org.eclipse.cdt.core.dom.ast.IASTCastExpression;
import org.eclipse.cdt.core.dom.ast.IASTCompoundStatement;
import org.eclipse.cdt.core.dom.ast.IASTConditionalExpression;
import org.eclipse.cdt.core.dom.ast.IASTContinueStatement;
import org.eclipse.cdt.core.dom.ast.IASTDeclSpecifier;
import org.eclipse.cdt.core.dom.ast.IASTDeclaration;
import org.eclipse.cdt.core.dom.ast.IASTDeclarationStatement;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTDoStatement;
import org.eclipse.cdt.core.dom.ast.IASTEnumerationSpecifier;
import org.eclipse.cdt.core.dom.ast.IASTEqualsInitializer;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTExpressionList;
import org.eclipse.cdt.core.dom.ast.IASTExpressionStatement;
import org.eclipse.cdt.core.dom.ast.IASTFieldReference;
import org.eclipse.cdt.core.dom.ast.IASTFileLocation;
import org.eclipse.cdt.core.dom.ast.IASTForStatement;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTFunctionDefinition;
import org.eclipse.cdt.core.dom.ast.IASTIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTIfStatement;
import org.eclipse.cdt.core.dom.ast.IASTInitializer;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTInitializerList;
import org.eclipse.cdt.core.dom.ast.IASTLiteralExpression;
import org.eclipse.cdt.core.dom.ast.IASTName;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTNullStatement;
import org.eclipse.cdt.core.dom.ast.IASTPointer;
import org.eclipse.cdt.core.dom.ast.IASTPointerOperator;
import org.eclipse.cdt.core.dom.ast.IASTPreprocessorFunctionStyleMacroDefinition;
import org.eclipse.cdt.core.dom.ast.IASTPreprocessorIfndefStatement;
import org.eclipse.cdt.core.dom.ast.IASTPreprocessorMacroDefinition;
import org.eclipse.cdt.core.dom.ast.IASTPreprocessorStatement;
import org.eclipse.cdt.core.dom.ast.IASTProblemHolder;
import org.eclipse.cdt.core.dom.ast.IASTReturnStatement;
import org.eclipse.cdt.core.dom.ast.IASTSimpleDeclaration;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.IASTTranslationUnit;
import org.eclipse.cdt.core.dom.ast.IASTTypeId;
import org.eclipse.cdt.core.dom.ast.IASTUnaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTWhileStatement;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTConstructorInitializer;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTFunctionDeclarator;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTLambdaExpression;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTParameterDeclaration;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTQualifiedName;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTReferenceOperator;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTSimpleTypeConstructorExpression;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTSimpleTypeTemplateParameter;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTTemplateDeclaration;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTTemplateId;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTTemplateParameter;
import org.jspecify.annotations.Nullable;

/** Reads a file's syntax tree into {@link Unit}. */
public final class Lowering {
  private static final int DEEP = 400;

  /** Bytes between a kernel's name and the chevrons of its launch, at most. */
  private static final int NEAR = 64;

  private final String path;
  private final byte[] bytes;
  private final IASTTranslationUnit unit;
  private final MacroUses macros;
  private final List<Function> functions = new ArrayList<>();
  private final List<Launch> launches = new ArrayList<>();
  private final Map<String, Optional<Expr>> constants = new TreeMap<>();
  private final Names mentions;
  private final Names unseen;
  private Symbols symbols = Symbols.NONE;
  private boolean clean = true;
  private int depth;

  /** Launches met in the function that is being read. */
  private final List<Launch> pending = new ArrayList<>();

  private Lowering(String path, byte[] bytes, SyntaxTree tree, Names unseen, Names mentions) {
    this.unseen = unseen;
    this.mentions = mentions;
    this.path = path;
    this.bytes = bytes;
    this.unit = tree.unit();
    this.macros = MacroUses.of(unit);
  }

  /**
   * Reads a tree.
   *
   * @param bytes the file's own bytes, launches not masked
   * @param unseen how often each name is in the file; what the tree shows, declarations included,
   *     is taken away
   * @param mentions how often names are in host code that the tree does not show
   */
  public static Unit lower(
      String path, byte[] bytes, SyntaxTree tree, Names unseen, Names mentions) {
    Lowering l = new Lowering(path, bytes, tree, unseen, mentions);
    l.macros();
    l.unit.accept(l.new Walk());
    return new Unit(
        path, l.functions, l.launches, l.constants, l.mentions.packed(), lineStarts(bytes));
  }

  private static int[] lineStarts(byte[] bytes) {
    int lines = 1;
    for (byte b : bytes) {
      lines += b == '\n' ? 1 : 0;
    }
    int[] starts = new int[lines];
    int line = 1;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        starts[line++] = i + 1;
      }
    }
    return starts;
  }

  /** Finds the functions, at any nesting level, and the constants. */
  private final class Walk extends ASTVisitor {
    private @Nullable ICPPASTTemplateDeclaration template;

    Walk() {
      shouldVisitDeclarations = true;
      shouldVisitNames = true;
    }

    @Override
    public int visit(IASTDeclaration d) {
      switch (d) {
        case ICPPASTTemplateDeclaration t -> template = t;
        case IASTFunctionDefinition f -> {
          function(f, template);
          template = null;
        }
        case IASTSimpleDeclaration s -> {
          constants(s);
          template = null;
        }
        default -> {}
      }
      return PROCESS_CONTINUE;
    }

    @Override
    public int visit(IASTName name) {
      if (name instanceof ICPPASTQualifiedName) {
        return PROCESS_CONTINUE;
      }
      if (!(name instanceof ICPPASTTemplateId)) {
        unseen.add(name.getSimpleID(), -1);
      }
      if (name.isReference()) {
        mentions.add(name.getSimpleID(), 1);
      }
      return PROCESS_CONTINUE;
    }
  }

  private void macros() {
    Set<String> given = maybeGiven();
    for (IASTPreprocessorMacroDefinition m : unit.getMacroDefinitions()) {
      if (!(m instanceof IASTPreprocessorFunctionStyleMacroDefinition)) {
        String body = m.getExpansion();
        if (body != null && body.length() < 80 && !body.isBlank()) {
          Expr x = ConstantText.parse(body);
          if (x != null) {
            constant(m.getName().toString(), x, given.contains(m.getName().toString()));
          }
        }
      }
    }
  }

  private void constant(String name, Expr value) {
    Optional<Expr> known = constants.get(name);
    boolean same =
        known == null
            || (known.isPresent()
                && Constants.of(known.get(), this::constantOf)
                    .equals(Constants.of(value, this::constantOf)));
    constants.put(name, same ? Optional.of(value) : Optional.empty());
  }

  private void constant(String name, Expr value, boolean given) {
    boolean warp = Constants.of(value, this::constantOf).equals(Optional.of(32L));
    if (given && !warp) {
      constants.put(name, Optional.empty());
    } else {
      constant(name, value);
    }
  }

  /** Macros that a build may define itself, since {@code #ifndef} is around them. */
  private Set<String> maybeGiven() {
    Set<String> names = new HashSet<>();
    for (IASTPreprocessorStatement s : unit.getAllPreprocessorStatements()) {
      if (s instanceof IASTPreprocessorIfndefStatement i && i.getMacroReference() != null) {
        names.add(i.getMacroReference().toString());
      }
    }
    return names;
  }

  private Optional<Expr> constantOf(String name) {
    return constants.getOrDefault(name, Optional.empty());
  }

  /** {@code constexpr int W = 32;}, {@code enum { W = 32 };}, in any scope outside functions. */
  private void constants(IASTSimpleDeclaration d) {
    if (d.getDeclSpecifier() instanceof IASTEnumerationSpecifier e) {
      for (IASTEnumerationSpecifier.IASTEnumerator x : e.getEnumerators()) {
        IASTExpression value = x.getValue();
        if (value != null) {
          constant(plain(x.getName()), expr(value));
        }
      }
      return;
    }
    String type = text(d.getDeclSpecifier());
    if (!type.contains("const") || isIn(IASTFunctionDefinition.class, d)) {
      return;
    }
    for (IASTDeclarator x : d.getDeclarators()) {
      Optional<Expr> init = init(x.getInitializer(), type);
      if (init.isPresent()
          && x.getPointerOperators().length == 0
          && !(x instanceof IASTArrayDeclarator)) {
        constant(plain(x.getName()), init.get());
      }
    }
  }

  private static boolean isIn(Class<? extends IASTNode> kind, IASTNode n) {
    for (IASTNode p = n.getParent(); p != null; p = p.getParent()) {
      if (kind.isInstance(p)) {
        return true;
      }
    }
    return false;
  }

  private void function(IASTFunctionDefinition f, @Nullable ICPPASTTemplateDeclaration template) {
    if (!(f.getDeclarator() instanceof ICPPASTFunctionDeclarator d)
        || !(f.getBody() instanceof IASTCompoundStatement body)) {
      return;
    }
    clean = true;
    depth = 0;
    pending.clear();
    String head = head(d);
    boolean kernel = head.contains("__global__");
    boolean device = kernel || head.contains("__device__");
    if (!device && !launches(body)) {
      return;
    }
    List<Variable> templates = new ArrayList<>();
    if (template != null && template.getDeclaration() == f) {
      for (ICPPASTTemplateParameter p : template.getTemplateParameters()) {
        templates.add(templateParameter(p));
      }
    }
    symbols = Symbols.of(f);
    List<Variable> parameters = new ArrayList<>();
    for (ICPPASTParameterDeclaration p : d.getParameters()) {
      parameters.add(variable(p.getDeclarator(), p.getDeclSpecifier(), true, head(p)));
    }
    Stmt.Block block = block(body);
    IASTDeclSpecifier returns = f.getDeclSpecifier();
    Function function =
        new Function(
            path,
            plain(d.getName()),
            kernel,
            device,
            List.copyOf(templates),
            List.copyOf(parameters),
            text(returns),
            span(returns),
            span(d.getName()),
            block,
            clean);
    if (function.device()) {
      functions.add(function); // of host code its launches are all that counts
    }
    if (!pending.isEmpty()) {
      Map<String, Expr> locals = Locals.of(function);
      pending.forEach(l -> launches.add(new Launch(path, l.kernel(), l.block(), locals, l.at())));
    }
  }

  /** True if chevrons are in a body, or close enough after. */
  private boolean launches(IASTCompoundStatement body) {
    Span at = span(body);
    for (int i = at.start(); i + 2 < Math.min(bytes.length, at.end() + NEAR); i++) {
      if (isChevrons(i)) {
        return true;
      }
    }
    return false;
  }

  private boolean isChevrons(int at) {
    return bytes[at] == '<' && bytes[at + 1] == '<' && bytes[at + 2] == '<';
  }

  private Variable templateParameter(ICPPASTTemplateParameter p) {
    return switch (p) {
      case ICPPASTParameterDeclaration d ->
          variable(d.getDeclarator(), d.getDeclSpecifier(), true, "");
      case ICPPASTSimpleTypeTemplateParameter t ->
          new Variable(
              plain(t.getName()),
              "",
              span(t),
              true,
              false,
              false,
              List.of(),
              false,
              Optional.empty());
      default ->
          new Variable("", "", span(p), true, false, false, List.of(), false, Optional.empty());
    };
  }

  /** The text before a name, back to what stood before: CUDA qualifiers are in there. */
  private String head(IASTNode n) {
    IASTFileLocation at = n.getFileLocation();
    if (at == null) {
      return "";
    }
    int end = Math.min(bytes.length, at.getNodeOffset() + Math.min(at.getNodeLength(), 1));
    int start = end;
    while (start > 0
        && end - start < 2000
        && bytes[start - 1] != ';'
        && bytes[start - 1] != '}'
        && bytes[start - 1] != '{') {
      start--;
    }
    return new String(bytes, start, end - start, StandardCharsets.ISO_8859_1);
  }

  private Stmt.Block block(IASTCompoundStatement s) {
    List<Stmt> list = new ArrayList<>();
    for (IASTStatement x : s.getStatements()) {
      statement(x, list);
    }
    return new Stmt.Block(List.copyOf(list));
  }

  private Stmt single(@Nullable IASTStatement s) {
    List<Stmt> list = new ArrayList<>();
    if (s != null) {
      statement(s, list);
    }
    return list.size() == 1 ? list.getFirst() : new Stmt.Block(List.copyOf(list));
  }

  private void statement(IASTStatement s, List<Stmt> out) {
    if (++depth > DEEP) {
      clean = false;
      depth--;
      return;
    }
    switch (s) {
      case IASTProblemHolder p -> unknown(s, out);
      case IASTCompoundStatement c -> out.add(block(c));
      case IASTNullStatement n -> {}
      case IASTExpressionStatement e -> out.add(new Stmt.Eval(expr(e.getExpression())));
      case IASTDeclarationStatement d -> declaration(d.getDeclaration(), out);
      case IASTIfStatement i -> {
        if (i.getConditionExpression() == null) {
          unknown(s, out);
        } else {
          IASTStatement no = i.getElseClause();
          out.add(
              new Stmt.If(
                  expr(i.getConditionExpression()),
                  single(i.getThenClause()),
                  no == null ? Optional.empty() : Optional.of(single(no))));
        }
      }
      case IASTForStatement f -> {
        IASTExpression step = f.getIterationExpression();
        IASTExpression condition = f.getConditionExpression();
        out.add(
            new Stmt.For(
                single(f.getInitializerStatement()),
                condition == null ? Optional.empty() : Optional.of(expr(condition)),
                step == null ? Optional.empty() : Optional.of(expr(step)),
                single(f.getBody()),
                span(f)));
      }
      case IASTWhileStatement w -> {
        if (w.getCondition() == null) {
          unknown(s, out);
        } else {
          out.add(new Stmt.While(expr(w.getCondition()), single(w.getBody()), false));
        }
      }
      case IASTDoStatement w ->
          out.add(new Stmt.While(expr(w.getCondition()), single(w.getBody()), true));
      case IASTReturnStatement r -> {
        IASTInitializerClause value = r.getReturnArgument();
        out.add(
            new Stmt.Return(
                value == null ? Optional.empty() : Optional.of(clause(value)), span(r)));
      }
      case IASTBreakStatement b -> out.add(new Stmt.Jump(span(b)));
      case IASTContinueStatement c -> out.add(new Stmt.Jump(span(c)));
      default -> unknown(s, out);
    }
    depth--;
  }

  /** What is not understood keeps its expressions, so that nothing in it goes unseen. */
  private void unknown(IASTNode n, List<Stmt> out) {
    clean = false;
    Parts parts = new Parts();
    n.accept(parts);
    out.add(new Stmt.Unknown(List.copyOf(parts.found), span(n)));
  }

  /** Reads the outermost expressions below a node. */
  private final class Parts extends ASTVisitor {
    private final List<Expr> found = new ArrayList<>();

    Parts() {
      shouldVisitExpressions = true;
    }

    @Override
    public int visit(IASTExpression e) {
      found.add(expr(e));
      return PROCESS_SKIP;
    }
  }

  private void declaration(IASTDeclaration d, List<Stmt> out) {
    if (!(d instanceof IASTSimpleDeclaration s)) {
      if (d instanceof IASTProblemHolder || d instanceof IASTASMDeclaration) {
        unknown(d, out);
      }
      return; // using, static_assert
    }
    String head = head(s.getDeclarators().length > 0 ? s.getDeclarators()[0].getName() : s);
    boolean alone = s.getDeclarators().length == 1;
    for (IASTDeclarator x : s.getDeclarators()) {
      if (x instanceof ICPPASTFunctionDeclarator f
          && !x.getName().toString().isEmpty()
          && f.getParameters().length > 0) {
        // dim3 block(n) is read as a function's declaration where n might be a type.
        List<Expr> args = new ArrayList<>();
        for (ICPPASTParameterDeclaration p : f.getParameters()) {
          args.add(new Expr.Name(text(p), span(p)));
        }
        Span at = span(x);
        out.add(
            new Stmt.Let(
                new Variable(
                    plain(x.getName()),
                    text(s.getDeclSpecifier()),
                    span(s.getDeclSpecifier()),
                    alone,
                    false,
                    false,
                    List.of(),
                    false,
                    Optional.of(
                        new Expr.Call(
                            text(s.getDeclSpecifier()), List.of(), List.of(), args, at, at)))));
      } else {
        out.add(new Stmt.Let(variable(x, s.getDeclSpecifier(), alone, head)));
      }
    }
  }

  private Variable variable(IASTDeclarator d, IASTDeclSpecifier type, boolean alone, String head) {
    IASTDeclarator inner = d;
    while (inner.getNestedDeclarator() != null) {
      inner = inner.getNestedDeclarator();
    }
    boolean pointer = false;
    boolean reference = false;
    for (IASTPointerOperator op : d.getPointerOperators()) {
      pointer |= op instanceof IASTPointer;
      reference |= op instanceof ICPPASTReferenceOperator;
    }
    List<Expr> dimensions = new ArrayList<>();
    if (d instanceof IASTArrayDeclarator a) {
      for (IASTArrayModifier m : a.getArrayModifiers()) {
        IASTExpression size = m.getConstantExpression();
        dimensions.add(size == null ? new Expr.Other("", List.of(), span(m)) : expr(size));
      }
    }
    String text = text(type);
    return new Variable(
        name(symbols.declared(inner), inner.getName()),
        text,
        span(type),
        alone,
        pointer || inner != d,
        reference,
        List.copyOf(dimensions),
        head.contains("__shared__"),
        init(d.getInitializer(), text));
  }

  private Optional<Expr> init(@Nullable IASTInitializer i, String type) {
    return switch (i) {
      case null -> Optional.empty();
      case IASTEqualsInitializer e -> Optional.of(clause(e.getInitializerClause()));
      case ICPPASTConstructorInitializer c -> {
        List<Expr> args = new ArrayList<>();
        for (IASTInitializerClause a : c.getArguments()) {
          args.add(clause(a));
        }
        boolean plain = args.size() == 1 && !type.contains("dim3");
        yield Optional.of(
            plain
                ? args.getFirst()
                : new Expr.Call(type.strip(), List.of(), List.of(), args, span(c), span(c)));
      }
      case IASTInitializerList l -> Optional.of(list(l));
      default -> Optional.of(new Expr.Other(text(i), List.of(), span(i)));
    };
  }

  private Expr list(IASTInitializerList l) {
    List<Expr> parts = new ArrayList<>();
    for (IASTInitializerClause c : l.getClauses()) {
      parts.add(clause(c));
    }
    return new Expr.Other("{}", List.copyOf(parts), span(l));
  }

  private Expr clause(IASTInitializerClause c) {
    return switch (c) {
      case IASTExpression e -> expr(e);
      case IASTInitializerList l -> list(l);
      default -> new Expr.Other(text(c), List.of(), span(c));
    };
  }

  private Expr expr(IASTExpression x) {
    if (++depth > DEEP) {
      clean = false;
      depth--;
      return new Expr.Other("", List.of(), span(x));
    }
    try {
      Span at = span(x);
      String macro = macro(at);
      if (macro != null) {
        return new Expr.Name(macro, new Span(at.start(), at.end(), true));
      }
      return expr(x, at);
    } finally {
      depth--;
    }
  }

  private Expr expr(IASTExpression x, Span at) {
    return switch (x) {
      case IASTIdExpression i -> new Expr.Name(name(symbols.of(i), i.getName()), at);
      case IASTLiteralExpression l -> literal(l, at);
      case IASTUnaryExpression u -> unary(u, at);
      case IASTBinaryExpression b ->
          new Expr.Binary(operator(b.getOperator()), expr(b.getOperand1()), right(b), at);
      case IASTConditionalExpression c ->
          new Expr.Pick(
              expr(c.getLogicalConditionExpression()),
              expr(
                  c.getPositiveResultExpression() == null
                      ? c.getLogicalConditionExpression()
                      : c.getPositiveResultExpression()),
              expr(c.getNegativeResultExpression()),
              at);
      case IASTFunctionCallExpression c -> call(c, at);
      case IASTArraySubscriptExpression a ->
          new Expr.Index(expr(a.getArrayExpression()), clause(a.getArgument()), at);
      case IASTFieldReference f ->
          new Expr.Field(expr(f.getFieldOwner()), plain(f.getFieldName()), at);
      case IASTCastExpression c -> new Expr.Cast(text(c.getTypeId()), expr(c.getOperand()), at);
      case ICPPASTSimpleTypeConstructorExpression c -> {
        Optional<Expr> value = init(c.getInitializer(), "");
        yield value.isPresent()
            ? new Expr.Cast(text(c.getDeclSpecifier()), value.get(), at)
            : new Expr.Other(text(x), List.of(), at);
      }
      case IASTExpressionList l -> {
        List<Expr> parts = new ArrayList<>();
        for (IASTExpression e : l.getExpressions()) {
          parts.add(expr(e));
        }
        yield new Expr.Other(",", List.copyOf(parts), at);
      }
      default -> other(x, at);
    };
  }

  private Expr right(IASTBinaryExpression b) {
    IASTInitializerClause right = b.getInitOperand2();
    return right == null ? new Expr.Other("", List.of(), span(b)) : clause(right);
  }

  private Expr other(IASTExpression x, Span at) {
    Parts parts = new Parts();
    for (IASTNode child : x.getChildren()) {
      child.accept(parts);
    }
    if (x instanceof IASTProblemHolder) {
      clean = false;
    }
    return new Expr.Other(text(x), List.copyOf(parts.found), at);
  }

  private Expr unary(IASTUnaryExpression u, Span at) {
    IASTExpression operand = u.getOperand();
    if (operand == null) {
      return new Expr.Other(text(u), List.of(), at);
    }
    Expr x = expr(operand);
    return switch (u.getOperator()) {
      case IASTUnaryExpression.op_bracketedPrimary -> x;
      case IASTUnaryExpression.op_plus -> new Expr.Unary("+", x, at);
      case IASTUnaryExpression.op_minus -> new Expr.Unary("-", x, at);
      case IASTUnaryExpression.op_not -> new Expr.Unary("!", x, at);
      case IASTUnaryExpression.op_tilde -> new Expr.Unary("~", x, at);
      case IASTUnaryExpression.op_star -> new Expr.Unary("*", x, at);
      case IASTUnaryExpression.op_amper -> new Expr.Unary("&", x, at);
      case IASTUnaryExpression.op_prefixIncr, IASTUnaryExpression.op_postFixIncr ->
          new Expr.Unary("++", x, at);
      case IASTUnaryExpression.op_prefixDecr, IASTUnaryExpression.op_postFixDecr ->
          new Expr.Unary("--", x, at);
      default -> new Expr.Other(text(u), List.of(x), at);
    };
  }

  private Expr literal(IASTLiteralExpression l, Span at) {
    String t = l.toString();
    if (l.getKind() == IASTLiteralExpression.lk_integer_constant) {
      Long v = ConstantText.integer(t);
      if (v != null) {
        return new Expr.Literal(v, true, t, at);
      }
    }
    if (l.getKind() == IASTLiteralExpression.lk_true
        || l.getKind() == IASTLiteralExpression.lk_false) {
      return new Expr.Literal(t.equals("true") ? 1 : 0, true, t, at);
    }
    boolean number = l.getKind() == IASTLiteralExpression.lk_float_constant;
    return number ? new Expr.Literal(0, false, t, at) : new Expr.Other(t, List.of(), at);
  }

  private Expr call(IASTFunctionCallExpression c, Span at) {
    List<Expr> args = new ArrayList<>();
    for (IASTInitializerClause a : c.getArguments()) {
      args.add(clause(a));
    }
    IASTExpression callee = c.getFunctionNameExpression();
    if (callee instanceof IASTFunctionCallExpression configured) {
      launch(configured, at);
      List<Expr> parts = new ArrayList<>(args);
      for (IASTInitializerClause a : configured.getArguments()) {
        parts.add(clause(a));
      }
      return new Expr.Other("launch", List.copyOf(parts), at);
    }
    return switch (callee) {
      case IASTIdExpression i ->
          new Expr.Call(plain(i.getName()), List.of(), templates(i.getName()), args, span(i), at);
      case IASTFieldReference f ->
          new Expr.Call(
              plain(f.getFieldName()),
              List.of(expr(f.getFieldOwner())),
              templates(f.getFieldName()),
              args,
              span(f.getFieldName()),
              at);
      default -> {
        args.add(expr(callee));
        yield new Expr.Other("call", List.copyOf(args), at);
      }
    };
  }

  private void launch(IASTFunctionCallExpression configured, Span at) {
    Span name = span(configured.getFunctionNameExpression());
    boolean chevrons = false;
    for (int i = name.end(); i + 2 < bytes.length && i < name.end() + NEAR; i++) {
      if (isChevrons(i)) {
        chevrons = true;
        break;
      }
      if (bytes[i] == '(' || bytes[i] == ';') {
        break;
      }
    }
    if (chevrons
        && configured.getArguments().length >= 2
        && configured.getFunctionNameExpression() instanceof IASTIdExpression id) {
      Expr block = clause(configured.getArguments()[1]);
      if (isIn(ICPPASTLambdaExpression.class, configured)) {
        block = new Expr.Other("", List.of(block), at); // its parameters are not followed
      }
      pending.add(new Launch(path, plain(id.getName()), block, Map.of(), at));
    }
  }

  private List<Expr> templates(IASTName name) {
    IASTName last = name instanceof ICPPASTQualifiedName q ? q.getLastName() : name;
    if (!(last instanceof ICPPASTTemplateId id)) {
      return List.of();
    }
    List<Expr> list = new ArrayList<>();
    for (IASTNode a : id.getTemplateArguments()) {
      list.add(
          switch (a) {
            case IASTExpression e -> expr(e);
            case IASTTypeId t -> new Expr.Other(text(t), List.of(), span(t));
            default -> new Expr.Other(text(a), List.of(), span(a));
          });
    }
    return List.copyOf(list);
  }

  /** The name of a variable, distinct from that of another one that it hides. */
  private static String name(@Nullable Symbol variable, IASTName name) {
    return variable == null ? plain(name) : variable.id();
  }

  /** A name's last part without template arguments. */
  private static String plain(IASTName name) {
    IASTName last = name instanceof ICPPASTQualifiedName q ? q.getLastName() : name;
    IASTName n = last instanceof ICPPASTTemplateId t ? t.getTemplateName() : last;
    return n.toString();
  }

  private static String operator(int op) {
    return switch (op) {
      case IASTBinaryExpression.op_multiply -> "*";
      case IASTBinaryExpression.op_divide -> "/";
      case IASTBinaryExpression.op_modulo -> "%";
      case IASTBinaryExpression.op_plus -> "+";
      case IASTBinaryExpression.op_minus -> "-";
      case IASTBinaryExpression.op_shiftLeft -> "<<";
      case IASTBinaryExpression.op_shiftRight -> ">>";
      case IASTBinaryExpression.op_lessThan -> "<";
      case IASTBinaryExpression.op_greaterThan -> ">";
      case IASTBinaryExpression.op_lessEqual -> "<=";
      case IASTBinaryExpression.op_greaterEqual -> ">=";
      case IASTBinaryExpression.op_binaryAnd -> "&";
      case IASTBinaryExpression.op_binaryXor -> "^";
      case IASTBinaryExpression.op_binaryOr -> "|";
      case IASTBinaryExpression.op_logicalAnd -> "&&";
      case IASTBinaryExpression.op_logicalOr -> "||";
      case IASTBinaryExpression.op_assign -> "=";
      case IASTBinaryExpression.op_multiplyAssign -> "*=";
      case IASTBinaryExpression.op_divideAssign -> "/=";
      case IASTBinaryExpression.op_moduloAssign -> "%=";
      case IASTBinaryExpression.op_plusAssign -> "+=";
      case IASTBinaryExpression.op_minusAssign -> "-=";
      case IASTBinaryExpression.op_shiftLeftAssign -> "<<=";
      case IASTBinaryExpression.op_shiftRightAssign -> ">>=";
      case IASTBinaryExpression.op_binaryAndAssign -> "&=";
      case IASTBinaryExpression.op_binaryXorAssign -> "^=";
      case IASTBinaryExpression.op_binaryOrAssign -> "|=";
      case IASTBinaryExpression.op_equals -> "==";
      case IASTBinaryExpression.op_notequals -> "!=";
      default -> "?";
    };
  }

  private Span span(IASTNode n) {
    IASTFileLocation at = n.getFileLocation();
    if (at == null) {
      return new Span(0, 0, false);
    }
    int start = at.getNodeOffset();
    int end = start + at.getNodeLength();
    return new Span(start, end, !macros.holds(start, end));
  }

  /** The macro without parameters that expands to all of these bytes; null if there is none. */
  private @Nullable String macro(Span at) {
    String name = at.editable() ? null : macros.constant(at.start(), at.end());
    return name != null && constants.containsKey(name) ? name : null;
  }

  private String text(IASTNode n) {
    IASTFileLocation at = n.getFileLocation();
    if (at == null) {
      return "";
    }
    int end = Math.min(bytes.length, at.getNodeOffset() + Math.min(at.getNodeLength(), 200));
    return new String(
        bytes, at.getNodeOffset(), end - at.getNodeOffset(), StandardCharsets.ISO_8859_1);
  }
}
