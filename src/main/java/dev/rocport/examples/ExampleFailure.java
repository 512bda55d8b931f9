package dev.rocport.examples;

/**
 * An example that fails.
 *
 * @param rule id of the rule
 * @param example which one, and how it was run
 * @param problem what is wrong
 * @param expected the expected text; empty if the text is not the problem
 * @param actual the actual text
 */
public record ExampleFailure(
    String rule, String example, String problem, String expected, String actual) {}
