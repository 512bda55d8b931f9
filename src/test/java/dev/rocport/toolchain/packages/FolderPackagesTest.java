package dev.rocport.toolchain.packages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.io.Sha256;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.packages.PackageList.Group;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderPackagesTest {
  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void fill() throws Exception {
    file = Files.writeString(folder.resolve("a_1_amd64.deb"), "content");
    Deb deb = new Deb(Group.HIP, "a", "1", Sha256.of(file), file);
    Files.writeString(folder.resolve(Manifest.FILE), new Manifest(List.of(deb)).text());
  }

  private List<Deb> obtain(Group group) throws Exception {
    return new FolderPackages(folder).obtain(group, 0, 19, folder, deb -> {});
  }

  @Test
  void deliversWhatTheManifestLists() throws Exception {
    assertThat(obtain(Group.HIP)).extracting(Deb::file).containsExactly(file);
  }

  @Test
  void refusesAFileThatChanged() throws Exception {
    Files.writeString(file, "Content");
    assertThatThrownBy(() -> obtain(Group.HIP))
        .isInstanceOf(ToolchainException.class)
        .hasMessageContaining("damaged");
  }

  @Test
  void refusesAFileThatIsMissing() throws Exception {
    Files.delete(file);
    assertThatThrownBy(() -> obtain(Group.HIP)).hasMessageContaining("missing");
  }

  @Test
  void saysWhatTheFolderDoesNotHold() {
    assertThatThrownBy(() -> obtain(Group.COMPILER)).hasMessageContaining("compiler");
  }

  @Test
  void refusesAManifestThatNamesFilesElsewhere() throws Exception {
    Files.writeString(
        folder.resolve(Manifest.FILE), "0".repeat(64) + "\thip\ta\t1\t../a_1_amd64.deb\n");
    assertThatThrownBy(() -> obtain(Group.HIP)).hasMessageContaining("malformed");
  }

  @Test
  void saysHowToFillAFolderThatHasNoManifest() throws Exception {
    Files.delete(folder.resolve(Manifest.FILE));
    assertThatThrownBy(() -> obtain(Group.HIP)).hasMessageContaining("--download-only");
  }
}
