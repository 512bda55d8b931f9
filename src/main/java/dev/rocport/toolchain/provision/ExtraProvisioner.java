package dev.rocport.toolchain.provision;

import dev.rocport.io.Folders;
import dev.rocport.io.Sha256;
import dev.rocport.toolchain.InstallLock;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.packages.Deb;
import dev.rocport.toolchain.packages.Manifest;
import dev.rocport.toolchain.packages.PackageList.Group;
import dev.rocport.toolchain.packages.PackageSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Unpacks an extra's packages, makes its programs find their files, and tries them. */
final class ExtraProvisioner {
  /** Holds the folder that the programs were made for: they name files in it. */
  private static final String PLACE = "place.txt";

  private final Extra extra;
  private final Staging staging;
  private final Path root;

  private ExtraProvisioner(Extra extra, Staging staging) {
    this.extra = extra;
    this.staging = staging;
    this.root = staging.folder();
  }

  /** The extra in a toolchain home, where it is there and was made for that place. */
  static Optional<ExtraTools> installed(Extra extra, Path home) throws IOException {
    Path link = home.resolve(extra.label());
    if (!Files.isDirectory(link)) {
      return Optional.empty();
    }
    Path root = link.toRealPath();
    Path place = root.resolve(PLACE);
    return Files.isReadable(place) && Files.readString(place).strip().equals(root.toString())
        ? Optional.of(tools(extra, root))
        : Optional.empty();
  }

  /** Installs it; the caller holds the {@link InstallLock}. */
  static ExtraTools install(Extra extra, ToolchainRequest request, Consumer<String> progress)
      throws IOException, ToolchainException {
    try (Staging staging = Staging.in(request.home())) {
      staging.room(extra.room());
      Group group = new Group(extra.label());
      PackageSource source = PackageSource.of(request, Set.of(group), staging.scratch(), progress);
      List<Deb> debs =
          source.obtain(
              group,
              0,
              Provisioner.OWN_MAJOR,
              staging.scratch(),
              deb -> deb.unpack(staging.folder()));
      Manifest manifest = new Manifest(debs);
      Files.writeString(staging.folder().resolve(Manifest.FILE), manifest.text());
      String key = Sha256.of(staging.folder().resolve(Manifest.FILE));
      new ExtraProvisioner(extra, staging).finish(extra.label() + "-" + key.substring(0, 8));
    }
    ExtraTools made =
        installed(extra, request.home())
            .orElseThrow(() -> new ToolchainException("the installation cannot be read back"));
    progress.accept("installed %s in %s".formatted(extra.title(), made.bin()));
    return made;
  }

  private void finish(String name) throws IOException, ToolchainException {
    // Nobody reads these, and they are most of the files.
    for (String unused : List.of("doc", "man", "info", "locale", "lintian", "emacs")) {
      Folders.delete(root.resolve("usr/share").resolve(unused));
    }
    Files.createDirectories(root.resolve("bin"));
    ExtraFolder here = new ExtraFolder(root, root);
    extra.make(here);
    attempt(here);
    extra.make(new ExtraFolder(root, staging.target(name)));
    Files.writeString(root.resolve(PLACE), staging.target(name) + "\n");
    staging.publish(name, extra.label());
  }

  private void attempt(ExtraFolder folder) throws IOException, ToolchainException {
    Path scratch = Files.createDirectories(staging.scratch().resolve("try"));
    Extra.Attempt attempt = extra.attempt(folder, scratch);
    if (!attempt.run().ok() || !attempt.made()) {
      throw new ToolchainException(
          "%s does not run on this machine:\n%s".formatted(extra.title(), attempt.run().tail(8)));
    }
  }

  private static ExtraTools tools(Extra extra, Path root) throws IOException {
    ExtraFolder folder = new ExtraFolder(root, root);
    String libraries = extra.linked() ? folder.libraries().toString() : "";
    return new ExtraTools(extra, true, folder.bin(), libraries, extra.variables(folder));
  }
}
