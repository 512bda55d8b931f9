package dev.rocport.lang.cuda.texture;

import dev.rocport.core.edit.Edit;
import dev.rocport.core.result.Disposition;
import dev.rocport.lang.cuda.lex.Angles;
import dev.rocport.lang.cuda.lex.Arguments;
import dev.rocport.lang.cuda.lex.Statements;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.names.ApiTable;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.symbols.EnclosingFunction;
import dev.rocport.lang.cuda.symbols.TextureReferences;
import dev.rocport.rules.ApiName;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Ports texture and surface references, {@code texture<float, 2> t;}, which CUDA 12 removed. Each
 * becomes two variables of {@code rocport/texture_reference.h}: one for host code, of the same
 * name, and a constant for device code, {@code t_handle}.
 */
public final class TextureReferencePass {
  static final String RULE = "TEXTURE-REFERENCE";
  static final String UNSURE = "TEXTURE-REFERENCE-USE";
  private static final String SHIM = "texture_reference.h";
  private static final Set<String> BY_POINTER =
      Set.of("cudaGetTextureReference", "cudaGetSurfaceReference", "cuModuleGetTexRef");

  /** The same in a file that is ported already. */
  private static final Set<String> PORTED = Set.of("hipGetTextureReference", "hipModuleGetTexRef");

  /** The base of all texture references, to which programs keep pointers. */
  private static final String BASE = "textureReference";

  private static final Set<String> NOT_TYPES =
      Set.of("return", "case", "else", "throw", "new", "delete", "sizeof", "and", "or", "not");

  private final CudaFile f;
  private final Tokens t;
  private final TextureReferences here;
  private final Set<String> names;
  private final Set<Integer> declared = new HashSet<>();

  private TextureReferencePass(CudaFile f, TextureReferences here, Set<String> names) {
    this.f = f;
    this.t = f.t;
    this.here = here;
    this.names = names;
  }

  public static void run(CudaFile f) {
    TextureReferences here = TextureReferences.of(f.t);
    Set<String> names = new HashSet<>(f.project.textures());
    if (here.uses().isEmpty() && names.isEmpty()) {
      return;
    }
    names.addAll(here.names());
    TextureReferencePass pass = new TextureReferencePass(f, here, names);
    here.uses().forEach(pass::type);
    pass.names();
  }

  private void type(TextureReferences.Use use) {
    int i = use.type();
    if (f.regions.isDead(i) || f.isOwn(TextureReferences.own(t.text(i)))) {
      return;
    }
    boolean known = names.containsAll(use.names().stream().map(t::text).toList());
    if (use.parameter()) {
      parameter(use);
    } else if (use.names().isEmpty() || !known) {
      unsure(i, use.close(), t.text(i) + " reference that is not a plain variable");
    } else if (f.changes.allows(RULE)) {
      declaration(use);
    }
  }

  private void declaration(TextureReferences.Use use) {
    int i = use.type();
    declared.addAll(use.names());
    int first = Statements.definitionStart(t, i);
    String handles =
        use.names().stream()
            .map(n -> t.text(n) + TextureReferences.HANDLE)
            .collect(Collectors.joining(", "));
    String type = "rocport::" + t.text(i) + TextureReferences.HANDLE + ported(i + 1, use.close());
    int start = t.start(first);
    int lineStart = f.source.lineStart(f.source.line(start));
    String indent = f.source.text(lineStart, start);
    String next = f.source.newline() + (indent.isBlank() ? indent : "");
    f.changes.edit(
        Edit.before(
            start,
            (first < i ? "static " : "") + "__constant__ " + type + " " + handles + ";" + next,
            RULE));
    f.changes.alsoEdit(
        Edit.replace(t.start(i), t.end(i), "rocport::" + t.text(i) + "_reference", RULE));
    for (int name : use.names()) {
      String handle = t.text(name) + TextureReferences.HANDLE;
      boolean arguments = t.is(name + 1, '(');
      f.changes.alsoEdit(
          Edit.after(
              t.end(arguments ? name + 1 : name),
              arguments ? handle + ", " : "(" + handle + ")",
              RULE));
    }
    served();
    f.changes.finding(
        RULE,
        Disposition.PORTED,
        t.start(i),
        t.end(use.names().getLast()),
        t.text(i) + " reference comes from rocport/" + SHIM + "; device code reads " + handles);
  }

  private void served() {
    f.shims.add(SHIM);
    f.needsRuntime = true;
  }

  /** Device functions get the handle's value, host functions the reference. */
  private void parameter(TextureReferences.Use use) {
    int i = use.type();
    int open = i;
    while (!t.is(open, '(')) {
      open = t.match(open) >= 0 && t.match(open) < open ? t.match(open) - 1 : open - 1;
    }
    boolean device = EnclosingFunction.isDevice(t, Statements.definitionStart(t, open), open);
    boolean address = t.is(use.close() + 1, '*');
    boolean value = t.isIdentifier(use.close() + 1);
    if ((device && address) || (!device && value) || t.inDirective(i)) {
      unsure(i, use.close(), t.text(i) + " reference as a parameter");
    } else if (f.changes.allows(RULE)) {
      String suffix = device ? TextureReferences.HANDLE : "_reference";
      f.changes.edit(Edit.replace(t.start(i), t.end(i), "rocport::" + t.text(i) + suffix, RULE));
      served();
    }
  }

