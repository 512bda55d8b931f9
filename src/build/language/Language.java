import com.github.javaparser.JavaParser;
import com.github.javaparser.ParserConfiguration;
import com.github.javaparser.ast.Node;
import com.github.javaparser.ast.expr.BinaryExpr;
import com.github.javaparser.ast.expr.EnclosedExpr;
import com.github.javaparser.ast.expr.Expression;
import com.github.javaparser.ast.expr.StringLiteralExpr;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.languagetool.JLanguageTool;
import org.languagetool.Languages;
import org.languagetool.markup.AnnotatedText;
import org.languagetool.markup.AnnotatedTextBuilder;
import org.languagetool.rules.RuleMatch;
import org.languagetool.rules.spelling.SpellingCheckRule;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Runs LanguageTool over messages in Java sources, texts of rules, and Markdown. */
final class Language {
  /** A passage as it is read. Text between two {@link #MARK}s is code, which stands for a name. */
  private record Passage(Path file, int line, String text) {}

  private static final char MARK = '\u0001';

  /** Fields of a rule that users read. */
  private static final Set<String> FIELDS = Set.of("title", "why", "advice", "says");

  /** A literal with fewer words is a name, a path or a part of a command. */
  private static final int WORDS = 4;

  private static final Pattern WORD = Pattern.compile("(?:^|\\s)[A-Za-z'-]+(?=[\\s,.;:]|$)");

  /** What only code has. */
  private static final Pattern CODE =
      Pattern.compile("[{}=<>\t\\\\$#]|::|//|--[a-z]+ [A-Z]|\\(\\)|\\(\\?|^\\s|\\w\\(\\w|\\|\\|");

  private static final Pattern PLACEHOLDER =
      Pattern.compile(
          "%[-0-9,.]*[a-z]|%n|'[^' ]*'|\"[^\"]*\"|[\\w.+/-]*[_/.][\\w.+/-]*\\w|--?\\w[\\w-]*");

  public static void main(String[] files) throws Exception {
    List<Path> sources = files.length > 0 ? Stream.of(files).map(Path::of).toList() : sources();
    JLanguageTool tool = tool();
    Set<String> words = Set.copyOf(list("words.txt"));
    int complaints = 0;
    int passages = 0;
    for (Path file : sources) {
      for (Passage p : passages(file)) {
        passages++;
        AnnotatedText text = annotated(p.text());
        for (RuleMatch m : tool.check(text)) {
          if (isName(m, p.text(), words)) {
            continue;
          }
          int from = Math.max(0, m.getFromPos() - 30);
          int to = Math.min(p.text().length(), m.getToPos() + 30);
          System.out.printf(
              "%s:%d: %s: %s: \"%s\": %s%n",
              p.file(),
              p.line() + lines(p.text(), m.getFromPos()),
              m.getRule().getId(),
              p.text()
                  .substring(m.getFromPos(), m.getToPos())
                  .replace(MARK, '`')
                  .replace('\n', ' '),
              p.text().substring(from, to).replace(MARK, '`').replace('\n', ' '),
              m.getMessage().replaceAll("</?suggestion>", "'"));
          complaints++;
        }
      }
    }
    System.out.printf("%d passages, %d complaints%n", passages, complaints);
    System.exit(complaints > 0 ? 1 : 0);
  }

  private static JLanguageTool tool() throws IOException {
    JLanguageTool tool = new JLanguageTool(Languages.getLanguageForShortCode("en-US"));
    list("off.txt").forEach(tool::disableRule);
    return tool;
  }

  /**
   * Whether a complaint is about a name: an accepted word, one with capitals or digits, or code.
   */
  private static boolean isName(RuleMatch match, String text, Set<String> words) {
    String word = text.substring(match.getFromPos(), match.getToPos());
    int after = Math.min(text.length(), match.getToPos() + 2);
    if (text.substring(match.getFromPos(), after).indexOf(MARK) >= 0) {
      return true;
    }
    String name = word.replaceFirst("'s?$", "");
    // A complaint about a wrong space covers two words.
    return match.getRule() instanceof SpellingCheckRule
        && (name.matches(".*[0-9].*|.+[A-Z].*")
            || Stream.of(name.toLowerCase(Locale.ROOT).split(" ")).anyMatch(words::contains));
  }

