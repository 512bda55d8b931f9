package dev.rocport.lang.cuda.symbols;

import dev.rocport.io.PackedReader;
import dev.rocport.io.PackedWriter;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The functions of a project that prepare buffers for MPI, by name.
 *
 * @param handsTo names of functions whose callers also call MPI
 * @param near names of all functions that files with MPI call
 * @param isAny whether some file calls MPI; if not, there are no such functions
 */
public record MpiCalls(SortedSet<String> handsTo, SortedSet<String> near, boolean isAny) {
  static final MpiCalls NONE = new MpiCalls(new TreeSet<>(), new TreeSet<>(), false);

  /** Stands for all functions of MPI that get a buffer. */
  private static final String MPI = "MPI";

  /** Farther apart, a copy and a call of MPI have little to do with each other. */
  private static final int STEPS = 2;

  /**
   * What functions call, as {@code CALLER>CALLEE}, in files that call MPI or copy on the device;
   * {@code >CALLEE} also in files that call MPI. Sorted.
   */
  public static List<String> in(Tokens t, Predicate<String> isSender) {
    boolean mpi = callsMpi(t);
    if (!mpi && !copies(t)) {
      return List.of();
    }
    SortedSet<String> calls = new TreeSet<>();
    for (Functions.Function f : Functions.of(t)) {
      for (int i = f.body(); i < f.close(); i++) {
        if (Functions.isCall(t, i)) {
          String name = t.text(i);
          calls.add(t.text(f.name()) + ">" + (isSender.test(name) ? MPI : name));
          if (mpi) {
            calls.add(">" + name);
          }
        }
      }
    }
    return List.copyOf(calls);
  }

  private static boolean copies(Tokens t) {
    for (int i = 0; i < t.count(); i++) {
      if (t.isIdentifier(i)
          && t.end(i) - t.start(i) > 8
          && t.file().bytes()[t.start(i) + 4] == 'M'
          && Copies.of(t.text(i)) != null) {
        return true;
      }
    }
    return false;
  }

  static MpiCalls of(Collection<String> calls) {
    Map<String, Set<String>> callees = new TreeMap<>();
    SortedSet<String> near = new TreeSet<>();
    for (String call : calls) {
      int at = call.indexOf('>');
      if (at == 0) {
        near.add(call.substring(1));
      } else {
        callees
            .computeIfAbsent(call.substring(0, at), k -> new TreeSet<>())
            .add(call.substring(at + 1));
      }
    }
    SortedSet<String> hands = new TreeSet<>();
    boolean any = callees.values().stream().anyMatch(c -> c.contains(MPI));
    for (String f : any ? callees.keySet() : Set.<String>of()) {
      if (!f.equals("main") && reached(f, callees).contains(MPI)) {
        hands.addAll(reached(f, callees));
      }
    }
    hands.retainAll(callees.keySet());
    near.retainAll(callees.keySet());
    return new MpiCalls(hands, near, isAny(calls));
  }

  /** Returns whether these calls are, in part, of a file that calls MPI. */
  static boolean isAny(Collection<String> calls) {
    return calls.stream().anyMatch(c -> c.startsWith(">") || c.endsWith(">" + MPI));
  }

  void write(PackedWriter out) {
    out.list(handsTo, out::text);
    out.list(near, out::text);
    out.flag(isAny);
  }

  static MpiCalls read(PackedReader in) {
    return new MpiCalls(
        new TreeSet<>(in.list(in::text)), new TreeSet<>(in.list(in::text)), in.flag());
  }

  /** What a function calls in a few steps, itself among it. */
  private static Set<String> reached(String from, Map<String, Set<String>> callees) {
    Set<String> reached = new TreeSet<>(List.of(from));
    List<String> last = List.of(from);
    for (int step = 0; step < STEPS; step++) {
      List<String> next = new ArrayList<>();
      for (String f : last) {
        for (String callee : callees.getOrDefault(f, Set.of())) {
          if (reached.add(callee)) {
            next.add(callee);
          }
        }
      }
      last = next;
    }
    return reached;
  }

  /** True if a file includes the header of MPI or calls a function of MPI. */
  public static boolean callsMpi(Tokens t) {
    for (int i = 0; i < t.count(); i++) {
      boolean mpi =
          switch (t.kind(i)) {
            case Tokens.IDENTIFIER -> isMpi(t, i) && t.is(i + 1, '(');
            case Tokens.HEADER -> t.is(i, "<mpi.h>");
            case Tokens.STRING -> t.is(i, "\"mpi.h\"");
            default -> false;
          };
      if (mpi) {
        return true;
      }
    }
    return false;
  }

  private static boolean isMpi(Tokens t, int i) {
    byte[] b = t.file().bytes();
    int s = t.start(i);
    int at = b[s] == 'P' ? s + 1 : s;
    return t.end(i) - at > 4
        && b[at] == 'M'
        && b[at + 1] == 'P'
        && b[at + 2] == 'I'
        && b[at + 3] == '_';
  }
}
