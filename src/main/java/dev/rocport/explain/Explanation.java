package dev.rocport.explain;

import dev.rocport.commandline.NvccFlags;
import dev.rocport.lang.ptx.PtxTable;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.PtxRow;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.rules.ShmemName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What the rules say about a word.
 *
 * @param flag an nvcc flag; if present, everything else is empty
 * @param rule the rule with this id; if present, names and PTX are empty
 * @param names rows of the API tables
 * @param about rules that rewrite or report the name beyond its row
 * @param ptx forms of a PTX instruction, or a special register; empty for CUDA names
 */
public record Explanation(
    Optional<NvccFlags.Fate> flag,
    Optional<Rule> rule,
    List<ApiName> names,
    List<Rule> about,
    List<PtxRow> ptx) {

  /** Returns what the rules say about a rule id, a CUDA name, a PTX instruction or a flag. */
  public static Explanation of(RuleCatalog catalog, String word) {
    Optional<NvccFlags.Fate> flag = NvccFlags.fate(word);
    if (flag.isPresent()) {
      return new Explanation(flag, Optional.empty(), List.of(), List.of(), List.of());
    }
    Rule rule = catalog.find(word.toUpperCase(Locale.ROOT));
    if (rule != null) {
      return new Explanation(flag, Optional.of(rule), List.of(), List.of(), List.of());
    }
    List<ApiName> names = rows(catalog, word);
    return new Explanation(
        flag,
        Optional.empty(),
        names,
        rulesAbout(catalog, word),
        names.isEmpty() ? ptx(catalog, word) : List.of());
  }

  /** Returns whether nothing is known about the word. */
  public boolean isEmpty() {
    return flag.isEmpty() && rule.isEmpty() && names.isEmpty() && about.isEmpty() && ptx.isEmpty();
  }

  /** The forms of an instruction of PTX, or a special register. */
  private static List<PtxRow> ptx(RuleCatalog catalog, String name) {
    PtxTable table = new PtxTable(catalog.ptx());
    PtxRow register = table.register(name.startsWith("%") ? name : "%" + name);
    return register != null ? List.of(register) : table.rows(name);
  }

  /** The rows of a name; those of the longest prefix row if the name has none of its own. */
  private static List<ApiName> rows(RuleCatalog catalog, String name) {
    List<ApiName> exact = catalog.names().stream().filter(n -> n.cuda().equals(name)).toList();
    if (!exact.isEmpty()) {
      return exact;
    }
    List<ShmemName> shmem = catalog.shmem().names().get(name);
    if (shmem != null) {
      return shmem.stream().map(Explanation::row).toList();
    }
    return catalog.names().stream()
        .filter(n -> n.kind() == ApiName.Kind.PREFIX && name.startsWith(n.cuda().replace("*", "")))
        .max(Comparator.comparingInt(n -> n.cuda().length()))
        .map(List::of)
        .orElse(List.of());
  }

  private static ApiName row(ShmemName n) {
    String host = n.row().host().isEmpty() ? "" : " on the host from " + n.row().host();
    String device = n.row().device().isEmpty() ? "" : " on the device from " + n.row().device();
    String since =
        (host + device).isEmpty()
            ? ""
            : "rocSHMEM" + host + (host.isEmpty() || device.isEmpty() ? "" : ",") + device + ". ";
    String target = n.target().replace("$", "");
    String note = (since + n.row().note()).strip();
    return new ApiName(n.name(), target, "", n.kind(), "", note, n.rule());
  }

  /** Rules that rewrite or report this name beyond its row in a table. */
  private static List<Rule> rulesAbout(RuleCatalog catalog, String name) {
    Pattern word = Pattern.compile("(?<![A-Za-z0-9_])" + Pattern.quote(name) + "(?![A-Za-z0-9_])");
    List<Rule> found = new ArrayList<>();
    for (Rule r : catalog.rules()) {
      if (r.functions().contains(name) || word.matcher(r.match()).find()) {
        found.add(r);
      }
    }
    return found;
  }
}
