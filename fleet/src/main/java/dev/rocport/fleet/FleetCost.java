package dev.rocport.fleet;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** {@code rocport fleet cost}: a model of what repositories cost, from the tables of fleets. */
final class FleetCost {
  private static final double MEGABYTE = 1e6;
  private static final double HOUR = 3_600_000;

  private final CostSettings settings;

  FleetCost(CostSettings settings) {
    this.settings = settings;
  }

  /** Prints the model, what it predicts, and how that compares; returns the exit code. */
  int run(PrintStream out) throws FleetException, IOException {
    answers().print(settings.format(), out);
    return 0;
  }

  private Answers answers() throws FleetException, IOException {
    Map<String, Collection<CostModel.Sample>> fitted;
    Map<String, Collection<CostModel.Sample>> others;
    try (Views views = new Views("local[*]", Map.of())) {
      fitted = samples(views, settings.outs());
      others = samples(views, settings.checks());
    }
    List<CostModel.Sample> all = fitted.values().stream().flatMap(Collection::stream).toList();
    CostModel model = CostModel.of(all);
    if (all.size() <= model.classes().size()) {
      throw new FleetException(
          "%d repositories with %d classes of files: too few for a model"
              .formatted(all.size(), model.classes().size()));
    }
    List<Answers.Section> sections = new ArrayList<>();
    sections.add(coefficients(model, all));
    sections.add(comparison("fit", "What the model was fitted to", model, fitted));
    if (!others.isEmpty()) {
      sections.add(comparison("check", "What the model did not know", model, others));
    }
    if (settings.repositories() > 0) {
      sections.add(extrapolated(model, all));
    }
    return new Answers(sections);
  }

  /** What the repositories of each fleet cost, by its folder. */
  private static Map<String, Collection<CostModel.Sample>> samples(
      Views views, Collection<String> folders) throws FleetException, IOException {
    Map<String, Collection<CostModel.Sample>> samples = new TreeMap<>();
    for (String folder : folders) {
      samples.put(folder, samples(views, folder));
    }
    return samples;
  }

  private static Collection<CostModel.Sample> samples(Views views, String folder)
      throws FleetException, IOException {
    OutputFolder out = new OutputFolder(Path.of(folder));
    OutputFolder.Description description = out.describe();
    if (description.work() == Work.BILL) {
      throw new FleetException(folder + ": bills have no table of files");
    }
    views.add("files", out, Table.FILES, description.repositories());
    views.add("tasks", out, Table.TASKS, description.repositories());
    views.add("repositories", out, Table.REPOSITORIES, description.repositories());
    Map<String, Map<String, Long>> bytes = new HashMap<>();
    String classes =
        """
        SELECT repository, CASE WHEN language = '' THEN 'other' ELSE language END AS class,
          sum(bytes) AS bytes
        FROM files GROUP BY repository, class
        """;
    for (List<Object> row : views.rows(classes)) {
      bytes
          .computeIfAbsent(row.get(0).toString(), k -> new TreeMap<>())
          .put(row.get(1).toString(), (Long) row.get(2));
    }
    String times =
        """
        SELECT r.repository, r.processor_milliseconds, r.worker_age,
          coalesce(t.parts, 0) AS parts,
          coalesce(t.starts, IF(r.worker_age = 0, 1L, 0L)) AS starts
        FROM repositories r LEFT JOIN (
          SELECT repository, count_if(step = 'files') AS parts, count_if(worker_age = 0) AS starts
          FROM tasks GROUP BY repository) t ON r.repository = t.repository
        WHERE r.status <> 'failed'
        ORDER BY r.repository
        """;
    List<Table> written = Table.of(description.work());
    List<CostModel.Sample> samples = new ArrayList<>();
    for (List<Object> row : views.rows(times)) {
      String key = row.get(0).toString();
      long tables = 0;
      for (Table table : written) {
        for (Path file : out.files(table, List.of(key))) {
          tables += Files.size(file);
        }
      }
      samples.add(
          new CostModel.Sample(
              bytes.getOrDefault(key, Map.of()),
              ((Long) row.get(1)).doubleValue(),
              (double) tables,
              (Long) row.get(2),
              (Long) row.get(3),
              (Long) row.get(4)));
    }
    return samples;
  }

  private static Answers.Section coefficients(
      CostModel model, Collection<CostModel.Sample> samples) {
    Map<String, Long> bytes = CostModel.bytes(samples);
    List<List<Object>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "each repository",
            0L,
            Math.round(model.milliseconds()[0]),
            Math.round(model.tables()[0])));
    rows.add(List.of("each process", 0L, Math.round(model.start()), 0L));
    if (samples.stream().anyMatch(s -> !s.isWhole())) {
      rows.add(List.of("each part", 0L, Math.round(model.part()), 0L));
    }
    for (int i = 0; i < model.classes().size(); i++) {
      String name = model.classes().get(i);
      rows.add(
          List.of(
              name,
              bytes.getOrDefault(name, 0L),
              Math.round(model.milliseconds()[i + 1] * MEGABYTE),
              Math.round(model.tables()[i + 1] * MEGABYTE)));
    }
    return new Answers.Section(
        "model",
        "Processor time (ms) and tables (bytes), for each repository, for the start of each"
            + " process, for each part of large repositories, and for 10^6 bytes of a class",
        List.of("class", "bytes", "milliseconds", "table_bytes"),
        rows);
  }

  private static Answers.Section comparison(
      String key, String title, CostModel model, Map<String, Collection<CostModel.Sample>> fleets) {
    List<List<Object>> rows = new ArrayList<>();
    for (Map.Entry<String, Collection<CostModel.Sample>> fleet : fleets.entrySet()) {
      Collection<CostModel.Sample> samples = fleet.getValue();
      rows.add(
          List.of(
              String.valueOf(Path.of(fleet.getKey()).getFileName()),
              (long) samples.size(),
              samples.stream().mapToLong(CostModel.Sample::allBytes).sum(),
              sum(samples.stream().mapToDouble(CostModel.Sample::milliseconds).sum()),
              sum(model.predictedMilliseconds(samples)),
              model.medianError(samples),
              Math.round(samples.stream().mapToDouble(CostModel.Sample::tables).sum()),
              Math.round(samples.stream().mapToDouble(model::predictedTables).sum())));
    }
    return new Answers.Section(
        key,
        title,
        List.of(
            "fleet",
            "repositories",
            "bytes",
            "seconds",
            "predicted_seconds",
            "median_error_percent",
            "table_bytes",
            "predicted_table_bytes"),
        rows);
  }

  private static long sum(double milliseconds) {
    return Math.round(milliseconds / 1000);
  }

  private Answers.Section extrapolated(CostModel model, Collection<CostModel.Sample> samples) {
    CostModel.Sample fleet =
        model.extrapolated(samples, settings.repositories(), settings.gigabytes() * 1e9);
    return new Answers.Section(
        "extrapolation",
        "A fleet with the same classes of files",
        List.of("repositories", "gigabytes", "processor_hours", "table_gigabytes"),
        List.of(
            List.of(
                settings.repositories(),
                settings.gigabytes(),
                Math.round(fleet.milliseconds() / HOUR),
                Math.round(fleet.tables() / 1e9))));
  }
}
