package dev.rocport.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.LocalInputFile;

/** The rows of a table of all repositories, read without Spark. */
final class TableRows {
  private TableRows() {}

  static List<Map<String, Object>> of(Path out, Table table) throws IOException {
    List<Map<String, Object>> rows = new ArrayList<>();
    try (Stream<Path> folders = Files.list(out.resolve("data"))) {
      for (Path folder : folders.sorted().toList()) {
        Path file = folder.resolve(table.file());
        if (Files.exists(file)) {
          read(file, table, rows);
        }
      }
    }
    return rows;
  }

  /** The rows of the table of one repository. */
  static List<Map<String, Object>> ofOne(Path repository, Table table) throws IOException {
    List<Map<String, Object>> rows = new ArrayList<>();
    read(repository.resolve(table.file()), table, rows);
    return rows;
  }

  /** The rows without times and processes, which no two runs have in common, in order. */
  static List<String> counted(Path out, Table table) throws IOException {
    List<String> rows = new ArrayList<>();
    for (Map<String, Object> row : of(out, table)) {
      row.remove("milliseconds");
      row.remove("processor_milliseconds");
      row.remove("worker_age");
      rows.add(row.toString());
    }
    rows.sort(Comparator.naturalOrder());
    return rows;
  }

  private static void read(Path file, Table table, List<Map<String, Object>> rows)
      throws IOException {
    try (ParquetReader<Group> reader = new Builder(new LocalInputFile(file)).build()) {
      for (Group g = reader.read(); g != null; g = reader.read()) {
        Map<String, Object> row = new LinkedHashMap<>();
        for (Table.Column c : table.columns()) {
          row.put(
              c.name(), c.isNumber() ? (Object) g.getLong(c.name(), 0) : g.getString(c.name(), 0));
        }
        rows.add(row);
      }
    }
  }

  /** How many repositories are there. */
  static int committed(Path out) throws IOException {
    if (!Files.isDirectory(out.resolve("data"))) {
      return 0;
    }
    try (Stream<Path> folders = Files.list(out.resolve("data"))) {
      return (int) folders.count();
    }
  }

  /** The sum of a column of the table of repositories. */
  static long sum(Path out, String column) throws IOException {
    return of(out, Table.REPOSITORIES).stream().mapToLong(r -> (long) r.get(column)).sum();
  }

  /** The kind of failure by the name of the repository. */
  static Map<String, String> kinds(Path out) throws IOException {
    Map<String, String> kinds = new LinkedHashMap<>();
    List<Map<String, Object>> failed =
        of(out, Table.REPOSITORIES).stream().filter(r -> r.get("status").equals("failed")).toList();
    List<Map<String, Object>> failures = of(out, Table.FAILURES);
    for (int i = 0; i < failures.size(); i++) {
      kinds.put(failed.get(i).get("name").toString(), failures.get(i).get("kind").toString());
    }
    return kinds;
  }

  private static final class Builder extends ParquetReader.Builder<Group> {
    Builder(InputFile file) {
      super(file, new PlainParquetConfiguration());
    }

    @Override
    protected ReadSupport<Group> getReadSupport() {
      return new GroupReadSupport();
    }
  }
}
