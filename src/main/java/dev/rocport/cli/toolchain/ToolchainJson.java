package dev.rocport.cli.toolchain;

import dev.rocport.io.Json;
import dev.rocport.toolchain.GfxTarget;
import dev.rocport.toolchain.Library;
import dev.rocport.toolchain.Toolchain;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/**
 * A toolchain for programs: one object with {@code kind} (rocm, provisioned), {@code root}, {@code
 * hip}, {@code clang}, {@code clangVersion}, {@code targets}, {@code include}, {@code deviceLibs},
 * {@code lib}, {@code sysroot} (where one is used), {@code libraries} and {@code fingerprint}.
 */
final class ToolchainJson {
  private ToolchainJson() {}

  static void write(PrintWriter out, Toolchain t) {
    try (JsonGenerator g = Json.generator(out)) {
      write(g, t);
    }
    out.println();
  }

  static void write(JsonGenerator g, Toolchain t) {
    g.writeStartObject();
    g.writeStringProperty("kind", t.kind().name().toLowerCase(Locale.ROOT));
    g.writeStringProperty("root", t.root().toString());
    g.writeStringProperty("hip", t.hip().toString());
    g.writeStringProperty("clang", t.clang().toString());
    g.writeStringProperty("clangVersion", t.clangVersion());
    strings(g, "targets", t.targets().stream().map(GfxTarget::id).toList());
    g.writeStringProperty("include", t.include().toString());
    g.writeStringProperty("deviceLibs", t.deviceLibs().toString());
    g.writeStringProperty("lib", t.lib().toString());
    t.sysroot().ifPresent(s -> g.writeStringProperty("sysroot", s.toString()));
    strings(g, "libraries", t.libraries().stream().map(Library::linkName).toList());
    g.writeStringProperty("fingerprint", t.fingerprint());
    g.writeEndObject();
  }

  private static void strings(JsonGenerator g, String name, List<String> values) {
    g.writeArrayPropertyStart(name);
    values.forEach(g::writeString);
    g.writeEndArray();
  }
}
