package dev.rocport.toolchain.packages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.io.Folders;
import dev.rocport.io.Sha256;
import dev.rocport.toolchain.ToolchainException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class SharedPackagesTest {
  private static final String PLACE = "usr/lib/libcommon/";

  private final PackageSet first = new PackageSet("first", List.of("liba", "libcommon"));
  private final PackageSet second = new PackageSet("second", List.of("libcommon", "libb"));
  private final PackageSet third = new PackageSet("third", List.of("libb"));

  @TempDir private Path folder;
  private Path home;
  private Path packages;
  private PackageLock lock;
  private final List<String> fetched = new ArrayList<>();

  @BeforeEach
  void packages() throws IOException {
    home = Files.createDirectories(folder.resolve("home")).toRealPath();
    packages = Files.createDirectories(folder.resolve("packages"));
    Map<String, PackageLock.Entry> entries = new LinkedHashMap<>();
    for (String name : List.of("liba", "libb", "libcommon")) {
      Path content = Files.createDirectories(folder.resolve("content-" + name));
      Path files = Files.createDirectories(content.resolve("usr/lib/" + name));
      Files.writeString(files.resolve("k_gfx90a.co"), name);
      Files.writeString(files.resolve("k_gfx1100.co"), name);
      Files.createSymbolicLink(files.resolve("link"), Path.of("k_gfx90a.co"));
      Path deb = TestDebs.pack(content, name, packages);
      entries.put(name, new PackageLock.Entry(name, "1.0", Sha256.of(deb), Files.size(deb), 1000));
    }
    lock = new PackageLock(entries);
  }

  private SharedPackages shared(PackageSet... sets) {
    FolderStore files = new FolderStore(packages, lock);
    PackageStore counting =
        (set, downloads, each) -> {
          fetched.addAll(set.packages());
          return files.obtain(set, downloads, each);
        };
    return new SharedPackages(counting, List.of(sets), home);
  }

  private PackageFolder unpacked(PackageSet set, PackageStore store, boolean keep)
      throws IOException, ToolchainException {
    return PackageFolder.of(set, lock, store, home, keep, line -> {});
  }

  @Test
  void aPackageOfTwoSetsIsFetchedOnceAndDeletedAfterTheSecond() throws Exception {
    try (SharedPackages store = shared(first, second, third)) {
      Path file;
      try (PackageFolder one = unpacked(first, store, false)) {
        file = one.root().resolve(PLACE + "k_gfx90a.co");
        assertThat(file).hasContent("libcommon");
        assertThat(Files.getAttribute(file, "unix:nlink")).isEqualTo(2);
        assertThat(one.debs()).extracting(Deb::name).containsExactly("liba", "libcommon");
      }
      assertThat(file).doesNotExist();
      assertThat(store.absent(second).packages()).containsExactly("libb");
      try (PackageFolder two = unpacked(second, store, false)) {
        assertThat(two.root().resolve(PLACE + "link")).isSymbolicLink().hasContent("libcommon");
        assertThat(two.root().resolve(PLACE + "k_gfx1100.co")).doesNotExist();
        assertThat(Files.getAttribute(two.root().resolve(PLACE + "k_gfx90a.co"), "unix:nlink"))
            .isEqualTo(1);
        assertThat(two.debs()).extracting(Deb::name).containsExactly("libcommon", "libb");
      }
      assertThat(store.absent(second).packages()).containsExactly("libcommon");
    }
    assertThat(fetched).containsExactly("liba", "libcommon", "libb");
    assertThat(Folders.list(home)).isEmpty();
  }

  @Test
  void nothingIsHeldForASetThatAnEarlierRunKept() throws Exception {
    unpacked(second, shared(second), true).close();
    try (SharedPackages store = shared(first, second);
        PackageFolder one = unpacked(first, store, false)) {
      assertThat(Files.getAttribute(one.root().resolve(PLACE + "k_gfx90a.co"), "unix:nlink"))
          .isEqualTo(1);
    }
    assertThat(Folders.list(home)).containsExactly(home.resolve("second"));
  }

  @Test
  void aSetThatCannotBeFetchedLeavesWhatOthersNeed() throws Exception {
    Path damaged = packages.resolve("libb_1.0_amd64.deb");
    try (SharedPackages store = shared(first, second, new PackageSet("last", first.packages()))) {
      unpacked(first, store, false).close();
      Files.writeString(damaged, "damaged");
      assertThatThrownBy(() -> unpacked(second, store, false)).hasMessageContaining("libb");
      try (PackageFolder last = unpacked(new PackageSet("last", first.packages()), store, false)) {
        assertThat(last.root().resolve(PLACE + "k_gfx90a.co")).hasContent("libcommon");
      }
    }
    assertThat(fetched).containsExactly("liba", "libcommon", "libb");
    assertThat(Folders.list(home)).isEmpty();
  }
}
