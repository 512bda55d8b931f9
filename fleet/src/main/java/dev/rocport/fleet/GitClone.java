package dev.rocport.fleet;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Clones the newest commit of a repository that nobody vouches for. */
final class GitClone {
  private static final int MOST_TEXT = 2000;

  private GitClone() {}

  /**
   * Clones a repository into a folder.
   *
   * @param seconds the time limit
   * @param bytes the size limit
   */
  static void of(Source source, Path folder, int seconds, long bytes)
      throws Failure, IOException, InterruptedException {
    Path log = folder.resolveSibling("git.log");
    ProcessBuilder builder =
        new ProcessBuilder(
            List.of(
                "git",
                "clone",
                "--quiet",
                "--depth=1",
                "--single-branch",
                "--no-tags",
                "--template=",
                "--config=core.hooksPath=/dev/null",
                "--",
                source.location(),
                folder.toString()));
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().putAll(variables(source));
    Process git;
    try {
      git = builder.start();
    } catch (IOException e) {
      throw new Failure(Failure.Kind.CLONE, "cannot start git: " + e.getMessage());
    }
    try {
      git.getOutputStream().close();
      await(git, folder, seconds, bytes);
    } finally {
      git.descendants().forEach(ProcessHandle::destroyForcibly);
      git.destroyForcibly();
    }
    if (git.waitFor() != 0) {
      throw new Failure(Failure.Kind.CLONE, "git: " + message(log, source));
    }
  }

  /** The credentials are not in the command line, which every user of the machine can read. */
  static Map<String, String> variables(Source source) {
    Map<String, String> common =
        Map.of(
            "GIT_TERMINAL_PROMPT", "0",
            "GIT_ALLOW_PROTOCOL", "https:ssh:file",
            "GIT_LFS_SKIP_SMUDGE", "1",
            "GIT_SSH_COMMAND", "ssh -oBatchMode=yes");
    if (source.credentials().isEmpty()) {
      return common;
    }
    String host = source.location().replaceFirst("^(\\w+://[^/]*).*", "$1/");
    String with = host.replace("://", "://" + source.credentials() + "@");
    Map<String, String> all = new HashMap<>(common);
    all.put("GIT_CONFIG_COUNT", "1");
    all.put("GIT_CONFIG_KEY_0", "url." + with + ".insteadOf");
    all.put("GIT_CONFIG_VALUE_0", host);
    return all;
  }

  private static void await(Process git, Path folder, int seconds, long bytes)
      throws Failure, InterruptedException, IOException {
    long start = System.nanoTime();
    while (!git.waitFor(500, TimeUnit.MILLISECONDS)) {
      if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(seconds)) {
        throw Failure.time("the clone ", seconds);
      }
      requireSize(folder, bytes);
    }
    requireSize(folder, bytes);
  }

  private static void requireSize(Path folder, long bytes) throws Failure, IOException {
    if (size(folder) > bytes) {
      throw new Failure(
          Failure.Kind.TOO_LARGE,
          "the clone has more than %d MiB (--size-limit)".formatted(bytes >> 20));
    }
  }

  private static long size(Path folder) throws IOException {
    long[] sum = new long[1];
    if (Files.isDirectory(folder)) {
      Files.walkFileTree(
          folder,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              sum[0] += attributes.size();
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
              // Git renames and deletes files meanwhile.
              return FileVisitResult.CONTINUE;
            }
          });
    }
    return sum[0];
  }

  /** What git printed, without the credentials: git quotes the URL that it uses. */
  private static String message(Path log, Source source) throws IOException {
    String text = new String(Files.readAllBytes(log), StandardCharsets.UTF_8).strip();
    if (!source.credentials().isEmpty()) {
      text = text.replace(source.credentials() + "@", "");
      for (String part : source.credentials().split(":", 2)) {
        text = part.isEmpty() ? text : text.replace(part, "***");
      }
    }
    text = text.replaceAll("://[^/@\\s]*@", "://");
    return text.substring(0, Math.min(text.length(), MOST_TEXT));
  }
}
