package dev.rocport.lang.python.syntax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rocport.TestProfile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The tree has the nodes and spans that CPython's own parser finds in its standard library. */
@Tag("slow")
final class CPythonAgreementTest {
  private static final String PYTHON = System.getProperty("rocport.python", "python3");
  private static final int SAMPLE = 250;

  @Test
  void standardLibrary() throws Exception {
    Path library = library();
    assumeTrue(library != null, "no python3 with a standard library here");
    List<Path> files;
    try (Stream<Path> all = Files.walk(library)) {
      files =
          all.filter(p -> p.toString().endsWith(".py") && isText(p))
              .filter(p -> !p.toString().contains("site-packages"))
              .sorted()
              .toList();
    }
    if (!TestProfile.isFull()) {
      int step = Math.max(1, files.size() / SAMPLE);
      List<Path> some = new ArrayList<>();
      for (int i = 0; i < files.size(); i += step) {
        some.add(files.get(i));
      }
      files = some;
    }
    compare(files);
  }

  @Test
  void corners() throws Exception {
    assumeTrue(library() != null, "no python3 here");
    assumeTrue(version().compareTo("3.11") >= 0, "an older python3 takes none of them");
    try (Stream<Path> all = Files.list(Path.of("src/test/resources/python/corners"))) {
      compare(all.sorted().toList());
    }
  }

  /** CPython counts columns in UTF-8, we in the bytes of the file. */
  private static boolean isText(Path path) {
    try {
      byte[] bytes = Files.readAllBytes(path);
      String head = new String(bytes, 0, Math.min(200, bytes.length), StandardCharsets.ISO_8859_1);
      return !head.toLowerCase(Locale.ROOT).matches("(?s).*coding[:=]\\s*(?!utf-?8)[a-z].*");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void compare(List<Path> files) throws Exception {
    Process python =
        new ProcessBuilder(PYTHON, "-W", "ignore", "src/test/resources/python/spans.py")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    boolean inside = version().compareTo("3.12") >= 0;
    Thread.ofVirtual()
        .start(
            () -> {
              try (var out = python.getOutputStream()) {
                for (Path p : files) {
                  out.write((p + "\n").getBytes(StandardCharsets.UTF_8));
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    List<String> wrong = new ArrayList<>();
    int compared = 0;
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(python.getInputStream(), StandardCharsets.UTF_8))) {
      String line = in.readLine();
      while (line != null) {
        String path = line.substring(line.indexOf(' ') + 1);
        boolean sound = line.startsWith("file ");
        List<String> theirs = new ArrayList<>();
        for (line = in.readLine();
            line != null && !line.startsWith("file ") && !line.startsWith("bad ");
            line = in.readLine()) {
          theirs.add(line);
        }
        if (sound) {
          compared++;
          wrong.addAll(differences(path, theirs, inside));
        }
      }
    }
    assertThat(wrong.stream().limit(20)).isEmpty();
    // An older CPython does not accept all of them, and some of its own files are intentionally
    // broken.
    assertThat(compared).isGreaterThan(files.size() / 2);
  }

  private static List<String> differences(String path, List<String> theirs, boolean inside)
      throws IOException {
    PythonFile file = PythonFile.parse(Files.readAllBytes(Path.of(path)));
    List<String> ours = new ArrayList<>();
    file.body().forEach(s -> spans(s, inside, ours));
    List<String> wrong = new ArrayList<>();
    file.problems().forEach(p -> wrong.add(path + ": " + p));
    theirs = new ArrayList<>(theirs);
    ours.sort(null);
    theirs.sort(null);
    if (!ours.equals(theirs)) {
      List<String> extra = new ArrayList<>(ours);
      theirs.forEach(extra::remove);
      List<String> missing = new ArrayList<>(theirs);
      ours.forEach(missing::remove);
      wrong.add(path + ": too many " + first(extra) + ", missing " + first(missing));
    }
    return wrong;
  }

  private static List<String> first(List<String> list) {
    return list.subList(0, Math.min(4, list.size()));
  }

  private static void spans(Node node, boolean inside, List<String> out) {
    String name = name(node);
    if (!name.isEmpty()) {
      out.add(name + " " + node.start() + " " + node.end());
    }
    if (!(node instanceof Expr.Text) || inside) {
      Children.of(node).forEach(n -> spans(n, inside, out));
    }
  }

  private static String name(Node node) {
    return switch (node) {
      case Expr.Name x -> "Name";
      case Expr.Constant x -> "Constant";
      case Expr.Text x -> "Text";
      case Expr.Attribute x -> "Attribute";
      case Expr.Call x -> "Call";
      case Expr.Subscript x -> "Subscript";
      case Expr.Slice x -> "Slice";
      case Expr.Unary x -> "UnaryOp";
      case Expr.Binary x -> "BinOp";
      case Expr.Logical x -> "BoolOp";
      case Expr.Comparison x -> "Compare";
      case Expr.Conditional x -> "IfExp";
      case Expr.Lambda x -> "Lambda";
      case Expr.TupleOf x -> "Tuple";
      case Expr.ListOf x -> "List";
      case Expr.SetOf x -> "Set";
      case Expr.Dict x -> "Dict";
      case Expr.Comprehension x ->
          switch (x.kind()) {
            case '[' -> "ListComp";
            case '(' -> "GeneratorExp";
            default -> x.items().size() == 2 ? "DictComp" : "SetComp";
          };
      case Expr.Starred x -> "Starred";
      case Expr.Await x -> "Await";
      case Expr.Yield x -> x.from() ? "YieldFrom" : "Yield";
      case Expr.Walrus x -> "NamedExpr";
      case Stmt.Expression s -> "Expr";
      case Stmt.Assign s ->
          s.annotation().isPresent() ? "AnnAssign" : s.op().equals("=") ? "Assign" : "AugAssign";
      case Stmt.Keyword s ->
          switch (s.word()) {
            case "return" -> "Return";
            case "del" -> "Delete";
            case "raise" -> "Raise";
            default -> "Assert";
          };
      case Stmt.Plain s ->
          s.word().substring(0, 1).toUpperCase(Locale.ROOT) + s.word().substring(1);
      case Stmt.Scope s -> s.word().equals("global") ? "Global" : "Nonlocal";
      case Stmt.Import s -> "Import";
      case Stmt.ImportFrom s -> "ImportFrom";
      case Stmt.If s -> "If";
      case Stmt.While s -> "While";
      case Stmt.For s -> s.async() ? "AsyncFor" : "For";
      case Stmt.Try s -> s.group() ? "TryStar" : "Try";
      case Stmt.With s -> s.async() ? "AsyncWith" : "With";
      case Stmt.Function s -> s.async() ? "AsyncFunctionDef" : "FunctionDef";
      case Stmt.ClassOf s -> "ClassDef";
      case Stmt.Match s -> "Match";
      case Stmt.TypeAlias s -> "TypeAlias";
      case Clause.Except c -> "ExceptHandler";
      case Clause.For c -> "";
      case Clause.With c -> "";
      case Clause.Case c -> "";
      case Argument a -> "";
      case Parameter p -> "";
    };
  }

  private static String version() throws Exception {
    return ask("import sys; print('%d.%02d' % sys.version_info[:2])");
  }

  private static Path library() throws Exception {
    try {
      String folder = ask("import os; print(os.path.dirname(os.__file__))");
      return folder.isEmpty() ? null : Path.of(folder);
    } catch (IOException e) {
      return null;
    }
  }

  private static String ask(String code) throws Exception {
    Process p = new ProcessBuilder(PYTHON, "-c", code).start();
    String said = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    return p.waitFor() == 0 ? said : "";
  }
}
