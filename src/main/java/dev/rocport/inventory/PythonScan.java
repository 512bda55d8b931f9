package dev.rocport.inventory;

import dev.rocport.inventory.Evidence.Kind;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What programs and notebooks in Python import, line by line. */
final class PythonScan {
  /** In notebooks a line is a string in a list. */
  private static final Pattern IMPORT =
      Pattern.compile("^\\s*+\"?\\s*+(?:from\\s+([\\w.]+)\\s+import\\s+(.*)|import\\s+(.*))$");

  private final ComponentTable table;
  private final Ledger ledger;
  private final Set<String> own;

  /**
   * @param own top-level modules that the tree has itself
   */
  PythonScan(ComponentTable table, Ledger ledger, Set<String> own) {
    this.table = table;
    this.ledger = ledger;
    this.own = own;
  }

  void scan(String path, List<String> lines) {
    Flags flags = new Flags(table, ledger);
    String quotes = "";
    int number = 0;
    for (String line : lines) {
      number++;
      String open = quotes;
      quotes = quotes(line, quotes);
      if (!open.isEmpty()) {
        continue;
      }
      Matcher m = IMPORT.matcher(line.replaceFirst("(\\\\n)?\",?\\s*$", ""));
      if (m.matches()) {
        imports(path, number, m);
      } else {
        flags.files(path, number, line.replaceFirst("^\\s*#.*", ""));
      }
    }
  }

  /** The triple quotes that are open after a line; empty for none. */
  private static String quotes(String line, String open) {
    String now = open;
    for (int i = 0; i + 2 < line.length(); i++) {
      String three = line.substring(i, i + 3);
      if (now.isEmpty() && line.charAt(i) == '#') {
        break;
      }
      if (now.isEmpty() ? three.equals("\"\"\"") || three.equals("'''") : three.equals(now)) {
        now = now.isEmpty() ? three : "";
        i += 2;
      }
    }
    return now;
  }

  private void imports(String path, int line, Matcher m) {
    if (m.group(1) != null) {
      String names = m.group(2).replaceFirst("#.*", "");
      for (String part : names.replaceAll("[()\\\\]", " ").split(",", -1)) {
        String name = part.strip().split("\\s+", 2)[0];
        module(path, line, name.isEmpty() ? m.group(1) : m.group(1) + "." + name);
      }
      return;
    }
    for (String part : m.group(3).replaceFirst("[#;].*", "").split(",", -1)) {
      module(path, line, part.strip().split("\\s+", 2)[0]);
    }
  }

  private void module(String path, int line, String name) {
    int dot = name.indexOf('.');
    String top = dot < 0 ? name : name.substring(0, dot);
    if (top.isEmpty() || own.contains(top)) {
      return;
    }
    Component c = table.module(name);
    if (c != null) {
      ledger.add(c, new Evidence(Kind.IMPORT, path, line, top, ""));
    }
  }
}
