package dev.rocport.warp.code;

import org.eclipse.cdt.core.dom.ast.IASTNode;

/** A variable of a function: a parameter or a local one. Compared by identity. */
public final class Symbol {
  private final String name;
  private final String id;
  private final IASTNode declaration;
  private final IASTNode scope;
  private final int parameter;

  Symbol(String name, String id, IASTNode declaration, IASTNode scope, int parameter) {
    this.name = name;
    this.id = id;
    this.declaration = declaration;
    this.scope = scope;
    this.parameter = parameter;
  }

  /** Returns its name. */
  public String name() {
    return name;
  }

  /** Returns its name, or one that no source has if it hides another variable of the function. */
  public String id() {
    return id;
  }

  /** Returns its declarator, or its name in a structured binding. */
  public IASTNode declaration() {
    return declaration;
  }

  /** Returns the statement at whose end it dies: the body for parameters. */
  public IASTNode scope() {
    return scope;
  }

  /** Returns the index of a parameter, from 0; -1 for other variables. */
  public int parameter() {
    return parameter;
  }

  @Override
  public String toString() {
    return id;
  }
}
