package dev.rocport.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.source.FileKind;
import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RenamedSourcesTest {
  @TempDir Path folder;

  @Test
  void includesFollowAndNamesThatNoFileCanHaveStay() throws IOException {
    Files.writeString(folder.resolve("a.cu"), "");
    RenamedSources renamed = RenamedSources.of(SourceTree.walk(TreeSelection.of(List.of(folder))));
    SourceFile file =
        SourceFile.of("b.cpp", "#include \"a.cu\"\n#include \"c\0d.cu\"\n#include \"e.cu\"\n");
    Changes changes = new Changes(file, RuleCatalog.builtIn(), PortOptions.DEFAULT.filter());
    renamed.fix(file, FileKind.SOURCE, changes);
    assertThat(new String(changes.edits().apply(file.bytes()), StandardCharsets.UTF_8))
        .isEqualTo("#include \"a.hip\"\n#include \"c\0d.cu\"\n#include \"e.cu\"\n");
  }
}
