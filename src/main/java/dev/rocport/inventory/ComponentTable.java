package dev.rocport.inventory;

import dev.rocport.io.InvalidFileException;
import dev.rocport.io.TsvTable;
import dev.rocport.packaging.Mention;
import dev.rocport.packaging.Mentions;
import dev.rocport.packaging.Mentions.Known;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.BuiltInText;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * All components and how they are recognised: {@code rules/bill} and the tables of names, packages,
 * libraries and CMake targets.
 */
public final class ComponentTable {
  private static final List<String> SIGNS =
      List.of("family", "header", "name", "link", "cmake", "package", "import", "image");

  private final Map<String, Component> components = new LinkedHashMap<>();

  /** Components by sign and pattern; families by id. */
  private final Map<String, Map<String, Component>> exact = new HashMap<>();

  private final Map<String, List<Glob>> globs = new HashMap<>();
  private final Map<String, Hit> names = new HashMap<>();
  private final Map<String, Component> headers = new HashMap<>();
  private final List<Hit> prefixes = new ArrayList<>();
  private final Map<String, VersionMacro> versions = new HashMap<>();
  private final String rocm;

  private record Glob(String text, Pattern pattern, Component component) {}

  /**
   * A name that is known.
   *
   * @param hip its counterpart; empty if it has none
   * @param device whether it is one of the language's own, which other programs may use, too
   */
  record Hit(String name, String hip, boolean device, Component component) {}

  /** A macro that tells a version. */
  record VersionMacro(Component component, String form) {}

  /**
   * @param rocm the version of ROCm that packages are looked up for
   * @throws InvalidFileException if a table does not make sense
   */
  public ComponentTable(RuleCatalog catalog, String rocm) {
    this.rocm = rocm;
    Map<String, Map<String, List<String>>> signs = signs();
    Map<String, Rule> rules = new HashMap<>();
    catalog.rules().forEach(r -> rules.put(r.id(), r));
    Map<String, String> libraries = libraries();
    Map<String, String> targets = targets();
    String header = "id\tname\tgroup\tcounterpart\tlibrary\theader\tsupport\tpurl\tnote";
    for (TsvTable.Row r : BuiltInText.table("bill/components.tsv", header).rows()) {
      Map<String, List<String>> own = signs.getOrDefault(r.cell(0), Map.of());
      List<String> links = own.getOrDefault("link", List.of());
      Component c =
          new Component(
              r.cell(0),
              r.cell(1),
              r.cell(2),
              r.cell(3),
              or(r.cell(4), first(links, libraries)),
              first(links, targets),
              or(r.cell(5), counterpartHeader(own.getOrDefault("family", List.of()), rules)),
              Support.of(r.cell(6), r.where()),
              r.cell(7),
              r.cell(8));
      if (components.put(c.id(), c) != null) {
        throw new InvalidFileException(r.where() + ": two components " + c.id());
      }
      own.forEach((sign, patterns) -> patterns.forEach(p -> sign(sign, p, c)));
    }
    for (String id : signs.keySet()) {
      if (!components.containsKey(id)) {
        throw new InvalidFileException("bill/signs.tsv: no such component: " + id);
      }
    }
    globs.values().forEach(l -> l.sort(Comparator.comparingInt((Glob g) -> -g.text.length())));
    Counterparts counterparts = new Counterparts(catalog);
    catalog.names().forEach(n -> name(n, counterparts));
    shmem(catalog, counterparts);
    prefixes.sort(Comparator.comparingInt((Hit h) -> -h.name().length()));
    for (TsvTable.Row r : BuiltInText.table("bill/versions.tsv", "macro\tcomponent\tform").rows()) {
      versions.put(r.cell(0), new VersionMacro(require(r.cell(1)), r.cell(2)));
    }
  }

  private static Map<String, Map<String, List<String>>> signs() {
    Map<String, Map<String, List<String>>> signs = new LinkedHashMap<>();
    for (TsvTable.Row r : BuiltInText.table("bill/signs.tsv", "sign\tpattern\tcomponent").rows()) {
      if (!SIGNS.contains(r.cell(0))) {
        throw new InvalidFileException(r.where() + ": no such sign: " + r.cell(0));
      }
      signs
          .computeIfAbsent(r.cell(2), id -> new LinkedHashMap<>())
          .computeIfAbsent(r.cell(0), s -> new ArrayList<>())
          .add(r.cell(1));
    }
    return signs;
  }

