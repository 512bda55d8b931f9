package dev.rocport.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Tables of fleets as views of Spark SQL. */
final class Views implements AutoCloseable {
  private final Path temporary;
  private final SparkSession spark;

  /**
   * Starts Spark.
   *
   * @param master Spark's
   * @param properties of Spark
   */
  Views(String master, Map<String, String> properties) throws IOException {
    temporary = Files.createTempDirectory("rocport-fleet-spark-");
    SparkConf conf =
        SparkJob.conf("rocport fleet report", master, temporary)
            .set("spark.sql.warehouse.dir", temporary.resolve("warehouse").toUri().toString())
            // The driver asks for the sizes of the files, which takes less than a task for each.
            .set("spark.sql.sources.parallelPartitionDiscovery.threshold", "10000000")
            // Most files are small: many of them make one task.
            .set("spark.sql.files.openCostInBytes", "65536");
    if (SparkJob.isLocal(master)) {
      // The default of 200 is for data of another size.
      conf.set("spark.sql.shuffle.partitions", "4");
    }
    properties.forEach(conf::set);
    spark = SparkSession.builder().config(conf).getOrCreate();
  }

  /**
   * Adds a view of a table with the rows of some repositories; without rows if none has any.
   *
   * @param name of the view
   * @param keys of the repositories
   */
  void add(String name, OutputFolder out, Table table, List<String> keys) {
    StructType schema = new StructType();
    for (Table.Column c : table.columns()) {
      schema = schema.add(c.name(), c.isNumber() ? DataTypes.LongType : DataTypes.StringType);
    }
    schema = schema.add("repository", DataTypes.StringType);
    // Spark would look for the files of each table in all folders, with a task for each folder.
    String[] files =
        out.files(table, keys).stream().map(f -> f.toUri().toString()).toArray(String[]::new);
    Dataset<Row> rows =
        files.length == 0
            ? spark.createDataFrame(List.of(), schema)
            : spark
                .read()
                .schema(schema)
                .option("basePath", out.data().toUri().toString())
                .parquet(files);
    rows.createOrReplaceTempView(name);
  }

  /** Asks a question. */
  Answers.Section ask(Question question, int top) {
    Dataset<Row> answer = spark.sql(question.query().replace(":top", "" + top));
    return new Answers.Section(
        question.key(), question.title(), Arrays.asList(answer.columns()), rows(answer));
  }

  /** Returns the rows that a query selects. */
  List<List<Object>> rows(String query) {
    return rows(spark.sql(query));
  }

  private static List<List<Object>> rows(Dataset<Row> answer) {
    List<List<Object>> rows = new ArrayList<>();
    for (Row row : answer.collectAsList()) {
      List<Object> cells = new ArrayList<>();
      for (int i = 0; i < row.length(); i++) {
        Object cell = row.get(i);
        cells.add(cell instanceof Long ? cell : cell == null ? "" : cell.toString());
      }
      rows.add(cells);
    }
    return rows;
  }

  @Override
  public void close() throws IOException {
    spark.close();
    Folders.delete(temporary);
  }
}
