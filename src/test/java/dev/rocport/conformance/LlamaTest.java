package dev.rocport.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.io.process.Exec;
import dev.rocport.toolchain.ToolchainException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shell scripts in the place of the programs of llama.cpp. */
@Tag("slow")
class LlamaTest {
  /** Text and logits of each side; the logits are the bytes of 1.0f, 2.0f and so on. */
  private static final String SCRIPT =
      """
      while [ $# -gt 0 ]; do
        case $1 in
          --device) device=$2 ;;
          --logits-output-dir) folder=$2 ;;
        esac
        shift
      done
      [ "$device" = none ] || echo "%1$s" >&2
      if [ -n "${folder:-}" ]; then
        if [ "$device" = none ]; then printf '\\0\\0\\200\\077'; else printf '%2$s'; fi > "$folder/llamacpp-tiny.bin"
      elif [ "$device" = none ]; then
        echo HelloABCDEFGHIJKLMNOP
      else
        echo %3$s
      fi
      """;

  private static final String OFFLOADED = "load_tensors: offloaded 3/3 layers to GPU";
  private static final String ONE = "\\0\\0\\200\\077";
  private static final String SAME = "HelloABCDEFGHIJKLMNOP";

  @TempDir private Path folder;

  private LlamaResult compare(String log, String logits, String text) throws Exception {
    String script = SCRIPT.formatted(log, logits, text);
    Llama.Programs programs =
        (name, arguments) -> {
          List<String> command = new ArrayList<>(List.of("sh", "-c", script, name));
          command.addAll(arguments);
          return Exec.of(command);
        };
    return new Llama(programs, folder, Duration.ofMinutes(1))
        .compare("libllama0 1", List.of("a note"));
  }

  @Test
  void sameTextAndLogitsPass() throws Exception {
    LlamaResult result = compare(OFFLOADED, ONE, SAME);

    assertThat(result.passed()).isTrue();
    assertThat(result.markdown())
        .contains("| libllama0 1 | 16 | 16 | 1 | 1.000 | 0.000 | ", "- a note\n")
        .doesNotContain("differ by");
  }

  @Test
  void anotherTokenFails() throws Exception {
    LlamaResult result = compare(OFFLOADED, ONE, "HelloABCxEFGHIJKLMNOP");

    assertThat(result.passed()).isFalse();
    assertThat(result.markdown())
        .contains("| 16 | 3 | 1 |", "processor: ABCDEFGHIJKLMNOP\ndevice:    ABCxEFGHIJKLMNOP\n");
  }

  @Test
  void differentLogitFails() throws Exception {
    LlamaResult result = compare(OFFLOADED, "\\0\\0\\0\\100", SAME);

    assertThat(result.passed()).isFalse();
    assertThat(result.markdown())
        .contains("| 1 | 1.000 | 1.000 |", "The logits differ by more than 2.0 %");
  }

  @Test
  void logitThatIsNotANumberFails() throws Exception {
    assertThat(compare(OFFLOADED, "\\0\\0\\300\\177", SAME).passed()).isFalse();
  }

  @Test
  void missingLogitIsAnError() {
    assertThatThrownBy(() -> compare(OFFLOADED, "", SAME))
        .isInstanceOf(ToolchainException.class)
        .hasMessageContaining("0 logits on the device and 1 on the processor");
  }

  @Test
  void modelThatIsNotOnTheDeviceIsAnError() {
    for (String log : List.of("", "offloaded 2/3 layers to GPU")) {
      assertThatThrownBy(() -> compare(log, ONE, SAME))
          .isInstanceOf(ToolchainException.class)
          .hasMessageContaining("has not put all layers of the model on the GPU");
    }
  }

  @Test
  void programThatFailsIsAnError() {
    assertThatThrownBy(() -> compare("$(kill -ABRT $$)", ONE, SAME))
        .isInstanceOf(ToolchainException.class)
        .hasMessageContaining("llama-completion with --device ROCm0 ends with exit code");
  }
}
