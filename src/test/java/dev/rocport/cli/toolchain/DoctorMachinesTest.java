package dev.rocport.cli.toolchain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.doctor.Examination;
import dev.rocport.doctor.Machine;
import dev.rocport.doctor.Observation;
import dev.rocport.doctor.ShellScript;
import dev.rocport.doctor.Status;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Machines that are folders: {@code root} is the file system, {@code env} the variables, {@code
 * closed} lists files that access denied. The expected output is in {@code expected.txt} and {@code
 * expected.sh}; with {@code -Drocport.write-goldens=true} both are written anew.
 */
@Tag("slow")
class DoctorMachinesTest {
  private static final Path MACHINES =
      Path.of(System.getProperty("rocport.home"), "src/test/resources/dev/rocport/doctor");

  static List<String> machines() throws IOException {
    try (Stream<Path> list = Files.list(MACHINES)) {
      return list.map(p -> p.getFileName().toString()).sorted().toList();
    }
  }

  private static List<Observation> observe(String name) throws IOException {
    Path folder = MACHINES.resolve(name);
    SortedMap<String, String> environment = new TreeMap<>();
    for (String line : Files.readAllLines(folder.resolve("env"))) {
      String[] words = line.split("=", 2);
      environment.put(words[0], words[1]);
    }
    Path root = folder.resolve("root");
    Set<Path> closed = new TreeSet<>();
    if (Files.exists(folder.resolve("closed"))) {
      for (String line : Files.readAllLines(folder.resolve("closed"))) {
        closed.add(root.resolve(line.substring(1)));
      }
    }
    return Examination.of(
        new Machine(root, environment, "/home/dev/project", p -> !closed.contains(p)), "");
  }

  @ParameterizedTest
  @MethodSource("machines")
  void saysWhatIsExpected(String name) throws IOException {
    List<Observation> all = observe(name);
    StringWriter text = new StringWriter();
    DoctorPage.text(all, new PrintWriter(text));
    golden(name, "expected.txt", text.toString());
    golden(name, "expected.sh", ShellScript.of(all));
    assertThat(text.toString().codePoints().filter(c -> c != '\n'))
        .noneMatch(Character::isISOControl);
  }

  private static void golden(String machine, String file, String said) throws IOException {
    Path golden = MACHINES.resolve(machine).resolve(file);
    if (Boolean.getBoolean("rocport.write-goldens")) {
      Files.writeString(golden, said);
    }
    assertThat(said).isEqualTo(Files.readString(golden));
  }

  @ParameterizedTest
  @MethodSource("machines")
  void theJsonHoldsTheSame(String name) throws IOException {
    List<Observation> all = observe(name);
    StringWriter json = new StringWriter();
    DoctorPage.json(all, new PrintWriter(json));
    JsonNode root = JsonMapper.shared().readTree(json.toString());
    assertThat(root.size()).isEqualTo(all.size());
    for (int i = 0; i < all.size(); i++) {
      assertThat(root.get(i).get("name").asString()).isEqualTo(all.get(i).name());
      assertThat(root.get(i).get("found").asString()).isEqualTo(all.get(i).found());
      assertThat(root.get(i).get("status").asString())
          .isEqualTo(all.get(i).status().name().toLowerCase(Locale.ROOT));
    }
  }

  @ParameterizedTest
  @MethodSource("machines")
  void problemsHaveAReasonAndAdvice(String name) throws IOException {
    assertThat(observe(name))
        .filteredOn(o -> o.status() != Status.OK)
        .allSatisfy(o -> assertThat(o.why()).isNotBlank())
        .allSatisfy(o -> assertThat(o.fix()).isNotBlank());
  }

  /** The script leaves a shell with what it says, whatever the values hold. */
  @ParameterizedTest
  @MethodSource("machines")
  void aShellTakesTheScript(String name) throws IOException, InterruptedException {
    assertThat(Path.of("/bin/sh")).isExecutable();
    ProcessBuilder builder =
        new ProcessBuilder("/bin/sh", "-e", "-u", "-c", ShellScript.of(observe(name)) + "env")
            .redirectErrorStream(true);
    Process shell = builder.start();
    shell.getOutputStream().close();
    String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(shell.waitFor()).as(said).isZero();
  }
}
