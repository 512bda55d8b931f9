package dev.rocport.lang.cuda.api;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Comments;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.symbols.Functions;
import dev.rocport.lang.cuda.symbols.Functions.Function;
import java.util.List;
import java.util.Set;

/**
 * Replaces calls that set the scale type of a matrix product to what it is already by their success
 * value. hipBLASLt takes this type when the descriptor is created, and has no attribute for it.
 */
public final class ScaleTypePass {
  static final String RULE = "BLASLT-SCALE-TYPE";
  static final String ATTRIBUTE = "CUBLASLT_MATMUL_DESC_SCALE_TYPE";

  /** Types of variables that hold a scale type, all of the same size. */
  static final Set<String> TYPES = Set.of("cudaDataType_t", "cudaDataType", "cublasDataType_t");

  /** hipBLASLt has no status of its own, also not in ports to rocBLAS. */
  private static final String SUCCESS = "HIPBLAS_STATUS_SUCCESS";

  private ScaleTypePass() {}

  public static void run(CudaFile f) {
    Tokens t = f.t;
    if (!t.mentions(ATTRIBUTE) || !f.changes.allows(RULE)) {
      return;
    }
    for (Function function : Functions.of(t)) {
      for (int i = function.body(); i < function.close(); i++) {
        if (t.is(i, "cublasLtMatmulDescSetAttribute")) {
          call(f, function, i);
        }
      }
    }
  }

  private static void call(CudaFile f, Function function, int i) {
    Tokens t = f.t;
    if (!t.is(i + 1, '(')
        || t.inDirective(i)
        || f.regions.isDead(i)
        || f.isQualified(i)
        || t.isPair(i - 1, ':')
        || f.isOwn(t.text(i), i)
        || f.isOwn(ATTRIBUTE)) {
      return;
    }
    List<Arguments.Span> arguments = Arguments.of(t, i + 1);
    if (arguments.size() != 4 || !isScaleType(t, arguments)) {
      return;
    }
    int value = arguments.get(2).last();
    if (!new ScaleTypeProof(f, function, i, arguments.getFirst().first(), value).holds()) {
      return;
    }
    int close = t.match(i + 1);
    f.changes.finding(
        RULE,
        Disposition.PORTED,
        t.start(i),
        t.end(close),
        "the descriptor has the scale type of "
            + t.text(value)
            + " from cublasLtMatmulDescCreate: the call, which hipBLASLt does not have, becomes its"
            + " success value");
    String comments = Comments.of(f.source.text(t.start(i), t.end(close)));
    boolean statement =
        t.is(close + 1, ';') && (t.is(i - 1, ';') || t.is(i - 1, '{') || t.is(i - 1, '}'));
    String text = comments + (statement ? "(void)" + SUCCESS : SUCCESS);
    f.changes.edit(Edit.replace(t.start(i), t.end(close), text, RULE));
    for (int k = i; k <= close; k++) {
      f.dropped.add(k);
    }
  }

  /**
   * {@code (name, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &name, sizeof(name))}, or the size of a type.
   */
  private static boolean isScaleType(Tokens t, List<Arguments.Span> a) {
    Arguments.Span object = a.get(0);
    Arguments.Span attribute = a.get(1);
    Arguments.Span address = a.get(2);
    Arguments.Span size = a.get(3);
    return t.isIdentifier(object.first())
        && object.first() == object.last()
        && t.is(attribute.first(), ATTRIBUTE)
        && attribute.first() == attribute.last()
        && t.is(address.first(), '&')
        && t.isIdentifier(address.last())
        && address.last() == address.first() + 1
        && t.is(size.first(), "sizeof")
        && t.is(size.first() + 1, '(')
        && size.last() == size.first() + 3
        && (t.isSame(size.first() + 2, address.last()) || TYPES.contains(t.text(size.first() + 2)));
  }
}
