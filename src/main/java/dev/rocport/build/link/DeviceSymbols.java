package dev.rocport.build.link;

import dev.rocport.io.elf.ElfFile;
import dev.rocport.io.process.Exec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads the symbols of device code that is linked later: bitcode, which only LLVM tools can read.
 */
public final class DeviceSymbols {
  /** Prefix that distinguishes device symbols from host symbols. */
  private static final String PREFIX = "device ";

  private static final String SECTION = "__CLANG_OFFLOAD_BUNDLE__hip";

  private final String nm;

  /**
   * @param nm path of llvm-nm
   */
  public DeviceSymbols(String nm) {
    this.nm = nm;
  }

  /** Returns the symbols for the first target; all targets have the same names. */
  public List<ElfFile.Symbol> of(ElfFile object) throws IOException, InterruptedException {
    for (ElfFile.Section s : object.sections()) {
      if (s.name().startsWith(SECTION)) {
        byte[] bytes = new byte[s.content().remaining()];
        s.content().duplicate().get(bytes);
        return read(bytes);
      }
    }
    return List.of();
  }

  private List<ElfFile.Symbol> read(byte[] bitcode) throws IOException, InterruptedException {
    Path file = Files.createTempFile("rocport", ".bc");
    try {
      Files.write(file, bitcode);
      Exec.Outcome outcome =
          Exec.run(
              List.of(nm, "--format=posix", file.toString()),
              Path.of("/"),
              Map.of(),
              Duration.ofSeconds(60));
      if (!outcome.ok()) {
        throw new IOException(nm + " failed: " + outcome.stderr().strip());
      }
      List<ElfFile.Symbol> symbols = new ArrayList<>();
      for (String line : outcome.stdout().lines().toList()) {
        String[] part = line.split(" ");
        if (part.length >= 2 && part[1].length() == 1) {
          symbols.add(symbol(part[0], part[1].charAt(0)));
        }
      }
      return symbols;
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private static ElfFile.Symbol symbol(String name, char letter) {
    ElfFile.Binding binding =
        switch (letter) {
          case 'W', 'w', 'V', 'v' -> ElfFile.Binding.WEAK;
          case 'U' -> ElfFile.Binding.STRONG;
          default -> Character.isUpperCase(letter) ? ElfFile.Binding.STRONG : ElfFile.Binding.LOCAL;
        };
    boolean defined = letter != 'U' && letter != 'w' && letter != 'v';
    return new ElfFile.Symbol(PREFIX + name, binding, defined, 0);
  }
}
