package dev.rocport.verify;

import dev.rocport.io.Checksum;
import dev.rocport.io.Folders;
import dev.rocport.io.ProgramFile;
import dev.rocport.io.Sha256;
import dev.rocport.port.RulesKey;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.runtime.HipRuntime;
import dev.rocport.verify.compare.Profiles;
import dev.rocport.verify.matrix.ResultKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/** Hashes of all that decides the builds and results of fixtures. */
final class FixtureKeys {
  private final VerifyOptions options;
  private final Profiles profiles;
  private final String port;
  private final String platform;

  /**
   * Keys for one set of options.
   *
   * @param toolchain its fingerprint
   */
  FixtureKeys(
      VerifyOptions options,
      Profiles profiles,
      RuleCatalog catalog,
      PortOptions port,
      String toolchain)
      throws IOException {
    this.options = options;
    this.profiles = profiles;
    this.port =
        String.join(
            "\n",
            ProgramFile.checksum(),
            HipRuntime.contentKey(),
            String.join(",", options.targets()),
            port.toString(),
            RulesKey.of(catalog));
    this.platform = toolchain;
  }

  /**
   * The keys of a fixture.
   *
   * @param build of its build
   * @param result of the results of its runs
   */
  record Keys(String build, ResultKey result) {}

  /** Returns the keys of a fixture as its files are now. */
  Keys of(Fixture fixture) throws IOException {
    StringBuilder sources = new StringBuilder();
    StringBuilder recordings = new StringBuilder();
    for (Path file : Folders.files(fixture.folder())) {
      StringBuilder text = file.startsWith(fixture.golden()) ? recordings : sources;
      text.append(fixture.folder().relativize(file)).append('\t');
      text.append(Checksum.of(file)).append('\n');
    }
    String build =
        Sha256.fingerprint(String.join("\n", fixture.name(), sources.toString(), port, platform));
    String input =
        String.join(
            "\n", fixture.name(), sources.toString(), recordings.toString(), tolerances(fixture));
    String settings =
        String.join(
            "\n",
            port,
            options.checks().text(),
            options.profile().isPresent() ? profiles.key(options.profile().get()) : "",
            options.limit().toString());
    String machine =
        String.join("\n", platform, options.device().name(), options.libraries().name());
    return new Keys(
        build,
        new ResultKey(
            Sha256.fingerprint(String.join("\n", input, settings, machine)),
            Sha256.fingerprint(settings),
            Sha256.fingerprint(machine)));
  }

  /** The profiles that the runs of a fixture name. */
  private String tolerances(Fixture fixture) throws IOException {
    Set<String> names = new TreeSet<>();
    for (RunSpec run : fixture.runs()) {
      names.add(run.profile());
      names.addAll(run.profiles().values());
    }
    StringBuilder text = new StringBuilder();
    for (String name : names) {
      text.append(profiles.key(name)).append('\n');
    }
    return text.toString();
  }
}
