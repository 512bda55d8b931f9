package dev.rocport.cli.port;

import static dev.rocport.cli.port.PortRun.tree;
import static dev.rocport.cli.port.PortRun.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A second port sees what a change of one Python file means for the others. */
final class PythonStateTest {
  private static final String SETTING = "import torch\ntorch.backends.cudnn.allow_tf32 = True\n";

  @TempDir Path dir;

  /** Ports a tree again and a second time anew: both must be the same, and not what was before. */
  private void changes(String path, Change change) throws IOException {
    Path in = dir.resolve("in");
    Path out = dir.resolve("out");
    assertThat(PortRun.of("port", in, "--out", out).code()).isIn(0, 1);
    String before = Files.readString(out.resolve(path));
    change.run();

    PortRun.of("port", in, "--out", out);
    Path fresh = dir.resolve("fresh");
    PortRun.of("port", in, "--out", fresh);

    assertThat(out.resolve(path)).content().isNotEqualTo(before);
    assertThat(tree(out)).isEqualTo(tree(fresh));
  }

  private interface Change {
    void run() throws IOException;
  }

  @Test
  void aFileThatAnotherImportsByItsBareNameIsNoPartOfAPackage() throws IOException {
    Path in = dir.resolve("in/tools");
    write(in.resolve("__init__.py"), "");
    write(in.resolve("a.py"), "import torch\n");
    write(in.resolve("b.py"), SETTING);
    changes("tools/b.py", () -> write(in.resolve("a.py"), "import torch\nimport b\n"));
  }

  @Test
  void aFileComparesTheTypeThatAnotherCreates() throws IOException {
    Path in = dir.resolve("in/pkg");
    write(in.resolve("__init__.py"), "");
    write(in.resolve("create.py"), "import torch\nx = torch.zeros(1).to(torch.float8_e4m3fn)\n");
    write(in.resolve("use.py"), "import torch\n");
    changes(
        "pkg/create.py",
        () ->
            write(
                in.resolve("use.py"),
                "import torch\n\ndef is8(x):\n    return x.dtype == torch.float8_e4m3fn\n"));
  }

  @Test
  void anotherFileAllocatesInOrdinaryMemory() throws IOException {
    Path in = dir.resolve("in/pkg");
    String buffers = "import torch\nimport torch.distributed._symmetric_memory as symm_mem\n";
    write(in.resolve("__init__.py"), "");
    write(in.resolve("buffers.py"), buffers + "buf = symm_mem.empty(4)\n");
    write(
        in.resolve("layers.py"),
        "import torch\nfrom .buffers import buf\n\n"
            + "def f(g):\n    torch.ops.symm_mem.one_shot_all_reduce(buf, 'sum', g)\n");
    Path out = dir.resolve("out");
    assertThat(PortRun.of("port", in, "--out", out).err()).doesNotContain("PY-SYMM-MEM");
    write(in.resolve("buffers.py"), buffers + "buf = torch.zeros(4)\n");
    assertThat(PortRun.of("port", in, "--out", out).err())
        .contains("layers.py:5:44: warning: one_shot_all_reduce needs input in symmetric memory");
  }

  @Test
  void aFolderBecomesAPackage() throws IOException {
    Path in = dir.resolve("in/tools");
    write(in.resolve("b.py"), SETTING);
    changes("tools/b.py", () -> write(in.resolve("__init__.py"), ""));
  }

  @Test
  void theProjectGetsAModuleOfTheNameThatAPortAdds() throws IOException {
    Path in = dir.resolve("in/pkg");
    write(in.resolve("__init__.py"), "");
    write(in.resolve("b.py"), SETTING);
    changes("pkg/b.py", () -> write(in.resolve("_rocm.py"), "is_rocm = False\n"));
  }
}
