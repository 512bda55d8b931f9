package dev.rocport.cli.port;

import dev.rocport.port.decide.Decision;
import dev.rocport.port.decide.Decision.Action;
import dev.rocport.port.decide.Decisions;
import dev.rocport.port.decide.Item;
import dev.rocport.render.text.Paper;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.UserInterruptException;

/** Asks a person about the changes of a port, group by group, and keeps the decisions. */
final class Review {
  private static final int SHOWN = 3;
  private static final String MENU =
      "[a]ccept, [s]kip, [S]kip always, [o]ne by one, [e]dit, e[x]plain, [q]uit, [?]\n";

  private static final String HELP =
      """
      a  accept these changes; of a group, equal changes of later ports, too
      s  skip these changes, and give a reason
      S  skip these and all equal changes of later ports, and give a reason
      o  look at the changes of the group one by one
      e  edit the new lines (one change of a source only)
      x  explain the rules
      q  quit; decisions are kept, nothing is ported
      """;

  private final LineReader in;
  private final PrintWriter out;
  private final Paper paper;
  private final RuleCatalog catalog;
  private final Decisions decisions;
  private final Path root;
  private final Editor editor;
  private final String person;
  private final LocalDate today;

  /** Changes the lines of a text by hand. */
  interface Editor {
    /**
     * Returns the changed text; empty if there is none.
     *
     * @throws IOException if the editor cannot be started; the message says why
     */
    Optional<String> edit(String path, String text) throws IOException, InterruptedException;
  }

  /** What the person wants to do next. */
  private enum Next {
    GO_ON,
    QUIT
  }

  /**
   * A review of the port of a tree.
   *
   * @param in asks on the terminal
   * @param root of the tree, which gets the file of decisions
   * @param person who decides
   */
  Review(
      LineReader in,
      Paper paper,
      RuleCatalog catalog,
      Decisions decisions,
      Path root,
      Editor editor,
      String person,
      LocalDate today) {
    this.in = in;
    this.out = in.getTerminal().writer();
    this.paper = paper;
    this.catalog = catalog;
    this.decisions = decisions;
    this.root = root;
    this.editor = editor;
    this.person = person;
    this.today = today;
  }

  /**
   * Asks about all groups.
   *
   * @return whether the person has answered to the end
   */
  boolean ask(List<List<Item>> groups) throws IOException, InterruptedException {
    try {
      for (int i = 0; i < groups.size(); i++) {
        String title = "change %d of %d".formatted(i + 1, groups.size());
        if (ask(groups.get(i), title) == Next.QUIT) {
          return false;
        }
      }
      return true;
    } catch (EndOfFileException | UserInterruptException e) {
      return false;
    }
  }

  private Next ask(List<Item> group, String title) throws IOException, InterruptedException {
    show(group, title);
    while (true) {
      say(MENU);
      String answer = in.readLine("> ").strip();
      switch (answer) {
        case "a" -> {
          return accepted(group);
        }
        case "s" -> {
          return skipped(group);
        }
        case "S" -> {
          Item first = group.getFirst();
          return kept(decision(first, first.group(), Action.SKIP, true, "", reason()));
        }
        case "o" -> {
          return oneByOne(group, title);
        }
        case "e" -> {
          if (isEdited(group)) {
            return Next.GO_ON;
          }
        }
        case "x" -> explain(group.getFirst());
        case "q" -> {
          return Next.QUIT;
        }
        default -> say(HELP);
      }
    }
  }

  private Next oneByOne(List<Item> group, String title) throws IOException, InterruptedException {
    if (group.size() == 1) {
      say("There is only one change in this group.\n");
      return ask(group, title);
    }
    for (int i = 0; i < group.size(); i++) {
      String of = title + ", place %d of %d".formatted(i + 1, group.size());
      if (ask(List.of(group.get(i)), of) == Next.QUIT) {
        return Next.QUIT;
      }
    }
    return Next.GO_ON;
  }

  private Next accepted(List<Item> group) throws IOException {
    Item first = group.getFirst();
    boolean all = group.size() > 1;
    return kept(decision(first, all ? first.group() : first.id(), Action.ACCEPT, all, "", ""));
  }

