package dev.rocport.lsp;

import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.lex.Kernels;
import dev.rocport.lang.cuda.lex.Launches;
import dev.rocport.lang.cuda.lex.Lexer;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.warp.Decision;
import dev.rocport.warp.WarpFacts;
import dev.rocport.warp.WarpPlan;
import dev.rocport.warp.ir.Expr;
import dev.rocport.warp.ir.Launch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.eclipse.lsp4j.InlayHint;
import org.eclipse.lsp4j.Position;
import org.eclipse.lsp4j.Range;
import org.eclipse.lsp4j.jsonrpc.messages.Either;

/** Text between the code: decisions about warps, and the sizes of blocks. */
final class Hints {
  private final TextBuffer buffer;
  private final WarpFacts warps;
  private final Tokens tokens;
  private final List<InlayHint> hints = new ArrayList<>();

  private Hints(TextBuffer buffer, SourceFile source, WarpFacts warps) {
    this.buffer = buffer;
    this.warps = warps;
    this.tokens = Lexer.lex(source.withLineFeeds());
  }

  /** Returns the hints in a part of a document, in order. */
  static List<InlayHint> of(Analyst.Found found, Range range) {
    Optional<WarpFacts> warps = found.project().warps(found.path());
    if (warps.isEmpty()) {
      return List.of();
    }
    Hints all = new Hints(found.buffer(), found.answer().source(), warps.get());
    all.decisions();
    all.kernels();
    all.launches();
    int first = range.getStart().getLine();
    int last = range.getEnd().getLine();
    return all.hints.stream()
        .filter(h -> first <= h.getPosition().getLine() && h.getPosition().getLine() <= last)
        .sorted(
            Comparator.comparingInt((InlayHint h) -> h.getPosition().getLine())
                .thenComparingInt(h -> h.getPosition().getCharacter()))
        .toList();
  }

  private void decisions() {
    for (WarpPlan.Note note : warps.plan().notes()) {
      String label = note.decision() == Decision.WIDE ? "whole waves" : "groups of 32 lanes";
      add(note.at().end(), label, (note.message() + "\n" + note.advice()).strip());
    }
  }

  private void kernels() {
    for (int name : Kernels.names(tokens)) {
      List<Launch> launches = warps.sizes().of(tokens.text(name));
      SortedSet<Long> sizes = new TreeSet<>();
      launches.forEach(l -> warps.sizes().block(l).ifPresent(d -> sizes.add(threads(d))));
      if (!sizes.isEmpty()) {
        long unknown = launches.stream().filter(l -> warps.sizes().block(l).isEmpty()).count();
        add(
            tokens.end(name),
            "blocks of "
                + sizes.stream().map(String::valueOf).collect(Collectors.joining(", "))
                + (unknown > 0 ? ", ..." : ""),
            "launches: %d; of unknown block size: %d".formatted(launches.size(), unknown));
      }
    }
  }

  private void launches() {
    Launches found = Launches.of(tokens);
    for (int n = 0; n < found.count(); n++) {
      int open = found.open(n);
      int close = found.close(n);
      int name = Launches.kernel(tokens, open);
      if (close > 0 && name >= 0) {
        launch(name)
            .filter(l -> !(l.block() instanceof Expr.Literal))
            .flatMap(warps.sizes()::block)
            .ifPresent(d -> add(tokens.end(close + 2), size(d), "threads in a block"));
      }
    }
  }

  /** Returns the launch of the kernel that a token names. */
  private Optional<Launch> launch(int name) {
    int start = tokens.start(name);
    return warps.launches().stream()
        .filter(l -> l.at().start() <= start && start < l.at().end())
        .filter(l -> tokens.is(name, l.kernel()))
        .findFirst();
  }

  private static String size(List<Long> block) {
    List<Long> used = block.get(2) > 1 ? block : block.subList(0, block.get(1) > 1 ? 2 : 1);
    String product = used.stream().map(String::valueOf).collect(Collectors.joining(" × "));
    return (used.size() > 1 ? product + " = " : "") + threads(block) + " threads";
  }

  private static long threads(List<Long> d) {
    return d.get(0) * d.get(1) * d.get(2);
  }

  private void add(int offset, String label, String detail) {
    Position at = buffer.position(buffer.index(offset));
    InlayHint hint = new InlayHint(at, Either.forLeft(label));
    hint.setTooltip(Either.forLeft(detail));
    hint.setPaddingLeft(true);
    hints.add(hint);
  }
}
