package dev.rocport.port;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.edit.EditSet;
import dev.rocport.core.result.Change;
import dev.rocport.core.source.SourceFile;
import dev.rocport.rules.Changes;
import dev.rocport.rules.RuleCatalog;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Lines of a file that warp rules change, before and after; a limited number. */
final class SideBySide {
  private static final int MOST_CHANGES = 40;
  private static final int MOST_LINES = 12;
  private static final int LONGEST = 160;

  private SideBySide() {}

  /** A range of lines that change together. */
  private record Block(int first, int last, String rule) {
    /** Joins this range and the next one, which begins on its last line or the line after it. */
    Block and(Block next) {
      return new Block(first, Math.max(last, next.last), rule.isEmpty() ? next.rule : rule);
    }
  }

  /** In order of the lines. */
  static List<Change> of(Changes changes, RuleCatalog catalog) {
    if (changes.counts().keySet().stream().noneMatch(r -> catalog.topic(r).isOfWarps())) {
      return List.of();
    }
    SourceFile file = changes.file();
    List<Edit> sorted = changes.edits().sorted();
    List<Change> list = new ArrayList<>();
    for (Block b : neighbours(blocks(file, sorted, catalog))) {
      int from = file.lineStart(b.first);
      int to = file.lineEnd(b.last);
      String after =
          new String(EditSet.apply(file.bytes(), sorted, from, to), StandardCharsets.UTF_8);
      list.add(new Change(b.rule, b.first, shortened(file.text(from, to)), shortened(after)));
      if (list.size() == MOST_CHANGES) {
        break;
      }
    }
    return list;
  }

  /** Groups edits that share a line; the rule of a group is its first warp rule, or empty. */
  private static List<Block> blocks(SourceFile file, List<Edit> sorted, RuleCatalog catalog) {
    List<Block> blocks = new ArrayList<>();
    for (Edit e : sorted) {
      int last = file.line(Math.max(e.start(), e.end() - 1));
      Block b =
          new Block(
              file.line(e.start()), last, catalog.topic(e.rule()).isOfWarps() ? e.rule() : "");
      if (!blocks.isEmpty() && b.first <= blocks.getLast().last) {
        blocks.add(blocks.removeLast().and(b));
      } else {
        blocks.add(b);
      }
    }
    return blocks;
  }

  /** Returns the groups of warp rules; adjacent groups become one. */
  private static List<Block> neighbours(List<Block> blocks) {
    List<Block> kept = new ArrayList<>();
    for (Block b : blocks) {
      if (b.rule.isEmpty()) {
        continue;
      }
      if (!kept.isEmpty()
          && b.first == kept.getLast().last + 1
          && b.last - kept.getLast().first < MOST_LINES) {
        kept.add(kept.removeLast().and(b));
      } else {
        kept.add(b);
      }
    }
    return kept;
  }

  private static String shortened(String text) {
    List<String> lines = text.lines().toList();
    String some =
        lines.stream()
            .limit(MOST_LINES)
            .map(l -> l.length() > LONGEST ? l.substring(0, LONGEST) + Change.MORE : l)
            .collect(Collectors.joining("\n"));
    return lines.size() > MOST_LINES ? some + "\n" + Change.MORE : some;
  }
}
