package dev.rocport.cli.fleet;

import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;
import tools.jackson.core.JsonGenerator;

/** The options that choose and set up a Spark cluster. */
final class SparkChoices {
  @Option(
      names = "--master",
      paramLabel = "MASTER",
      defaultValue = "local[*]",
      description = "Spark's master: local[N], spark://HOST:PORT (default: ${DEFAULT-VALUE}).")
  private String master;

  @Option(
      names = "--spark",
      paramLabel = "KEY=VALUE",
      description = "A property of Spark, such as spark.executor.memory=2g.")
  private Map<String, String> spark = new LinkedHashMap<>();

  /** Writes them as properties of the request to the fleet program. */
  void write(JsonGenerator g) {
    g.writeStringProperty("master", master);
    g.writeObjectPropertyStart("spark");
    spark.forEach(g::writeStringProperty);
    g.writeEndObject();
  }
}
