package dev.rocport.lang.cuda.asm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.lex.Lexer;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.ptx.Item;
import dev.rocport.lang.ptx.PtxException;
import dev.rocport.lang.ptx.PtxParser;
import dev.rocport.lang.ptx.PtxTable;
import dev.rocport.rules.PtxRow;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every form that the tables translate occurs in a program of {@code fixtures/ptx}, or in {@code
 * unrecorded.tsv} there, with the reason.
 */
final class PtxCoverageTest {
  private final PtxTable table = new PtxTable(RuleCatalog.builtIn().ptx());

  @Test
  void everyTranslatedFormOccursInAProgram() throws IOException {
    Set<PtxRow> used = new HashSet<>();
    for (Path source : sources()) {
      Tokens t = Lexer.lex(new SourceFile(source.toString(), Files.readAllBytes(source)));
      for (int i = 0; i < t.count(); i++) {
        AsmStatement asm = t.isIdentifier(i) ? AsmStatement.at(t, i) : null;
        if (asm != null) {
          collect(asm, used);
        }
      }
    }
    List<String> listed = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of("fixtures/ptx/unrecorded.tsv"))) {
      if (!line.startsWith("#") && !line.equals("form\twhy")) {
        listed.add(line.substring(0, line.indexOf('\t')));
      }
    }
    List<String> missing =
        RuleCatalog.builtIn().ptx().stream()
            .filter(r -> r.isTranslated() && !r.isRegister() && !used.contains(r))
            .map(PtxRow::form)
            .toList();
    assertThat(missing)
        .as("forms that no program holds")
        .containsExactlyInAnyOrderElementsOf(listed);
  }

  private void collect(AsmStatement asm, Set<PtxRow> used) {
    try {
      collect(PtxParser.template(asm.text()), new HashSet<>(), used);
    } catch (PtxException e) {
      // A part that only a macro completes: it covers nothing.
    }
  }

  private void collect(List<Item> items, Set<String> predicates, Set<PtxRow> used) {
    for (Item item : items) {
      switch (item) {
        case Item.Declaration d -> {
          if (d.type() != null && d.type().name().equals("pred")) {
            predicates.addAll(d.names());
          }
        }
        case Item.Instruction i -> {
          PtxRow row = table.row(i, predicates::contains);
          if (row != null) {
            used.add(row);
          }
        }
        case Item.Scope s -> collect(s.items(), predicates, used);
        default -> {}
      }
    }
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> walk = Files.walk(Path.of("fixtures/ptx"))) {
      return walk.filter(p -> p.toString().matches(".*\\.(cu|cuh|h)")).sorted().toList();
    }
  }
}
