package dev.rocport.cli.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JavaCommandTest {
  @Test
  void optionsOfTheUserAreForLaterMachinesToo() {
    List<String> plain = JavaCommand.self(Map.of());
    List<String> more = JavaCommand.self(Map.of("ROCPORT_JAVA_OPTS", " -Xmx8g  -Xlog:gc\n"));

    assertThat(plain).doesNotContain("").endsWith("dev.rocport.cli.Main");
    assertThat(more).containsAll(plain).hasSize(plain.size() + 2);
    assertThat(more.subList(0, more.indexOf("-cp"))).contains("-Xmx8g", "-Xlog:gc");
  }
}