  /** The first word of each line; the rest says why. */
  private static List<String> list(String name) throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("src/build/language", name))) {
      return lines
          .filter(l -> !l.isBlank() && !l.startsWith("#"))
          .map(l -> l.split("\\s", 2)[0])
          .toList();
    }
  }

  private static List<Path> sources() throws IOException {
    List<Path> all = new ArrayList<>();
    for (String root : List.of(".", "docs", "rules", "src/main/java")) {
      int depth = root.equals(".") ? 1 : Integer.MAX_VALUE;
      try (Stream<Path> files = Files.find(Path.of(root), depth, (p, a) -> a.isRegularFile())) {
        files.filter(p -> p.toString().matches(".*\\.(md|yaml|java)")).sorted().forEach(all::add);
      }
    }
    return all;
  }

  private static List<Passage> passages(Path file) throws IOException {
    String name = file.toString();
    String text = Files.readString(file);
    if (name.endsWith(".md")) {
      return markdown(file, text);
    }
    return name.endsWith(".java") ? literals(file, text) : fields(file, text);
  }

  private static List<Passage> markdown(Path file, String text) {
    List<Passage> all = new ArrayList<>();
    StringBuilder paragraph = new StringBuilder();
    int start = 0;
    int number = 0;
    boolean fenced = false;
    for (String line : (text.replaceAll("(?s)<!--.*?-->", "") + "\n").split("\n", -1)) {
      number++;
      boolean fence = line.strip().startsWith("```");
      fenced ^= fence;
      boolean table = line.startsWith("|");
      boolean item = line.matches("\\s*([-*]|\\d+\\.) .*") || line.startsWith("#");
      if (fence || fenced || table || item || line.isBlank()) {
        if (!paragraph.isEmpty()) {
          all.add(new Passage(file, start, inline(paragraph.toString())));
          paragraph.setLength(0);
        }
      }
      if (table) {
        for (String cell : line.split("(?<!\\\\)\\|")) {
          if (WORD.matcher(cell).results().count() >= WORDS) {
            all.add(new Passage(file, number, inline(cell.strip())));
          }
        }
      } else if (!fence && !fenced && !line.isBlank()) {
        start = paragraph.isEmpty() ? number : start;
        paragraph
            .append(paragraph.isEmpty() ? "" : "\n")
            .append(line.replaceFirst("^\\s*([-*]|\\d+\\.|#+) ", "").strip());
      }
    }
    return all;
  }

  private static String inline(String text) {
    return text.replaceAll("!\\[[^]]*]\\([^)]*\\)", "")
        .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
        .replaceAll("</?\\w+>|\\*\\*", "")
        .replaceAll("``?([^`]+)``?", MARK + "$1" + MARK);
  }

  private static List<Passage> fields(Path file, String text) {
    List<Passage> all = new ArrayList<>();
    new Compose(LoadSettings.builder().build())
        .composeString(text)
        .ifPresent(root -> fields(file, root, all));
    return all;
  }

  private static void fields(
      Path file, org.snakeyaml.engine.v2.nodes.Node node, List<Passage> all) {
    switch (node) {
      case SequenceNode s -> s.getValue().forEach(n -> fields(file, n, all));
      case MappingNode m -> {
        for (NodeTuple t : m.getValue()) {
          if (t.getKeyNode() instanceof ScalarNode key
              && FIELDS.contains(key.getValue())
              && t.getValueNode() instanceof ScalarNode value) {
            int line = value.getStartMark().map(x -> x.getLine() + 1).orElse(0);
            all.add(new Passage(file, line, marked(value.getValue())));
          } else {
            fields(file, t.getValueNode(), all);
          }
        }
      }
      default -> {}
    }
  }

  private static List<Passage> literals(Path file, String text) {
    ParserConfiguration configuration =
        new ParserConfiguration().setLanguageLevel(ParserConfiguration.LanguageLevel.BLEEDING_EDGE);
    List<Passage> all = new ArrayList<>();
    new JavaParser(configuration)
        .parse(text)
        .getResult()
        .ifPresent(
            unit -> {
              for (StringLiteralExpr literal : unit.findAll(StringLiteralExpr.class)) {
                Expression whole = literal;
                while (whole.getParentNode().orElse(null) instanceof BinaryExpr sum
                    && sum.getOperator() == BinaryExpr.Operator.PLUS) {
                  whole = sum;
                }
                StringBuilder joined = new StringBuilder();
                join(whole, joined);
                if (first(whole) == literal && isProse(joined.toString())) {
                  int line = literal.getBegin().map(p -> p.line).orElse(0);
                  all.add(new Passage(file, line, marked(joined.toString())));
                }
              }
            });
    return all;
  }

  private static Node first(Expression whole) {
    return whole.findFirst(StringLiteralExpr.class).orElseThrow();
  }

  private static void join(Expression x, StringBuilder to) {
    switch (x) {
      case BinaryExpr sum -> {
        join(sum.getLeft(), to);
        join(sum.getRight(), to);
      }
      case StringLiteralExpr s -> to.append(s.asString());
      case EnclosedExpr e -> to.append("%s");
      default -> to.append("%s");
    }
  }

  private static boolean isProse(String text) {
    return WORD.matcher(text).results().count() >= WORDS && !CODE.matcher(text).find();
  }

  /** Marks what stands for a name: formats, quotations, paths, options. */
  private static String marked(String text) {
    Matcher m = PLACEHOLDER.matcher(text);
    return m.replaceAll(x -> MARK + Matcher.quoteReplacement(x.group()) + MARK);
  }

  private static AnnotatedText annotated(String text) {
    AnnotatedTextBuilder to = new AnnotatedTextBuilder();
    String[] parts = text.split(String.valueOf(MARK), -1);
    for (int i = 0; i < parts.length; i++) {
      if (i % 2 == 0) {
        to.addText(parts[i]);
      } else {
        to.addMarkup(MARK + parts[i] + MARK, "Name");
      }
    }
    return to.build();
  }

  private static int lines(String text, int end) {
    return (int)
        text.substring(0, Math.min(end, text.length())).chars().filter(c -> c == '\n').count();
  }
}
