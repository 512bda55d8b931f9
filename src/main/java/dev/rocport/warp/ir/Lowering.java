package dev.rocport.warp.ir;

import dev.rocport.lang.cuda.ast.SyntaxTree;
import dev.rocport.warp.code.Symbols;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.cdt.core.dom.ast.ASTVisitor;
import org.eclipse.cdt.core.dom.ast.IASTArrayDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTCompoundStatement;
import org.eclipse.cdt.core.dom.ast.IASTDeclSpecifier;
import org.eclipse.cdt.core.dom.ast.IASTDeclaration;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTEnumerationSpecifier;
import org.eclipse.cdt.core.dom.ast.IASTExpression;
import org.eclipse.cdt.core.dom.ast.IASTFunctionDefinition;
import org.eclipse.cdt.core.dom.ast.IASTName;
import org.eclipse.cdt.core.dom.ast.IASTSimpleDeclaration;
import org.eclipse.cdt.core.dom.ast.IASTTranslationUnit;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTFunctionDeclarator;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTParameterDeclaration;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTQualifiedName;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTSimpleTypeTemplateParameter;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTTemplateDeclaration;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTTemplateId;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTTemplateParameter;
import org.jspecify.annotations.Nullable;

/** Reads a file's syntax tree into {@link Unit}. */
public final class Lowering {
  private final String path;
  private final IASTTranslationUnit unit;
  private final List<Function> functions = new ArrayList<>();

  /** How many functions of a name there are. */
  private final Map<String, Integer> counts = new HashMap<>();

  private final List<Launch> launches = new ArrayList<>();
  private final Names mentions;
  private final Names unseen;

  private final ConstantTable constants = new ConstantTable();
  private final LoweringState state = new LoweringState();
  private final NodeText nodes;
  private final ExpressionLowering expressions;
  private final StatementLowering statements;

  private Lowering(String path, byte[] bytes, SyntaxTree tree, Names unseen, Names mentions) {
    this.unseen = unseen;
    this.mentions = mentions;
    this.path = path;
    this.unit = tree.unit();
    this.nodes = new NodeText(bytes, MacroUses.of(unit));
    this.expressions = new ExpressionLowering(path, nodes, constants, state);
    this.statements = new StatementLowering(nodes, state, expressions);
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
    l.constants.macros(l.unit);
    l.unit.accept(l.new Walk());
    return new Unit(
        path,
        l.functions,
        l.launches,
        l.constants.values(),
        l.mentions.packed(),
        lineStarts(bytes));
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

  /**
   * Reads {@code constexpr int W = 32;}, {@code enum { W = 32 };}, in any scope outside functions.
   */
  private void constants(IASTSimpleDeclaration d) {
    if (d.getDeclSpecifier() instanceof IASTEnumerationSpecifier e) {
      for (IASTEnumerationSpecifier.IASTEnumerator x : e.getEnumerators()) {
        IASTExpression value = x.getValue();
        if (value != null) {
          constants.constant(NodeText.plain(x.getName()), expressions.expr(value));
        }
      }
      return;
    }
    String type = nodes.text(d.getDeclSpecifier());
    if (!type.contains("const") || NodeText.isIn(IASTFunctionDefinition.class, d)) {
      return;
    }
    for (IASTDeclarator x : d.getDeclarators()) {
      Optional<Expr> init = expressions.init(x.getInitializer(), type);
      if (init.isPresent()
          && x.getPointerOperators().length == 0
          && !(x instanceof IASTArrayDeclarator)) {
        constants.constant(NodeText.plain(x.getName()), init.get());
      }
    }
  }

  private void function(IASTFunctionDefinition f, @Nullable ICPPASTTemplateDeclaration template) {
    if (!(f.getDeclarator() instanceof ICPPASTFunctionDeclarator d)
        || !(f.getBody() instanceof IASTCompoundStatement body)) {
      return;
    }
    state.begin();
    String head = nodes.head(d);
    boolean kernel = head.contains("__global__");
    boolean device = kernel || head.contains("__device__");
    if (!device && !nodes.hasChevrons(body)) {
      return;
    }
    List<Variable> templates = new ArrayList<>();
    if (template != null && template.getDeclaration() == f) {
      for (ICPPASTTemplateParameter p : template.getTemplateParameters()) {
        templates.add(templateParameter(p));
      }
    }
    state.symbols(Symbols.of(f));
    List<Variable> parameters = new ArrayList<>();
    for (ICPPASTParameterDeclaration p : d.getParameters()) {
      parameters.add(
          statements.variable(p.getDeclarator(), p.getDeclSpecifier(), true, nodes.head(p)));
    }
    Stmt.Block block = statements.block(body);
    IASTDeclSpecifier returns = f.getDeclSpecifier();
    String name = NodeText.plain(d.getName());
    Function function =
        new Function(
            path,
            name,
            counts.getOrDefault(name, 0),
            kernel,
            device,
            List.copyOf(templates),
            List.copyOf(parameters),
            nodes.text(returns),
            nodes.span(returns),
            nodes.span(d.getName()),
            new Body(block),
            state.isClean());
    if (function.device()) {
      functions.add(function); // of host code its launches are all that counts
      counts.merge(name, 1, Integer::sum);
    }
    if (!state.pending().isEmpty()) {
      Map<String, Expr> locals = Locals.of(function);
      state
          .pending()
          .forEach(l -> launches.add(new Launch(path, l.kernel(), l.block(), locals, l.at())));
    }
  }

  private Variable templateParameter(ICPPASTTemplateParameter p) {
    return switch (p) {
      case ICPPASTParameterDeclaration d ->
          statements.variable(d.getDeclarator(), d.getDeclSpecifier(), true, "");
      case ICPPASTSimpleTypeTemplateParameter t ->
          new Variable(
              NodeText.plain(t.getName()),
              "",
              nodes.span(t),
              true,
              false,
              false,
              List.of(),
              false,
              Optional.empty());
      default ->
          new Variable(
              "", "", nodes.span(p), true, false, false, List.of(), false, Optional.empty());
    };
  }
}
