package dev.rocport.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.cli.support.UsageException;
import dev.rocport.device.isa.Target;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

final class GpuChoicesTest {
  @Command
  private static final class Taker {
    @Mixin private GpuChoices choices;
  }

  private static GpuChoices of(String... arguments) {
    Taker taker = new Taker();
    new CommandLine(taker).parseArgs(arguments);
    return taker.choices;
  }

  @Test
  void mixesTargets() {
    assertThat(of("--gpu", "gfx942,gfx1100").targets(1))
        .containsExactly(Target.GFX942, Target.GFX1100);
  }

  @Test
  void namesThoseThatItKnows() {
    assertThatThrownBy(() -> of("--gpu", "gfx1030").targets(1))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "unknown GPU 'gfx1030'; supported are gfx90a, gfx942, gfx950, gfx1100, gfx1151 and"
                + " gfx1201");
  }
}
