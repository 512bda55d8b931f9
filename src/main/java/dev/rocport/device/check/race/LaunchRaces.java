package dev.rocport.device.check.race;

import dev.rocport.device.check.LaunchView;
import dev.rocport.device.check.LaunchWatch;
import dev.rocport.device.wave.Code;
import dev.rocport.device.wave.Group;
import dev.rocport.device.wave.Wave;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** A kernel that runs or has run. */
final class LaunchRaces extends Happening implements LaunchWatch {
  private final LaunchView view;
  private final Reaches reaches;
  private final Observer observer;

  /** Pairs of instructions that have been reported. */
  private final Set<Long> told = ConcurrentHashMap.newKeySet();

  /** The same for pairs of stores of one value. */
  private final Set<Long> agreed = ConcurrentHashMap.newKeySet();

  /** Stores of one value, which are no race unless others of the same pair are one. */
  private final Queue<Conflict> agreements = new ConcurrentLinkedQueue<>();

  /**
   * Races of plain loads with a compare-and-swap, which are harmless if the loaded value is a
   * guess.
   */
  private final Queue<Conflict> held = new ConcurrentLinkedQueue<>();

  /** What its waves have come to know of other launches. */
  private Clock learned = Clock.EMPTY;

  /** The clock of everything that has reached the grid barrier. */
  private Clock grid = Clock.EMPTY;

  private volatile @Nullable Code code;
  private volatile int wavesOfGroup = 1;
  private volatile @Nullable Group example;

  LaunchRaces(Races session, Program program, int number, LaunchView view, int began) {
    super(session, program, number, view.clock(), began);
    this.view = view;
    this.reaches = program.reaches(view.codeObject());
    this.observer = new Observer(reaches);
  }

  LaunchView view() {
    return view;
  }

  @Nullable Code code() {
    return code;
  }

  int wavesOfGroup() {
    return wavesOfGroup;
  }

  long actor(long wave) {
    return Epoch.actor(number(), Math.min(wave, Epoch.MOST_WAVES - 64));
  }

  /** The number of an instruction of this launch, for {@link PackedAccess}. */
  int place(int pc) {
    return reaches.places().number(pc);
  }

  /** The index of the instruction of an access of this launch. */
  int pc(int how) {
    return reaches.places().index(PackedAccess.place(how));
  }

  /** The index of the instruction of an access of this or another launch; 0 if it was a copy. */
  int pcOf(int launch, int how) {
    return by(launch) instanceof LaunchRaces races ? races.pc(how) : 0;
  }

  private @Nullable Happening by(int launch) {
    return launch == number() ? this : session().happening(launch);
  }

  /** Whether this pair of accesses was not met before; {@code launch} is that of the other one. */
  boolean isNew(int launch, int otherPlace, int place) {
    return told.add(pair(launch, otherPlace, place));
  }

  /** The same for a pair of stores that have stored the same value. */
  boolean isNewAgreement(int launch, int otherPlace, int place) {
    return agreed.add(pair(launch, otherPlace, place));
  }

  private long pair(int launch, int otherPlace, int place) {
    return (long) otherPlace << 32 | (long) (launch == number() ? 0 : 1) << 31 | place;
  }

  Reaches reaches() {
    return reaches;
  }

  /** Reports a race; if it may be a guess for a compare-and-swap, only once more is known. */
  void tell(Conflict c) {
    Code text = code;
    boolean here = Epoch.launch(c.other) == number();
    boolean guessed =
        here && text != null && (c.isPlainLoadBefore(text) || c.isPlainLoadBehind(text));
    if (guessed) {
      held.add(c);
    } else {
      program().tell(c);
    }
  }

  /** Keeps a pair of stores of one value: others of the same pair may differ. */
  void tellAgreement(Conflict c) {
    agreements.add(c);
  }

  /** Whether the same instructions, in either order, have raced. */
  boolean hasRaced(int launch, int otherPlace, int place) {
    return told.contains(pair(launch, otherPlace, place))
        || told.contains(pair(launch, place, otherPlace));
  }

  private boolean hasRaced(Conflict c) {
    return hasRaced(Epoch.launch(c.other), c.otherPlace(), place(c.pc));
  }

  /** Whether the code does not tell if an access of this or another launch was atomic. */
  boolean isUnknown(long epoch, int how) {
    return by(Epoch.launch(Epoch.actor(epoch))) instanceof LaunchRaces races
        && races.reaches.isUnknown(races.pc(how));
  }

  /**
   * The clock that covers everything that the workgroup of a wave, of this or another launch, has
   * done or will do.
   */
  Clock allOf(long actor) {
    int n = by(Epoch.launch(actor)) instanceof LaunchRaces races ? races.wavesOfGroup : 1;
    long[] actors = new long[n];
    int[] ticks = new int[n];
    long first = actor - Epoch.wave(actor) % n;
    for (int i = 0; i < n; i++) {
      actors[i] = first + i;
      ticks[i] = Epoch.MOST_TICKS;
    }
    return Clock.of(actors, ticks, ticks);
  }

  /** A workgroup of this launch, by its number in reports. */
  Group group(long index) {
    Group like = Objects.requireNonNull(example, "no workgroup of this launch has begun");
    int x = view.gridX();
    int y = view.gridY();
    return new Group(
        like.environment(), 0, 0, (int) (index % x), (int) (index / x % y), (int) (index / x / y));
  }

  @Override
  public void groupBegan(List<Wave> waves) {
    Wave first = waves.getFirst();
    Group group = first.group;
    code = first.code;
    example = group;
    wavesOfGroup = waves.size();
    long index = group.x() + (long) view.gridX() * (group.y() + (long) view.gridY() * group.z());
    GroupRaces races =
        new GroupRaces(this, group, index, waves, session().takeLds(group.ldsSize()));
    for (int i = 0; i < races.waves.length; i++) {
      Wave wave = waves.get(i);
      wave.race = races.waves[i];
      wave.observe(observer);
    }
  }

  @Override
  public void barrier(List<Wave> waves) {
    if (waves.getFirst().race instanceof WaveClock clock) {
      clock.group.barrier();
    }
  }

  @Override
  public void arrivedAtGridBarrier(Wave wave) {
    if (wave.race instanceof WaveClock clock) {
      clock.look();
      WaveClock.Release release = clock.agentRelease();
      synchronized (this) {
        grid = grid.join(clock.known(release), session().crowd());
      }
    }
  }

  @Override
  public void leftGridBarrier(Wave wave) {
    if (wave.race instanceof WaveClock clock) {
      synchronized (this) {
        clock.saw(grid);
      }
    }
  }

  /** What its waves have come to know of other launches, and what it knew of them before. */
  synchronized Clock learned() {
    return learned;
  }

  @Override
  public void waveEnded(Wave wave) {
    if (session().isShared() && wave.race instanceof WaveClock clock) {
      clock.look();
      Clock others = clock.seen().without(number());
      if (!others.isEmpty()) {
        synchronized (this) {
          learned = learned.join(others, session().crowd());
        }
      }
    }
  }

  @Override
  public void groupEnded(List<Wave> waves) {
    if (waves.getFirst().race instanceof WaveClock clock) {
      session().giveLds(clock.group.lds);
      program().compared(clock.group.access.pairs());
    }
  }

  @Override
  public void ended() {
    for (Conflict c : held) {
      if (reaches.isPlain(c.atomic ? c.otherPc : c.pc)) {
        program().tell(c);
      }
    }
    held.clear();
    agreements.stream().filter(c -> !hasRaced(c)).forEach(program()::tell);
    agreements.clear();
    session().ended(this);
  }
}
