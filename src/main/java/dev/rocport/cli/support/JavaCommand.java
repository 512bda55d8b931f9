package dev.rocport.cli.support;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The command that starts this program again. */
public final class JavaCommand {
  /** The options of virtual machines that the launcher takes from its user. */
  private static final String OPTIONS = "ROCPORT_JAVA_OPTS";

  private JavaCommand() {}

  /** A virtual machine like this one, with what the device needs. */
  public static List<String> self() {
    return self(System.getenv());
  }

  /** The same with the variables of another process. */
  static List<String> self(Map<String, String> environment) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:MaxRAMPercentage=50"));
    command.addAll(List.of("--add-modules", "jdk.incubator.vector"));
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-Drocport.home=" + System.getProperty("rocport.home", "."));
    Pattern.compile("\\s+")
        .splitAsStream(environment.getOrDefault(OPTIONS, ""))
        .filter(option -> !option.isEmpty())
        .forEach(command::add);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("dev.rocport.cli.Main");
    return command;
  }
}
