package dev.rocport.warp;

import dev.rocport.io.PackedReader;
import dev.rocport.io.PackedWriter;
import dev.rocport.warp.ir.Expr;
import dev.rocport.warp.ir.Function;
import dev.rocport.warp.ir.Launch;
import dev.rocport.warp.ir.NameSet;
import dev.rocport.warp.ir.Names;
import dev.rocport.warp.ir.UnitReader;
import dev.rocport.warp.ir.UnitWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What tells which files have something to do with the warp code of a file, so that after a change
 * only these have to be looked at. Files are numbers, in order of their paths.
 *
 * @param defining files by the names of functions that they define
 * @param launching files by the kernels that they launch
 * @param sizing files by the constants on which blocks of their launches depend
 * @param asking files by the names that interpretations of their functions asked for
 * @param asked the names that interpretations of the functions of each file asked for
 * @param functions what is known about functions
 * @param mentions how often functions are named in what trees show
 * @param unclear how often names are used where no tree shows what for, less the launches
 * @param constants how many files give a name an expression, packed
 * @param disputed names with several expressions
 * @param includers what each file includes
 */
public record WarpEvidence(
    Postings defining,
    Postings launching,
    Postings sizing,
    Postings asking,
    List<NameSet> asked,
    Functions functions,
    Names mentions,
    Names unclear,
    Map<String, byte[]> constants,
    List<String> disputed,
    List<Includers.File> includers) {
  private static final Comparator<Includers.File> BY_PATH =
      Comparator.comparing(Includers.File::path);

  /**
   * What the interpretations of a project showed about its functions, in order of the {@linkplain
   * Names#key keys} of their {@linkplain Function#key keys}.
   *
   * @param facts twice the number of kernels that reach a function, and one if something in it
   *     names the warp size
   */
  @SuppressWarnings("ArrayRecordComponent") // read, never compared
  record Functions(long[] keys, int[] facts) {
    private int of(String key) {
      int at = Arrays.binarySearch(keys, Names.key(key));
      return at < 0 ? 0 : facts[at];
    }

    /** Returns how many kernels reach a function. */
    int reached(String key) {
      return of(key) >> 1;
    }

    /** Returns whether something in a function names the warp size. */
    boolean isHolder(String key) {
      return (of(key) & 1) != 0;
    }

    static Functions of(
        Collection<WarpScan> scans, Map<String, Integer> reached, Set<String> holders) {
      SortedMap<Long, Integer> facts = new TreeMap<>();
      for (WarpScan scan : scans) {
        for (Function f : scan.functions()) {
          int kernels = reached.getOrDefault(f.key(), 0);
          facts.put(Names.key(f.key()), kernels << 1 | (holders.contains(f.key()) ? 1 : 0));
        }
      }
      return new Functions(
          facts.keySet().stream().mapToLong(Long::longValue).toArray(),
          facts.values().stream().mapToInt(Integer::intValue).toArray());
    }
  }

  /**
   * Collects the evidence about a project.
   *
   * @param scans the facts of all files, in order of their paths
   */
  static WarpEvidence of(Collection<WarpScan> scans, WarpProject project) {
    Postings.Builder defining = new Postings.Builder();
    Postings.Builder launching = new Postings.Builder();
    Postings.Builder sizing = new Postings.Builder();
    Postings.Builder asking = new Postings.Builder();
    List<NameSet> asked = new ArrayList<>();
    Names mentions = new Names();
    Names unclear = new Names();
    Map<String, Map<Optional<Expr>, Integer>> constants = new TreeMap<>();
    int file = 0;
    for (WarpScan scan : scans) {
      defining.add(scan.functions().stream().map(Function::name).toList(), file);
      launching.add(scan.allLaunches().stream().map(Launch::kernel).toList(), file);
      sizing.add(project.launches().constants(scan.allLaunches()), file);
      NameSet names = project.asked(scan.path());
      asked.add(names);
      for (long key : names.keys()) {
        asking.add(key, file);
      }
      mentions.addAll(scan.mentions());
      unclear.addAll(scan.unclear());
      scan.constants()
          .forEach(
              (name, x) ->
                  constants.computeIfAbsent(name, k -> new HashMap<>(2)).merge(x, 1, Integer::sum));
      file++;
    }
    Map<String, byte[]> packed = new TreeMap<>();
    List<String> disputed = new ArrayList<>();
    constants.forEach(
        (name, given) -> {
          packed.put(name, packed(given));
          if (given.size() > 1) {
            disputed.add(name);
          }
        });
    return new WarpEvidence(
        defining.build(),
        launching.build(),
        sizing.build(),
        asking.build(),
        asked,
        Functions.of(scans, project.reached(), project.holders()),
        mentions.packed(),
        unclear.packed(),
        packed,
        disputed,
        scans.stream().map(WarpScan::includer).toList());
  }

  private static byte[] packed(Map<Optional<Expr>, Integer> given) {
    PackedWriter out = new PackedWriter();
    UnitWriter units = new UnitWriter(out);
    out.list(
        given.entrySet(),
        (Map.Entry<Optional<Expr>, Integer> e) -> {
          out.optional(e.getKey(), units::expr);
          out.number(e.getValue());
        });
    return out.toBytes();
  }

  /** Returns the names that interpretations of the functions of a file asked for, by their keys. */
  List<Long> asked(String path) {
    int file =
        Collections.binarySearch(includers, new Includers.File(path, List.of(), false), BY_PATH);
    return file < 0 ? List.of() : asked.get(file).keys();
  }

  /** Returns how many files give a name an expression; nothing for names that none gives one. */
  Map<Optional<Expr>, Integer> given(String name) {
    byte[] packed = constants.get(name);
    Map<Optional<Expr>, Integer> given = new HashMap<>();
    if (packed != null) {
      PackedReader in = new PackedReader(packed);
      UnitReader units = new UnitReader(in);
      in.list(() -> Map.entry(in.optional(units::expr), in.integer()))
          .forEach(e -> given.put(e.getKey(), e.getValue()));
    }
    return given;
  }

  /** Writes the evidence for {@link #read}. */
  public void write(PackedWriter out) {
    defining.write(out);
    launching.write(out);
    sizing.write(out);
    asking.write(out);
    out.list(asked, (NameSet names) -> names.write(out));
    out.number(functions.keys().length);
    for (int i = 0; i < functions.keys().length; i++) {
      out.bits(functions.keys()[i]);
      out.number(functions.facts()[i]);
    }
    mentions.write(out);
    unclear.write(out);
    out.map(constants, out::bytes);
    out.list(disputed, out::text);
    out.list(
        includers,
        (Includers.File f) -> {
          out.text(f.path());
          out.list(f.includes(), out::text);
          out.flag(f.isUnread());
        });
  }

  /** Reads the same evidence again. */
  public static WarpEvidence read(PackedReader in) {
    Postings defining = Postings.read(in);
    Postings launching = Postings.read(in);
    Postings sizing = Postings.read(in);
    Postings asking = Postings.read(in);
    List<NameSet> asked = in.list(() -> NameSet.read(in));
    long[] keys = new long[in.count()];
    int[] facts = new int[keys.length];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = in.bits();
      facts[i] = in.integer();
    }
    return new WarpEvidence(
        defining,
        launching,
        sizing,
        asking,
        asked,
        new Functions(keys, facts),
        Names.read(in),
        Names.read(in),
        in.map(in::bytes),
        in.list(in::text),
        in.list(() -> new Includers.File(in.text(), in.list(in::text), in.flag())));
  }
}
