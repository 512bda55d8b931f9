package dev.rocport.fleet;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code rocport fleet report}: asks the tables of a fleet. */
final class FleetReport {
  private final ReportSettings settings;

  FleetReport(ReportSettings settings) {
    this.settings = settings;
  }

  /** Prints the report; returns the exit code. */
  int run(PrintStream out) throws FleetException, IOException {
    answers().print(settings.format(), out);
    return 0;
  }

  private Answers answers() throws FleetException, IOException {
    OutputFolder now = new OutputFolder(Path.of(settings.out()));
    OutputFolder.Description description = now.describe();
    Work work = description.work();
    boolean trend = !settings.since().isEmpty();
    OutputFolder old = new OutputFolder(Path.of(settings.since()));
    List<String> oldKeys = trend ? old.describe(work).repositories() : List.of();
    try (Views views = new Views(settings.master(), settings.spark())) {
      for (Table table : Table.of(work)) {
        views.add(table.label(), now, table, description.repositories());
      }
      List<Question> questions = new ArrayList<>(Question.ofOneFleet(work));
      if (trend) {
        views.add("old_repositories", old, Table.repositories(work), oldKeys);
        questions.addAll(Question.ofTwoFleets(work));
      }
      List<Answers.Section> sections = new ArrayList<>();
      for (Question q : questions) {
        sections.add(views.ask(q, settings.top()));
      }
      return new Answers(sections);
    }
  }
}
