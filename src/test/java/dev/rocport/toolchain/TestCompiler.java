package dev.rocport.toolchain;

import dev.rocport.io.Folders;
import dev.rocport.io.Sha256;
import dev.rocport.io.UserFolders;
import dev.rocport.toolchain.runtime.PrecompiledHeaders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Compiles for tests. What a compiler made or said before of the same bytes is taken from the
 * user's cache, {@code rocport/tests} below {@code XDG_CACHE_HOME} or {@code ~/.cache}: the key is
 * a hash of the toolchain, the arguments, the source with all that it includes by quotation marks,
 * the headers of {@code hip-runtime}, and what else is linked.
 */
public final class TestCompiler {
  private static final Path HOME = Path.of(System.getProperty("rocport.home", "."));
  private static final Duration KEPT = Duration.ofDays(14);

  /** The exit code for sources that are wrong; what ends with another may pass the next time. */
  private static final int REFUSED = 1;

  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final Pattern INCLUDE =
      Pattern.compile("^\\s*#\\s*include\\s+\"([^\"]+)\"", Pattern.MULTILINE);

  private static final Path CACHE = folder();

  private TestCompiler() {}

  /**
   * How a compilation ended.
   *
   * @param code the compiler's exit code
   * @param messages all that it printed
   * @param output the file that it made: not to be written to; absent where it made none
   */
  public record Compiled(int code, String messages, Path output) {
    /** The file; fails the test where there is none, with the compiler's messages. */
    public Path made() {
      if (code != 0 || !Files.exists(output)) {
        throw new AssertionError("the compiler ended with " + code + "\n" + messages);
      }
      return output;
    }
  }

  /**
   * Makes a program for targets, linked with the HIP runtime.
   *
   * @param flags of the compiler and the linker
   * @param linked archives and libraries among the flags whose bytes end up in the program
   */
  public static Path program(Path source, List<String> targets, List<String> flags, Path... linked)
      throws Exception {
    Toolchain toolchain = TestToolchain.get();
    for (String target : targets) {
      Toolchain able = TestToolchain.of(target);
      toolchain = toolchain.supports(new GfxTarget(target)) ? toolchain : able;
    }
    List<String> arguments = new ArrayList<>(toolchain.hipCompile(targets));
    arguments.addAll(flags);
    arguments.addAll(toolchain.link());
    return compile(toolchain, source, arguments, linked).made();
  }

  /**
   * Compiles a source with the toolchain's clang.
   *
   * @param arguments all but the source and {@code -o}
   * @param linked other files whose bytes affect the output
   */
  public static Compiled compile(Path source, List<String> arguments, Path... linked)
      throws Exception {
    return compile(TestToolchain.get(), source, arguments, linked);
  }

  /** The same with the clang of another toolchain, such as that of {@link TestToolchain#of}. */
  public static Compiled compile(
      Toolchain toolchain, Path source, List<String> arguments, Path... linked) throws Exception {
    String key = key(toolchain, source, arguments, linked);
    Path made = CACHE.resolve(key);
    if (!Files.exists(made)) {
      Path work = Files.createTempDirectory(Files.createDirectories(CACHE), "new");
      List<String> command = new ArrayList<>(PrecompiledHeaders.compiler(toolchain));
      command.addAll(arguments);
      command.add(source.toString());
      if (!arguments.contains("-fsyntax-only")) {
        command.addAll(List.of("-o", work.resolve(output(arguments)).toString()));
      }
      ToolRun run = ToolRun.of(command, Path.of("."), Map.of(), LIMIT);
      if (run.code() > REFUSED) {
        Folders.delete(work);
        throw new AssertionError("the compiler was stopped (" + run.code() + ")\n" + run.output());
      }
      if (!key(toolchain, source, arguments, linked).equals(key)) {
        Folders.delete(work);
        throw new AssertionError("a source changed during its compilation: " + source);
      }
      Files.writeString(work.resolve("messages"), run.output());
      Files.writeString(work.resolve("code"), Integer.toString(run.code()));
      publish(work, made);
    }
    Files.setLastModifiedTime(made, FileTime.from(Instant.now()));
    return new Compiled(
        Integer.parseInt(Files.readString(made.resolve("code"))),
        Files.readString(made.resolve("messages")),
        made.resolve(output(arguments)));
  }

  /** Clang looks for code objects only in files that are named like objects. */
  private static String output(List<String> arguments) {
    return arguments.contains("-c") ? "output.o" : "output";
  }

  /** Puts a folder at its place, whole; another test may have done so before. */
  private static void publish(Path work, Path made) throws IOException {
    try {
      Files.move(work, made, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      // Systems name a folder that is there in different ways.
      if (!Files.isDirectory(made)) {
        throw e;
      }
      Folders.delete(work);
    }
  }

  private static String key(
      Toolchain toolchain, Path source, List<String> arguments, Path... linked) throws IOException {
    MessageDigest digest = Sha256.digest();
    add(digest, toolchain.fingerprint());
    // The folder of a source of a test's own is another one in each run.
    String folder = source.toAbsolutePath().getParent().toString();
    arguments.forEach(a -> add(digest, a.replace(folder, "FOLDER")));
    add(digest, source.getFileName().toString());
    add(digest, output(arguments));
    add(digest, Headers.HASH);
    for (Path file : withIncludes(source.toAbsolutePath())) {
      add(digest, Sha256.of(file));
    }
    for (Path file : linked) {
      add(digest, Sha256.of(file));
    }
    return Sha256.hex(digest.digest()).substring(0, 32);
  }

  private static void add(MessageDigest digest, String text) {
    digest.update(text.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
  }

  /** A source and the files that it includes with quotation marks from its own folder. */
  private static Set<Path> withIncludes(Path source) throws IOException {
    Set<Path> files = new LinkedHashSet<>();
    List<Path> open = new ArrayList<>(List.of(source.normalize()));
    while (!open.isEmpty()) {
      Path file = open.removeLast();
      if (files.add(file)) {
        Matcher include = INCLUDE.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
        while (include.find()) {
          Path header = file.resolveSibling(include.group(1)).normalize();
          if (Files.isRegularFile(header)) {
            open.add(header);
          }
        }
      }
    }
    return files;
  }

  private static Path folder() {
    Path folder = UserFolders.cache(System.getenv()).resolve("tests");
    try {
      forgetBefore(folder, Instant.now().minus(KEPT));
    } catch (IOException e) {
      System.err.println("rocport: " + folder + " is not cleared of old files: " + e);
    }
    return folder;
  }

  private static void forgetBefore(Path folder, Instant time) throws IOException {
    if (Files.isDirectory(folder)) {
      for (Path old : Folders.list(folder)) {
        if (Files.getLastModifiedTime(old).toInstant().isBefore(time)) {
          Folders.delete(old);
        }
      }
    }
  }

  /** The headers of this repository that sources include by angle brackets. */
  private static final class Headers {
    static final String HASH = hash();

    private static String hash() {
      MessageDigest digest = Sha256.digest();
      for (String folder : List.of("hip-runtime/include", "hip-runtime/rocshmem/include")) {
        try (Stream<Path> files = Files.walk(HOME.resolve(folder))) {
          for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
            add(digest, HOME.relativize(file).toString());
            add(digest, Sha256.of(file));
          }
        } catch (IOException e) {
          throw new AssertionError(e);
        }
      }
      return Sha256.hex(digest.digest());
    }
  }
}
