package dev.rocport.lang.python;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Topic;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.ptx.find.Lexicon;
import dev.rocport.lang.python.syntax.Expr;
import dev.rocport.lang.python.syntax.PythonFile;
import dev.rocport.lang.python.syntax.Stmt;
import dev.rocport.lang.python.syntax.SyntaxProblem;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Ports Python files. Thread-safe: one porter serves all workers. */
public final class PythonPorter {
  private static final String SYNTAX = "PY-SYNTAX";
  private static final String NOTEBOOK = "PY-NOTEBOOK";

  /** A file that has none of these has nothing to port. */
  private static final List<String> WORDS =
      List.of(
          "torch",
          "cuda",
          "nvcc",
          "CUDA",
          "triton",
          "flash_attn",
          "pynvml",
          "py3nvml",
          "NCCL",
          "TORCH",
          "cupy",
          "numba",
          "inline_asm",
          "InlineAsm",
          "asm volatile",
          ".target sm_");

  private final RuleCatalog catalog;
  private final PortOptions options;
  private final Lexicon lexicon;

  /** Rules about PTX are the only ones in force. */
  private final boolean onlyPtx;

  public PythonPorter(RuleCatalog catalog, PortOptions options) {
    this.catalog = catalog;
    this.options = options;
    this.lexicon = new Lexicon(catalog);
    this.onlyPtx = catalog.areOnly(options.filter(), Topic.PTX);
  }

  /**
   * The changes of the rules.
   *
   * @param file a file whose encoding is text
   */
  public Changes port(SourceFile file, PythonProject project) {
    Changes changes = new Changes(file, catalog, options.filter());
    if (!concerns(file.bytes()) || RuntimeModules.isOurs(file.path(), file.bytes())) {
      return changes;
    }
    if (Notebook.isNotebook(file.path())) {
      notebook(file, changes);
      return changes;
    }
    PythonFile parsed = project.parsed(file);
    if (!parsed.problems().isEmpty()) {
      SyntaxProblem p = parsed.problems().getFirst();
      int at = Math.min(p.offset(), Math.max(0, file.length() - 1));
      changes.finding(
          SYNTAX,
          Disposition.REVIEW,
          at,
          at + 1,
          "the file is not valid Python, so it is not ported: " + p.message());
      return changes;
    }
    Home home = project.home(file.path(), parsed.body(), isProgram(parsed.body()));
    run(
        project.modules(file, parsed),
        home,
        project.eightBits(file.path()),
        project.copies(),
        changes);
    return changes;
  }

  private void run(
      PythonModules modules,
      Home home,
      EightBits.Uses elsewhere,
      CopiedFolders copies,
      Changes changes) {
    SourceFile file = changes.file();
    PythonTree tree = modules.tree(file.path());
    PythonWork w =
        new PythonWork(
            file,
            tree,
            new PythonGateWriter(file, tree, home, changes),
            changes,
            catalog,
            lexicon,
            EightBits.Uses.of(file, tree).and(elsewhere),
            modules,
            copies);
    new PtxPass(w).run();
    if (!onlyPtx) {
      others(w);
    }
    w.gates().finish();
  }

  private static void others(PythonWork w) {
    SettingPass settings = new SettingPass(w);
    for (Rule rule : w.rules("python-compile-mode")) {
      new CompilePass(w, settings, rule).run();
    }
    settings.run();
    new EnvironmentPass(w).run();
    new ImportPass(w).run();
    for (Rule rule : w.rules("python-dtype")) {
      new DtypePass(w, rule).run();
    }
    builds(w);
    new NamePass(w).run();
    new SymmetricPass(w).run();
  }

  /** Builds of extensions, and of libraries that Python loads. */
  private static void builds(PythonWork w) {
    RocmTexts texts = new RocmTexts(w.tree());
    List<SetupPass> setups = new ArrayList<>();
    for (Rule rule : w.rules("python-setup")) {
      FlagLists lists = new FlagLists(w, rule, texts);
      SetupPass setup = new SetupPass(w, rule, texts, lists);
      setup.collect();
      setups.add(setup);
    }
    for (Rule rule : w.rules("python-extension")) {
      new ExtensionPass(w, rule, new FlagLists(w, rule, texts), texts).run();
    }
    setups.forEach(SetupPass::run);
    for (RocmTexts.Left left : texts.left()) {
      w.gate(left.at(), left.text(), left.rule(), w.tree().text(left.at()));
    }
  }

  /** The Python cells of a notebook are one file with its own gate. */
  private void notebook(SourceFile file, Changes changes) {
    Notebook notebook;
    try {
      notebook = Notebook.of(file);
    } catch (NotebookReader.NotNotebook e) {
      changes.finding(NOTEBOOK, Disposition.REVIEW, 0, 1, "not ported: " + e.getMessage());
      return;
    }
    for (Notebook.Left c : notebook.left()) {
      if (concerns(c.text().getBytes(StandardCharsets.UTF_8))) {
        String why = c.magic().isEmpty() ? c.why() : "it is a %%" + c.magic() + " cell";
        changes.finding(
            NOTEBOOK,
            Disposition.REVIEW,
            c.offset(),
            c.offset() + 1,
            "cell " + c.number() + " is not ported: " + why);
      }
    }
    SourceFile python = notebook.python();
    if (python.length() == 0) {
      return;
    }
    Changes inner = changes.nested(python, "");
    PythonModules modules = PythonProject.NONE.modules(python, PythonFile.parse(python.bytes()));
    run(modules, new Home.Own(false), EightBits.Uses.NONE, CopiedFolders.NONE, inner);
    changes.adopt(inner, notebook.edits(inner.edits().sorted()), notebook);
  }

  /** Whether a file may hold something to port. */
  public static boolean concerns(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    return WORDS.stream().anyMatch(text::contains);
  }

  /** True for a file that is started as a program, or looks so: it does more than define. */
  private static boolean isProgram(List<Stmt> body) {
    return body.stream()
        .anyMatch(
            s ->
                switch (s) {
                  case Stmt.If i ->
                      i.condition() instanceof Expr.Comparison c
                          && c.operands().getFirst() instanceof Expr.Name n
                          && n.id().equals("__name__");
                  case Stmt.Expression e ->
                      e.value() instanceof Expr.Call c
                          && c.function() instanceof Expr.Name n
                          && (n.id().equals("print") || n.id().equals("main"));
                  case Stmt.For f -> true;
                  case Stmt.While w -> true;
                  default -> false;
                });
  }

  /**
   * Empty if the original comes back byte for byte once the gates are taken out of the ported file,
   * otherwise the obstacle.
   */
  public static String failure(SourceFile original, SourceFile ported) {
    PythonView.View before = PythonView.of(original, Set.of());
    PythonView.View after = PythonView.of(ported, Set.of());
    if (!after.problem().isEmpty()) {
      return "the ported file " + after.problem();
    }
    int at = Arrays.mismatch(before.bytes(), after.bytes());
    if (at >= 0) {
      int line =
          new SourceFile(ported.path(), after.bytes()).line(Math.min(at, after.bytes().length));
      return "without its gates, line " + line + " differs from the original";
    }
    return "";
  }
}
