package dev.rocport.toolchain.provision;

import dev.rocport.toolchain.GfxTarget;
import dev.rocport.toolchain.HipVersion;
import dev.rocport.toolchain.Library;
import dev.rocport.toolchain.Toolchain;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What probing found, kept in a file, with a stamp of each file it depends on: while the stamps
 * hold, nothing has to be tried again. Paths below the toolchain's root are kept relative to it.
 */
final class Descriptor {
  private static final String FORMAT = "1";

  private Descriptor() {}

  /** Writes the file as a whole or not at all. */
  static void write(Path file, Toolchain t, Map<String, String> more) throws IOException {
    Map<String, String> p = new TreeMap<>(more);
    p.put("format", FORMAT);
    p.put("kind", t.kind().name());
    p.put("root", t.kind() == Toolchain.Kind.PROVISIONED ? "." : t.root().toString());
    p.put("clang", inside(t.root(), t.clang()));
    p.put("include", inside(t.root(), t.include()));
    p.put("device-libs", inside(t.root(), t.deviceLibs()));
    p.put("lib", inside(t.root(), t.lib()));
    t.sysroot().ifPresent(s -> p.put("sysroot", inside(t.root(), s)));
    p.put("clang-version", t.clangVersion());
    p.put("hip", t.hip().toString());
    p.put("targets", t.targets().stream().map(GfxTarget::id).collect(Collectors.joining(",")));
    p.put("libraries", t.libraries().stream().map(Enum::name).collect(Collectors.joining(",")));
    p.put("fingerprint", t.fingerprint());
    p.put("stamps", stamps(t));
    StringBuilder text = new StringBuilder();
    p.forEach((k, v) -> text.append(k).append('=').append(escaped(v)).append('\n'));
    Path fresh =
        file.resolveSibling("." + file.getFileName() + "-" + ProcessHandle.current().pid());
    try {
      Files.writeString(fresh, text);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  /** The entries of a file; empty if there is none or it has another format. */
  static Optional<Map<String, String>> read(Path file) throws IOException {
    Properties p = new Properties();
    try {
      p.load(new StringReader(Files.readString(file)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    Map<String, String> entries = new TreeMap<>();
    p.stringPropertyNames().forEach(k -> entries.put(k, p.getProperty(k)));
    return FORMAT.equals(entries.get("format")) ? Optional.of(entries) : Optional.empty();
  }

  /** The toolchain of a file, whether its stamps hold or not. */
  static Toolchain toolchain(Path file, Map<String, String> p) {
    Path root = file.toAbsolutePath().resolveSibling(get(p, "root")).normalize();
    return new Toolchain(
        Toolchain.Kind.valueOf(get(p, "kind")),
        root.resolve(get(p, "clang")),
        root,
        root.resolve(get(p, "include")),
        root.resolve(get(p, "device-libs")),
        root.resolve(get(p, "lib")),
        Optional.ofNullable(p.get("sysroot")).map(root::resolve),
        get(p, "clang-version"),
        HipVersion.parse(get(p, "hip")),
        list(p, "targets").stream().map(GfxTarget::new).toList(),
        libraries(list(p, "libraries")),
        get(p, "fingerprint"));
  }

  /** Whether every file the findings depend on is still as it was. */
  static boolean current(Toolchain t, Map<String, String> p) {
    try {
      return stamps(t).equals(p.get("stamps"));
    } catch (IOException e) {
      return false;
    }
  }

  private static String stamps(Toolchain t) throws IOException {
    StringBuilder out = new StringBuilder();
    for (Path file :
        List.of(
            t.clang(),
            t.include().resolve("hip/hip_version.h"),
            t.include().resolve("hip/hip_runtime.h"),
            t.deviceLibs().resolve("ockl.bc"),
            t.lib().resolve("libamdhip64.so"))) {
      out.append(Files.size(file)).append('@');
      out.append(Files.getLastModifiedTime(file).toMillis()).append(' ');
    }
    return out.toString().strip();
  }

  private static SortedSet<Library> libraries(List<String> names) {
    return new TreeSet<>(names.stream().map(Library::valueOf).toList());
  }

  private static List<String> list(Map<String, String> p, String key) {
    return Arrays.stream(get(p, key).split(",")).filter(s -> !s.isEmpty()).toList();
  }

  private static String get(Map<String, String> p, String key) {
    String value = p.get(key);
    if (value == null) {
      throw new IllegalArgumentException("no " + key);
    }
    return value;
  }

  private static String inside(Path root, Path path) {
    return (path.startsWith(root) ? root.relativize(path) : path).toString();
  }

  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace("\n", "\\n");
  }
}
