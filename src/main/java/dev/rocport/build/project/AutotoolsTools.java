package dev.rocport.build.project;

import dev.rocport.io.Folders;
import dev.rocport.toolchain.ToolRun;
import dev.rocport.toolchain.provision.Extra;
import dev.rocport.toolchain.provision.ExtraFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Provides autoconf, automake, libtool and make. */
final class AutotoolsTools extends Extra {
  private static final Pattern PATHS =
      Pattern.compile(
          "(?<![\\w/.-])/usr/(?=share/(?:autoconf|automake|aclocal|libtool)"
              + "|bin/(?:m4|auto\\w+|aclocal)\\b)");
  private static final Pattern PERL = Pattern.compile("(?m)^#! ?/usr/bin/perl.*$");

  AutotoolsTools() {
    super(
        "autotools",
        "autotools",
        List.of(
            "autoreconf",
            "autoconf",
            "autoheader",
            "autom4te",
            "automake",
            "aclocal",
            "libtoolize",
            "m4",
            "perl",
            "make"),
        "autoconf automake libtool make");
  }

  @Override
  public void make(ExtraFolder folder) throws IOException {
    for (String tool : List.of("perl", "pkg-config")) {
      if (Files.exists(folder.root().resolve("usr/bin").resolve(tool))) {
        Map<String, String> perl = Map.of("PERL5LIB", perlFolders(folder));
        folder.script(tool, tool, tool.equals("perl") ? perl : Map.of());
      }
    }
    for (Path file : Folders.list(folder.root().resolve("usr/bin"))) {
      String name = file.getFileName() + "";
      String plain = name.replaceFirst("-\\d+\\.\\d+$", "");
      if (programs().contains(plain) && !plain.equals("perl")) {
        rewrite(folder, file);
        Path at = folder.bin().resolve(plain);
        Files.deleteIfExists(at);
        Files.createSymbolicLink(at, Path.of("../usr/bin").resolve(name));
      }
    }
    rewrite(folder, folder.root().resolve("usr/share/autoconf/autom4te.cfg"));
    for (Path share : Folders.list(folder.root().resolve("usr/share"))) {
      rewrite(folder, share.resolve("Automake/Config.pm"));
    }
  }

  @Override
  public Attempt attempt(ExtraFolder folder, Path scratch) throws IOException {
    Files.writeString(
        scratch.resolve("configure.ac"),
        """
        AC_INIT([try], [1])
        AM_INIT_AUTOMAKE([foreign subdir-objects])
        LT_INIT
        AC_PROG_CC
        AC_CONFIG_HEADERS([config.h])
        AC_CONFIG_FILES([Makefile])
        AC_OUTPUT
        """);
    Files.writeString(scratch.resolve("Makefile.am"), "lib_LTLIBRARIES = libtry.la\n");
    ToolRun run =
        folder.run(
            List.of(folder.root() + "/bin/autoreconf", "--install"),
            scratch,
            Map.of("PATH", folder.path()));
    return new Attempt(run, Files.exists(scratch.resolve("configure")));
  }

  /** Rewrites the paths in a script to its installed files; does not change other files. */
  private static void rewrite(ExtraFolder folder, Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return;
    }
    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
    if (text.startsWith("\u007fELF")) {
      return;
    }
    Path kept = folder.root().resolve(".work/original").resolve(folder.root().relativize(file));
    if (Files.exists(kept)) {
      text = Files.readString(kept, StandardCharsets.ISO_8859_1);
    } else {
      Files.createDirectories(kept.resolveSibling(""));
      Files.writeString(kept, text, StandardCharsets.ISO_8859_1);
    }
    String turned =
        PATHS.matcher(text).replaceAll(Matcher.quoteReplacement(folder.place() + "/usr/"));
    turned = PERL.matcher(turned).replaceAll("#!/usr/bin/env perl");
    Files.writeString(file, turned, StandardCharsets.ISO_8859_1);
  }

  /** Returns the folders below {@code /usr} that perl of Debian searches. */
  private static String perlFolders(ExtraFolder folder) throws IOException {
    Path root = folder.root();
    StringBuilder folders = new StringBuilder();
    Path libs = folder.libraries();
    for (Path parent :
        List.of(root.resolve("usr/share/perl"), libs.resolve("perl"), libs.resolve("perl-base"))) {
      List<Path> versions = Folders.list(parent);
      Path chosen =
          versions.stream()
              .filter(p -> String.valueOf(p.getFileName()).matches("\\d+\\.\\d+"))
              .findFirst()
              .orElse(parent);
      if (!versions.isEmpty()) {
        folders.append(folders.isEmpty() ? "" : ":").append("$d/").append(root.relativize(chosen));
      }
    }
    return folders.toString();
  }
}
