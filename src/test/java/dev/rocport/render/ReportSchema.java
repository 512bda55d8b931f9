package dev.rocport.render;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.rocport.render.json.JsonReport;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** The published schema of reports. */
public final class ReportSchema {
  private ReportSchema() {}

  /** What a report in JSON has against the schema; empty where it is as published. */
  public static List<Error> errors(String json) {
    try (InputStream in = JsonReport.class.getResourceAsStream("result.schema.json")) {
      return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(in, InputFormat.JSON)
          .validate(json, InputFormat.JSON);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
