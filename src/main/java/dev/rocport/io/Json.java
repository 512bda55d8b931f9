package dev.rocport.io;

import java.io.Writer;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;

/** The JSON format: indented by two spaces, with line feeds on every platform. */
public final class Json {
  private static final DefaultIndenter INDENT = new DefaultIndenter("  ", "\n");
  private static final JsonFactory FACTORY =
      JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

  private Json() {}

  /** A generator without white space; closing it leaves the writer open. */
  public static JsonGenerator compact(Writer out) {
    return FACTORY.createGenerator(ObjectWriteContext.empty(), out);
  }

  /** A generator; closing it leaves the writer open. */
  public static JsonGenerator generator(Writer out) {
    return FACTORY.createGenerator(
        new ObjectWriteContext.Base() {
          @Override
          public PrettyPrinter getPrettyPrinter() {
            return new DefaultPrettyPrinter().withObjectIndenter(INDENT).withArrayIndenter(INDENT);
          }
        },
        out);
  }

  /** Writes a document and a line feed, and leaves the writer open. */
  public static void document(Writer out, Consumer<JsonGenerator> content) {
    try (JsonGenerator g = generator(out)) {
      content.accept(g);
      g.writeRaw('\n');
    }
  }
}
