package dev.rocport.doctor;

import dev.rocport.io.TsvTable;
import dev.rocport.rules.BuiltInText;
import java.util.List;

/** The durations of first runs, so that a running compiler is not mistaken for a hang. */
final class FirstRuns {
  private static final String HEADER = "what\tfrom\tto";

  private FirstRuns() {}

  /** One entry a kind of work; none where no PyTorch for ROCm is, or may come. */
  static List<Observation> observe(Rocm rocm) {
    if (!rocm.present()) {
      return List.of();
    }
    return BuiltInText.table("doctor/first-runs.tsv", HEADER).rows().stream()
        .map(r -> Observation.ok(Section.FIRST_RUN, r.cell(0), minutes(r)))
        .toList();
  }

  private static String minutes(TsvTable.Row row) {
    return row.cell(1)
        + " to "
        + row.cell(2)
        + " minutes in a first run; set timeouts to 600 s or more";
  }
}
