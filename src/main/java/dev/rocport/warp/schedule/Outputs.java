package dev.rocport.warp.schedule;

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

/**
 * Where code that is not an assignment may store to a function's variables: their address is taken,
 * a function of the file takes them by reference, or an asm statement writes them. What is stored
 * there is not known, so each lane may get another value. Variables that threads share are left
 * out, because all lanes read one value from them.
 */
final class Outputs {
  /** An operand that an asm statement writes, {@code "=r"(x)} or {@code "+r"(x.y)}. */
  private static final Pattern ASM_OUTPUT =
      Pattern.compile("\"[=+][^\"]*\"\\s*\\(\\s*([A-Za-z_]\\w*)");

  private final File file;
  private final Set<String> arrays;
  private final Map<IASTNode, List<String>> found = new LinkedHashMap<>();

  private Outputs(File file, Function function) {
    this.file = file;
    this.arrays =
        function.all(IASTArrayDeclarator.class).stream()
            .map(IASTDeclarator::getName)
            .map(Ast::simple)
            .collect(Collectors.toSet());
  }

  /** The names of the variables that each such place may store to. */
  static Map<IASTNode, List<String>> of(File file, Function function) {
    Outputs outputs = new Outputs(file, function);
    for (IASTUnaryExpression u : function.all(IASTUnaryExpression.class)) {
      if (u.getOperator() == IASTUnaryExpression.op_amper) {
        outputs.add(u, u.getOperand());
      }
    }
    for (IASTFunctionCallExpression c : function.all(IASTFunctionCallExpression.class)) {
      IASTInitializerClause[] arguments = Ast.arguments(c);
      for (Function callee : file.byName.getOrDefault(Ast.callee(c), List.of())) {
        for (int i = 0; i < arguments.length && i < callee.outputs().size(); i++) {
          if (callee.outputs().get(i)) {
            outputs.add(arguments[i], arguments[i]);
          }
        }
      }
    }
    for (IASTASMDeclaration a : function.all(IASTASMDeclaration.class)) {
      Matcher m = ASM_OUTPUT.matcher(file.text.of(a));
      List<String> names = m.results().map(r -> r.group(1)).toList();
      outputs.found.put(a, names);
    }
    return outputs.found;
  }

  /** Adds the variable whose bytes an expression names; none if it follows a pointer. */
  private void add(IASTNode place, IASTNode expression) {
    IASTNode n = Ast.bare(expression);
    boolean subscript = false;
    while (true) {
      if (n instanceof IASTFieldReference f && !f.isPointerDereference()) {
        n = Ast.bare(f.getFieldOwner());
      } else if (n instanceof IASTArraySubscriptExpression a) {
        subscript = true;
        n = Ast.bare(a.getArrayExpression());
      } else {
        break;
      }
    }
    if (n instanceof IASTIdExpression id) {
      String name = Ast.simple(id.getName());
      if (!file.isShared(name) && (!subscript || arrays.contains(name))) {
        found.put(place, List.of(name));
      }
    }
  }
}
