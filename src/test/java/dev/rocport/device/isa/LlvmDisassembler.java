package dev.rocport.device.isa;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.toolchain.Toolchain;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The disassembler of the toolchain: what it says about words and about code objects. */
record LlvmDisassembler(Toolchain toolchain, Path folder) {
  private static final Pattern LINE =
      Pattern.compile(
          "\\t(?<text>.*?)\\s*// (?<address>[0-9A-F]{12}): (?<words>[0-9A-F]{8}(?: [0-9A-F]{8})*)"
              + "(?<note>.*)");

  /**
   * A line of a disassembly.
   *
   * @param text with single spaces; empty where the words are undefined, or a scalar tuple is not
   *     aligned
   */
  record Line(long address, Optional<String> text, List<Integer> words) {}

  /** Two words to decode from. */
  record Pair(int first, int second) {
    @Override
    public String toString() {
      return String.format("%08x %08x", first, second);
    }
  }

  /** What each pair starts with, all in one object. */
  List<Line> disassemble(Target target, List<Pair> pairs) throws Exception {
    return words(
        target, pairs.stream().map(p -> new int[] {p.first(), p.second(), 0xbf800000}).toList());
  }

  /** What each three words start with, all in one object. */
  List<Line> words(Target target, List<int[]> triples) throws Exception {
    return words(target, target.lanes(), triples);
  }

  /** Likewise, in waves of so many lanes. */
  List<Line> words(Target target, int lanes, List<int[]> triples) throws Exception {
    // slots of 32 bytes, so that undefined words put nothing out of step
    StringBuilder source = new StringBuilder();
    for (int[] words : triples) {
      source.append(
          String.format(
              Locale.ROOT,
              ".long 0x%08x,0x%08x,0x%08x,0xbf800000,0xbf800000,0xbf800000,0xbf800000,0xbf800000%n",
              words[0],
              words[1],
              words[2]));
    }
    Path assembly = Files.createTempFile(folder, "words", ".s");
    Files.writeString(assembly, source);
    Path object = assembly.resolveSibling(assembly.getFileName() + ".o");
    run(
        List.of(
            toolchain.clang().toString(),
            "--target=amdgcn-amd-amdhsa",
            "-mcpu=" + target.arch(),
            "-c",
            assembly.toString(),
            "-o",
            object.toString()));
    List<Line> lines =
        disassemble(object, lanes == target.lanes() ? "" : "+wavefrontsize" + lanes).stream()
            .filter(l -> l.address() % 32 == 0)
            .toList();
    assertThat(lines).as("one line for each").hasSameSizeAs(triples);
    return lines;
  }

  /** All instructions of a code object. */
  List<Line> disassemble(Path object) throws Exception {
    return disassemble(object, "");
  }

  private List<Line> disassemble(Path object, String features) throws Exception {
    Path objdump = toolchain.clang().toRealPath().resolveSibling("llvm-objdump");
    if (!Files.isExecutable(objdump)) {
      objdump = toolchain.clang().resolveSibling("llvm-objdump");
    }
    List<Line> lines = new ArrayList<>();
    for (String line :
        run(List.of(objdump.toString(), "-d", "-z", "--mattr=" + features, object.toString()))) {
      Matcher m = LINE.matcher(line);
      if (m.matches()) {
        String text = m.group("text").replaceAll("\\s+", " ");
        List<Integer> words = new ArrayList<>();
        for (String word : m.group("words").split(" ", -1)) {
          words.add(Integer.parseUnsignedInt(word, 16));
        }
        lines.add(
            new Line(
                Long.parseLong(m.group("address"), 16),
                text.startsWith(".long") || m.group("note").contains("Warning:")
                    ? Optional.empty()
                    : Optional.of(text),
                List.copyOf(words)));
      }
    }
    return lines;
  }

  List<String> run(List<String> command) throws IOException, InterruptedException {
    Path out = Files.createTempFile(folder, "run", ".txt");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    int code = process.waitFor();
    // LLVM may print a message with bytes of a file in it
    List<String> lines = Files.readString(out, StandardCharsets.ISO_8859_1).lines().toList();
    assertThat(code).as(() -> String.join(" ", command) + "\n" + String.join("\n", lines)).isZero();
    return lines;
  }
}