  private void sign(String sign, String pattern, Component c) {
    boolean star = pattern.contains("*") && !pattern.endsWith("::*");
    if (star && sign.equals("name")) {
      prefixes.add(new Hit(pattern.substring(0, pattern.length() - 1), "", false, c));
    } else if (star) {
      String regex = Pattern.quote(pattern).replace("*", "\\E.*\\Q");
      globs
          .computeIfAbsent(sign, s -> new ArrayList<>())
          .add(new Glob(pattern, Pattern.compile(regex), c));
    } else {
      String key = sign.equals("link") ? pattern.toLowerCase(Locale.ROOT) : pattern;
      exact.computeIfAbsent(sign, s -> new HashMap<>()).put(key, c);
    }
  }

  /** A row of the tables of names: the sign of its family determines its component. */
  private void name(ApiName n, Counterparts counterparts) {
    Component c = exact.getOrDefault("family", Map.of()).get(n.family());
    switch (n.kind()) {
      case MEMBER, NAMESPACE -> {}
      case HEADER -> {
        if (c != null) {
          headers.put(n.cuda(), c);
        }
      }
      case PREFIX -> {
        if (c != null) {
          String start = n.cuda().substring(0, n.cuda().length() - 1);
          prefixes.add(new Hit(start, "", false, c));
        }
      }
      default -> {
        Component own = prefixed(n.cuda());
        Component is = own == null ? c : own;
        if (is != null) {
          boolean device = n.kind() == ApiName.Kind.DEVICE || n.family().equals("API-DEVICE");
          names.put(n.cuda(), new Hit(n.cuda(), counterparts.of(n.cuda()), device, is));
        }
      }
    }
  }

  /** NVSHMEM's names have tables of their own. */
  private void shmem(RuleCatalog catalog, Counterparts counterparts) {
    for (String name : catalog.shmem().names().keySet()) {
      Component c = prefixed(name);
      if (c != null) {
        names.put(name, new Hit(name, counterparts.of(name), false, c));
      }
    }
  }

  private @Nullable Component prefixed(String name) {
    return prefixes.stream()
        .filter(h -> begins(name, h.name()))
        .max(Comparator.comparingInt(h -> h.name().length()))
        .map(Hit::component)
        .orElse(null);
  }

