package dev.rocport.verify;

import dev.rocport.io.Sha256;
import dev.rocport.io.process.ShellWord;
import dev.rocport.toolchain.runtime.HipRuntime;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The archive for an NVIDIA machine that has no Java: sources, the recorder header, and a script
 * that builds, runs and packs.
 */
public final class Bundle {
  private static final String ROOT = "rocport-golden/";
  private static final String SCRIPT = "run.sh";
  private static final long LARGEST = 8L << 20;

  private Bundle() {}

  /**
   * Writes the bundle of some fixtures atomically.
   *
   * @return number of files in it
   * @throws VerifyException if a folder is not a fixture
   */
  public static int write(List<Path> folders, String version, Path to)
      throws IOException, VerifyException {
    SortedMap<String, byte[]> files = new TreeMap<>();
    for (Path folder : folders) {
      if (!Files.isRegularFile(folder.resolve(Fixture.FILE))) {
        throw new VerifyException(
            folder + ": no fixture.yaml, which specifies how to build and what to run");
      }
      Fixture fixture = FixtureReader.read(folder);
      sources(fixture).forEach((path, bytes) -> files.put(fixture.name() + "/src/" + path, bytes));
      files.put(fixture.name() + "/job.sh", utf8(job(fixture)));
    }
    Path header = HipRuntime.installation().resolve("hip-runtime/include/rocport_golden.h");
    files.put("include/rocport_golden.h", Files.readAllBytes(header));
    files.put(SCRIPT, script());
    files.put("VERSION", utf8("rocport-golden 1\nrocport " + version + "\n"));
    String manifest =
        files.entrySet().stream()
            .map(e -> Sha256.of(e.getValue()) + "  " + e.getKey() + "\n")
            .collect(Collectors.joining());
    files.put("MANIFEST", utf8(manifest));
    SortedMap<String, byte[]> packed = new TreeMap<>();
    files.forEach((path, bytes) -> packed.put(ROOT + path, bytes));
    ByteArrayOutputStream archive = new ByteArrayOutputStream();
    new Archive(packed).write(archive);
    place(archive.toByteArray(), to);
    return packed.size();
  }

  private static void place(byte[] bytes, Path to) throws IOException {
    Path target = to.toAbsolutePath();
    Files.createDirectories(target.resolveSibling(""));
    Path beside = target.resolveSibling("." + target.getFileName() + ".tmp");
    try {
      try (OutputStream out = Files.newOutputStream(beside)) {
        out.write(bytes);
      }
      Files.move(beside, target, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(beside);
    }
  }

  private static byte[] script() throws IOException {
    try (InputStream in = Bundle.class.getResourceAsStream(SCRIPT)) {
      if (in == null) {
        throw new IOException(SCRIPT + " is missing: rebuild rocport");
      }
      return in.readAllBytes();
    }
  }

  /** All of a fixture but its recordings and what a build left. */
  private static SortedMap<String, byte[]> sources(Fixture fixture)
      throws IOException, VerifyException {
    SortedMap<String, byte[]> files = new TreeMap<>();
    List<Path> all;
    try (Stream<Path> walk = Files.walk(fixture.folder())) {
      all = walk.filter(Files::isRegularFile).sorted().toList();
    }
    for (Path file : all) {
      Path path = fixture.folder().relativize(file);
      if (path.startsWith(Fixture.GOLDEN) || path.startsWith("build")) {
        continue;
      }
      if (Files.size(file) > LARGEST) {
        throw new VerifyException(file + ": too large for a bundle");
      }
      files.put(path.toString(), Files.readAllBytes(file));
    }
    return files;
  }

  /** What the script reads of a fixture: settings, and its runs in order. */
  static String job(Fixture f) {
    StringBuilder out = new StringBuilder("# Read by run.sh.\nsettings() {\n");
    out.append("  build=").append(ShellWord.quoted(f.build())).append("\n");
    out.append("  std=").append(ShellWord.quoted(f.standard())).append("\n");
    out.append("  libs=").append(ShellWord.quoted(String.join(" ", f.libraries()))).append("\n");
    out.append("  program=").append(ShellWord.quoted(f.program())).append("\n");
    out.append("  configure=").append(list(f.configure())).append("\n");
    out.append("  goals=").append(list(f.goals())).append("\n}\nruns() {\n");
    for (RunSpec run : f.runs()) {
      for (int ranks : run.ranks().isEmpty() ? List.of(0) : run.ranks()) {
        out.append("  run_program=").append(ShellWord.quoted(run.program()));
        out.append(" ranks=").append(ranks);
        out.append(" exit_code=").append(run.exit());
        out.append(" limit=").append(run.limit().toSeconds());
        out.append(" tensors=").append(run.tensors());
        out.append(" preload=").append(ShellWord.quoted(run.preload().orElse(""))).append("\n");
        List<String> args =
            run.args().stream().map(a -> a.replace("{np}", Integer.toString(ranks))).toList();
        out.append("  args=").append(list(args)).append("\n");
        out.append("  files=").append(list(run.files())).append("\n");
        List<String> variables =
            run.environment().entrySet().stream()
                .map(e -> e.getKey() + "=" + e.getValue())
                .toList();
        out.append("  variables=").append(list(variables)).append("\n");
        out.append("  run ").append(ShellWord.quoted(run.folder(ranks))).append(" || return 1\n");
      }
    }
    return out.append("}\n").toString();
  }

  private static String list(List<String> words) {
    return words.stream().map(ShellWord::quoted).collect(Collectors.joining(" ", "(", ")"));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
