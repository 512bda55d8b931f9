package dev.rocport.warp.code;

import dev.rocport.core.source.SourceFile;
import dev.rocport.warp.code.DeviceFunction.Call;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTEnumerationSpecifier;
import org.eclipse.cdt.core.dom.ast.IASTEqualsInitializer;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTSimpleDeclaration;
import org.eclipse.cdt.core.dom.ast.IASTTranslationUnit;
import org.jspecify.annotations.Nullable;

/** The device code of a file, and what its functions share: constants, calls, launches. */
public final class DeviceCode {
  private final SourceText text;
  private final List<DeviceFunction> functions;
  private final Map<String, List<DeviceFunction>> byName;
  private final Map<String, List<Call>> calls;
  private final Map<String, IASTNode> constants = new HashMap<>();
  private final Map<String, List<IASTNode>> launches = new HashMap<>();
  private final Set<String> called = new HashSet<>();

  /** Variables that threads share: in shared memory, of the device, volatile ones. */
  private final Set<String> shared = new HashSet<>();

  private final Set<IASTNode> sharedDeclarators =
      Collections.newSetFromMap(new IdentityHashMap<>());

  /**
   * Collects the device code of a file.
   *
   * @param unit the file's syntax tree
   */
  public DeviceCode(SourceFile source, IASTTranslationUnit unit) {
    this.text = new SourceText(source);
    Nodes nodes = Nodes.of(unit);
    this.functions = DeviceFunction.in(nodes, text);
    this.byName = DeviceFunction.byName(functions);
    this.calls = DeviceFunction.calls(functions, byName);
    for (DeviceFunction f : functions) {
      for (IASTFunctionCallExpression c : f.all(IASTFunctionCallExpression.class)) {
        called.add(Syntax.callee(c));
      }
    }
    if (!functions.isEmpty()) {
      launches(nodes);
      declarations(nodes);
    }
  }

  /** Collects launches; the parser sees a call of a call: {@code k(grid, block)(arguments)}. */
  private void launches(Nodes nodes) {
    for (IASTFunctionCallExpression c : nodes.all(IASTFunctionCallExpression.class)) {
      if (Syntax.bare(c.getFunctionNameExpression()) instanceof IASTFunctionCallExpression launch
          && Syntax.arguments(launch).length >= 2) {
        launches
            .computeIfAbsent(Syntax.callee(launch), k -> new ArrayList<>())
            .add(Syntax.arguments(launch)[1]);
      }
    }
  }

  private void declarations(Nodes nodes) {
    for (IASTSimpleDeclaration d : nodes.all(IASTSimpleDeclaration.class)) {
      int from = text.before(d);
      int end = text.end(d.getDeclSpecifier());
      if (text.holds("__shared__", from, end)
          || text.holds("volatile", from, end)
          || text.holds("__device__", from, end)) {
        for (IASTDeclarator v : d.getDeclarators()) {
          if (v.getPointerOperators().length == 0) {
            shared.add(Syntax.simple(v.getName()));
            sharedDeclarators.add(v);
          }
        }
      }
      if (d.getDeclSpecifier().isConst()
          || text.holds("const", text.start(d.getDeclSpecifier()), end)) {
        for (IASTDeclarator v : d.getDeclarators()) {
          if (v.getInitializer() instanceof IASTEqualsInitializer e) {
            constants.putIfAbsent(Syntax.simple(v.getName()), e.getInitializerClause());
          }
        }
      }
    }
    for (IASTEnumerationSpecifier e : nodes.all(IASTEnumerationSpecifier.class)) {
      for (IASTEnumerationSpecifier.IASTEnumerator one : e.getEnumerators()) {
        if (one.getValue() != null) {
          constants.putIfAbsent(Syntax.simple(one.getName()), one.getValue());
        }
      }
    }
  }

  /** Returns the bytes of the file. */
  public SourceText text() {
    return text;
  }

  /** Returns the device functions, in the order of the file. */
  public List<DeviceFunction> functions() {
    return functions;
  }

  /** Returns the device functions of a name. */
  public List<DeviceFunction> named(String name) {
    return byName.getOrDefault(name, List.of());
  }

  /** Returns the calls in device code of the functions of a name. */
  public List<Call> callsOf(String name) {
    return calls.getOrDefault(name, List.of());
  }

  /** Returns true if device code calls such a function. */
  public boolean calls(Predicate<String> names) {
    return called.stream().anyMatch(names);
  }

  /** Returns the block sizes of the launches of a kernel in this file. */
  public List<IASTNode> blocks(DeviceFunction kernel) {
    return launches.getOrDefault(kernel.name(), List.of());
  }

  /** Returns true for a variable that threads share. */
  public boolean isShared(String name) {
    return shared.contains(name);
  }

  /** Returns true for a variable of a function that threads share. */
  public boolean isShared(Symbol symbol) {
    return sharedDeclarators.contains(symbol.declaration());
  }

  /** Returns the value of a constant or enumerator; null for other names. */
  public @Nullable IASTNode constant(String name) {
    return constants.get(name);
  }
}
