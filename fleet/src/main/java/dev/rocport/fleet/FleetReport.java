package dev.rocport.fleet;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** {@code rocport fleet report}: asks the tables of a fleet. */
final class FleetReport {
  private final ReportSettings settings;

  FleetReport(ReportSettings settings) {
    this.settings = settings;
  }

  /** Prints the report; returns the exit code. */
  int run(PrintStream out) throws FleetException, IOException {
    Answers answers = answers();
    switch (settings.format()) {
      case "json" -> AnswersJson.write(answers, out);
      case "html" -> AnswersHtml.write(answers, out);
      default -> AnswersText.write(answers, out);
    }
    return 0;
  }

  private Answers answers() throws FleetException, IOException {
    OutputFolder now = new OutputFolder(Path.of(settings.out()));
    List<String> keys = now.describe().repositories();
    boolean trend = !settings.since().isEmpty();
    OutputFolder old = new OutputFolder(Path.of(settings.since()));
    List<String> oldKeys = trend ? old.describe().repositories() : List.of();
    Path temporary = Files.createTempDirectory("rocport-fleet-spark-");
    try (SparkSession spark = session(temporary)) {
      for (Table table : Table.values()) {
        table(spark, now, table, keys).createOrReplaceTempView(table.label());
      }
      List<Question> questions = new ArrayList<>(Question.ofOneFleet());
      if (trend) {
        table(spark, old, Table.REPOSITORIES, oldKeys).createOrReplaceTempView("old_repositories");
        questions.addAll(Question.ofTwoFleets());
      }
      List<Answers.Section> sections = new ArrayList<>();
      for (Question q : questions) {
        sections.add(section(q, spark.sql(q.query().replace(":top", "" + settings.top()))));
      }
      return new Answers(sections);
    } finally {
      Folders.delete(temporary);
    }
  }

  private static SparkSession session(Path temporary) {
    return SparkSession.builder()
        .appName("rocport fleet report")
        .master("local[*]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.local.dir", temporary.toString())
        .config("spark.sql.warehouse.dir", temporary.resolve("warehouse").toUri().toString())
        .config("spark.log.structuredLogging.enabled", "false")
        // The driver asks for the sizes of the files, which takes less than a task for each.
        .config("spark.sql.sources.parallelPartitionDiscovery.threshold", "10000000")
        // Most files are small: many of them make one task.
        .config("spark.sql.files.openCostInBytes", "65536")
        // The default of 200 is for data of another size.
        .config("spark.sql.shuffle.partitions", "4")
        .getOrCreate();
  }

  /** A table of the repositories of the last run; without rows if none of them has any. */
  private static Dataset<Row> table(
      SparkSession spark, OutputFolder out, Table table, List<String> keys) {
    StructType schema = new StructType();
    for (Table.Column c : table.columns()) {
      schema = schema.add(c.name(), c.isNumber() ? DataTypes.LongType : DataTypes.StringType);
    }
    schema = schema.add("repository", DataTypes.StringType);
    // Spark would look for the files of each table in all folders, with a task for each folder.
    String[] files =
        out.files(table, keys).stream().map(f -> f.toUri().toString()).toArray(String[]::new);
    return files.length == 0
        ? spark.createDataFrame(List.of(), schema)
        : spark
            .read()
            .schema(schema)
            .option("basePath", out.data().toUri().toString())
            .parquet(files);
  }

  private static Answers.Section section(Question question, Dataset<Row> answer) {
    List<List<Object>> rows = new ArrayList<>();
    for (Row row : answer.collectAsList()) {
      List<Object> cells = new ArrayList<>();
      for (int i = 0; i < row.length(); i++) {
        Object cell = row.get(i);
        cells.add(cell instanceof Long ? cell : cell == null ? "" : cell.toString());
      }
      rows.add(cells);
    }
    return new Answers.Section(
        question.key(), question.title(), Arrays.asList(answer.columns()), rows);
  }
}
