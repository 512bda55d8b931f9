package dev.rocport.lang.ptx;

/** A step of the flow with the form of its instruction. */
record Matched(Flow.Step step, Form.Match match) {
  /** The reason why it is not translated, to be thrown. */
  Refusal refuse(String why) {
    return new Refusal(step.instruction(), match.row(), why);
  }
}
