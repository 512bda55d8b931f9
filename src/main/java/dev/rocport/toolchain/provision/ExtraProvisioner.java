package dev.rocport.toolchain.provision;

import dev.rocport.io.Folders;
import dev.rocport.io.Sha256;
import dev.rocport.rules.BuiltInText;
import dev.rocport.toolchain.InstallLock;
import dev.rocport.toolchain.ToolRun;
import dev.rocport.toolchain.ToolchainException;
import dev.rocport.toolchain.ToolchainRequest;
import dev.rocport.toolchain.packages.Deb;
import dev.rocport.toolchain.packages.Manifest;
import dev.rocport.toolchain.packages.PackageSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Unpacks an extra's packages, makes its programs find their files, and tries them. */
final class ExtraProvisioner {
  // Bytes at the peak, package lists and downloads included.
  private static final long ROOM = 250_000_000;

  /** Holds the folder that the programs were made for: they name files in it. */
  private static final String PLACE = "place.txt";

  private static final Pattern PATHS =
      Pattern.compile(
          "(?<![\\w/.-])/usr/(?=share/(?:autoconf|automake|aclocal|libtool)"
              + "|bin/(?:m4|auto\\w+|aclocal)\\b)");
  private static final Pattern PERL = Pattern.compile("(?m)^#! ?/usr/bin/perl.*$");

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
      staging.room(ROOM);
      PackageSource source =
          PackageSource.of(request, EnumSet.of(extra.group()), staging.scratch(), progress);
      List<Deb> debs =
          source.obtain(
              extra.group(),
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
    progress.accept("took %s into %s".formatted(extra.title(), made.bin()));
    return made;
  }

  private void finish(String name) throws IOException, ToolchainException {
    // These are not needed, and they are most of the files.
    for (String unused : List.of("doc", "man", "info", "locale", "lintian", "emacs")) {
      Folders.delete(root.resolve("usr/share").resolve(unused));
    }
    Path bin = Files.createDirectories(root.resolve("bin"));
    switch (extra) {
      case MPI -> mpi(bin);
      case AUTOTOOLS -> autotools(bin, root);
      case CMAKE -> {
        // Each looks for its files from where it is.
        for (String program : extra.programs()) {
          script(bin.resolve(program), program, Map.of());
        }
      }
      case MESON -> meson(bin);
      case BAZEL -> bazel(bin, root);
      case PYTHON -> python(bin);
    }
    attempt();
    if (extra == Extra.AUTOTOOLS) {
      autotools(bin, staging.target(name));
    } else if (extra == Extra.BAZEL) {
      bazel(bin, staging.target(name));
    }
    Files.writeString(root.resolve(PLACE), staging.target(name) + "\n");
    staging.publish(name, extra.label());
  }

  /** The names that Debian gives by its alternatives. */
  private void mpi(Path bin) throws IOException {
    for (String program : List.of("mpicc", "mpicxx", "mpic++", "mpiCC", "mpirun", "mpiexec")) {
      script(bin.resolve(program), program + ".openmpi", mpiVariables("$d", root));
    }
    script(bin.resolve("ompi_info"), "ompi_info", mpiVariables("$d", root));
  }

