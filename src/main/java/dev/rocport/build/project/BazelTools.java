package dev.rocport.build.project;

import dev.rocport.rules.BuiltInText;
import dev.rocport.toolchain.ToolRun;
import dev.rocport.toolchain.provision.Extra;
import dev.rocport.toolchain.provision.ExtraFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Provides Bazel, which runs on the Java of this process. */
final class BazelTools extends Extra {
  BazelTools() {
    super("bazel", "Bazel", List.of("bazel"), "bazel-bootstrap");
  }

  @Override
  public void make(ExtraFolder folder) throws IOException {
    // Includes the rules that Bazel would otherwise download, and uses the caller's Java.
    Path own = folder.root().resolve("usr/share/bazel");
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
        (name, at) ->
            settings.append(
                "build --override_repository=%s=%s/usr/share/bazel/%s%n"
                    .formatted(name, folder.place(), at)));
    Files.writeString(own.resolve("rocport.bazelrc"), settings);
    String program = folder.program("bazel-\\d+.*", "bazel");
    folder.script(
        "bazel",
        program
            + "\" --nosystem_rc --trust_install_base --install_base=\"$d/usr/share/bazel\""
            + " --bazelrc=\"$d/usr/share/bazel/rocport.bazelrc\""
            + " --server_javabase=\"${ROCPORT_BAZEL_JAVA:-$JAVA_HOME}",
        Map.of());
  }

  @Override
  public Attempt attempt(ExtraFolder folder, Path scratch) throws IOException {
    Files.writeString(scratch.resolve("WORKSPACE"), "");
    Files.writeString(
        scratch.resolve("BUILD"),
        "genrule(name = \"try\", outs = [\"done\"], cmd = \"echo done > $@\")\n");
    Map<String, String> environment = new TreeMap<>(java());
    environment.put("PATH", folder.path());
    ToolRun run =
        folder.run(
            List.of(
                folder.root() + "/bin/bazel",
                "--batch",
                "--output_user_root=" + scratch.resolve("out"),
                "build",
                "--spawn_strategy=local",
                "//:try"),
            scratch,
            environment);
    return new Attempt(run, Files.exists(scratch.resolve("bazel-bin/done")));
  }

  @Override
  public Map<String, String> variables(ExtraFolder folder) {
    return java();
  }

  /** Returns JAVA_HOME, because the Bazel package of Debian contains no Java. */
  private static Map<String, String> java() {
    String own = System.getProperty("java.home");
    // A release contains a reduced Java with only the modules that rocport needs.
    boolean whole = Files.exists(Path.of(own, "bin/javac"));
    String named = System.getenv().getOrDefault("JAVA_HOME", "");
    return Map.of("ROCPORT_BAZEL_JAVA", whole || named.isBlank() ? own : named);
  }
}
