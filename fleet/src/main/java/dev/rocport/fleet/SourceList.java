package dev.rocport.fleet;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the arguments and lists that name repositories. */
final class SourceList {
  private static final Pattern URL =
      Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*)://(?:([^/@]*)@)?(.*)");
  private static final List<String> ARCHIVES = List.of(".tar.gz", ".tgz", ".tar");

  /** Files whose sizes count: the order of the largest folders need not be exact. */
  private static final int MOST_FILES = 20_000;

  private final Map<String, Source> sources = new LinkedHashMap<>();

  /** Properties of Spark. */
  private final Map<String, String> spark;

  /** Those of archives, whose libraries are there. */
  private final Set<String> schemes = new HashSet<>();

  private SourceList(Map<String, String> spark) {
    this.spark = spark;
  }

  /** Returns how the name of an archive ends; empty if it is none. */
  static String archiveEnd(String name) {
    return ARCHIVES.stream().filter(name::endsWith).findFirst().orElse("");
  }

  /**
   * Returns the repositories, the largest first; a location that is named twice counts once.
   *
   * @param folder where relative paths of the arguments start; those of a list start at the list
   * @param spark properties of Spark
   * @throws FleetException if a list cannot be read or an entry cannot be understood
   */
  static List<Source> of(List<String> arguments, Path folder, Map<String, String> spark)
      throws FleetException {
    SourceList list = new SourceList(spark);
    for (String argument : arguments) {
      if (argument.endsWith(".txt") || argument.endsWith(".tsv")) {
        list.read(path(folder, argument));
      } else {
        list.add(argument, "", folder);
      }
    }
    // Each file of a shared folder may take milliseconds.
    return list.sources.values().parallelStream()
        .map(s -> sized(s, spark))
        .sorted(Comparator.comparingLong(Source::size).reversed().thenComparing(Source::key))
        .toList();
  }

  private void read(Path file) throws FleetException {
    List<String> lines;
    try {
      lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new FleetException("cannot read the list " + file + ": " + e, e);
    }
    Path folder = file.toAbsolutePath().resolveSibling("");
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      String[] cells = line.split("\t", -1);
      if (cells.length > 2) {
        throw new FleetException(
            "%s:%d: more than two columns; a line is a source, a tab and a team"
                .formatted(file, i + 1));
      }
      try {
        add(cells[0].strip(), cells.length > 1 ? cells[1].strip() : "", folder);
      } catch (FleetException e) {
        throw new FleetException("%s:%d: %s".formatted(file, i + 1, e.getMessage()), e);
      }
    }
  }

  private void add(String text, String team, Path folder) throws FleetException {
    Matcher url = URL.matcher(text);
    if (!url.matches() && text.contains("://")) {
      // The text may contain a password, which a path would keep.
      throw new FleetException("neither a path nor a Git URL that begins with its scheme");
    }
    Source source = url.matches() ? remote(url, team) : local(path(folder, text), team);
    sources.putIfAbsent(source.key(), source);
  }

  private Source remote(Matcher url, String team) throws FleetException {
    String scheme = url.group(1).toLowerCase(Locale.ROOT);
    String user = url.group(2) == null ? "" : url.group(2);
    String rest = url.group(3);
    return archiveEnd(rest).isEmpty()
        ? git(scheme, user, rest, team)
        : archive(scheme, user, rest, team);
  }

  private Source archive(String scheme, String user, String rest, String team)
      throws FleetException {
    if (!user.isEmpty() || rest.contains("@")) {
      throw new FleetException(
          "the URL of an archive has no credentials; give them to Hadoop's client with"
              + " --spark=spark.hadoop.KEY=VALUE");
    }
    if (rest.contains("?") || rest.contains("#")) {
      // A token may be in there.
      throw new FleetException("the URL of an archive has no query and no fragment");
    }
    if (schemes.add(scheme)) {
      RemoteArchive.requireLibrary(scheme, spark);
    }
    String location = scheme + "://" + rest;
    String name = rest.substring(0, rest.length() - archiveEnd(rest).length());
    return new Source(
        key(name, location), lastPart(name), location, "", team, Source.Kind.REMOTE_ARCHIVE, 0);
  }

  private static Source git(String scheme, String user, String rest, String team)
      throws FleetException {
    if (!List.of("https", "ssh", "file").contains(scheme)) {
      throw new FleetException("a Git URL begins with https://, ssh:// or file://: " + scheme);
    }
    if (rest.contains("?") || rest.contains("#")) {
      // A token may be in there, and no Git server needs it.
      throw new FleetException("a Git URL has no query and no fragment");
    }
    if (rest.contains("@") && !scheme.equals("file")) {
      // It may be the end of a password.
      throw new FleetException(
          "a Git URL has one @, before the host; write @ and / of a password as %40 and %2F");
    }
    // The user of SSH is no secret, and keys have no place in a URL.
    boolean ssh = scheme.equals("ssh");
    String shown = ssh && !user.isEmpty() ? user.split(":", 2)[0] + "@" : "";
    String location = scheme + "://" + shown + rest;
    String name = withoutEnd(rest);
    // A server takes r, r/ and r.git for one repository; of folders, r and r.git may be two.
    String identity =
        scheme.equals("file") ? location.replaceFirst("/+$", "") : withoutEnd(location);
    String key = key(name, identity);
    return new Source(key, lastPart(name), location, ssh ? "" : user, team, Source.Kind.GIT, 0);
  }

  private static String withoutEnd(String url) {
    return url.replaceFirst("/+$", "").replaceFirst("\\.git$", "");
  }

  private static Source local(Path path, String team) {
    String name = path.getFileName() == null ? "root" : path.getFileName().toString();
    String end = archiveEnd(name);
    if (!end.isEmpty() && !Files.isDirectory(path)) {
      name = name.substring(0, name.length() - end.length());
      return local(name, path, team, Source.Kind.ARCHIVE);
    }
    return local(name, path, team, Source.Kind.FOLDER);
  }

  private static Source local(String name, Path path, String team, Source.Kind kind) {
    String location = path.toString();
    String key = key(name, location);
    return new Source(key, lastPart(name), location, "", team, kind, 0);
  }

  private static Path path(Path folder, String text) throws FleetException {
    try {
      return folder.resolve(text).toAbsolutePath().normalize();
    } catch (InvalidPathException e) {
      throw new FleetException("no such path: " + e.getReason(), e);
    }
  }

  private static String lastPart(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    return name.isEmpty() ? "repository" : name;
  }

  private static String key(String path, String location) {
    String plain = lastPart(path).replaceAll("[^A-Za-z0-9._-]", "_");
    return plain.substring(0, Math.min(plain.length(), 60)) + "-" + hash(location);
  }

  private static String hash(String location) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(location.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, 6);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Source sized(Source source, Map<String, String> spark) {
    String location = source.location();
    return switch (source.kind()) {
      case FOLDER, ARCHIVE -> source.withSize(size(Path.of(location)));
      case REMOTE_ARCHIVE -> source.withSize(RemoteArchive.size(location, spark));
      case GIT ->
          location.startsWith("file:///")
              ? source.withSize(size(Path.of(location.substring("file://".length()))))
              : source;
    };
  }

  /** Bytes of the files there; what cannot be read counts as nothing. */
  private static long size(Path start) {
    List<Long> sizes = new ArrayList<>();
    try {
      Files.walkFileTree(
          start,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              sizes.add(attributes.size());
              return sizes.size() < MOST_FILES
                  ? FileVisitResult.CONTINUE
                  : FileVisitResult.TERMINATE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      return 0;
    }
    return sizes.stream().mapToLong(Long::longValue).sum();
  }
}
