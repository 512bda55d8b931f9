package dev.rocport.cli.support;

import java.nio.file.Path;
import java.util.List;

/** The command that starts this program again. */
public final class JavaCommand {
  private JavaCommand() {}

  /** A virtual machine like this one, with what the device needs. */
  public static List<String> self() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:+UseSerialGC",
        "-XX:MaxRAMPercentage=50",
        "--add-modules",
        "jdk.incubator.vector",
        "--enable-native-access=ALL-UNNAMED",
        "-Drocport.home=" + System.getProperty("rocport.home", "."),
        "-cp",
        System.getProperty("java.class.path"),
        "dev.rocport.cli.Main");
  }
}
