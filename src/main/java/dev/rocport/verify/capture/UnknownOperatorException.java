package dev.rocport.verify.capture;

/** An operator of PyTorch that has no counterpart here and no recorded result. */
public final class UnknownOperatorException extends Exception {
  private static final long serialVersionUID = 1L;

  UnknownOperatorException(String operator) {
    super("the operator " + operator + " has no counterpart and no recorded result");
  }
}
