package dev.rocport.render.text;

import dev.rocport.core.result.Effort;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Left;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.RuleInfo;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The decisions that a port needs, one for each rule that leaves work: those with the most work
 * first.
 */
final class Decisions {
  private static final int MOST = 10;

  /** Number of messages that stand for all of a rule. */
  private static final int EXAMPLES = 2;

  /** Number of characters of a message that are shown. */
  private static final int LONGEST = 90;

  private static final String INDENT = "  ";
  private static final String DEEP = "      ";

  private Decisions() {}

  static String of(Result result, Paper paper) {
    Map<String, Map<String, Integer>> messages = new LinkedHashMap<>();
    Map<String, Finding> first = new LinkedHashMap<>();
    Map<String, Set<String>> advice = new HashMap<>();
    for (Finding f : result.findings()) {
      first.putIfAbsent(f.rule(), f);
      advice.computeIfAbsent(f.rule(), k -> new HashSet<>()).add(f.advice());
      messages
          .computeIfAbsent(f.rule(), k -> new LinkedHashMap<>())
          .merge(f.message(), 1, Integer::sum);
    }
    List<Left> left =
        result.totals().left().stream()
            .filter(l -> first.containsKey(l.rule()))
            .sorted(Comparator.comparingInt(Left::minutes).reversed().thenComparing(Left::rule))
            .toList();
    StringBuilder text = new StringBuilder();
    int n = 0;
    for (Left l : left.subList(0, Math.min(MOST, left.size()))) {
      n++;
      RuleInfo rule = result.rules().get(l.rule());
      Finding f = first.get(l.rule());
      if (rule == null || f == null) {
        continue;
      }
      int count = l.unported() + l.review();
      text.append(
          "%s%2d. %s: %s, about %s\n"
              .formatted(INDENT, n, paper.bold(l.rule()), rule.title(), Effort.time(l.minutes())));
      text.append(
          paper.wrap(
              "%d %s in %d %s, the first at %s%s; %s"
                  .formatted(
                      count,
                      count == 1 ? "place" : "places",
                      l.files(),
                      l.files() == 1 ? "file" : "files",
                      TextReport.visible(f.path()),
                      f.line() == 0 ? "" : ":" + f.line(),
                      most(messages.getOrDefault(l.rule(), Map.of()))),
              DEEP));
      // Advice that fits some of the places only would mislead at the others.
      if (!f.advice().isEmpty() && advice.getOrDefault(l.rule(), Set.of()).size() == 1) {
        text.append(paper.wrap("-> " + TextReport.visible(f.advice()), DEEP));
      }
    }
    if (left.size() > MOST) {
      text.append(INDENT).append("and ").append(left.size() - MOST).append(" other rules\n");
    }
    return text.toString();
  }

  private static String cut(String message) {
    return message.length() <= LONGEST ? message : message.substring(0, LONGEST) + "...";
  }

  /** Returns the most frequent messages with their number. */
  private static String most(Map<String, Integer> messages) {
    String frequent =
        messages.entrySet().stream()
            .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
            .limit(EXAMPLES)
            .map(e -> "\"%s\" (%d)".formatted(cut(TextReport.visible(e.getKey())), e.getValue()))
            .collect(Collectors.joining(", "));
    return messages.size() > EXAMPLES ? "most often " + frequent : frequent;
  }
}
