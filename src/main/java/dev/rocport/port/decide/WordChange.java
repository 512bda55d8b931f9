package dev.rocport.port.decide;

import com.github.difflib.DiffUtils;
import com.github.difflib.patch.AbstractDelta;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What changes in a line, as words before and after. */
final class WordChange {
  private static final Pattern WORD = Pattern.compile("\\w+|\\s+|.", Pattern.DOTALL);
  private static final int MOST_WORDS = 2000;

  private WordChange() {}

  /**
   * Returns text such as {@code cudaMalloc -> hipMalloc}; the lines themselves if they are many.
   */
  static String of(String before, String after) {
    List<String> was = words(before);
    List<String> is = words(after);
    if (before.isBlank() || was.size() + is.size() > MOST_WORDS) {
      return before.strip() + " -> " + after.strip();
    }
    Set<String> changes = new LinkedHashSet<>();
    for (AbstractDelta<String> d : DiffUtils.diff(was, is).getDeltas()) {
      changes.add(
          String.join("", d.getSource().getLines()).strip()
              + " -> "
              + String.join("", d.getTarget().getLines()).strip());
    }
    return String.join("; ", changes);
  }

  private static List<String> words(String text) {
    return new ArrayList<>(WORD.matcher(text).results().map(MatchResult::group).toList());
  }
}
