package dev.rocport.lang.cuda.names;

import dev.rocport.io.InvalidFileException;
import dev.rocport.lang.cuda.lex.HashSieve;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.ptx.PtxTable;
import dev.rocport.lang.ptx.Translator;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.ApiName.Kind;
import dev.rocport.rules.GuardMacro;
import dev.rocport.rules.GuardTable;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.PortOptions.Libs;
import dev.rocport.rules.RocmChange;
import dev.rocport.rules.RocmChanges;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.rules.ShmemName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * All names that the token pass looks up, by the hash that the lexer computes: one probe per
 * identifier and no string allocation. Immutable.
 */
public final class ApiTable {
  /**
   * The include path of a header, at the end of an absolute path into a CUDA toolkit: in {@code
   * cuda}, {@code cuda-12.4}, {@code CUDA/v12.4} (Windows) or {@code cuda/12.4} (HPC SDK).
   */
  private static final Pattern TOOLKIT =
      Pattern.compile(
          "(?i)(?:[a-z]:)?/(?:.*/)?cuda(?:-\\d[\\d.]*|/v?\\d[\\d.]*)?(?:/targets/[^/]+)?/include/(.+)");

  /** What is known about one identifier. */
  public static final class Entry {
    public final String text;
    private final byte[] bytes;
    private final int hash;
    public @Nullable ApiName name;

    /** Takes precedence over {@link #name} in files that mention a trigger of its family. */
    public @Nullable ApiName special;

    public final List<CallPattern> patterns = new ArrayList<>();

    /** A macro that CUDA conditions test; the guard pass handles all of its uses. */
    public @Nullable GuardMacro guard;

    /** A word that has no meaning in code under HIP; its name counts in conditions only. */
    public boolean vanishes;

    /** Names with {@code ::} that begin with this identifier, longest first. */
    public final List<ApiName> qualified = new ArrayList<>();

    /** The counterpart of an NVSHMEM name. */
    public final List<ShmemName> shmem = new ArrayList<>();

    /** Fields of this name that HIP lacks or calls otherwise. */
    public final List<ApiName> members = new ArrayList<>();

    Entry(String text) {
      this.text = text;
      this.bytes = text.getBytes(StandardCharsets.UTF_8);
      this.hash = Tokens.hash(text);
    }
  }

  private static final String SHIM_FOLDER = "rocport/";

  private static final AtomicReference<@Nullable ApiTable> LAST = new AtomicReference<>();

  /** What conditions on the architecture select. */
  public final GuardTable.Range architecture;

  /** The same for the version of the toolkit. */
  public final GuardTable.Range version;

  private final Entry[] slots;

  private final HashSieve sieve = new HashSieve(1 << 11);

  private final Map<String, ApiName> headers = new HashMap<>();
  private final Libs libs;
  private final String hip;

  /** Names that are others in this HIP version. */
  private final RocmChanges renamed;

  /** What a port to this HIP version notes. */
  private final RocmChanges differing;

  private final Set<String> rocFamilies = new HashSet<>();
  private final List<ApiName> prefixes = new ArrayList<>();
  private final Map<String, String> shims = new HashMap<>();
  private final Map<String, Set<String>> wheres = new HashMap<>();
  private final ShmemEntries shmem;
  private final RuleCatalog catalog;
  private final PtxTable ptx;
  private final Translator translator;

  /** Returns the table for some rules and options. Runs of one process share the last one. */
  public static ApiTable of(RuleCatalog catalog, PortOptions options) {
    ApiTable last = LAST.get();
    if (last != null
        && last.catalog == catalog
        && last.libs == options.libs()
        && last.hip.equals(options.hip())) {
      return last;
    }
    ApiTable table = new ApiTable(catalog, options);
    LAST.set(table);
    return table;
  }

  private ApiTable(RuleCatalog catalog, PortOptions options) {
    this.libs = options.libs();
    this.hip = options.hip();
    this.renamed = catalog.rocm().renaming(hip);
    this.differing = catalog.rocm().differing(hip);
    this.catalog = catalog;
    this.shmem = new ShmemEntries(catalog.shmem());
    this.ptx = new PtxTable(catalog.ptx());
    this.translator = new Translator(ptx);
    catalog.rules().stream()
        .filter(r -> !r.rocHeaders().isEmpty())
        .forEach(r -> rocFamilies.add(r.id()));
    Map<String, Entry> entries = new HashMap<>();
    catalog.rules().stream()
        .filter(r -> !r.where().isEmpty())
        .forEach(r -> wheres.put(r.id(), Set.copyOf(r.where())));
    for (ApiName n : catalog.names()) {
      switch (n.kind()) {
        case HEADER -> headers.put(n.cuda(), n);
        case PREFIX -> prefixes.add(n);
        case QUALIFIED -> {
          String first = n.cuda().substring(0, n.cuda().indexOf("::"));
          List<ApiName> qualified = entries.computeIfAbsent(first, Entry::new).qualified;
          qualified.removeIf(q -> q.cuda().equals(n.cuda())); // as everywhere, a later row wins
          qualified.add(n);
        }
        case MEMBER -> {
          String field = n.cuda().substring(n.cuda().indexOf("::") + 2);
          entries.computeIfAbsent(field, Entry::new).members.add(n);
        }
        default -> {
          Entry e = entries.computeIfAbsent(n.cuda(), Entry::new);
          if (wheres.containsKey(n.family())) {
            e.special = n;
          } else {
            e.name = n;
          }
        }
      }
    }
    for (Rule rule : catalog.rules()) {
      rule.headers().stream()
          .filter(h -> h.startsWith(SHIM_FOLDER))
          .forEach(h -> shims.put(rule.id(), h.substring(SHIM_FOLDER.length())));
      if (rule.analysis().equals("vanish")) {
        rule.functions().forEach(w -> entries.computeIfAbsent(w, Entry::new).vanishes = true);
      }
      boolean wanted = rule.libs().isEmpty() || (rule.libs().equals("roc") == (libs == Libs.ROC));
      if (wanted && !rule.match().isEmpty()) {
        for (CallPattern p : CallPattern.compile(rule)) {
          entries.computeIfAbsent(p.function(), Entry::new).patterns.add(p);
        }
      }
    }
    entries.values().forEach(ApiTable::requireNewName);
    for (GuardMacro m : catalog.guards().macros()) {
      entries.computeIfAbsent(m.macro(), Entry::new).guard = m;
    }
    architecture = catalog.guards().range(GuardMacro.Kind.ARCHITECTURE);
    version = catalog.guards().range(GuardMacro.Kind.VERSION);
    slots = new Entry[Integer.highestOneBit(Math.max(64, entries.size() * 3)) * 2];
    for (Entry e : entries.values()) {
      e.qualified.sort(Comparator.comparing((ApiName n) -> -n.cuda().length()));
      int at = e.hash & (slots.length - 1);
      while (slots[at] != null) {
        at = (at + 1) & (slots.length - 1);
      }
      slots[at] = e;
      sieve.add(e.hash);
    }
  }

