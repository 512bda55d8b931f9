package dev.rocport.buildsystem.bazel;

import dev.rocport.buildsystem.calls.Call;
import dev.rocport.buildsystem.calls.Group;
import dev.rocport.buildsystem.calls.Item;
import dev.rocport.buildsystem.calls.Part;
import dev.rocport.buildsystem.calls.Statement;
import dev.rocport.buildsystem.calls.Token;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** What Bazel's files of one tree say together. */
final class BazelFacts {
  private static final Pattern CALLS = Pattern.compile("(?i)(?<![\\w])nvcc(?![\\w])");
  private static final Pattern CUDA = Pattern.compile("(?i)cuda|nvcc");
  private static final Pattern FLAGS =
      Pattern.compile("(?:\\w*_)?(?:copts|opts|flags|options)|\\w*nvcc\\w*");

  /** Macros and rules of the project that call nvcc. */
  private final Set<String> rules = new HashSet<>();

  /** Rules of the project's own that make repositories. */
  private final Set<String> makers = new HashSet<>();

  /** What is called with a name, and the name. */
  private final List<List<String>> named = new ArrayList<>();

  /** Variables with flags of nvcc's. */
  private final Set<String> flags = new HashSet<>();

  /** Repositories that rules of the project's own make. */
  private final Set<String> repositories = new HashSet<>();

  /** Names that are loaded from files of the project's own. */
  private final Set<String> own = new HashSet<>();

  /** Files that call nvcc. */
  private final Set<String> callers = new HashSet<>();

  private boolean cuda;
  private boolean rocm;

  BazelFacts(Collection<BazelFile> files) {
    for (BazelFile f : files) {
      cuda |= CUDA.matcher(f.text()).find();
      rocm |=
          f.strings().stream().anyMatch(t -> t.value().matches("(.*/)?hipcc|@local_config_rocm.*"));
      boolean calls = CALLS.matcher(f.text()).find();
      if (calls) {
        callers.add(f.source().path());
      }
      if (calls && f.source().path().endsWith(".bzl")) {
        for (Statement s : f.statements()) {
          defined(s);
        }
      }
    }
    for (BazelFile f : files) {
      for (Statement s : f.statements()) {
        s.call().ifPresent(c -> repository(s, c));
      }
    }
    for (BazelFile f : files) {
      f.statements().forEach(s -> s.call().filter(c -> c.is("load")).ifPresent(this::loaded));
    }
    for (BazelFile f : files) {
      for (Statement s : f.statements()) {
        for (Call c : Call.in(s.parts())) {
          flags(f, c);
        }
      }
    }
    boolean more = true;
    while (more) {
      int before = flags.size();
      for (BazelFile f : files) {
        f.statements().stream()
            .filter(s -> flags.contains(s.assigned()))
            .forEach(s -> note(s.value()));
      }
      more = flags.size() > before;
    }
  }

  private void repository(Statement s, Call c) {
    if (c.is("repository_rule")) {
      makers.add(s.assigned());
    }
    c.arguments()
        .keyword("name")
        .flatMap(Item::string)
        .ifPresent(t -> named.add(List.of(c.name().text(), t.value())));
  }

  private void loaded(Call c) {
    for (List<String> n : named) {
      if (makers.contains(n.get(0))) {
        repositories.add(n.get(1));
      }
    }
    List<Item> p = c.arguments().items();
    String from = p.isEmpty() ? "" : p.getFirst().string().map(Token::value).orElse("");
    boolean ours =
        from.startsWith("//")
            || from.startsWith(":")
            || repositories.stream().anyMatch(r -> from.startsWith("@" + r + "//"));
    if (ours) {
      p.stream().skip(1).flatMap(i -> i.string().stream()).forEach(t -> own.add(t.value()));
    }
  }

  /** A repository that a rule of the project's own makes. */
  boolean isRepository(String name) {
    return repositories.contains(name);
  }

  /** A name of a file of the project's own. */
  boolean isOwn(String name) {
    return own.contains(name) || rules.contains(name);
  }

  private void defined(Statement s) {
    List<Part> p = s.parts();
    if (p.getFirst().isName("def") && p.size() > 1 && p.get(1) instanceof Token t) {
      rules.add(t.text());
    }
    s.call().filter(c -> c.is("rule")).ifPresent(c -> rules.add(s.assigned()));
  }

  private void flags(BazelFile f, Call c) {
    if (isRule(c)) {
      c.arguments().items().stream().filter(this::isFlags).forEach(i -> note(i.parts()));
    } else if (isAdd(f, c)) {
      c.arguments().positional().forEach(i -> note(i.parts()));
    } else {
      c.arguments().items().stream()
          .filter(i -> i.keyword().equals("cmd") || i.keyword().equals("command"))
          .filter(this::isShell)
          .forEach(i -> note(i.parts()));
    }
  }

  private void note(List<Part> parts) {
    List<Token> names = new ArrayList<>();
    BazelFile.names(parts, names);
    names.stream().map(Token::text).filter(n -> !n.equals("ctx")).forEach(flags::add);
  }

  /** A call of what calls nvcc. */
  boolean isRule(Call c) {
    return !c.method() && rules.contains(c.name().text());
  }

  /** A keyword whose value goes to nvcc, in a call of what calls it. */
  boolean isFlags(Item i) {
    return FLAGS.matcher(i.keyword()).matches() && !i.keyword().matches(".*(link|host|cxx).*");
  }

  /** Something is added to the arguments of an action, in a file that calls nvcc. */
  boolean isAdd(BazelFile f, Call c) {
    return c.method()
        && c.name().text().matches("add|add_all|add_joined")
        && callers.contains(f.source().path());
  }

  /** A shell's line that calls nvcc. */
  boolean isShell(Item i) {
    List<Token> strings = new ArrayList<>();
    BazelFile.strings(i.parts(), strings);
    return strings.stream().anyMatch(t -> CALLS.matcher(t.value()).find());
  }

  boolean isFlags(String variable) {
    return flags.contains(variable);
  }

  boolean isCuda() {
    return cuda;
  }

  /** It can be built for ROCm as it stands. */
  boolean isForRocm() {
    return rocm;
  }

  /** A list in a call of an action whose program is nvcc. */
  static boolean runsNvcc(Group arguments) {
    return arguments
        .keyword("executable")
        .filter(i -> CALLS.matcher(i.string().map(Token::value).orElse(i.name())).find())
        .isPresent();
  }
}
