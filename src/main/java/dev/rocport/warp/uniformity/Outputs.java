package dev.rocport.warp.uniformity;

import dev.rocport.warp.code.DeviceCode;
import dev.rocport.warp.code.DeviceFunction;
import dev.rocport.warp.code.Symbol;
import dev.rocport.warp.code.Symbols;
import dev.rocport.warp.code.Syntax;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.eclipse.cdt.core.dom.ast.IASTASMDeclaration;
import org.eclipse.cdt.core.dom.ast.IASTArrayDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTArraySubscriptExpression;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTFieldReference;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTIdExpression;
import org.eclipse.cdt.core.dom.ast.IASTInitializerClause;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTUnaryExpression;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTLambdaExpression;
import org.jspecify.annotations.Nullable;

/**
 * Where code that is not an assignment may store to a function's variables: their address is taken,
 * a function of the file takes them by reference, an asm statement or a lambda writes them. What is
 * stored there is not known, so each lane may get another value. Variables that threads share are
 * left out, because all lanes read one value from them.
 */
final class Outputs {
  /** An operand that an asm statement writes, {@code "=r"(x)} or {@code "+r"(x.y)}. */
  private static final Pattern ASM_OUTPUT =
      Pattern.compile("\"[=+][^\"]*\"\\s*\\(\\s*([A-Za-z_]\\w*)");

  private final DeviceCode code;
  private final Symbols symbols;
  private final Set<String> arrays;
  private final Map<IASTNode, List<Symbol>> found = new LinkedHashMap<>();

  private Outputs(DeviceCode code, DeviceFunction function, Symbols symbols) {
    this.code = code;
    this.symbols = symbols;
    this.arrays =
        function.all(IASTArrayDeclarator.class).stream()
            .map(IASTDeclarator::getName)
            .map(Syntax::simple)
            .collect(Collectors.toSet());
  }

  /** The names of the variables that each such place may store to. */
  static Map<IASTNode, List<Symbol>> of(DeviceCode code, DeviceFunction function, Symbols symbols) {
    Outputs outputs = new Outputs(code, function, symbols);
    for (IASTUnaryExpression u : function.all(IASTUnaryExpression.class)) {
      if (u.getOperator() == IASTUnaryExpression.op_amper) {
        outputs.add(u, u.getOperand());
      }
    }
    for (IASTFunctionCallExpression c : function.all(IASTFunctionCallExpression.class)) {
      IASTInitializerClause[] arguments = Syntax.arguments(c);
      for (DeviceFunction callee : code.named(Syntax.callee(c))) {
        for (int i = 0; i < arguments.length && i < callee.outputs().size(); i++) {
          if (callee.outputs().get(i)) {
            outputs.add(arguments[i], arguments[i]);
          }
        }
      }
    }
    for (IASTASMDeclaration a : function.all(IASTASMDeclaration.class)) {
      Matcher m = ASM_OUTPUT.matcher(code.text().of(a));
      m.results().forEach(r -> outputs.add(a, symbols.visible(r.group(1), a)));
    }
    for (ICPPASTLambdaExpression l : function.all(ICPPASTLambdaExpression.class)) {
      for (String name : Syntax.assigned(l.getBody())) {
        outputs.add(l, symbols.visible(name, l));
      }
    }
    return outputs.found;
  }

  /** Adds the variable whose bytes an expression names; none if it follows a pointer. */
  private void add(IASTNode place, IASTNode expression) {
    IASTNode n = Syntax.bare(expression);
    boolean subscript = false;
    while (true) {
      if (n instanceof IASTFieldReference f && !f.isPointerDereference()) {
        n = Syntax.bare(f.getFieldOwner());
      } else if (n instanceof IASTArraySubscriptExpression a) {
        subscript = true;
        n = Syntax.bare(a.getArrayExpression());
      } else {
        break;
      }
    }
    if (n instanceof IASTIdExpression id) {
      String name = Syntax.simple(id.getName());
      if (!subscript || arrays.contains(name)) {
        add(place, symbols.of(id));
      }
    }
  }

  private void add(IASTNode place, @Nullable Symbol stored) {
    if (stored != null && !code.isShared(stored)) {
      found.computeIfAbsent(place, k -> new ArrayList<>()).add(stored);
    }
  }
}