  /**
   * Debian's headers include each other relative to {@code /usr/include}; here the folder differs.
   */
  private void python(Path bin) throws IOException {
    String program =
        Folders.list(root.resolve("usr/bin")).stream()
            .map(p -> p.getFileName() + "")
            .filter(n -> n.matches("python3\\.\\d+"))
            .findFirst()
            .orElse("python3");
    script(bin.resolve("python3"), program, Map.of("PYTHONHOME", "$d/usr"));
    Path include = root.resolve("usr/include");
    for (Path folder : Folders.list(include)) {
      Path real = folder.resolve(program).resolve("pyconfig.h");
      if (folder.toString().endsWith("-linux-gnu") && Files.exists(real)) {
        Files.copy(
            real,
            include.resolve(program).resolve("pyconfig.h"),
            StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  /** Meson is started with its own Python, also where it calls itself from ninja. */
  private void meson(Path bin) throws IOException {
    script(bin.resolve("ninja"), "ninja", Map.of());
    Path usr = root.resolve("usr/bin");
    String python =
        Folders.list(usr).stream()
            .map(p -> String.valueOf(p.getFileName()))
            .filter(n -> n.matches("python3\\.\\d+"))
            .findFirst()
            .orElse("python3");
    Files.copy(usr.resolve("meson"), usr.resolve("meson.py"), StandardCopyOption.REPLACE_EXISTING);
    Map<String, String> packages = Map.of("PYTHONPATH", "$d/usr/lib/python3/dist-packages");
    script(bin.resolve("meson"), python + "\" \"$d/usr/bin/meson.py", packages);
  }

  /**
   * Bazel with the rules that it would else download, and on the Java that the caller names.
   *
   * @param place where its files will be
   */
  private void bazel(Path bin, Path place) throws IOException {
    Path own = root.resolve("usr/share/bazel");
    Path cc = Files.createDirectories(own.resolve("rocport_rules_cc/cc"));
    Files.writeString(cc.resolveSibling("WORKSPACE"), "");
    Files.writeString(cc.resolve("BUILD"), "exports_files([\"defs.bzl\"])\n");
    Files.writeString(cc.resolve("defs.bzl"), BuiltInText.read("toolchain/rules_cc.bzl"));
    StringBuilder settings = new StringBuilder();
    Map<String, String> repositories = new TreeMap<>();
    repositories.put("rules_cc", "rocport_rules_cc");
    repositories.put("rules_java", "rules/java");
    repositories.put("rules_proto", "rules/proto");
    repositories.forEach(
        (name, folder) ->
            settings.append(
                "build --override_repository=%s=%s/usr/share/bazel/%s%n"
                    .formatted(name, place, folder)));
    Files.writeString(own.resolve("rocport.bazelrc"), settings);
    String program =
        Folders.list(root.resolve("usr/bin")).stream()
            .map(p -> String.valueOf(p.getFileName()))
            .filter(n -> n.matches("bazel-\\d+.*"))
            .findFirst()
            .orElse("bazel");
    script(
        bin.resolve("bazel"),
        program
            + "\" --nosystem_rc --trust_install_base --install_base=\"$d/usr/share/bazel\""
            + " --bazelrc=\"$d/usr/share/bazel/rocport.bazelrc\""
            + " --server_javabase=\"${ROCPORT_BAZEL_JAVA:-$JAVA_HOME}",
        Map.of());
  }

  private void autotools(Path bin, Path place) throws IOException {
    for (String tool : List.of("perl", "pkg-config")) {
      if (Files.exists(root.resolve("usr/bin").resolve(tool))) {
        Map<String, String> perl = Map.of("PERL5LIB", perlFolders());
        script(bin.resolve(tool), tool, tool.equals("perl") ? perl : Map.of());
      }
    }
    for (Path file : Folders.list(root.resolve("usr/bin"))) {
      String name = file.getFileName() + "";
      String plain = name.replaceFirst("-\\d+\\.\\d+$", "");
      if (extra.programs().contains(plain) && !plain.equals("perl")) {
        turn(file, place);
        Path at = bin.resolve(plain);
        Files.deleteIfExists(at);
        Files.createSymbolicLink(at, Path.of("../usr/bin").resolve(name));
      }
    }
    turn(root.resolve("usr/share/autoconf/autom4te.cfg"), place);
    for (Path share : Folders.list(root.resolve("usr/share"))) {
      turn(share.resolve("Automake/Config.pm"), place);
    }
  }

  /** Turns the paths in a script to where its files are; other files stay as they are. */
  private void turn(Path file, Path place) throws IOException {
    if (!Files.isRegularFile(file)) {
      return;
    }
    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
    if (text.startsWith("\u007fELF")) {
      return;
    }
    Path kept = root.resolve(".work/original").resolve(root.relativize(file));
    if (Files.exists(kept)) {
      text = Files.readString(kept, StandardCharsets.ISO_8859_1);
    } else {
      Files.createDirectories(kept.resolveSibling(""));
      Files.writeString(kept, text, StandardCharsets.ISO_8859_1);
    }
    String turned = PATHS.matcher(text).replaceAll(Matcher.quoteReplacement(place + "/usr/"));
    turned = PERL.matcher(turned).replaceAll("#!/usr/bin/env perl");
    Files.writeString(file, turned, StandardCharsets.ISO_8859_1);
  }

  /** Debian's perl looks into these below {@code /usr}. */
  private String perlFolders() throws IOException {
    StringBuilder folders = new StringBuilder();
    Path libs = libraries(root);
    for (Path parent :
        List.of(root.resolve("usr/share/perl"), libs.resolve("perl"), libs.resolve("perl-base"))) {
      List<Path> versions = Folders.list(parent);
      Path folder =
          versions.stream()
              .filter(p -> String.valueOf(p.getFileName()).matches("\\d+\\.\\d+"))
              .findFirst()
              .orElse(parent);
      if (!versions.isEmpty()) {
        folders.append(folders.isEmpty() ? "" : ":").append("$d/").append(root.relativize(folder));
      }
    }
    return folders.toString();
  }

  /** A wrapper that finds its own folder, passes the real program what it needs, and starts it. */
  private void script(Path at, String program, Map<String, String> variables) throws IOException {
    StringBuilder text =
        new StringBuilder(
            "#!/bin/sh\nd=$(cd \"$(dirname \"$(readlink -f \"$0\")\")/..\" && pwd)\n");
    variables.forEach((k, v) -> text.append("export %s=\"%s\"\n".formatted(k, v)));
    text.append(
        """
        LD_LIBRARY_PATH=$d/%s${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
        export LD_LIBRARY_PATH
        exec "$d/usr/bin/%s" "$@"
        """
            .formatted(root.relativize(libraries(root)), program));
    Files.writeString(at, text);
    Files.setPosixFilePermissions(at, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static Path libraries(Path root) throws IOException {
    return Folders.list(root.resolve("usr/lib")).stream()
        .filter(p -> p.toString().endsWith("-linux-gnu"))
        .findFirst()
        .orElse(root.resolve("usr/lib"));
  }

  /** Tests the installation the way projects use it. */
  private void attempt() throws IOException, ToolchainException {
    Path folder = Files.createDirectories(staging.scratch().resolve("try"));
    ToolRun run =
        switch (extra) {
          case MPI -> {
            Map<String, String> environment = new TreeMap<>(Mpi.settings());
            environment.put("PATH", path());
            yield run(List.of(root + "/bin/mpirun", "-np", "2", "true"), folder, environment);
          }
          case AUTOTOOLS -> {
            Files.writeString(
                folder.resolve("configure.ac"),
                """
                AC_INIT([try], [1])
                AM_INIT_AUTOMAKE([foreign subdir-objects])
                LT_INIT
                AC_PROG_CC
                AC_CONFIG_HEADERS([config.h])
                AC_CONFIG_FILES([Makefile])
                AC_OUTPUT
                """);
            Files.writeString(folder.resolve("Makefile.am"), "lib_LTLIBRARIES = libtry.la\n");
            yield run(
                List.of(root + "/bin/autoreconf", "--install"), folder, Map.of("PATH", path()));
          }
          case CMAKE -> {
            Files.writeString(
                folder.resolve("CMakeLists.txt"),
                """
                cmake_minimum_required(VERSION 3.21)
                project(try LANGUAGES NONE)
                file(WRITE configure "done")
                """);
            yield run(
                List.of(root + "/bin/cmake", "-G", "Ninja", "."), folder, Map.of("PATH", path()));
          }
          case PYTHON -> {
            Files.writeString(
                folder.resolve("setup.py"),
                """
                import ctypes, os, sysconfig
                from setuptools import setup
                if os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")):
                    open("configure", "w").write("done")
                setup(name="try")
                """);
            yield run(
                List.of(root + "/bin/python3", "setup.py", "--version"),
                folder,
                Map.of("PATH", path()));
          }
          case BAZEL -> {
            Files.writeString(folder.resolve("WORKSPACE"), "");
            Files.writeString(
                folder.resolve("BUILD"),
                "genrule(name = \"try\", outs = [\"done\"], cmd = \"echo done > $@\")\n");
            Map<String, String> environment = new TreeMap<>(bazelVariables());
            environment.put("PATH", path());
            ToolRun made =
                run(
                    List.of(
                        root + "/bin/bazel",
                        "--batch",
                        "--output_user_root=" + folder.resolve("out"),
                        "build",
                        "--spawn_strategy=local",
                        "//:try"),
                    folder,
                    environment);
            if (Files.exists(folder.resolve("bazel-bin/done"))) {
              Files.writeString(folder.resolve("configure"), "");
            }
            yield made;
          }
          case MESON -> {
            Files.writeString(
                folder.resolve("meson.build"),
                """
                project('try')
                configure_file(output: 'configure', configuration: {'done': 1})
                """);
            yield run(
                List.of(root + "/bin/meson", "setup", "build"), folder, Map.of("PATH", path()));
          }
        };
    boolean made =
        extra == Extra.MPI
            || Files.exists(folder.resolve("configure"))
            || Files.exists(folder.resolve("build/configure"));
    if (!run.ok() || !made) {
      throw new ToolchainException(
          "%s does not run on this machine:\n%s".formatted(extra.title(), run.tail(8)));
    }
  }

  private String path() {
    return root.resolve("bin") + ":" + System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
  }

  private static ToolRun run(List<String> command, Path folder, Map<String, String> environment)
      throws IOException {
    return ToolRun.of(command, folder, environment, Duration.ofMinutes(2));
  }

  private static ExtraTools tools(Extra extra, Path root) throws IOException {
    Path bin = root.resolve("bin");
    return switch (extra) {
      case BAZEL -> new ExtraTools(extra, true, bin, "", bazelVariables());
      case MPI ->
          new ExtraTools(extra, true, bin, libraries(root) + "", mpiVariables(root + "", root));
      case AUTOTOOLS, CMAKE, MESON, PYTHON -> new ExtraTools(extra, true, bin, "", Map.of());
    };
  }

  /** Bazel is a Java program, and Debian's has no Java with it. */
  private static Map<String, String> bazelVariables() {
    String own = System.getProperty("java.home");
    // The Java of a release has only the modules that rocport needs.
    boolean whole = Files.exists(Path.of(own, "bin/javac"));
    String named = System.getenv().getOrDefault("JAVA_HOME", "");
    return Map.of("ROCPORT_BAZEL_JAVA", whole || named.isBlank() ? own : named);
  }

  /**
   * Where Open MPI and its own libraries find their plugins and settings.
   *
   * @param shown the root as the variables name it
   */
  private static Map<String, String> mpiVariables(String shown, Path root) throws IOException {
    String libs = shown + "/" + root.relativize(libraries(root));
    Map<String, String> variables = new TreeMap<>();
    variables.put("OPAL_PREFIX", shown + "/usr");
    variables.put("OPAL_SYSCONFDIR", shown + "/etc/openmpi");
    variables.put("HWLOC_PLUGINS_PATH", libs + "/hwloc");
    variables.put("PMIX_INSTALL_PREFIX", libs + "/pmix2");
    variables.put("PMIX_MCA_mca_base_component_path", libs + "/pmix2/lib/pmix");
    return variables;
  }
}
