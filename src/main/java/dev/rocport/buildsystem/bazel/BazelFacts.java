package dev.rocport.buildsystem.bazel;

import dev.rocport.buildsystem.calls.Call;
import dev.rocport.buildsystem.calls.Group;
import dev.rocport.buildsystem.calls.Item;
import dev.rocport.buildsystem.calls.Part;
import dev.rocport.buildsystem.calls.Statement;
import dev.rocport.buildsystem.calls.Token;
import dev.rocport.buildsystem.shared.LibraryCopies;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Facts from all Bazel files of a tree. */
final class BazelFacts {
  private static final Pattern CALLS = Pattern.compile("(?i)(?<![\\w])nvcc(?![\\w])");
  private static final Pattern CUDA = Pattern.compile("(?i)cuda|nvcc");
  private static final Pattern FLAGS =
      Pattern.compile("(?:\\w*_)?(?:copts|opts|flags|options)|\\w*nvcc\\w*");

  /** Macros and rules of the project that call nvcc. */
  private final Set<String> rules = new HashSet<>();

  /** Repository rules that the project defines. */
  private final Set<String> repositoryRules = new HashSet<>();

  /** Called functions and the value of their {@code name} argument. */
  private final List<List<String>> named = new ArrayList<>();

  /** Variables that hold nvcc flags. */
  private final Set<String> flags = new HashSet<>();

  /** Repositories that the project's own rules make. */
  private final Set<String> repositories = new HashSet<>();

  /** Names that are loaded from the project's own files. */
  private final Set<String> own = new HashSet<>();

  /** Files that call nvcc. */
  private final Set<String> nvccFiles = new HashSet<>();

  private final LibraryCopies copies;
  private final boolean onHost;
  private boolean cuda;
  private boolean rocm;

  /**
   * @param copies copies of libraries in the tree
   */
  BazelFacts(Collection<BazelFile> files, LibraryCopies copies) {
    this.copies = copies;
    this.onHost = files.stream().anyMatch(f -> LibraryCopies.selectsHost(f.text()));
    for (BazelFile f : files) {
      cuda |= CUDA.matcher(f.text()).find();
      rocm |=
          f.strings().stream().anyMatch(t -> t.value().matches("(.*/)?hipcc|@local_config_rocm.*"));
      boolean calls = CALLS.matcher(f.text()).find();
      if (calls) {
        nvccFiles.add(f.source().path());
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
      repositoryRules.add(s.assigned());
    }
    c.arguments()
        .keyword("name")
        .flatMap(Item::string)
        .ifPresent(t -> named.add(List.of(c.name().text(), t.value())));
  }

  private void loaded(Call c) {
    for (List<String> n : named) {
      if (repositoryRules.contains(n.get(0))) {
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

  /** Returns whether one of the project's own rules makes this repository. */
  boolean isRepository(String name) {
    return repositories.contains(name);
  }

  /** Returns whether one of the project's own files defines this name. */
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

  /** Returns whether it calls a rule or macro that calls nvcc. */
  boolean isRule(Call c) {
    return !c.method() && rules.contains(c.name().text());
  }

  /** Returns whether the value of this keyword is passed to nvcc, in a call of such a rule. */
  boolean isFlags(Item i) {
    return FLAGS.matcher(i.keyword()).matches() && !i.keyword().matches(".*(link|host|cxx).*");
  }

  /** Returns whether it adds arguments to an action in a file that calls nvcc. */
  boolean isAdd(BazelFile f, Call c) {
    return c.method()
        && c.name().text().matches("add|add_all|add_joined")
        && nvccFiles.contains(f.source().path());
  }

  /** Returns whether it is a shell command that calls nvcc. */
  boolean isShell(Item i) {
    List<Token> strings = new ArrayList<>();
    BazelFile.strings(i.parts(), strings);
    return strings.stream().anyMatch(t -> CALLS.matcher(t.value()).find());
  }

  boolean isFlags(String variable) {
    return flags.contains(variable);
  }

  LibraryCopies copies() {
    return copies;
  }

  /** Returns whether the project uses Thrust with a backend that runs on the host. */
  boolean isThrustOnHost() {
    return onHost;
  }

  boolean isCuda() {
    return cuda;
  }

  /** Returns whether the project already builds for ROCm. */
  boolean isForRocm() {
    return rocm;
  }

  /** Returns whether these are the arguments of an action that runs nvcc. */
  static boolean runsNvcc(Group arguments) {
    return arguments
        .keyword("executable")
        .filter(i -> CALLS.matcher(i.string().map(Token::value).orElse(i.name())).find())
        .isPresent();
  }
}
