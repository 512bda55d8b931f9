package dev.rocport.inventory;

import dev.rocport.rules.ApiName;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a port writes for a name: of its row, of rocport's own headers, or by a rule for calls. */
final class Counterparts {
  private static final Pattern FUNCTION = Pattern.compile("[A-Za-z_]\\w*(?=\\()");

  private final Map<String, String> all = new HashMap<>();

  Counterparts(RuleCatalog catalog) {
    for (ApiName n : catalog.names()) {
      add(n.cuda(), n.hip());
    }
    catalog
        .shmem()
        .names()
        .forEach(
            (name, rows) -> rows.forEach(r -> add(name, r.target().replaceFirst("\\(.*", ""))));
    for (Rule r : catalog.rules()) {
      if (!r.rewrite().isEmpty() && !r.match().isEmpty()) {
        Matcher m = FUNCTION.matcher(r.match());
        if (m.lookingAt()) {
          add(m.group(), "by rule " + r.id());
        }
        r.functions().forEach(f -> add(f, "by rule " + r.id()));
      }
    }
  }

  private void add(String cuda, String hip) {
    if (!hip.isEmpty()) {
      all.putIfAbsent(cuda, hip);
    }
  }

  /** Empty for a name that no port writes anything for. */
  String of(String cuda) {
    return all.getOrDefault(cuda, "");
  }
}
