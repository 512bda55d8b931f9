package dev.rocport.conformance;

/**
 * One test.
 *
 * @param program file name of its program
 * @param name as the program has it
 */
record TestCase(String program, String name) implements Comparable<TestCase> {
  @Override
  public int compareTo(TestCase other) {
    int byProgram = program.compareTo(other.program);
    return byProgram != 0 ? byProgram : name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return program + ":" + name;
  }
}
