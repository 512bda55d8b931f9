package dev.rocport.warp.code;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTFunctionDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTFunctionDefinition;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTParameterDeclaration;
import org.eclipse.cdt.core.dom.ast.IASTStandardFunctionDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTStatement;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTCompositeTypeSpecifier;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTReferenceOperator;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTTemplateDeclaration;
import org.jspecify.annotations.Nullable;

/**
 * A function that runs on the GPU, with its body.
 *
 * @param nodes those of its body
 * @param head its declaration: template, attributes, everything before the body
 * @param outputs whether each parameter is a reference through which the function may store
 * @param owner the class that it is defined in; null for others
 */
public record DeviceFunction(
    IASTFunctionDefinition node,
    Nodes nodes,
    String name,
    IASTNode head,
    boolean kernel,
    List<String> parameters,
    List<Boolean> outputs,
    @Nullable ICPPASTCompositeTypeSpecifier owner) {

  public IASTStatement body() {
    return node.getBody();
  }

  /** The nodes of a kind in its body; see {@link Syntax#all}. */
  public <T extends IASTNode> List<T> all(Class<T> kind) {
    return nodes.all(kind);
  }

  public boolean calls(Predicate<String> names) {
    return all(IASTFunctionCallExpression.class).stream()
        .anyMatch(c -> names.test(Syntax.callee(c)));
  }

  /** The device functions of a file, in order. */
  static List<DeviceFunction> in(Nodes nodes, SourceText text) {
    List<DeviceFunction> functions = new ArrayList<>();
    for (IASTFunctionDefinition f : nodes.all(IASTFunctionDefinition.class)) {
      if (f.getBody() == null || f.getDeclarator() == null) {
        continue;
      }
      IASTNode head = f.getParent() instanceof ICPPASTTemplateDeclaration t ? t : f;
      String before = text.of(text.before(head), text.start(f.getBody()));
      boolean kernel = before.contains("__global__");
      if (kernel || before.contains("__device__")) {
        functions.add(
            new DeviceFunction(
                f,
                nodes.below(f.getBody()),
                Syntax.simple(f.getDeclarator().getName()),
                head,
                kernel,
                parameters(f.getDeclarator()),
                outputs(f.getDeclarator()),
                f.getParent() instanceof ICPPASTCompositeTypeSpecifier c ? c : null));
      }
    }
    return functions;
  }

  private static List<String> parameters(IASTFunctionDeclarator declarator) {
    List<String> names = new ArrayList<>();
    if (declarator instanceof IASTStandardFunctionDeclarator s) {
      for (IASTParameterDeclaration p : s.getParameters()) {
        IASTNode inner = p.getDeclarator();
        names.add(p.getDeclarator() == null ? "" : name(inner));
      }
    }
    return names;
  }

  private static List<Boolean> outputs(IASTFunctionDeclarator declarator) {
    List<Boolean> outputs = new ArrayList<>();
    if (declarator instanceof IASTStandardFunctionDeclarator s) {
      for (IASTParameterDeclaration p : s.getParameters()) {
        outputs.add(
            p.getDeclarator() != null
                && !p.getDeclSpecifier().isConst()
                && isReference(p.getDeclarator()));
      }
    }
    return outputs;
  }

  /** Returns true if a declarator declares a reference. */
  public static boolean isReference(IASTDeclarator declarator) {
    return Arrays.stream(declarator.getPointerOperators())
            .anyMatch(o -> o instanceof ICPPASTReferenceOperator)
        || (declarator.getNestedDeclarator() != null
            && isReference(declarator.getNestedDeclarator()));
  }

  private static String name(IASTNode declarator) {
    if (declarator instanceof IASTDeclarator d) {
      return d.getNestedDeclarator() == null
          ? Syntax.simple(d.getName())
          : name(d.getNestedDeclarator());
    }
    return "";
  }

  /** Functions of one name, and who calls them. */
  static Map<String, List<DeviceFunction>> byName(List<DeviceFunction> functions) {
    Map<String, List<DeviceFunction>> map = new LinkedHashMap<>();
    for (DeviceFunction f : functions) {
      map.computeIfAbsent(f.name(), k -> new ArrayList<>()).add(f);
    }
    return map;
  }

  /** The calls in device code of functions that the file defines, by name. */
  static Map<String, List<Call>> calls(
      List<DeviceFunction> functions, Map<String, List<DeviceFunction>> known) {
    Map<String, List<Call>> calls = new HashMap<>();
    for (DeviceFunction f : functions) {
      for (IASTFunctionCallExpression c : f.all(IASTFunctionCallExpression.class)) {
        String name = Syntax.callee(c);
        if (known.containsKey(name)) {
          calls.computeIfAbsent(name, k -> new ArrayList<>()).add(new Call(f, c));
        }
      }
    }
    return calls;
  }

  /** A call and the function that it is in. */
  public record Call(DeviceFunction from, IASTFunctionCallExpression node) {}
}
