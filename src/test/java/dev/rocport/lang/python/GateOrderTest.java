package dev.rocport.lang.python;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A function that is called before the file defines its gate must not read it. */
final class GateOrderTest {
  private static final PythonPorter PORTER =
      new PythonPorter(RuleCatalog.builtIn(), PortOptions.DEFAULT);

  private static String port(String text) {
    SourceFile file = SourceFile.of("setup.py", text);
    byte[] ported = PORTER.port(file, PythonProject.NONE).edits().apply(file.bytes());
    return new String(ported, StandardCharsets.UTF_8);
  }

  @Test
  void codeBeforeTheDefinitionIsKeptWhenItIsPortedAgain() {
    String once =
        port(
            """
            import os
            from distutils.core import setup
            from distutils.extension import Extension

            def home():
                return os.path.join(os.environ["CUDAHOME"], "lib64")

            ext = Extension("ops", ["k.cu"], library_dirs=[home()], libraries=["cudart"])
            setup(name="ops", ext_modules=[ext])
            import torch

            model = torch.compile(model, mode="reduce-overhead")
            """);
    assertThat(once).contains("\nis_rocm = ").contains("os.environ[\"CUDAHOME\"]");
    assertThat(port(once)).isEqualTo(once);
  }
}
