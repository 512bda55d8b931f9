package dev.rocport.port;

import dev.rocport.io.ProgramFile;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.GuardMacro;
import dev.rocport.rules.PtxRow;
import dev.rocport.rules.RocmChange;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.rules.ShmemRow;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** Identifies the content of a rule catalog. */
public final class RulesKey {
  private RulesKey() {}

  /**
   * Returns a checksum over the rules; it is fast, since every run computes it. The program's build
   * identifies its own rules.
   */
  public static String of(RuleCatalog catalog) {
    if (catalog.isBuiltIn() && ProgramFile.build().isPresent()) {
      return "";
    }
    CRC32C sum = new CRC32C();
    for (Rule r : catalog.rules()) {
      add(sum, r.id(), r.match(), r.rewrite(), r.analysis(), r.advice(), r.needs(), r.libs());
      add(sum, r.title(), r.family(), r.topic().name(), r.severity().name(), r.confidence().name());
      r.functions().forEach(f -> add(sum, f));
      r.headers().forEach(h -> add(sum, h));
      r.rocHeaders().forEach(h -> add(sum, h));
      r.where().forEach(w -> add(sum, w));
    }
    for (ApiName n : catalog.names()) {
      add(sum, n.cuda(), n.hip(), n.roc(), n.needs(), n.advice(), n.family(), n.kind().name());
    }
    for (ShmemRow r : catalog.shmem().rows()) {
      add(sum, r.name(), r.parameters(), r.target(), r.kind().name(), r.host(), r.device());
      add(sum, r.note(), r.rule());
    }
    catalog.shmem().members().forEach(m -> add(sum, m.toString()));
    for (PtxRow r : catalog.ptx()) {
      add(sum, r.form(), r.hip(), r.exact(), r.effort(), r.meaning(), r.note(), r.rule());
    }
    for (RocmChange c : catalog.rocm().rows()) {
      add(sum, c.name(), c.since(), c.now(), c.where().name(), c.before(), c.after());
    }
    for (GuardMacro m : catalog.guards().macros()) {
      add(sum, m.macro(), m.kind().name(), m.value(), String.valueOf(m.oldest()), m.inCode());
      add(sum, m.library());
    }
    return Long.toHexString(sum.getValue());
  }

  private static void add(CRC32C sum, String... texts) {
    for (String text : texts) {
      sum.update(text.getBytes(StandardCharsets.UTF_8));
      sum.update(0);
    }
  }
}
