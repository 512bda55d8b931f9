package dev.rocport.lang.cuda.api;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.names.ApiTable;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.symbols.ObjectTypes;
import dev.rocport.rules.ApiName;
import org.jspecify.annotations.Nullable;

/**
 * Ports fields of CUDA structures that HIP lacks or names differently. A field is certain if its
 * object is declared with the type of the structure. If no declaration is visible, the pass warns
 * if the file names the structure, or if the field name is long enough to be unique.
 */
final class MemberNames {
  /** Shorter names ({@code usage}, {@code conditional}) are words that any class may use. */
  private static final int TELLING = 12;

  private final CudaFile f;
  private final Tokens t;
  private final ObjectTypes types;

  MemberNames(CudaFile f) {
    this.f = f;
    this.t = f.t;
    this.types = new ObjectTypes(f.t);
  }

  /** Edits or reports the field at {@code i}; false if it is none. */
  boolean handle(ApiTable.Entry e, int i) {
    boolean designated = t.is(i - 1, '.') && (t.is(i - 2, '{') || t.is(i - 2, ','));
    if (designated) {
      int type = types.ofInitialized(i - 2);
      return type >= 0 && found(e, i, t.text(type), true);
    }
    if (t.isPair(i - 1, ':') && t.isIdentifier(i - 2)) {
      return found(e, i, t.text(i - 2), true);
    }
    if (!t.is(i - 1, '.') && !t.isPair(i - 1, '-')) {
      return false;
    }
    ObjectTypes.Type type = types.ofObject(i - 2);
    return switch (type) {
      case ObjectTypes.Known k -> found(e, i, k.name(), false);
      case ObjectTypes.Unknown u -> unsure(e, i);
    };
  }

  private boolean found(ApiTable.Entry e, int i, String type, boolean alone) {
    ApiName row = row(e, type);
    if (row == null) {
      return false;
    }
    String target = field(f.api.target(row));
    if (f.regions.isDead(i)) {
      return true;
    }
    boolean nested = alone && target.indexOf('.') >= 0;
    if (target.isEmpty() || nested) {
      String why =
          nested
              ? " is " + target + " in HIP: set the field after the initializer"
              : " has no counterpart";
      tell(row, i, Severity.ERROR, Disposition.UNPORTED, row.cuda() + why);
    } else if (f.changes.allows(row.family())) {
      f.changes.edit(Edit.replace(t.start(i), t.end(i), target, row.family()));
    }
    return true;
  }

  private boolean unsure(ApiTable.Entry e, int i) {
    ApiName row =
        e.members.stream().filter(this::mentions).findFirst().orElse(e.members.getFirst());
    boolean telling = e.text.length() >= TELLING || mentions(row);
    if (!telling || f.regions.isDead(i) || types.declaresMember(i)) {
      return false;
    }
    String target = f.api.target(row);
    tell(
        row,
        i,
        Severity.WARNING,
        Disposition.REVIEW,
        e.text
            + " is left unchanged: if it is a field of "
            + owner(row)
            + (target.isEmpty() ? ", HIP has no such field" : ", HIP calls it " + field(target)));
    return true;
  }

  private boolean mentions(ApiName row) {
    String owner = owner(row);
    for (int i = 0; i < t.count(); i++) {
      if (t.is(i, owner)) {
        return true;
      }
    }
    return false;
  }

  private void tell(ApiName row, int i, Severity severity, Disposition how, String message) {
    f.changes.finding(row.family(), severity, how, t.start(i), t.end(i), message, row.advice());
  }

  /** The CUDA structure of a field. */
  private static String owner(ApiName row) {
    return row.cuda().substring(0, row.cuda().indexOf("::"));
  }

  private static String field(String target) {
    return target.substring(target.indexOf("::") + (target.isEmpty() ? 1 : 2));
  }

  /** The row of the structure that a type's name means; CUDA has several names for most. */
  private @Nullable ApiName row(ApiTable.Entry e, String type) {
    ApiTable.Entry known = f.api.find(type);
    if (known == null || known.name == null || f.isOwn(type)) {
      return null;
    }
    for (ApiName row : e.members) {
      if (owner(row).equals(type)) {
        return row;
      }
    }
    String hip = f.api.target(known.name);
    for (ApiName row : e.members) {
      ApiTable.Entry structure = f.api.find(owner(row));
      if (structure != null
          && structure.name != null
          && !hip.isEmpty()
          && hip.equals(f.api.target(structure.name))) {
        return row;
      }
    }
    return null;
  }
}
