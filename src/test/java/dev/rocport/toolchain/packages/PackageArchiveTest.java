package dev.rocport.toolchain.packages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.io.Sha256;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.packages.PackageList.Group;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PackageArchiveTest {
  @TempDir private Path folder;
  private Path packages;
  private Path archive;

  @BeforeEach
  void fill() throws Exception {
    packages = Files.createDirectories(folder.resolve("packages"));
    Path file =
        Files.writeString(packages.resolve("libfoo++_1%3a1_amd64.deb"), "content".repeat(99));
    Deb deb = new Deb(Group.HIP, "libfoo++", "1:1", Sha256.of(file), file);
    Files.writeString(packages.resolve(Manifest.FILE), new Manifest(List.of(deb)).text());
    archive = folder.resolve("packages.tar");
    PackageArchive.write(packages, archive);
  }

  private List<Deb> obtain() throws Exception {
    ToolchainRequest request =
        new ToolchainRequest(
            folder.resolve("home"), Map.of(), true, false, true, false, Optional.of(archive));
    Path scratch = Files.createTempDirectory(folder, "scratch");
    return PackageSource.of(request, Set.of(Group.HIP), scratch, line -> {})
        .obtain(Group.HIP, 0, 19, scratch, deb -> {});
  }

  @Test
  void deliversThePackagesAgain() throws Exception {
    assertThat(obtain()).hasSize(1);
    assertThat(obtain().getFirst().file()).hasContent("content".repeat(99));
  }

  @Test
  void theSamePackagesMakeTheSameBytes() throws Exception {
    byte[] first = Files.readAllBytes(archive);
    Files.setLastModifiedTime(packages.resolve(Manifest.FILE), FileTime.fromMillis(1000));
    PackageArchive.write(packages, archive);
    assertThat(archive).hasBinaryContent(first);
  }

  @Test
  void theHashBesideItIsTheArchives() throws Exception {
    assertThat(folder.resolve("packages.tar.sha256"))
        .hasContent(Sha256.of(archive) + "  packages.tar\n");
  }

  @Test
  void refusesAnArchiveThatWasChanged() throws Exception {
    byte[] bytes = Files.readAllBytes(archive);
    int at = new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf("contentc");
    bytes[at] = 'C';
    Files.write(archive, bytes);
    assertThatThrownBy(this::obtain).hasMessageContaining("damaged");
  }

  @Test
  void saysWhereThereIsNoArchive() throws Exception {
    Files.delete(archive);
    assertThatThrownBy(this::obtain).hasMessageContaining("packages.tar");
  }
}
