package dev.rocport.fleet;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;
import org.jspecify.annotations.Nullable;

/** The rows of one repository: a Parquet file for each table that has rows. */
final class TableFiles implements AutoCloseable {
  /** Bytes of a table in memory: a repository may have more rows than memory holds. */
  private static final long ROW_GROUP = 8L << 20;

  /** Each file allocates this much for compression, and most have only a few rows. */
  private static final int PAGE = 64 << 10;

  private final Path folder;
  private final Map<Table, ParquetWriter<Object[]>> writers = new EnumMap<>(Table.class);

  /**
   * @param folder exists
   */
  TableFiles(Path folder) {
    this.folder = folder;
  }

  /**
   * Adds a row.
   *
   * @param cells a {@link String} or a {@link Long} for each column
   * @throws OutputException if it cannot be written
   */
  void add(Table table, Object... cells) {
    if (cells.length != table.columns().size()) {
      throw new IllegalArgumentException("columns of " + table.label());
    }
    for (int i = 0; i < cells.length; i++) {
      if (table.columns().get(i).isNumber() != cells[i] instanceof Long) {
        throw new IllegalArgumentException(
            table.label() + "." + table.columns().get(i).name() + ": " + cells[i]);
      }
    }
    try {
      ParquetWriter<Object[]> writer = writers.get(table);
      if (writer == null) {
        writer = writer(table);
        writers.put(table, writer);
      }
      writer.write(cells);
    } catch (IOException e) {
      throw new OutputException(e);
    }
  }

  private ParquetWriter<Object[]> writer(Table table) throws IOException {
    return new Builder(folder.resolve(table.file()), schema(table))
        .withConf(new PlainParquetConfiguration())
        .withCompressionCodec(CompressionCodecName.ZSTD)
        .withRowGroupSize(ROW_GROUP)
        .withPageSize(PAGE)
        .build();
  }

  /** Completes the files. */
  @Override
  public void close() throws IOException {
    IOException first = null;
    for (ParquetWriter<Object[]> writer : writers.values()) {
      try {
        writer.close();
      } catch (IOException e) {
        first = first == null ? e : first;
      }
    }
    writers.clear();
    if (first != null) {
      throw first;
    }
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

  private static final class Builder extends ParquetWriter.Builder<Object[], Builder> {
    private final MessageType schema;

    Builder(Path file, MessageType schema) {
      super(new LocalOutputFile(file));
      this.schema = schema;
    }

    @Override
    protected Builder self() {
      return this;
    }

    @Override
    @SuppressWarnings("deprecation") // but abstract
    protected WriteSupport<Object[]> getWriteSupport(Configuration conf) {
      return new RowSupport(schema);
    }

    @Override
    protected WriteSupport<Object[]> getWriteSupport(ParquetConfiguration conf) {
      return new RowSupport(schema);
    }
  }

  /** Hands the cells of rows to Parquet. */
  private static final class RowSupport extends WriteSupport<Object[]> {
    private final MessageType schema;
    private @Nullable RecordConsumer consumer;

    RowSupport(MessageType schema) {
      this.schema = schema;
    }

    @Override
    @SuppressWarnings("deprecation") // but abstract
    public WriteContext init(Configuration conf) {
      return new WriteContext(schema, Map.of());
    }

    @Override
    public WriteContext init(ParquetConfiguration conf) {
      return new WriteContext(schema, Map.of());
    }

    @Override
    public void prepareForWrite(RecordConsumer recordConsumer) {
      consumer = recordConsumer;
    }

    @Override
    public void write(Object[] cells) {
      RecordConsumer out = Objects.requireNonNull(consumer);
      out.startMessage();
      for (int i = 0; i < cells.length; i++) {
        String name = schema.getFieldName(i);
        out.startField(name, i);
        if (cells[i] instanceof Long n) {
          out.addLong(n);
        } else {
          out.addBinary(Binary.fromString(cells[i].toString()));
        }
        out.endField(name, i);
      }
      out.endMessage();
    }
  }
}
