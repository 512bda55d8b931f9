package dev.rocport.rules;

import dev.rocport.core.result.Severity;
import dev.rocport.core.result.Topic;
import dev.rocport.io.InvalidFileException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The compiled form of a rules folder: a magic number, every text once (a length and UTF-8 bytes),
 * then, with texts as their numbers, the rules, the names, the forms of PTX, the rows about
 * NVSHMEM, the effort table, the guard macros, the phases. Reading it takes milliseconds where YAML
 * takes most of a second.
 */
final class RuleIndex {
  private static final int MAGIC = 0x524f433a;

  private RuleIndex() {}

  static void write(RuleLoader.Loaded loaded, OutputStream stream) throws IOException {
    ByteArrayOutputStream tables = new ByteArrayOutputStream();
    Output out = new Output(tables);
    out.writeInt(loaded.rules().size());
    for (Rule r : loaded.rules()) {
      write(out, r);
    }
    out.writeInt(loaded.names().size());
    for (ApiName n : loaded.names()) {
      string(out, n.cuda());
      string(out, n.hip());
      string(out, n.roc());
      string(out, n.kind().name());
      string(out, n.needs());
      string(out, n.advice());
      string(out, n.family());
    }
    out.writeInt(loaded.ptx().size());
    for (PtxRow r : loaded.ptx()) {
      string(out, r.form());
      string(out, r.hip());
      string(out, r.exact());
      string(out, r.effort());
      string(out, r.meaning());
      string(out, r.note());
      string(out, r.rule());
    }
    write(out, loaded.shmem());
    write(out, loaded.effort());
    write(out, loaded.guards());
    write(out, loaded.rocm());
    write(out, loaded.phases());
    DataOutputStream whole = new DataOutputStream(stream);
    whole.writeInt(MAGIC);
    whole.writeInt(out.texts.size());
    for (String text : out.texts.keySet()) {
      byte[] b = text.getBytes(StandardCharsets.UTF_8);
      whole.writeInt(b.length);
      whole.write(b);
    }
    tables.writeTo(whole);
    whole.flush();
  }

