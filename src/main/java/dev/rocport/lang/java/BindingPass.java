package dev.rocport.lang.java;

import com.github.javaparser.ast.ImportDeclaration;
import com.github.javaparser.ast.body.ClassOrInterfaceDeclaration;
import com.github.javaparser.ast.body.MethodDeclaration;
import com.github.javaparser.ast.expr.MethodCallExpr;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.ApiName.Kind;

/** Reports third-party bindings that do not exist for ROCm: JCuda and the JavaCPP presets. */
final class BindingPass {
  static final String JCUDA = "JAVA-JCUDA";
  static final String JAVACPP = "JAVA-JAVACPP";
  static final String JNA = "JAVA-JNA";

  private final JavaWork w;

  BindingPass(JavaWork w) {
    this.w = w;
  }

  void run() {
    boolean jcuda = false;
    boolean javacpp = false;
    for (ImportDeclaration i : w.tree().unit().getImports()) {
      String name = i.getNameAsString();
      if (name.equals("jcuda") || name.startsWith("jcuda.")) {
        jcuda = true;
        told(JCUDA, i, name + ": JCuda has no counterpart for ROCm");
      } else if (name.startsWith("org.bytedeco.cuda")) {
        javacpp = true;
        told(JAVACPP, i, name + ": JavaCPP has no presets for ROCm");
      }
    }
    if (jcuda || javacpp) {
      calls(jcuda ? JCUDA : JAVACPP, jcuda ? "JCuda" : "JavaCPP");
    } else if (w.imports("com.sun.jna")) {
      interfaces();
    }
  }

  private void told(String rule, ImportDeclaration i, String message) {
    w.error(rule, w.tree().start(i), w.tree().end(i), message);
  }

  private void calls(String rule, String binding) {
    for (MethodCallExpr c : w.tree().unit().findAll(MethodCallExpr.class)) {
      ApiName name = w.cuda().api(c.getNameAsString());
      if (name != null && name.kind() == Kind.FUNCTION) {
        String target = w.cuda().target(name);
        String hip = target.isEmpty() ? "HIP has no counterpart" : "the HIP function is " + target;
        w.error(
            rule,
            w.tree().start(c.getName()),
            w.tree().end(c.getName()),
            name.cuda() + " of " + binding + ": " + hip,
            target.isEmpty() ? name.advice() : "");
      }
    }
  }

  /** JNA looks for functions of the names of an interface's methods. */
  private void interfaces() {
    for (ClassOrInterfaceDeclaration c :
        w.tree().unit().findAll(ClassOrInterfaceDeclaration.class)) {
      for (MethodDeclaration m : c.getMethods()) {
        ApiName name = w.cuda().api(m.getNameAsString());
        if ((c.isInterface() || m.isNative()) && name != null && name.kind() == Kind.FUNCTION) {
          String target = w.cuda().target(name);
          w.error(
              JNA,
              w.tree().start(m.getName()),
              w.tree().end(m.getName()),
              name.cuda()
                  + " is looked up by the method's name: "
                  + (target.isEmpty() ? "it has no counterpart" : "the HIP function is " + target),
              target.isEmpty() ? name.advice() : "");
        }
      }
    }
  }
}
