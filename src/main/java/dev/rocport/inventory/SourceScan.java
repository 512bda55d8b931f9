package dev.rocport.inventory;

import dev.rocport.core.source.SourceFile;
import dev.rocport.inventory.ComponentTable.Hit;
import dev.rocport.inventory.ComponentTable.VersionMacro;
import dev.rocport.inventory.Evidence.Kind;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Lexer;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** C, C++ and CUDA: includes, names, conditions on versions and architectures, inline PTX. */
final class SourceScan {
  private static final Pattern PTX = Pattern.compile("\\b[a-z][a-z0-9_]*\\.[a-z0-9]");
  private static final Pattern NUMBER = Pattern.compile("(\\d{1,9})[uUlL]*");

  private final ComponentTable table;
  private final Ledger ledger;
  private final SourceFile file;
  private final Tokens tokens;
  private final boolean cuda;

  /** Names that are the same in HIP are no evidence in a HIP file. */
  private final boolean hip;

  /**
   * @param cuda whether the file is CUDA by its name, so that the language's own names count
   */
  SourceScan(ComponentTable table, Ledger ledger, SourceFile file, boolean cuda) {
    this.table = table;
    this.ledger = ledger;
    this.file = file;
    this.tokens = Lexer.lex(file);
    this.hip = file.path().endsWith(".hip") || includesHip();
    this.cuda = cuda && !hip;
  }

  private boolean includesHip() {
    return tokens.directives().stream()
        .anyMatch(d -> d.isInclude() && tokens.included(d).startsWith("hip/"));
  }

  void scan() {
    for (Directive d : tokens.directives()) {
      if (d.isInclude()) {
        include(d);
      } else if (d.isCondition()) {
        condition(d);
      } else if (d.name().equals("define") && tokens.isIdentifier(d.body())) {
        String macro = tokens.text(d.body());
        // Layers over CUDA and HIP define CUDA's names: those are uses, still.
        if (!table.hasRow(macro)) {
          ledger.defines(macro);
        }
      }
    }
    for (int i = 0; i < tokens.count(); i++) {
      if (tokens.isIdentifier(i)) {
        i = identifier(i);
      } else if (tokens.kind(i) == Tokens.STRING && !tokens.inDirective(i)) {
        loaded(i);
      }
    }
  }

  private void include(Directive d) {
    String path = tokens.included(d);
    Component c = path.isEmpty() ? null : table.header(path);
    if (c != null) {
      ledger.add(c, new Evidence(Kind.INCLUDE, file.path(), file.line(d.start()), path, ""));
    }
  }

  /** Numbers that versions and architectures are compared with. */
  private void condition(Directive d) {
    for (int i = d.body(); i < d.last(); i++) {
      if (!tokens.isIdentifier(i)) {
        continue;
      }
      String name = tokens.text(i);
      VersionMacro macro = table.version(name);
      boolean architecture = name.equals("__CUDA_ARCH__");
      if (macro == null && !architecture) {
        continue;
      }
      int at = i + 1;
      StringBuilder operator = new StringBuilder();
      while (at < d.last()
          && tokens.kind(at) == Tokens.PUNCTUATION
          && "<>=!".contains(tokens.text(at))) {
        operator.append(tokens.text(at++));
      }
      long number = operator.isEmpty() ? -1 : number(at);
      int line = file.line(tokens.start(i));
      if (number < 0) {
        continue;
      }
      String text = name + " " + operator + " " + number;
      if (macro != null) {
        String version = VersionNumber.of(macro.form(), number);
        String shown = operator.toString().equals("==") ? version : operator + version;
        ledger.add(macro.component(), new Evidence(Kind.CONDITION, file.path(), line, text, shown));
      } else if (number >= 100) {
        ledger.target(
            "sm_" + number / 10,
            "condition",
            new Evidence(Kind.CONDITION, file.path(), line, text, ""));
      }
    }
  }

  /** A number, or NCCL_VERSION(2, 18, 1); -1 for all else. */
  private long number(int at) {
    if (tokens.is(at, "NCCL_VERSION") && tokens.is(at + 1, '(')) {
      long[] parts = new long[3];
      for (int i = 0; i < parts.length; i++) {
        parts[i] = number(at + 2 + 2 * i);
        if (parts[i] < 0) {
          return -1;
        }
      }
      return parts[0] * 10_000 + parts[1] * 100 + parts[2];
    }
    if (tokens.kind(at) != Tokens.NUMBER) {
      return -1;
    }
    Matcher m = NUMBER.matcher(tokens.text(at));
    return m.matches() ? Long.parseLong(m.group(1)) : -1;
  }

  /** Looks at an identifier; returns the index of the last token that belongs to it. */
  private int identifier(int i) {
    String text = tokens.text(i);
    if (tokens.isPair(i - 1, ':') && tokens.isIdentifier(i - 2)) {
      return i; // a part of a name that another namespace has
    }
    if (tokens.isPair(i + 1, ':') && tokens.isIdentifier(i + 2)) {
      return qualified(i, text);
    }
    if (cuda && (text.equals("asm") || text.equals("__asm__") || text.equals("__asm"))) {
      asm(i);
      return i;
    }
    Hit hit = table.name(text);
    if (hit != null && (cuda || !hit.device()) && !isShared(hit)) {
      ledger.name(hit.component(), text, hit.hip(), file.path(), file.line(tokens.start(i)));
    }
    return i;
  }

  /** The longest name that is known, else the namespace it is in. */
  private int qualified(int first, String text) {
    StringBuilder name = new StringBuilder(text);
    int last = first;
    Hit hit = null;
    int end = first;
    while (tokens.isPair(last + 1, ':') && tokens.isIdentifier(last + 2)) {
      last += 2;
      name.append("::").append(tokens.text(last));
      Hit longer = table.qualified(name.toString());
      if (longer != null) {
        hit = longer;
        end = last;
      }
    }
    int line = file.line(tokens.start(first));
    if (hit != null && !isShared(hit)) {
      ledger.name(hit.component(), hit.name(), hit.hip(), file.path(), line);
      return end;
    }
    Component c = hip ? null : table.namespace(text);
    if (c != null) {
      String used = text + "::" + tokens.text(first + 2);
      ledger.add(c, new Evidence(Kind.NAME, file.path(), line, used, ""));
    }
    return first;
  }

  private boolean isShared(Hit hit) {
    return hip && hit.hip().equals(hit.name());
  }

  /** Libraries that are loaded by their names: dlopen("libcuda.so.1"). */
  private void loaded(int i) {
    int length = tokens.end(i) - tokens.start(i);
    if (length <= Flags.LONGEST_NAME) {
      new Flags(table, ledger).files(file.path(), file.line(tokens.start(i)), tokens.text(i));
    }
  }

  private void asm(int i) {
    int at = i + 1;
    while (tokens.isIdentifier(at)) {
      at++; // volatile
    }
    if (tokens.is(at, '(')
        && tokens.kind(at + 1) == Tokens.STRING
        && PTX.matcher(tokens.text(at + 1)).find()) {
      int line = file.line(tokens.start(i));
      ledger.add(
          table.require("ptx"), new Evidence(Kind.CODE, file.path(), line, "asm statement", ""));
    }
  }
}
