package dev.rocport.verify.compare;

import dev.rocport.io.Checksum;
import dev.rocport.io.InvalidFileException;
import dev.rocport.io.YamlFile;
import dev.rocport.verify.tensor.ElementType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** The tolerance profiles of a folder: {@code rules/tolerances} and files in its form. */
public final class Profiles {
  private static final String ENDING = ".yaml";
  private static final Set<String> FIELDS =
      Set.of(
          "title",
          "why",
          "source",
          "nan",
          "zeros",
          "symmetric",
          "max-bad-fraction",
          "min-cosine",
          "max-relative-l2",
          "types");

  /**
   * The fields of a type's entry; {@code default}, {@code floating} and {@code integer} are groups.
   */
  private static final Set<String> TYPE_FIELDS =
      Set.of("exact", "rtol", "atol", "ulp", "eps", "grows", "original");

  private final Path folder;

  public Profiles(Path folder) {
    this.folder = folder;
  }

  /** The profiles that rocport comes with. */
  public static Profiles ofHome() {
    return new Profiles(Path.of(System.getProperty("rocport.home", "."), "rules", "tolerances"));
  }

  /** Names of the profiles in the folder, sorted. */
  public List<String> names() {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(f -> String.valueOf(f.getFileName()))
          .filter(n -> n.endsWith(ENDING))
          .map(n -> n.substring(0, n.length() - ENDING.length()))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new InvalidFileException(
          "cannot read the tolerance profiles in " + folder + ": " + e, e);
    }
  }

  /**
   * Returns a profile by its name, or reads it from a file if the name ends with {@code .yaml}.
   *
   * @throws InvalidFileException if there is no such profile, or it is invalid
   */
  public Profile get(String name) {
    return read(file(name));
  }

  /** A hash of what a name given to {@link #get} stands for. */
  public String key(String name) throws IOException {
    return name + "\t" + Checksum.of(file(name));
  }

  private Path file(String name) {
    if (name.endsWith(ENDING)) {
      return Path.of(name);
    }
    if (!names().contains(name)) {
      throw new InvalidFileException(
          "no tolerance profile '%s'; available are %s, and FILE.yaml"
              .formatted(name, String.join(", ", names())));
    }
    return folder.resolve(name + ENDING);
  }

  private static Profile read(Path file) {
    try {
      return new Reader(file).profile(YamlFile.read(file));
    } catch (IOException e) {
      throw new InvalidFileException("cannot read the tolerance profile " + file + ": " + e, e);
    }
  }

  private record Reader(Path file) {
    Profile profile(JsonNode node) {
      known(node, FIELDS);
      if (node.path("title").asString("").isBlank() || node.path("why").asString("").isBlank()) {
        throw wrong("expected 'title' and 'why'");
      }
      boolean symmetric = node.path("symmetric").asBoolean(false);
      JsonNode types = node.path("types");
      if (!types.isObject()) {
        throw wrong("expected types");
      }
      Map<ElementType, ElementRule> rules = new EnumMap<>(ElementType.class);
      for (Map.Entry<String, JsonNode> e : types.properties()) {
        if (ElementType.named(e.getKey()).isEmpty()
            && !Set.of("default", "floating", "integer").contains(e.getKey())) {
          throw wrong("no such type: " + e.getKey());
        }
      }
      for (ElementType type : ElementType.values()) {
        String group = type.isFloating() ? "floating" : "integer";
        for (String key : List.of(type.name(), group, "default")) {
          if (types.has(key)) {
            rules.put(type, rule(key, types.get(key), symmetric));
            break;
          }
        }
      }
      String name = String.valueOf(file.getFileName());
      return new Profile(
          name.substring(0, name.length() - ENDING.length()),
          node.get("title").asString(),
          rules,
          nan(node.path("nan").asString("equal")),
          zeros(node.path("zeros").asString("equal")),
          number(node, "max-bad-fraction", 0),
          number(node, "min-cosine", -1),
          number(node, "max-relative-l2", Double.POSITIVE_INFINITY));
    }

    private ElementRule rule(String type, JsonNode node, boolean symmetric) {
      known(node, TYPE_FIELDS);
      if (node.has("exact")) {
        return new ElementRule.Exact();
      }
      if (node.has("ulp")) {
        return new ElementRule.Ulps((long) number(node, "ulp", 0));
      }
      if (node.has("eps")) {
        String grows = node.path("grows").asString("");
        if (!grows.equals("sqrt") && !grows.equals("linear")) {
          throw wrong(type + ": 'grows' must be 'sqrt' or 'linear'");
        }
        return new ElementRule.Scaled(number(node, "eps", 0), grows.equals("linear"));
      }
      if (node.has("original")) {
        return new ElementRule.OriginalError(number(node, "original", 0));
      }
      // As in torch: one without the other is likely a slip.
      if (!node.has("rtol") || !node.has("atol")) {
        throw wrong(
            type + ": expected 'exact', 'ulp', 'eps', 'original', or both 'rtol' and 'atol'");
      }
      return new ElementRule.Close(number(node, "rtol", 0), number(node, "atol", 0), symmetric);
    }

    private double number(JsonNode node, String field, double otherwise) {
      if (!node.has(field)) {
        return otherwise;
      }
      JsonNode value = node.get(field);
      double number = value.isNumber() ? value.asDouble() : Double.NaN;
      if (!(number >= 0) || Double.isInfinite(number)) {
        throw wrong(field + " must be a number of 0 or more: " + value);
      }
      return number;
    }

    private Profile.Nan nan(String word) {
      for (Profile.Nan n : Profile.Nan.values()) {
        if (n.name().toLowerCase(Locale.ROOT).equals(word)) {
          return n;
        }
      }
      throw wrong("'nan' must be 'equal', 'unequal' or 'bits'");
    }

    private boolean zeros(String word) {
      if (!word.equals("equal") && !word.equals("distinct")) {
        throw wrong("'zeros' must be 'equal' or 'distinct'");
      }
      return word.equals("distinct");
    }

    private void known(JsonNode node, Set<String> fields) {
      if (!node.isObject()) {
        throw wrong("expected a table of fields");
      }
      for (String name : node.propertyNames()) {
        if (!fields.contains(name)) {
          throw wrong("unknown field '" + name + "'");
        }
      }
    }

    private InvalidFileException wrong(String why) {
      return new InvalidFileException(file + ": " + why);
    }
  }
}