  private Next skipped(List<Item> group) throws IOException {
    String reason = reason();
    decisions.keep(
        root,
        group.stream().map(i -> decision(i, i.id(), Action.SKIP, false, "", reason)).toList());
    return Next.GO_ON;
  }

  private Next kept(Decision decision) throws IOException {
    decisions.keep(root, List.of(decision));
    return Next.GO_ON;
  }

  private boolean isEdited(List<Item> group) throws IOException, InterruptedException {
    Item item = group.getFirst();
    if (group.size() > 1 || item.isWhole()) {
      say("Only one change of a C, C++ or CUDA file can be edited: use o first.\n");
      return false;
    }
    Optional<String> text;
    try {
      text = editor.edit(item.path(), item.after());
    } catch (IOException e) {
      say("The editor failed: " + e.getMessage() + "\n");
      return false;
    }
    if (text.isEmpty() || text.get().equals(item.after())) {
      say("The lines are unchanged.\n");
      return false;
    }
    kept(decision(item, item.id(), Action.EDIT, false, text.get(), reason()));
    return true;
  }

  /** Asks until there is a reason, because the next reader needs it. */
  private String reason() {
    while (true) {
      String reason = in.readLine("reason: ").strip();
      if (!reason.isEmpty()) {
        return reason;
      }
      say("A decision needs a reason; one sentence is enough.\n");
    }
  }

  private Decision decision(
      Item item, String id, Action action, boolean always, String text, String reason) {
    return new Decision(
        id,
        action,
        always,
        String.join(", ", item.rules()),
        item.change(),
        always ? "" : item.path(),
        always ? 0 : item.line(),
        text,
        reason,
        person,
        today.toString());
  }

  private void show(List<Item> group, String title) {
    Item first = group.getFirst();
    String places = group.size() == 1 ? "1 place" : group.size() + " places";
    StringBuilder text = new StringBuilder("\n");
    text.append(paper.bold(title)).append(": ").append(places).append(", ");
    text.append(String.join(", ", first.rules())).append("\n");
    if (group.size() > 1) {
      text.append("  ").append(visible(first.change())).append("\n");
    }
    for (Item item : group.subList(0, Math.min(SHOWN, group.size()))) {
      text.append("\n  ").append(item.path()).append(":").append(item.line()).append("\n");
      lines(text, item.isWhole() ? "    " : "      ", item.above());
      item.before().lines().map(l -> paper.red("    - " + visible(l)) + "\n").forEach(text::append);
      item.after()
          .lines()
          .map(l -> paper.green("    + " + visible(l)) + "\n")
          .forEach(text::append);
      lines(text, "      ", item.below());
    }
    if (group.size() > SHOWN) {
      text.append("\n  and ").append(group.size() - SHOWN).append(" more places\n");
    }
    say(text + "\n");
  }

  private static void lines(StringBuilder text, String indent, List<String> lines) {
    lines.forEach(l -> text.append(indent).append(visible(l)).append("\n"));
  }

  /** A source must not steer the terminal. */
  private static String visible(String text) {
    return text.replaceAll("[\\p{Cntrl}\\p{Cf}&&[^\t]]", "?");
  }

  private void explain(Item item) {
    List<String> pages = new ArrayList<>();
    for (String id : item.rules()) {
      Rule rule = catalog.find(id);
      if (rule != null) {
        pages.add(
            paper.bold(id)
                + "  "
                + rule.title()
                + "\n"
                + paper.wrap(rule.why() + "\n\n" + rule.advice(), "  "));
      }
    }
    say(String.join("\n", pages));
  }

  private void say(String text) {
    out.print(text);
    out.flush();
  }

  /** Groups changes that are equal, in order of their first place. */
  static List<List<Item>> groups(List<Item> items) {
    Map<String, List<Item>> groups = new LinkedHashMap<>();
    items.forEach(i -> groups.computeIfAbsent(i.group(), k -> new ArrayList<>()).add(i));
    return List.copyOf(groups.values());
  }
}
