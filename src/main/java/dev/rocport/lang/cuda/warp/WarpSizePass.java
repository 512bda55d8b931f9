package dev.rocport.lang.cuda.warp;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Arguments.Span;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.symbols.ObjectTypes;
import dev.rocport.lang.cuda.warp.WarpSizeUse.Use;
import java.util.List;
import java.util.Set;

/**
 * Ports host code that queries the warp size, which is 64 on CDNA while kernels keep groups of 32.
 * Code that computes with the number gets 32 instead ({@code rocport/warp_size.h}); code that only
 * prints it gets the size of the device.
 */
public final class WarpSizePass {
  static final String RULE = "W64-HOST-SIZE";
  private static final String SHIM = "warp_size.h";
  private static final String PROPERTIES = "cudaDeviceProp";
  private static final String MEMBER = "warpSize";
  private static final Set<String> ATTRIBUTES =
      Set.of("cudaDevAttrWarpSize", "CU_DEVICE_ATTRIBUTE_WARP_SIZE");

  private final CudaFile f;
  private final Tokens t;
  private final ObjectTypes types;

  private WarpSizePass(CudaFile f) {
    this.f = f;
    this.t = f.t;
    this.types = new ObjectTypes(f.t);
  }

  public static void run(CudaFile f) {
    if (!f.t.mentions(MEMBER) && !f.t.mentions(ATTRIBUTES)) {
      return;
    }
    WarpSizePass pass = new WarpSizePass(f);
    for (int i = 0; i < f.t.count(); i++) {
      if (f.t.is(i, MEMBER) && (f.t.is(i - 1, '.') || f.t.isPair(i - 1, '-'))) {
        pass.member(i);
      } else if (f.t.isIdentifier(i) && ATTRIBUTES.contains(f.t.text(i))) {
        pass.attribute(i);
      }
    }
  }

  /** {@code properties.warpSize}. */
  private void member(int i) {
    boolean certain =
        types.ofObject(i - 2) instanceof ObjectTypes.Known k && k.name().equals(PROPERTIES);
    WarpSizeUse uses = new WarpSizeUse(t);
    int first = uses.objectStart(i);
    Use use = uses.of(first, i);
    if (certain && use == Use.COMPUTED && isEdited(i)) {
      f.shims.add(SHIM);
      f.changes.edit(Edit.replace(t.start(first), t.end(i), "rocport::warp_size", RULE));
      ported(first, i);
    } else {
      left(i, use);
    }
  }

  /** {@code cudaDeviceGetAttribute(&w, cudaDevAttrWarpSize, device)}. */
  private void attribute(int i) {
    int open = t.is(i - 1, ',') ? opening(i - 1) : -1;
    boolean call =
        open > 0
            && (t.is(open - 1, "cudaDeviceGetAttribute") || t.is(open - 1, "cuDeviceGetAttribute"));
    List<Span> arguments = call ? Arguments.of(t, open) : List.of();
    boolean simple =
        arguments.size() == 3 && arguments.get(1).first() == i && arguments.get(1).last() == i;
    Use use = simple ? target(arguments.getFirst()) : Use.UNKNOWN;
    if (use != Use.COMPUTED || !isEdited(i)) {
      left(i, use);
      return;
    }
    int start = t.start(open - 1);
    f.changes.dropInside(start, t.end(open - 1));
    f.changes.dropInside(t.start(i), t.end(i));
    f.shims.add(SHIM);
    f.changes.edit(Edit.replace(start, t.end(open - 1), "rocport::get_warp_size", RULE));
    int device = t.start(arguments.get(2).first());
    if (f.source.text(t.end(i), device).replace(',', ' ').isBlank()) {
      f.changes.alsoEdit(Edit.delete(t.start(i), device, RULE));
    } else { // comments stay
      f.changes.alsoEdit(Edit.delete(t.start(i), t.end(i), RULE));
      f.changes.alsoEdit(Edit.delete(t.start(i + 1), t.end(i + 1), RULE));
    }
    ported(open - 1, t.match(open));
  }

  /** The use of the variable whose address is passed; a pointer parameter belongs to the caller. */
  private Use target(Span address) {
    if (t.is(address.first(), '&')) {
      return new WarpSizeUse(t).kept(address.last());
    }
    boolean pointer = address.first() == address.last() && t.isIdentifier(address.first());
    return pointer ? Use.COMPUTED : Use.UNKNOWN;
  }

  private int opening(int from) {
    int k = from;
    while (k >= 0 && !t.is(k, '(') && !t.is(k, ';') && !t.is(k, '{')) {
      k = t.before(k);
    }
    return t.is(k, '(') ? k : -1;
  }

  private boolean isEdited(int i) {
    return f.changes.allows(RULE)
        && !f.isC()
        && !t.inDirective(i)
        && !f.regions.isDead(i)
        && !f.regions.isForHip(i);
  }

  private void ported(int first, int last) {
    f.changes.finding(
        RULE,
        Severity.NOTE,
        Disposition.PORTED,
        t.start(first),
        t.end(last),
        "the warp size would be 64 on gfx90a and gfx942; the port keeps 32, in kernels and in"
            + " values computed from the warp size",
        "");
  }

  private void left(int i, Use use) {
    String what = "the device warp size is 64 on gfx90a and gfx942, not 32";
    if (use == Use.DESCRIBED) {
      f.changes.finding(
          RULE,
          Severity.NOTE,
          Disposition.REVIEW,
          t.start(i),
          t.end(i),
          what + "; it is only printed here",
          "");
    } else {
      f.changes.finding(RULE, Disposition.REVIEW, t.start(i), t.end(i), what);
    }
  }
}
