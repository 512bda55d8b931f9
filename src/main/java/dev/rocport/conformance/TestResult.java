package dev.rocport.conformance;

import java.time.Duration;

/**
 * How a test ended.
 *
 * @param message what it wrote about its failure, on one line; empty otherwise
 */
record TestResult(TestCase test, Verdict verdict, String message, Duration time) {}