  /** Arguments that move in a call that keeps its name would move again in a second port. */
  private static void requireNewName(Entry e) {
    for (CallPattern p : e.patterns) {
      if (e.name == null && e.special == null && p.movesArgumentsOnly()) {
        throw new InvalidFileException(
            "rule "
                + p.rule().id()
                + ": '$f' stands for the HIP name of "
                + e.text
                + ", but no table has this name; add it to a table of rules/api, or write the new"
                + " name in the rewrite");
      }
    }
  }

  /** The entry of the identifier at token {@code i}, or null. */
  public @Nullable Entry find(Tokens t, int i) {
    int hash = t.hash(i);
    if (!sieve.mayHold(hash)) {
      return shmem.find(t, i);
    }
    int at = hash & (slots.length - 1);
    Entry e = slots[at];
    while (e != null) {
      if (e.hash == hash && matches(e, t, i)) {
        return e;
      }
      at = (at + 1) & (slots.length - 1);
      e = slots[at];
    }
    return shmem.find(t, i);
  }

  private static boolean matches(Entry e, Tokens t, int i) {
    if (t.isSpliced(i)) {
      return e.text.equals(t.text(i));
    }
    return Arrays.equals(e.bytes, 0, e.bytes.length, t.file().bytes(), t.start(i), t.end(i));
  }

  /** The entry of a name given as text, or null. */
  public @Nullable Entry find(String name) {
    int hash = Tokens.hash(name);
    int at = hash & (slots.length - 1);
    while (slots[at] != null) {
      if (slots[at].hash == hash && slots[at].text.equals(name)) {
        return slots[at];
      }
      at = (at + 1) & (slots.length - 1);
    }
    return shmem.find(name);
  }

  /** The entries whose names match a pattern, in order of their names. */
  public List<Entry> find(Pattern names) {
    return Arrays.stream(slots)
        .filter(e -> e != null && names.matcher(e.text).matches())
        .sorted(Comparator.comparing(e -> e.text))
        .toList();
  }

  /** The names one of which a file must mention for a family to hold in it; empty for any file. */
  public Set<String> where(String family) {
    return wheres.getOrDefault(family, Set.of());
  }

  /** The table of PTX instructions. */
  public PtxTable ptx() {
    return ptx;
  }

  public Translator translator() {
    return translator;
  }

  /** A rule that is there. */
  public Rule rule(String id) {
    return catalog.require(id);
  }

  /** NVSHMEM constants for a parameter, by NVSHMEM value; empty for other parameters. */
  public Map<Integer, ShmemName> shmemConstants(String parameter) {
    return shmem.constants(parameter);
  }

  /** What a port to the chosen HIP version notes of a HIP name. */
  public List<RocmChange> changes(String target) {
    return differing.of(target);
  }

  /** The rocport header that declares the names of a family, or null for HIP names. */
  public @Nullable String shim(String family) {
    return shims.get(family);
  }

  /**
   * The row of an include path, or null. Paths below {@code cub/} and the like fall back to the
   * folder. An absolute path into a CUDA toolkit means the header there.
   */
  public @Nullable ApiName header(String path) {
    Matcher toolkit = TOOLKIT.matcher(path);
    return toolkit.matches() ? relative(toolkit.group(1)) : relative(path);
  }

  private @Nullable ApiName relative(String path) {
    ApiName exact = headers.get(path);
    int slash = path.lastIndexOf('/');
    while (exact == null && slash > 0) {
      exact = headers.get(path.substring(0, slash) + "/*");
      slash = path.lastIndexOf('/', slash - 1);
    }
    return exact;
  }

  /** The row of a family of names that this one belongs to, or null. */
  public @Nullable ApiName prefix(String name) {
    for (ApiName p : prefixes) {
      if (name.startsWith(p.cuda().substring(0, p.cuda().length() - 1))) {
        return p;
      }
    }
    return null;
  }

  /**
   * The name to write for a row, by choice of libraries; empty if there is none. With AMD's own
   * libraries the marshalling ones are no way out: their handles are of other types.
   */
  public String target(ApiName name) {
    if (name.kind() == Kind.PREFIX) {
      return "";
    }
    if (libs == Libs.ROC && (!name.roc().isEmpty() || rocFamilies.contains(name.family()))) {
      return name.roc();
    }
    return renamed.name(name.hip(), hip);
  }
}
