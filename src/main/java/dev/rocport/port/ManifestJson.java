package dev.rocport.port;

import dev.rocport.core.result.Change;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import dev.rocport.core.result.Suppressed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** The entries of the state file as JSON objects. */
final class ManifestJson {
  private ManifestJson() {}

  static void write(JsonGenerator out, KnownFile file) {
    out.writeStartObject();
    out.writeStringProperty("path", file.path());
    out.writeStringProperty("source", file.source());
    made(out, "made", file.made());
    if (file.pending() != null) {
      made(out, "pending", file.pending());
    }
    if (file.edited()) {
      out.writeBooleanProperty("edited", true);
    }
    out.writeArrayPropertyStart("shims");
    file.shims().forEach(out::writeString);
    out.writeEndArray();
    result(out, file.result());
    out.writeEndObject();
  }

  private static void made(JsonGenerator out, String name, KnownFile.Made made) {
    out.writeObjectPropertyStart(name);
    out.writeStringProperty("original", made.original());
    out.writeStringProperty("output", made.output());
    out.writeStringProperty("key", made.key());
    out.writeEndObject();
  }

  private static void result(JsonGenerator out, FileResult r) {
    out.writeStringProperty("status", r.status().name());
    out.writeStringProperty("language", r.language());
    out.writeNumberProperty("bytes", r.bytes());
    out.writeNumberProperty("lines", r.lines());
    out.writeStringProperty("message", r.message());
    out.writeObjectPropertyStart("edits");
    r.edits().forEach(out::writeNumberProperty);
    out.writeEndObject();
    out.writeArrayPropertyStart("findings");
    r.findings().forEach(f -> finding(out, f));
    out.writeEndArray();
    out.writeArrayPropertyStart("suppressed");
    for (Suppressed s : r.suppressed()) {
      out.writeStartObject();
      out.writeStringProperty("reason", s.reason());
      out.writeStringProperty("where", s.where());
      out.writeName("finding");
      finding(out, s.finding());
      out.writeEndObject();
    }
    out.writeEndArray();
    if (!r.changes().isEmpty()) {
      out.writeArrayPropertyStart("changes");
      for (Change c : r.changes()) {
        out.writeStartObject();
        out.writeStringProperty("rule", c.rule());
        out.writeNumberProperty("line", c.line());
        out.writeStringProperty("before", c.before());
        out.writeStringProperty("after", c.after());
        out.writeEndObject();
      }
      out.writeEndArray();
    }
  }

  private static void finding(JsonGenerator out, Finding f) {
    out.writeStartObject();
    out.writeStringProperty("rule", f.rule());
    out.writeStringProperty("severity", f.severity().name());
    out.writeStringProperty("disposition", f.disposition().name());
    out.writeStringProperty("path", f.path());
    out.writeNumberProperty("line", f.line());
    out.writeNumberProperty("column", f.column());
    out.writeNumberProperty("endLine", f.endLine());
    out.writeNumberProperty("endColumn", f.endColumn());
    out.writeStringProperty("message", f.message());
    out.writeStringProperty("advice", f.advice());
    out.writeStringProperty("snippet", f.snippet());
    if (!f.about().isEmpty()) {
      out.writeStringProperty("about", f.about());
    }
    out.writeStringProperty("fingerprint", f.fingerprint());
    out.writeEndObject();
  }

  /**
   * Reads an entry; the parser is at its opening brace.
   *
   * @throws IllegalArgumentException if a field is missing or has the wrong type
   */
  static KnownFile read(JsonParser in) {
    Map<String, Object> o = object(in);
    TreeMap<String, Integer> edits = new TreeMap<>();
    map(o, "edits").forEach((k, v) -> edits.put(k, number(v)));
    List<Suppressed> suppressed = new ArrayList<>();
    for (Map<String, Object> s : maps(o, "suppressed")) {
      suppressed.add(
          new Suppressed(finding(map(s, "finding")), text(s, "reason"), text(s, "where")));
    }
    FileResult result =
        new FileResult(
            text(o, "source"),
            FileResult.Status.valueOf(text(o, "status")),
            text(o, "language"),
            o.get("bytes") instanceof Long n ? n : 0,
            number(o.get("lines")),
            edits,
            maps(o, "findings").stream().map(ManifestJson::finding).toList(),
            suppressed,
            (o.containsKey("changes") ? maps(o, "changes") : List.<Map<String, Object>>of())
                .stream().map(ManifestJson::change).toList(),
            text(o, "message"));
    List<String> shims = new ArrayList<>();
    list(o, "shims").forEach(s -> shims.add(String.valueOf(s)));
    return new KnownFile(
        text(o, "path"),
        text(o, "source"),
        made(map(o, "made")),
        o.containsKey("pending") ? made(map(o, "pending")) : null,
        Boolean.TRUE.equals(o.get("edited")),
        shims,
        result);
  }

  private static KnownFile.Made made(Map<String, Object> o) {
    return new KnownFile.Made(text(o, "original"), text(o, "output"), text(o, "key"));
  }

  private static Change change(Map<String, Object> o) {
    return new Change(
        text(o, "rule").intern(), number(o.get("line")), text(o, "before"), text(o, "after"));
  }

  private static Finding finding(Map<String, Object> o) {
    return new Finding(
        text(o, "rule").intern(),
        Severity.valueOf(text(o, "severity")),
        Disposition.valueOf(text(o, "disposition")),
        text(o, "path"),
        number(o.get("line")),
        number(o.get("column")),
        number(o.get("endLine")),
        number(o.get("endColumn")),
        text(o, "message"),
        text(o, "advice").intern(),
        text(o, "snippet"),
        o.containsKey("about") ? text(o, "about").intern() : "",
        text(o, "fingerprint"));
  }

  private static String text(Map<String, Object> o, String name) {
    if (o.get(name) instanceof String s) {
      return s;
    }
    throw new IllegalArgumentException("no \"" + name + "\"");
  }

  private static int number(@Nullable Object value) {
    if (value instanceof Long n) {
      return Math.toIntExact(n);
    }
    throw new IllegalArgumentException("a number is missing");
  }

  private static List<?> list(Map<String, Object> o, String name) {
    if (o.get(name) instanceof List<?> l) {
      return l;
    }
    throw new IllegalArgumentException("the list \"" + name + "\" is missing");
  }

  private static List<Map<String, Object>> maps(Map<String, Object> o, String name) {
    return list(o, name).stream().map(m -> asMap(m, name)).toList();
  }

  private static Map<String, Object> map(Map<String, Object> o, String name) {
    return asMap(o.get(name), name);
  }

  @SuppressWarnings("unchecked") // object() makes no other maps
  private static Map<String, Object> asMap(@Nullable Object value, String name) {
    if (value instanceof Map<?, ?> m) {
      return (Map<String, Object>) m;
    }
    throw new IllegalArgumentException("the object \"" + name + "\" is missing");
  }

  private static Map<String, Object> object(JsonParser in) {
    Map<String, Object> o = new HashMap<>();
    while (in.nextToken() != JsonToken.END_OBJECT) {
      String name = in.currentName();
      in.nextToken();
      o.put(name, value(in));
    }
    return o;
  }

  private static Object value(JsonParser in) {
    return switch (in.currentToken()) {
      case VALUE_STRING -> in.getString();
      case VALUE_NUMBER_INT -> in.getLongValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case START_OBJECT -> object(in);
      case START_ARRAY -> {
        List<Object> list = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
          list.add(value(in));
        }
        yield list;
      }
      default -> throw new IllegalArgumentException("unexpected " + in.currentToken());
    };
  }
}
