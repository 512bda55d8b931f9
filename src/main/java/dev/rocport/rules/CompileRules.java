package dev.rocport.rules;

/** Compiles the rules at build time. */
public final class CompileRules {
  private CompileRules() {}

  public static void main(String[] args) {}
}
