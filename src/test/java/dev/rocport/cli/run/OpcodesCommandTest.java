package dev.rocport.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.cli.Main;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OpcodesCommandTest {
  private static final int END = 0xbfb00000; // s_endpgm of RDNA

  @TempDir private Path folder;

  private record Run(int code, String out, String err) {}

  private static Run run(Object... arguments) {
    String[] args = new String[arguments.length + 1];
    args[0] = "opcodes";
    for (int i = 0; i < arguments.length; i++) {
      args[i + 1] = arguments[i].toString();
    }
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Main.run(new PrintWriter(out), new PrintWriter(err), args);
    return new Run(code, out.toString(), err.toString());
  }

  /** A code object that clang made; a word in place of the ends of its kernels. */
  private Path object(String name, int... end) throws IOException {
    byte[] bytes;
    try (InputStream in =
        Main.class.getResourceAsStream("/dev/rocport/device/server/" + name + ".co")) {
      bytes = in.readAllBytes();
    }
    ByteBuffer b = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int at = 0; end.length > 0 && at + 4 <= bytes.length; at += 4) {
      if (b.getInt(at) == END) {
        b.putInt(at, end[0]);
      }
    }
    return Files.write(folder.resolve(name + ".co"), bytes);
  }

  @Test
  void countsTheOpcodesOfEachTarget() throws IOException {
    Run run = run("--least", "100", object("gfx1100"), object("gfx1201-wave64"), object("gfx950"));
    assertThat(run.out())
        .matches(
            """
            gfx950: \\d+ opcodes in \\d+ instructions of 1 code objects; \\d+ of them run \\(100.0 %\\)
            gfx1100: \\d+ opcodes in \\d+ instructions of 1 code objects; \\d+ of them run \\(100.0 %\\)
            gfx1201: \\d+ opcodes in \\d+ instructions of 1 code objects; \\d+ of them run \\(100.0 %\\)
            """);
    assertThat(run.code()).isZero();
  }

  @Test
  void findsCodeInBundlesOneAfterTheOther() throws IOException {
    byte[] code = Files.readAllBytes(object("gfx1100"));
    String id = "hipv4-amdgcn-amd-amdhsa--gfx1100";
    int head = 24 + 8 + 24 + id.length();
    int size = head + code.length + 7 & -8;
    ByteBuffer b = ByteBuffer.allocate(2 * size).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < 2; i++) {
      b.position(i * size);
      b.put("__CLANG_OFFLOAD_BUNDLE__".getBytes(StandardCharsets.US_ASCII)).putLong(1);
      b.putLong(head).putLong(code.length).putLong(id.length());
      b.put(id.getBytes(StandardCharsets.US_ASCII)).put(code);
    }
    Path both = Files.write(folder.resolve("both.hipfb"), b.array());
    assertThat(run(both).out()).startsWith("gfx1100: ").contains(" of 2 code objects; ");
  }

  /** v_movrelsd_b32 v0, v0 has no operation; 0x7e01ff80 is none of the target. */
  @Test
  void namesWhatDoesNotRun() throws IOException {
    Run run = run("--target", "gfx1100", "--least", "98", object("gfx1100", 0x7e008900));
    assertThat(run.out())
        .contains("\n  v_movrelsd_b32: 3 of 3 do not run; the first: gfx1100.co, exchange + 0x");
    assertThat(run("--target", "gfx1100", object("gfx1100", 0x7e01ff80)).out())
        .contains("\n  unknown bits: 3 of 3 do not run; the first: gfx1100.co, exchange + 0x")
        .contains("7e01ff80");
    assertThat(run("--least", "99.9", object("gfx1100", 0x7e008900)).code()).isEqualTo(1);
  }

  @Test
  void refusesWhatHasNoCode() throws IOException {
    Path text = Files.writeString(folder.resolve("notes.txt"), "no code");
    assertThat(run(text).err()).contains("notes.txt: not a little-endian ELF file");
    assertThat(run(text).code()).isEqualTo(2);
    assertThat(run("--target", "gfx942", object("gfx1100")).err())
        .contains("no file has code for gfx942");
    assertThat(run("--target", "gfx906", text).err()).contains("cannot emulate gfx906");
    assertThat(run(folder.resolve("missing")).code()).isEqualTo(2);
  }
}