  static RuleLoader.Loaded read(byte[] bytes) {
    try (Input in = new Input(bytes)) {
      if (in.readInt() != MAGIC) {
        throw new InvalidFileException(
            "the compiled rules have a different version: rebuild rocport");
      }
      in.readTexts();
      List<Rule> rules = new ArrayList<>();
      for (int i = in.readInt(); i > 0; i--) {
        rules.add(readRule(in));
      }
      int count = in.readInt();
      List<ApiName> names = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        String cuda = string(in);
        String hip = string(in);
        String roc = string(in);
        ApiName.Kind kind = ApiName.Kind.valueOf(string(in));
        String needs = string(in);
        names.add(new ApiName(cuda, hip, roc, kind, needs, string(in), string(in)));
      }
      List<PtxRow> ptx = readPtx(in);
      return new RuleLoader.Loaded(
          rules,
          names,
          ptx,
          readShmem(in),
          readEffort(in),
          readGuards(in),
          readRocm(in),
          readPhases(in));
    } catch (IOException e) {
      throw new InvalidFileException("the compiled rules cannot be read: " + e, e);
    }
  }

  private static List<PtxRow> readPtx(Input in) throws IOException {
    int count = in.readInt();
    List<PtxRow> rows = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      rows.add(
          new PtxRow(
              string(in), string(in), string(in), string(in), string(in), string(in), string(in)));
    }
    return rows;
  }

  private static void write(Output out, ShmemTable t) throws IOException {
    out.writeInt(t.rows().size());
    for (ShmemRow r : t.rows()) {
      string(out, r.kind().name());
      for (String s :
          new String[] {
            r.name(), r.parameters(), r.target(), r.host(), r.device(), r.note(), r.rule()
          }) {
        string(out, s);
      }
    }
    out.writeInt(t.members().size());
    for (ShmemRow.Member m : t.members()) {
      for (String s : new String[] {m.name(), m.rocshmem(), m.type(), m.sets()}) {
        string(out, s);
      }
    }
  }

  private static ShmemTable readShmem(Input in) throws IOException {
    List<ShmemRow> rows = new ArrayList<>();
    for (int i = in.readInt(); i > 0; i--) {
      ApiName.Kind kind = ApiName.Kind.valueOf(string(in));
      rows.add(
          new ShmemRow(
              string(in),
              string(in),
              string(in),
              kind,
              string(in),
              string(in),
              string(in),
              string(in)));
    }
    List<ShmemRow.Member> members = new ArrayList<>();
    for (int i = in.readInt(); i > 0; i--) {
      members.add(new ShmemRow.Member(string(in), string(in), string(in), string(in)));
    }
    return new ShmemTable(rows, members);
  }

  private static void write(Output out, EffortTable t) throws IOException {
    for (int i : new int[] {t.editsPerMinute(), t.trivial(), t.small(), t.medium(), t.large()}) {
      out.writeInt(i);
    }
    out.writeInt(t.weights().size());
    for (EffortTable.Weight w : t.weights()) {
      string(out, w.rule());
      string(out, w.disposition());
      out.writeInt(w.first());
      out.writeInt(w.again());
      out.writeInt(w.once());
      string(out, w.atLeast());
      string(out, w.why());
    }
  }

  private static EffortTable readEffort(Input in) throws IOException {
    int edits = in.readInt();
    int trivial = in.readInt();
    int small = in.readInt();
    int medium = in.readInt();
    int large = in.readInt();
    List<EffortTable.Weight> weights = new ArrayList<>();
    for (int i = in.readInt(); i > 0; i--) {
      weights.add(
          new EffortTable.Weight(
              string(in),
              string(in),
              in.readInt(),
              in.readInt(),
              in.readInt(),
              string(in),
              string(in)));
    }
    return new EffortTable(edits, trivial, small, medium, large, weights);
  }

  private static void write(Output out, GuardTable t) throws IOException {
    out.writeInt(t.macros().size());
    for (GuardMacro m : t.macros()) {
      string(out, m.macro());
      string(out, m.kind().name());
      string(out, m.value());
      out.writeLong(m.oldest());
      string(out, m.inCode());
      string(out, m.library());
    }
  }

  private static void write(Output out, RocmChanges t) throws IOException {
    out.writeInt(t.rows().size());
    for (RocmChange r : t.rows()) {
      string(out, r.name());
      string(out, r.since());
      string(out, r.now());
      string(out, r.where().name());
      string(out, r.before());
      string(out, r.after());
    }
  }

  private static RocmChanges readRocm(Input in) throws IOException {
    List<RocmChange> rows = new ArrayList<>();
    for (int i = in.readInt(); i > 0; i--) {
      String name = string(in);
      String since = string(in);
      String now = string(in);
      RocmChange.Where where = RocmChange.Where.valueOf(string(in));
      rows.add(new RocmChange(name, since, now, where, string(in), string(in)));
    }
    return new RocmChanges(rows);
  }

  private static GuardTable readGuards(Input in) throws IOException {
    List<GuardMacro> macros = new ArrayList<>();
    for (int i = in.readInt(); i > 0; i--) {
      String macro = string(in);
      GuardMacro.Kind kind = GuardMacro.Kind.valueOf(string(in));
      macros.add(new GuardMacro(macro, kind, string(in), in.readLong(), string(in), string(in)));
    }
    return new GuardTable(macros);
  }

  private static void write(Output out, PhaseTable t) throws IOException {
    out.writeInt(t.phases().size());
    for (PhaseTable.Phase p : t.phases()) {
      out.writeInt(p.number());
      for (String s : new String[] {p.title(), p.what(), p.follows(), p.otherwise()}) {
        string(out, s);
      }
      out.writeInt(p.signs().size());
      for (PhaseTable.Sign s : p.signs()) {
        string(out, s.says());
        strings(out, s.rules());
        strings(out, s.families());
        string(out, s.about());
        strings(out, s.files());
        strings(out, s.words());
        strings(out, s.marks());
        out.writeBoolean(s.maybe());
      }
    }
  }

  private static PhaseTable readPhases(Input in) throws IOException {
    List<PhaseTable.Phase> phases = new ArrayList<>();
    for (int i = in.readInt(); i > 0; i--) {
      int number = in.readInt();
      String title = string(in);
      String what = string(in);
      String follows = string(in);
      String otherwise = string(in);
      List<PhaseTable.Sign> signs = new ArrayList<>();
      for (int k = in.readInt(); k > 0; k--) {
        signs.add(
            new PhaseTable.Sign(
                string(in),
                strings(in),
                strings(in),
                string(in),
                strings(in),
                strings(in),
                strings(in),
                in.readBoolean()));
      }
      phases.add(new PhaseTable.Phase(number, title, what, follows, otherwise, signs));
    }
    return new PhaseTable(phases);
  }

  private static void write(Output out, Rule r) throws IOException {
    for (String s : new String[] {r.id(), r.family(), r.title(), r.why()}) {
      string(out, s);
    }
    string(out, r.topic().name());
    string(out, r.severity().name());
    string(out, r.confidence().name());
    string(out, r.needs());
    string(out, r.libs());
    strings(out, r.functions());
    string(out, r.match());
    string(out, r.rewrite());
    string(out, r.analysis());
    string(out, r.advice());
    strings(out, r.evidence());
    strings(out, r.headers());
    strings(out, r.rocHeaders());
    strings(out, r.where());
    out.writeInt(r.examples().size());
    for (Rule.Example e : r.examples()) {
      string(out, e.before());
      string(out, e.after());
      strings(out, e.options());
      string(out, e.file());
    }
    strings(out, r.unchanged());
  }

  private static Rule readRule(Input in) throws IOException {
    String id = string(in);
    String family = string(in);
    String title = string(in);
    String why = string(in);
    Topic topic = Topic.valueOf(string(in));
    Severity severity = Severity.valueOf(string(in));
    Confidence confidence = Confidence.valueOf(string(in));
    String needs = string(in);
    String libs = string(in);
    List<String> functions = strings(in);
    String match = string(in);
    String rewrite = string(in);
    String analysis = string(in);
    String advice = string(in);
    List<String> evidence = strings(in);
    List<String> headers = strings(in);
    List<String> rocHeaders = strings(in);
    List<String> where = strings(in);
    List<Rule.Example> examples = new ArrayList<>();
    for (int i = in.readInt(); i > 0; i--) {
      examples.add(new Rule.Example(string(in), string(in), strings(in), string(in)));
    }
    return new Rule(
        id,
        topic,
        family,
        title,
        why,
        severity,
        confidence,
        needs,
        libs,
        functions,
        match,
        rewrite,
        analysis,
        advice,
        evidence,
        headers,
        rocHeaders,
        where,
        List.copyOf(examples),
        strings(in));
  }

  private static void strings(Output out, List<String> list) throws IOException {
    out.writeInt(list.size());
    for (String s : list) {
      string(out, s);
    }
  }

  private static List<String> strings(Input in) throws IOException {
    int n = in.readInt();
    List<String> list = new ArrayList<>(n);
    for (int i = 0; i < n; i++) {
      list.add(string(in));
    }
    return List.copyOf(list);
  }

  private static void string(Output out, String s) throws IOException {
    out.writeInt(out.texts.computeIfAbsent(s, text -> out.texts.size()));
  }

  private static String string(Input in) throws IOException {
    return in.texts[in.readInt()];
  }

  /** The tables; the texts that they name by number are gathered. */
  private static final class Output extends DataOutputStream {
    private final Map<String, Integer> texts = new LinkedHashMap<>();

    Output(OutputStream stream) {
      super(stream);
    }
  }

  private static final class Input extends DataInputStream {
    private final byte[] bytes;
    private String[] texts = {};

    Input(byte[] bytes) {
      super(new ByteArrayInputStream(bytes));
      this.bytes = bytes;
    }

    void readTexts() throws IOException {
      texts = new String[readInt()];
      for (int i = 0; i < texts.length; i++) {
        int length = readInt();
        texts[i] = new String(bytes, bytes.length - available(), length, StandardCharsets.UTF_8);
        skipNBytes(length);
      }
    }
  }
}
