package dev.rocport.buildsystem.command;

import java.util.List;
import java.util.regex.Matcher;

/** Ports spans of a makefile or shell script: commands, values of variables, other text. */
public final class CommandPort {
  static final String ROCM_PATH = "ROCM_PATH";
  public static final String ARCH = "ROCM_ARCH";
  public static final String ARCH_FLAGS = "ROCM_ARCHFLAGS";

  private final Facts facts;
  private final Syntax syntax;
  private final Passage passage;

  private final CallPort calls;
  private final FlagPort flags;

  /**
   * @param text text of the file
   */
  public CommandPort(Facts facts, String text) {
    this(new Passage(facts, text));
  }

  CommandPort(Passage passage) {
    this.facts = passage.facts();
    this.syntax = facts.syntax();
    this.passage = passage;
    this.calls = new CallPort(passage);
    this.flags = new FlagPort(passage);
  }

  public Outcome outcome() {
    return passage.outcome();
  }

  /** Ports commands of a recipe or script. */
  public void commands(int from, int to) {
    passage.begin();
    stretch(from, to, Mode.COMMANDS);
  }

  /** Ports the value of a variable. */
  public void value(String name, int from, int to) {
    passage.begin();
    if (facts.isRoot(name)) {
      folder(name, from, to);
    } else {
      passage.finds(facts.isCompiler(name) && facts.isSet(ROCM_PATH));
      stretch(from, to, Mode.of(facts, name));
      passage.finds(false);
    }
  }

  /** Ports text that is not a command: targets, conditions. */
  public void other(int from, int to) {
    passage.begin();
    stretch(from, to, Mode.OTHER);
  }

  /** Ports comments and names of variables. */
  public void names(int from, int to) {
    passage.names(from, to);
  }

  /** Replaces a span. */
  public void replace(int from, int to, String now, Topic topic) {
    passage.change(from, to, now, topic);
  }

  /** Ports a span whose words are interpreted in one mode. */
  void stretch(int from, int to, Mode mode) {
    List<Word> words = Word.of(syntax, passage.text(), from, to, mode == Mode.COMMANDS);
    if (mode == Mode.COMMANDS) {
      Word.commands(words).forEach(calls::port);
    } else {
      flags.port(words, mode);
    }
  }

  /** Ports an assignment of the CUDA folder. */
  private void folder(String name, int from, int to) {
    String value = passage.text().substring(from, to);
    boolean first = facts.renamed(name).equals(ROCM_PATH);
    String rocm = first ? "/opt/rocm" : syntax.reference(ROCM_PATH);
    boolean plain = from == 0 || passage.text().charAt(from - 1) != '\'';
    if (first && plain && syntax == Syntax.SHELL && value.matches(Facts.LITERAL)) {
      rocm = "${" + ROCM_PATH + ":-/opt/rocm}"; // the user can override it
    }
    String now = value.replaceAll(Facts.LITERAL, Matcher.quoteReplacement(rocm));
    now = passage.renamed(now.replaceAll("(?<![\\w.-])nvcc(?![\\w.-])", "hipcc"));
    if (!now.equals(value)) {
      passage.change(from, to, now, Topic.PATH);
    }
  }
}
