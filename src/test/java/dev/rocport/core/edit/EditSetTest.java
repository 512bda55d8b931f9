package dev.rocport.core.edit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class EditSetTest {
  private final EditSet edits = new EditSet();

  private String apply(String text) {
    return new String(edits.apply(text.getBytes(UTF_8)), UTF_8);
  }

  @Test
  void editsAreAppliedByPlaceWhateverTheirOrder() {
    edits.add(Edit.replace(4, 5, "Z", "r"));
    edits.add(Edit.replace(0, 1, "AA", "r"));
    edits.add(Edit.delete(2, 3, "r"));
    assertThat(apply("a b c")).isEqualTo("AA  Z");
  }

  @Test
  void noEditGivesTheSameBytes() {
    assertThat(apply("as it was\r\n")).isEqualTo("as it was\r\n");
  }

  @Test
  void wrappersOfTheSameTextNest() {
    edits.add(Edit.before(2, "in(", "inner"));
    edits.add(Edit.after(3, ")", "inner"));
    edits.add(Edit.before(2, "out(", "outer"));
    edits.add(Edit.after(3, "]", "outer"));
    assertThat(apply("f(x)")).isEqualTo("f(out(in(x)])");
  }

  @Test
  void insertionPrecedesReplacementAtTheSameOffset() {
    edits.add(Edit.replace(0, 1, "y", "r"));
    edits.add(Edit.before(0, "(", "r"));
    edits.add(Edit.after(1, ")", "r"));
    assertThat(apply("x")).isEqualTo("(y)");
  }

  @Test
  void movedBytesCarryTheirOwnEdits() {
    edits.add(Edit.replace(2, 3, "A", "rename"));
    edits.add(
        new Edit(
            2,
            6,
            List.of(new Piece.Moved(5, 6), new Piece.Text(", "), new Piece.Moved(2, 3)),
            Edit.Side.BEFORE,
            "swap"));
    assertThat(apply("f(a, b)")).isEqualTo("f(b, A)");
  }

  @Test
  void appendsAtTheEndOfTheFile() {
    edits.add(Edit.before(1, "!", "r"));
    assertThat(apply("x")).isEqualTo("x!");
  }

  @Test
  void overlapIsAnError() {
    edits.add(Edit.replace(0, 3, "x", "one"));
    edits.add(Edit.replace(2, 4, "y", "two"));
    assertThatThrownBy(() -> apply("abcdef"))
        .isInstanceOf(OverlapException.class)
        .hasMessageContaining("one")
        .hasMessageContaining("two");
  }

  @Test
  void deletingBytesOfAnotherEditIsAnError() {
    edits.add(Edit.delete(0, 4, "one"));
    edits.add(Edit.replace(1, 2, "y", "two"));
    assertThatThrownBy(() -> apply("abcdef")).isInstanceOf(OverlapException.class);
  }
}
