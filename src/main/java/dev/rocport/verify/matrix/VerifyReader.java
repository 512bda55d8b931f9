package dev.rocport.verify.matrix;

import dev.rocport.core.result.VerifyInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Reads the field {@code verify} of a report. */
final class VerifyReader {
  private VerifyReader() {}

  static VerifyInfo read(JsonNode v) {
    List<VerifyInfo.Case> cases = new ArrayList<>();
    v.path("cases").forEach(c -> cases.add(oneCase(c)));
    List<VerifyInfo.Tensor> tensors = new ArrayList<>();
    v.path("tensors").forEach(t -> tensors.add(tensor(t)));
    List<VerifyInfo.Cell> cells = new ArrayList<>();
    v.path("cells").forEach(c -> cells.add(cell(c)));
    return new VerifyInfo(text(v, "device"), text(v, "note"), cases, tensors, cells, List.of());
  }

  private static VerifyInfo.Case oneCase(JsonNode c) {
    Map<String, String> checks = new LinkedHashMap<>();
    c.path("checks").forEachEntry((k, x) -> checks.put(k, x.asString("")));
    return new VerifyInfo.Case(
        text(c, "fixture"),
        text(c, "run"),
        text(c, "target"),
        c.path("ranks").asInt(0),
        text(c, "status"),
        checks,
        texts(c.path("standIns")),
        texts(c.path("rocmLibraries")),
        text(c, "message"));
  }

  private static VerifyInfo.Tensor tensor(JsonNode t) {
    Map<String, Long> histogram = new LinkedHashMap<>();
    t.path("ulps").forEachEntry((k, x) -> histogram.put(k, x.asLong(0)));
    return new VerifyInfo.Tensor(
        text(t, "where"),
        text(t, "name"),
        text(t, "type"),
        text(t, "outcome"),
        t.path("count").asLong(0),
        t.path("wrong").asLong(0),
        t.path("maxUlp").asLong(0),
        t.path("p99Ulp").asLong(0),
        histogram,
        // The report has null for what JSON has no number for.
        number(t, "maxAbs", Double.POSITIVE_INFINITY),
        text(t, "maxAbsAt"),
        number(t, "maxRel", Double.POSITIVE_INFINITY),
        text(t, "maxRelAt"),
        number(t, "cosine", Double.NaN),
        number(t, "relativeL2", Double.NaN),
        text(t, "rule"),
        text(t, "message"));
  }

  private static VerifyInfo.Cell cell(JsonNode c) {
    return new VerifyInfo.Cell(
        text(c, "fixture"),
        text(c, "target"),
        text(c, "kernel"),
        text(c, "type"),
        text(c, "op"),
        c.path("count").asLong(0),
        c.path("rows").asLong(0),
        c.path("checks").asLong(0),
        c.path("wrong").asLong(0),
        c.path("maxUlp").asLong(0),
        number(c, "maxAbs", Double.POSITIVE_INFINITY),
        number(c, "errRef", Double.POSITIVE_INFINITY));
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(t -> texts.add(t.asString("")));
    return texts;
  }

  private static double number(JsonNode node, String name, double ofNull) {
    JsonNode number = node.path(name);
    return number.isNumber() ? number.asDouble() : ofNull;
  }

  private static String text(JsonNode node, String name) {
    return node.path(name).asString("");
  }
}