  /** Template arguments as they are ported. */
  private String ported(int first, int last) {
    StringBuilder s = new StringBuilder();
    for (int i = first; i <= last; i++) {
      ApiTable.Entry e = t.isIdentifier(i) ? f.api.find(t, i) : null;
      ApiName name = e == null ? null : f.nameOf(e);
      String target = name == null || f.isOwn(name.cuda(), i) ? "" : f.api.target(name);
      s.append(target.isEmpty() ? t.text(i) : target);
      s.append(t.is(i, ',') || (t.isIdentifier(i) && t.isIdentifier(i + 1)) ? " " : "");
    }
    return s.toString();
  }

  private void names() {
    Set<Integer> hashes = names.stream().map(Tokens::hash).collect(Collectors.toSet());
    Set<Integer> pointers = BY_POINTER.stream().map(Tokens::hash).collect(Collectors.toSet());
    boolean looksUp = t.mentions(BY_POINTER) || t.mentions(PORTED);
    for (int i = 0; i < t.count(); i++) {
      if (!t.isIdentifier(i) || f.regions.isDead(i)) {
        continue;
      }
      if (hashes.contains(t.hash(i)) && names.contains(t.text(i)) && !declared.contains(i)) {
        name(i);
      } else if (pointers.contains(t.hash(i)) && BY_POINTER.contains(t.text(i))) {
        pointer(i);
      } else if (t.is(i, BASE) && !looksUp && !f.isOwn(BASE) && !f.isQualified(i)) {
        base(i);
      }
    }
  }

  /** Ports the type of a pointer to any texture reference. */
  private void base(int i) {
    int first = t.is(i - 1, "struct") ? i - 1 : i;
    int next = t.is(i + 1, "const") ? i + 2 : i + 1;
    if (!t.is(next, '*') && !t.is(next, '&')) {
      unsure(first, i, BASE + " that is not a pointer or reference");
    } else if (f.changes.allows(RULE)) {
      f.changes.edit(Edit.replace(t.start(first), t.end(i), "rocport::texture::Reference", RULE));
      served();
    }
  }

  private void pointer(int i) {
    if (!f.isOwn(t.text(i)) && !f.isQualified(i)) {
      unsure(i, i, t.text(i) + " looks up a texture reference at run time");
    }
  }

  private void name(int i) {
    if (t.is(i - 1, '.') || t.isPair(i - 1, '-')) {
      return;
    }
    boolean foreign = !here.names().contains(t.text(i));
    if (t.inDirective(i)) {
      if (isFetched(i) && !isMacroParameter(i)) {
        rename(i);
      }
      return;
    }
    EnclosingFunction function = EnclosingFunction.of(t, i);
    int from = function == null || foreign ? 0 : function.head();
    int to = function == null || foreign ? t.count() : function.close();
    if (function != null || isFetched(i)) {
      if (isHidden(i, from, to)) {
        return;
      }
      if (function != null && function.host() && !isFetched(i)) {
        unsure(i, i, t.text(i) + " in a function for host and device");
      } else {
        rename(i);
      }
    } else if (!foreign && t.is(i - 1, '<') && t.is(i + 1, '>')) {
      unsure(i, i, "texture reference " + t.text(i) + " as a template argument");
    }
  }

  private void rename(int i) {
    if (f.changes.allows(RULE)) {
      f.changes.edit(Edit.after(t.end(i), TextureReferences.HANDLE, RULE));
      served();
    }
  }

  /** The first argument of a fetch, or the surface argument of a surface function. */
  private boolean isFetched(int i) {
    int k = i;
    while (t.isPair(k - 1, ':')) {
      k = t.isIdentifier(k - 2) ? k - 2 : k - 1;
    }
    int open = k - 1;
    while (open > 0 && open > k - 40 && !t.is(open, '(')) {
      open = t.before(open);
    }
    int function = t.is(open - 1, '>') ? Angles.open(t, open - 1) - 1 : open - 1;
    if (!t.is(open, '(') || !t.isIdentifier(function)) {
      return false;
    }
    String name = t.text(function);
    boolean first = open == k - 1;
    return (first && name.startsWith("tex") && isApi(function))
        || (name.startsWith("surf") && isApi(function));
  }

  private boolean isApi(int i) {
    ApiTable.Entry e = f.api.find(t, i);
    return e != null && e.name != null && !f.isOwn(e.text);
  }

  private boolean isMacroParameter(int i) {
    int name = t.directives().get(t.directiveOf(i)).body();
    if (!t.is(name + 1, '(') || !t.touches(name)) {
      return false;
    }
    List<Arguments.Span> parameters = Arguments.of(t, name + 1);
    return parameters.stream().anyMatch(p -> t.isSame(p.first(), i));
  }

  /** A parameter or variable between the two tokens has the name too. */
  private boolean isHidden(int name, int from, int to) {
    for (int i = from; i < to; i++) {
      if (!t.isSame(i, name) || declared.contains(i) || t.inDirective(i)) {
        continue;
      }
      if (isDeclarator(i)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a type is before the name, unlike in {@code return &name}. */
  private boolean isDeclarator(int name) {
    int i = name - 1;
    while (t.is(i, '*') || t.is(i, '&')) {
      i--;
    }
    return t.is(i, '>') || (t.isIdentifier(i) && !NOT_TYPES.contains(t.text(i)));
  }

  private void unsure(int first, int last, String what) {
    f.changes.finding(UNSURE, Disposition.UNPORTED, t.start(first), t.end(last), what);
  }
}
