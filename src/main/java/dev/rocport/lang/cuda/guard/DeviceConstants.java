package dev.rocport.lang.cuda.guard;

import dev.rocport.core.edit.Edit;
import dev.rocport.lang.cuda.condition.Regions.Branch;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Ports macros that reinterpret bits with functions of the device in the device pass, and that have
 * another definition in the host pass. clang checks host code in the device pass, too, where it may
 * use such a macro; a builtin of the compiler is for both.
 */
final class DeviceConstants {
  /** The bits of the constants that the HIP headers define by functions of the device. */
  private static final Map<String, String> CONSTANTS =
      Map.of(
          "CUDART_INF_F", "float, 0x7f800000U",
          "CUDART_NAN_F", "float, 0x7fffffffU",
          "CUDART_MIN_DENORM_F", "float, 0x00000001U",
          "CUDART_MAX_NORMAL_F", "float, 0x7f7fffffU",
          "CUDART_NEG_ZERO_F", "float, 0x80000000U",
          "CUDART_INF", "double, 0x7ff0000000000000ULL",
          "CUDART_NAN", "double, 0xfff8000000000000ULL",
          "CUDART_NEG_ZERO", "double, 0x8000000000000000ULL",
          "CUDART_MIN_DENORM", "double, 0x0000000000000001ULL");

  /** The types that these functions convert to and from. */
  private static final Map<String, String> FUNCTIONS =
      Map.of(
          "__int_as_float", "float, static_cast<int>",
          "__uint_as_float", "float, static_cast<unsigned>",
          "__float_as_int", "int, static_cast<float>",
          "__float_as_uint", "unsigned, static_cast<float>",
          "__longlong_as_double", "double, static_cast<long long>",
          "__double_as_longlong", "long long, static_cast<double>");

  private final CudaFile f;
  private final Tokens t;

  DeviceConstants(CudaFile f) {
    this.f = f;
    this.t = f.t;
  }

  /** Edits the macros of the device branch that the host branch defines as well. */
  void port(Branch device, Branch host, String rule) {
    Set<String> names = new HashSet<>();
    for (Directive d : t.directives()) {
      if (isDefine(d, host)) {
        names.add(t.text(d.body()));
      }
    }
    for (Directive d : t.directives()) {
      if (isDefine(d, device) && names.contains(t.text(d.body()))) {
        for (int i = d.body() + 1; i < d.last(); i++) {
          token(d, i, rule);
        }
      }
    }
  }

  private boolean isDefine(Directive d, Branch branch) {
    return d.name().equals("define")
        && d.body() < d.last()
        && branch.from() <= d.first()
        && d.first() < branch.to();
  }

  private void token(Directive d, int i, String rule) {
    String constant = CONSTANTS.get(t.text(i));
    String function = FUNCTIONS.get(t.text(i));
    if (f.isQualified(i) || f.isOwn(t.text(i))) {
      return;
    }
    if (constant != null) {
      replace(i, "__builtin_bit_cast(" + constant + ")", rule);
    } else if (function != null && t.is(i + 1, '(')) {
      int close = t.match(i + 1);
      if (close > i && close < d.last()) {
        replace(i, "__builtin_bit_cast(" + function, rule);
        f.changes.edit(Edit.after(t.end(close), ")", rule));
      }
    }
  }

  private void replace(int i, String text, String rule) {
    f.dropped.add(i);
    f.changes.edit(Edit.replace(t.start(i), t.end(i), text, rule));
  }
}
