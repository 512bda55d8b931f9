package dev.rocport.lang.cuda.names;

import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.ApiName.Kind;
import dev.rocport.rules.ShmemName;
import dev.rocport.rules.ShmemTable;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The entries of NVSHMEM names, created at the first use in a file: there are thousands, and most
 * trees use none.
 */
final class ShmemEntries {
  private static final String LOWER = "nvshmem";
  private static final String UPPER = "NVSHMEM";

  private final ShmemTable table;
  private @Nullable Map<String, ApiTable.Entry> entries;
  private final Map<String, Map<Integer, ShmemName>> constants = new HashMap<>();

  ShmemEntries(ShmemTable table) {
    this.table = table;
  }

  /** The entry of the identifier at token {@code i}; null if it is not an NVSHMEM name. */
  ApiTable.@Nullable Entry find(Tokens t, int i) {
    byte first = t.file().bytes()[t.start(i)];
    boolean named = first == 'n' ? t.begins(i, LOWER) : first == 'N' && t.begins(i, UPPER);
    return named ? entries().get(t.text(i)) : null;
  }

  ApiTable.@Nullable Entry find(String name) {
    return name.startsWith(LOWER) || name.startsWith(UPPER) ? entries().get(name) : null;
  }

  /** The constants that a parameter takes, by their numbers in NVSHMEM. */
  synchronized Map<Integer, ShmemName> constants(String parameter) {
    entries();
    return constants.getOrDefault(parameter, Map.of());
  }

  private synchronized Map<String, ApiTable.Entry> entries() {
    Map<String, ApiTable.Entry> known = entries;
    if (known == null) {
      known = new HashMap<>();
      for (Map.Entry<String, List<ShmemName>> e : table.names().entrySet()) {
        add(e.getKey(), e.getValue(), known);
      }
      known.values().forEach(e -> e.qualified.sort(Comparator.comparing(n -> -n.cuda().length())));
      entries = known;
    }
    return known;
  }

  private void add(String text, List<ShmemName> names, Map<String, ApiTable.Entry> made) {
    ShmemName first = names.getFirst();
    String target = first.isCall() ? "" : first.target();
    ApiName api = new ApiName(text, target, "", first.kind(), "", first.row().note(), first.rule());
    if (first.kind() == Kind.QUALIFIED) {
      String scope = text.substring(0, text.indexOf("::"));
      made.computeIfAbsent(scope, ApiTable.Entry::new).qualified.add(api);
      return;
    }
    ApiTable.Entry entry = made.computeIfAbsent(text, ApiTable.Entry::new);
    entry.name = api;
    entry.shmem.addAll(names);
    if (first.kind() != Kind.FUNCTION && first.parameters().size() == 1) {
      String[] of = first.parameters().getFirst().split("=", 2);
      constants.computeIfAbsent(of[0], p -> new TreeMap<>()).put(Integer.valueOf(of[1]), first);
    }
  }
}
