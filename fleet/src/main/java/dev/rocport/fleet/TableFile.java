package dev.rocport.fleet;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;

/** Writes the rows of a table as a Parquet file. */
final class TableFile {
  private TableFile() {}

  static void write(Table table, List<List<Object>> rows, Path file) throws IOException {
    MessageType schema = schema(table);
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(file))
            .withConf(new PlainParquetConfiguration())
            .withType(schema)
            .withCompressionCodec(CompressionCodecName.ZSTD)
            .build()) {
      for (List<Object> row : rows) {
        writer.write(group(schema, row));
      }
    }
  }

  private static Group group(MessageType schema, List<Object> row) {
    Group group = new SimpleGroup(schema);
    for (int i = 0; i < row.size(); i++) {
      if (row.get(i) instanceof Long n) {
        group.add(i, n);
      } else {
        group.add(i, row.get(i).toString());
      }
    }
    return group;
  }

  private static MessageType schema(Table table) {
    Types.MessageTypeBuilder builder = Types.buildMessage();
    for (Table.Column c : table.columns()) {
      if (c.isNumber()) {
        builder.required(PrimitiveTypeName.INT64).named(c.name());
      } else {
        builder
            .required(PrimitiveTypeName.BINARY)
            .as(LogicalTypeAnnotation.stringType())
            .named(c.name());
      }
    }
    return builder.named(table.label());
  }
}
