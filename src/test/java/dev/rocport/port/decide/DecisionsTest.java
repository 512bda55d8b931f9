package dev.rocport.port.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.io.InvalidFileException;
import dev.rocport.port.decide.Decision.Action;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecisionsTest {
  private static final String ID = "0123456789abcdef";

  @TempDir private Path root;

  private Decisions read(String yaml) throws IOException {
    Path file = root.resolve(Decisions.NAME);
    Files.createDirectories(file.getParent());
    Files.writeString(file, yaml);
    return Decisions.read(root);
  }

  @Test
  void whatIsWrittenIsRead() throws IOException {
    Decisions written = Decisions.read(root);
    assertThat(written.all()).isEmpty();
    written.add(
        new Decision(
            ID,
            Action.EDIT,
            false,
            "A-B, C",
            "x: 'a' -> \"b\"",
            "a b.cu",
            7,
            "  y;\n\tz;\n",
            "# why: because",
            "ann",
            "2026-01-02"));
    written.add(
        new Decision(
            ID.replace('0', 'f'), Action.SKIP, true, "A", "c", "", 0, "", "no", "bob", "today"));
    written.write(root);
    assertThat(Decisions.read(root).all()).containsExactlyElementsOf(written.all());
    assertThat(Decisions.read(root).key()).isEqualTo(written.key());
  }

  @Test
  void acceptedChangesDoNotChangeThePort() throws IOException {
    assertThat(read("decisions:\n- {id: " + ID + ", do: accept}\n").isEmpty()).isTrue();
    assertThat(read("decisions:\n- {id: " + ID + ", do: skip, reason: x}\n").isEmpty()).isFalse();
    assertThat(read("").all()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "decision: []|1: must have one entry 'decisions'",
        "decisions: 3|1: must have one entry 'decisions'",
        "decisions:\\n- 3|2: a decision must be a mapping",
        "decisions:\\n- {id: ID, do: accept}\\n- {id: x, do: skip}|3: a decision needs an 'id'",
        "decisions:\\n- {id: ID, do: drop}|2: 'do' must be accept, skip or edit, not 'drop'",
        "decisions:\\n- {id: ID}|2: 'do' must be accept, skip or edit, not ''",
        "decisions:\\n- {id: ID, do: skip}|2: 'do: skip' needs a 'reason'",
        "decisions:\\n- {id: ID, do: edit, reason: x}|2: 'do: edit' needs a 'text'",
        "decisions:\\n- {id: ID, do: accept, scope: some}|2: 'scope' must be place or all",
        "decisions:\\n- id: ID\\n  do: accept\\n  colour: red|4: unknown field 'colour'",
        "decisions:\\n- id: ID\\n  do: [a]|3: 'do' must be a text",
        "decisions:\\n- {id: ID, do: accept, line: x}|2: 'line' must be a number",
        "decisions:\\n- {id: ID, do: accept}\\n- {id: ID, do: accept}|3: a second decision has",
        "decisions: []\\nmore: 1|2: must have no entry beside 'decisions'",
        "decisions: [|1:"
      })
  void anInvalidFileIsRefusedWithItsLine(String yaml, String message) {
    assertThatThrownBy(() -> read(yaml.replace("\\n", "\n").replace("ID", ID)))
        .isInstanceOf(InvalidFileException.class)
        .hasMessageContaining(Decisions.NAME + ":" + message);
  }
}
