package dev.rocport.device.check.order;

/**
 * How a wave uses its freedom for a while: what it keeps back, and how long it stays where it
 * waits. Outcomes that need several late accesses at once are rare where each is late by a chance
 * of its own.
 */
record Mood(Keeps loads, Keeps stores, Stays stays) {
  /** Which accesses are performed later than they are issued. */
  enum Keeps {
    NONE,
    SOME,
    /** The first one that is on its way; those after it overtake it. */
    FIRST,
    ALL;

    private static Keeps any(Chance chance) {
      return switch (chance.below(8)) {
        case 0 -> NONE;
        case 1, 2 -> SOME;
        case 3 -> ALL;
        default -> FIRST;
      };
    }

    /**
     * Whether an access is kept back.
     *
     * @param first it is the only one on its way
     */
    boolean isKept(boolean first, Chance chance) {
      return switch (this) {
        case NONE -> false;
        case SOME -> chance.once(2);
        case FIRST -> first;
        case ALL -> true;
      };
    }
  }

  /** Turns of others in which a wave stays where it waits. */
  enum Stays {
    BRIEFLY,
    SOMETIMES,
    LONG;

    private static final int SHORT = 3;
    private static final int MANY = 48;

    private static Stays any(Chance chance) {
      return switch (chance.below(5)) {
        case 0, 1 -> BRIEFLY;
        case 2 -> SOMETIMES;
        default -> LONG;
      };
    }

    int turns(Chance chance) {
      return switch (this) {
        case BRIEFLY -> chance.once(4) ? 1 : 0;
        case SOMETIMES -> chance.once(2) ? chance.below(SHORT) : chance.below(MANY);
        case LONG -> MANY / 4 + chance.below(MANY);
      };
    }
  }

  static Mood any(Chance chance) {
    return new Mood(Keeps.any(chance), Keeps.any(chance), Stays.any(chance));
  }

  /** Mostly what all others keep back too, but with its own patience. */
  Mood ofWave(Chance chance) {
    return chance.once(4) ? any(chance) : new Mood(loads, stores, Stays.any(chance));
  }
}
