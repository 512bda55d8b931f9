package dev.rocport.lang.cuda.symbols;

import dev.rocport.lang.cuda.lex.Scopes;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.names.ApiTable;
import dev.rocport.rules.ApiName;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntPredicate;

/** API names in the code of a file, excluding members and names that the file declares. */
public final class ApiUses {
  private ApiUses() {}

  public static SortedSet<String> of(Tokens t, ApiTable api, IntPredicate dead) {
    SortedSet<String> names = new TreeSet<>();
    var own = Declarations.of(t, api, dead);
    for (int i = 0; i < t.count(); i++) {
      if (!t.isIdentifier(i)) {
        continue;
      }
      ApiTable.Entry e = api.find(t, i);
      if (e == null || e.name == null) {
        continue;
      }
      ApiName name = e.name;
      if (e.guard != null || names.contains(name.cuda()) || Scopes.isMember(t, i)) {
        continue;
      }
      if (!own.has(e.text)) {
        names.add(name.cuda());
      }
    }
    return names;
  }
}
