package dev.rocport.warp;

import dev.rocport.io.PackedReader;
import dev.rocport.io.PackedWriter;
import dev.rocport.warp.ir.Expr;
import dev.rocport.warp.ir.Function;
import dev.rocport.warp.ir.Launch;
import dev.rocport.warp.ir.Names;
import dev.rocport.warp.ir.Unit;
import dev.rocport.warp.ir.UnitReader;
import dev.rocport.warp.ir.UnitWriter;
import dev.rocport.warp.schedule.Schedule;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The facts about warps in one file.
 *
 * @param unit its functions, if something in the file hints at warps
 * @param launches the launches of a file without a unit, found on tokens
 * @param includes last parts of the paths that it includes
 * @param unseen how often each identifier occurs in the file in a place whose meaning the unit does
 *     not show; only for files with device code or launches
 * @param device true if the file has device code
 * @param content a hash of the bytes of the file, for which the facts hold
 * @param schedule the result of the schedule analysis, if it ran
 */
public record WarpScan(
    String path,
    Optional<Unit> unit,
    List<Launch> launches,
    List<String> includes,
    Names unseen,
    boolean device,
    int content,
    Optional<Schedule> schedule) {

  /** A file of which nothing is known. */
  public static WarpScan none(String path) {
    return new WarpScan(
        path, Optional.empty(), List.of(), List.of(), new Names(), false, 0, Optional.empty());
  }

  /** The functions that run on the GPU, as far as they are known. */
  List<Function> functions() {
    return unit.map(Unit::functions).orElse(List.of());
  }

  /** The launches in the file, however they were found. */
  public List<Launch> allLaunches() {
    return unit.map(Unit::launches).orElse(launches);
  }

  Map<String, Optional<Expr>> constants() {
    return unit.map(Unit::constants).orElse(Map.of());
  }

  /** How often functions are named in what a tree shows. */
  Names mentions() {
    return unit.map(Unit::mentions).orElseGet(Names::new);
  }

  /** How often names are used where nothing shows what for: launches that were found are known. */
  Names unclear() {
    if (unit.isPresent() || launches.isEmpty()) {
      return unseen;
    }
    Names unclear = new Names();
    unclear.addAll(unseen);
    launches.forEach(l -> unclear.add(l.kernel(), -1));
    return unclear;
  }

  /** Returns what the file includes. */
  Includers.File includer() {
    return new Includers.File(path, includes, isUnread());
  }

  /** Whether the file has device code that was not looked into. */
  boolean isUnread() {
    return device && unit.isEmpty();
  }

  /** Writes the facts for {@link #read}. */
  public void write(PackedWriter out) {
    UnitWriter units = new UnitWriter(out);
    out.text(path);
    out.optional(unit, units::unit);
    out.list(launches, units::launch);
    out.list(includes, out::text);
    unseen.write(out);
    out.flag(device);
    out.number(content);
    out.optional(schedule, s -> s.write(out));
  }

  /** Reads the same facts again. */
  public static WarpScan read(PackedReader in) {
    UnitReader units = new UnitReader(in);
    return new WarpScan(
        in.text(),
        in.optional(units::unit),
        in.list(units::launch),
        in.list(in::text),
        Names.read(in),
        in.flag(),
        in.integer(),
        in.optional(() -> Schedule.read(in)));
  }
}
