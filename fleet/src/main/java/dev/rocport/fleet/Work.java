package dev.rocport.fleet;

import java.util.Locale;

/** What a run does with each repository. */
enum Work {
  AUDIT(Failure.Kind.AUDIT, "audited"),
  BILL(Failure.Kind.BILL, "examined"),
  PORT(Failure.Kind.PORT, "ported");

  private final Failure.Kind failure;
  private final String done;

  Work(Failure.Kind failure, String done) {
    this.failure = failure;
    this.done = done;
  }

  /** The work that a command of rocport does. */
  static Work of(String command) {
    return valueOf(command.toUpperCase(Locale.ROOT));
  }

  /** The command of rocport, and the name in tables. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** How a failure of the command itself is called. */
  Failure.Kind failure() {
    return failure;
  }

  /** The status of a repository, for tables and messages. */
  String done() {
    return done;
  }
}