  /** True if the name continues as names of a family do, not as another word. */
  private static boolean begins(String name, String prefix) {
    if (!name.startsWith(prefix) || name.length() == prefix.length()) {
      return false;
    }
    char next = name.charAt(prefix.length());
    return prefix.endsWith("_") || next == '_' || Character.isUpperCase(next) || isDigit(next);
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static Map<String, String> libraries() {
    Map<String, String> map = new HashMap<>();
    BuiltInText.table("build/nvcc-libraries.tsv", "library\thip\treason")
        .rows()
        .forEach(r -> map.put(r.cell(0), r.cell(1)));
    return map;
  }

  private static Map<String, String> targets() {
    Map<String, String> map = new HashMap<>();
    for (TsvTable.Row r :
        BuiltInText.table("cmake/names.tsv", "kind\tcuda\taction\trocm\tpackage\treason").rows()) {
      if (r.cell(0).equals("target")) {
        map.put(r.cell(1).replace("CUDA::", ""), r.cell(3));
      }
    }
    return map;
  }

  private static String first(List<String> links, Map<String, String> counterparts) {
    return links.stream()
        .map(l -> counterparts.getOrDefault(l, ""))
        .filter(l -> !l.isEmpty())
        .findFirst()
        .orElse("");
  }

  private static String counterpartHeader(List<String> families, Map<String, Rule> rules) {
    return families.stream()
        .flatMap(f -> rules.containsKey(f) ? rules.get(f).headers().stream() : null)
        .findFirst()
        .orElse("");
  }

  private static String or(String a, String b) {
    return a.isEmpty() ? b : a;
  }

  /** All components of the table, in its order. */
  public Collection<Component> components() {
    return components.values();
  }

  Component require(String id) {
    Component c = components.get(id);
    if (c == null) {
      throw new InvalidFileException("bill: no such component: " + id);
    }
    return c;
  }

  /** The component whose header this is, by the path in an include. */
  @Nullable Component header(String path) {
    Component c = find("header", path);
    if (c == null) {
      c = headers.get(path);
    }
    int slash = path.lastIndexOf('/');
    while (c == null && slash > 0) {
      c = headers.get(path.substring(0, slash) + "/*");
      slash = path.lastIndexOf('/', slash - 1);
    }
    return c;
  }

  /** What is known of an identifier. */
  @Nullable Hit name(String text) {
    Hit hit = names.get(text);
    if (hit != null) {
      return hit;
    }
    Component own = exact.getOrDefault("name", Map.of()).get(text);
    if (own != null) {
      return new Hit(text, text, true, own);
    }
    for (Hit p : prefixes) {
      if (begins(text, p.name())) {
        return new Hit(text, "", false, p.component());
      }
    }
    return null;
  }

  /** True for a name that a table lists itself, not by its prefix. */
  boolean hasRow(String name) {
    return names.containsKey(name);
  }

  /** The component whose namespace this is. */
  @Nullable Component namespace(String name) {
    return exact.getOrDefault("name", Map.of()).get(name + "::*");
  }

  /** What is known of a name with {@code ::} in it. */
  @Nullable Hit qualified(String name) {
    return names.get(name);
  }

  /** The component that a library belongs to, by its name without {@code lib} and ending. */
  @Nullable Component link(String library) {
    String key = library.replaceFirst("_static(_nocallback)?$", "").toLowerCase(Locale.ROOT);
    return find("link", key);
  }

  @Nullable Component cmake(String name) {
    return find("cmake", name);
  }

  /** The component that a module of Python belongs to, or one of those that hold it. */
  @Nullable Component module(String name) {
    for (String at = name; ; at = at.substring(0, at.lastIndexOf('.'))) {
      Component c = find("import", at);
      if (c != null || at.lastIndexOf('.') < 0) {
        return c;
      }
    }
  }

  /**
   * The component that a package belongs to; an entry of another table becomes its own component.
   */
  @Nullable Component requirement(Mention m) {
    String name = m.name().toLowerCase(Locale.ROOT).replaceFirst("\\[.*", "");
    Component c = find("package", name);
    if (c != null) {
      return c;
    }
    if (m.kind() == Mention.Kind.PIP) {
      return Mentions.known(m.name(), rocm)
          .filter(k -> !k.answer().isEmpty())
          .map(k -> derived("pypi:" + m.name(), m.name(), "Python", k))
          .orElse(null);
    }
    Optional<String> out = Mentions.leftOut(m.kind(), m.name());
    return out.map(
            why ->
                derived("package:" + m.name(), m.name(), "toolkit", new Known("yes", "ROCm", why)))
        .orElse(null);
  }

  @Nullable Component image(Mention m) {
    Component c = find("image", m.name());
    if (c != null && Mentions.knownImage(m.name(), m.spec(), rocm).isPresent()) {
      return c;
    }
    return Mentions.knownImage(m.name(), m.spec(), rocm)
        .map(k -> derived("image:" + m.name(), "image " + m.name(), "containers", k))
        .orElse(null);
  }

  private static Component derived(String id, String name, String group, Known k) {
    Support support = Support.of(k.answer(), id);
    return new Component(id, name, group, k.counterpart(), "", "", "", support, "", k.why());
  }

  @Nullable VersionMacro version(String macro) {
    return versions.get(macro);
  }

  private @Nullable Component find(String sign, String text) {
    Component c = exact.getOrDefault(sign, Map.of()).get(text);
    if (c != null) {
      return c;
    }
    for (Glob g : globs.getOrDefault(sign, List.of())) {
      if (g.pattern.matcher(text).matches()) {
        return g.component;
      }
    }
    return null;
  }
}
