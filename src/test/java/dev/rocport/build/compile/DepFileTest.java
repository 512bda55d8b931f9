package dev.rocport.build.compile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DepFileTest {
  @Test
  void readsPrerequisites() {
    String text = "object: a.cu \\\n  inc/x.h \\\n  with\\ blank.h  cash$$.h\nother: y.h\n";

    assertThat(DepFile.prerequisites(text))
        .containsExactly("a.cu", "inc/x.h", "with blank.h", "cash$.h");
  }

  @Test
  void readsWhatItWrites() {
    List<String> names = List.of("a.cu", "b c.h", "d#.h", "e$.h");

    assertThat(DepFile.prerequisites(DepFile.write("x.o", names, false))).isEqualTo(names);
  }

  @Test
  void addsRulesForHeadersThatMayGo() {
    assertThat(DepFile.write("x.o", List.of("a.cu", "b.h"), true))
        .isEqualTo("x.o: \\\n  a.cu \\\n  b.h\nb.h:\n");
  }
}
