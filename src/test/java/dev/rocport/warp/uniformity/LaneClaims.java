package dev.rocport.warp.uniformity;

import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.ast.SyntaxTree;
import dev.rocport.warp.code.DeviceCode;
import dev.rocport.warp.code.DeviceFunction;
import dev.rocport.warp.code.Syntax;
import dev.rocport.warp.uniformity.LaneProgram.Entry;
import dev.rocport.warp.uniformity.LaneProgram.Launch;
import dev.rocport.warp.uniformity.LaneProgram.Place;
import dev.rocport.warp.uniformity.LaneValue.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;

/** What the analysis claims of the sites of a {@link LaneProgram}, and whether logs bear it out. */
public final class LaneClaims {
  /** The blocks that logs are made of. */
  public static final List<Launch> LAUNCHES =
      List.of(new Launch(0, 128, 64), new Launch(3, 128, 192));

  /** The value that a site is handed, or none for a {@code reach}; and which threads reach it. */
  private record Claim(LaneValue value, Uniformity reached) {}

  private final List<Claim> claims = new ArrayList<>();

  private LaneClaims() {}

  /** Parses a file and analyses its device code. */
  public static UniformityAnalysis analysis(String text) {
    SourceFile source = SourceFile.of("t.cu", text);
    SyntaxTree tree = Objects.requireNonNull(SyntaxTree.parse("t.cu", source.bytes()));
    return new UniformityAnalysis(new DeviceCode(source, tree.unit()));
  }

  /** Analyses a kernel. */
  public static LaneClaims of(String text) {
    UniformityAnalysis analysis = analysis(text);
    DeviceFunction kernel = analysis.code().functions().getFirst();
    Lanes lanes = analysis.lanes(kernel);
    LaneClaims result = new LaneClaims();
    for (IASTFunctionCallExpression c : kernel.all(IASTFunctionCallExpression.class)) {
      switch (Syntax.callee(c)) {
        case "use" ->
            result.claims.add(new Claim(lanes.of(Syntax.arguments(c)[0]), lanes.reached(c)));
        case "reach" -> result.claims.add(new Claim(LaneValue.UNIFORM, lanes.reached(c)));
        default -> {}
      }
    }
    return result;
  }

  int size() {
    return claims.size();
  }

  List<LaneValue> values() {
    return claims.stream().map(Claim::value).toList();
  }

  /** Returns true if all threads of a block that have not returned reach a site together. */
  public boolean isReachedByAll(int site) {
    return claims.get(site).reached() == Uniformity.BLOCK;
  }

  /** Returns the claims that the logs of the threads of a block contradict. */
  public List<String> broken(List<List<Entry>> logs) {
    List<String> broken = new ArrayList<>();
    Map<Place, Map<Integer, Integer>> seen = new LinkedHashMap<>();
    Set<Integer> whole = new HashSet<>();
    for (int t = 0; t < logs.size(); t++) {
      for (Entry e : logs.get(t)) {
        seen.computeIfAbsent(e.place(), k -> new HashMap<>()).put(t, e.value());
      }
      if (reachesEnd(logs.get(t))) {
        whole.add(t);
      }
    }
    seen.forEach(
        (place, values) -> {
          Claim claim = claims.get(place.site());
          check(place, claim, values, broken);
          reached(place, claim, values.keySet(), whole, broken);
        });
    return broken;
  }

  /** The last site is reached by every thread that does not return; its log must not be full. */
  private boolean reachesEnd(List<Entry> log) {
    return !log.isEmpty() && log.getLast().place().site() == claims.size() - 1;
  }

  private static int together(Uniformity uniformity, int width) {
    return switch (uniformity) {
      case BLOCK -> width;
      case WAVE -> 64;
      case WARP -> 32;
      case LANE -> 1;
    };
  }

  private static void check(
      Place place, Claim claim, Map<Integer, Integer> values, List<String> broken) {
    LaneValue v = claim.value();
    Map<Integer, Integer> first = new HashMap<>();
    values.forEach(
        (thread, value) -> {
          Integer other = first.putIfAbsent(thread / together(v.uniformity(), 128), value);
          boolean wrong =
              (other != null && !other.equals(value))
                  || (v.kind() == Kind.THREAD && value.intValue() != thread)
                  || (v.isConstant() && value != v.number());
          if (wrong) {
            broken.add("%s: %s of thread %s as %s".formatted(place, value, thread, v));
          }
        });
  }

  /** Of the threads that do not return, all of a group reach a site, or none. */
  private static void reached(
      Place place, Claim claim, Set<Integer> here, Set<Integer> whole, List<String> broken) {
    int together = together(claim.reached(), 128);
    Set<Integer> groups = new HashSet<>();
    here.stream().filter(whole::contains).forEach(t -> groups.add(t / together));
    for (int t : whole) {
      if (groups.contains(t / together) && !here.contains(t)) {
        broken.add("%s: thread %s does not reach it as %s".formatted(place, t, claim.reached()));
      }
    }
  }
}
