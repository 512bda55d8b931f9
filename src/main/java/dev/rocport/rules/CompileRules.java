package dev.rocport.rules;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Compiles the rules folder into the index that the program reads: {@code CompileRules IN OUT}. */
public final class CompileRules {
  private CompileRules() {}

  public static void main(String[] args) throws IOException {
    Path out = Path.of(args[1]);
    Files.createDirectories(out.toAbsolutePath().getParent());
    try {
      RuleLoader.Loaded loaded = RuleLoader.load(Path.of(args[0]));
      try (OutputStream stream = new BufferedOutputStream(Files.newOutputStream(out))) {
        RuleIndex.write(loaded, stream);
      }
    } catch (RuleException e) {
      System.err.println("rules: " + e.getMessage());
      System.exit(1);
    }
  }
}
