package dev.rocport.lang.cuda.symbols;

import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Tokens;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Names whose meaning in one file decides about findings in others. */
public final class SharedNames {
  /** The entry of files that ask for the device address of host memory. */
  public static final String DEVICE_ADDRESS = "device address";

  /** The entry of files that include headers of the CUDA samples, wherever these are. */
  public static final String SAMPLES = "samples";

  private static final Pattern SAMPLES_HEADER =
      Pattern.compile("(?:.*/)?(?:cutil|helper_)\\w*\\.h");

  /** Functions that return the device address of host memory. */
  public static final Set<String> DEVICE_ADDRESSES =
      Set.of(
          "cudaHostGetDevicePointer", "cuMemHostGetDevicePointer", "cuMemHostGetDevicePointer_v2");

  private static final Set<String> SURFACES = Set.of("cudaSurfaceObject_t", "CUsurfObject");
  private static final Set<String> TEXTURES = Set.of("cudaTextureObject_t", "CUtexObject");

  /** Calls whose first argument is a texture object, or its address. */
  private static final Set<String> TEXTURE_CALLS =
      Set.of(
          "cudaCreateTextureObject",
          "cudaDestroyTextureObject",
          "cuTexObjectCreate",
          "cuTexObjectDestroy");

  /** Functions with a surface object: of the host, and in kernels. */
  private static final Pattern SURFACE_CALL =
      Pattern.compile(
          "cuda(?:Create|Destroy|Get)SurfaceObject\\w*"
              + "|cuSurfObject\\w+|surf[123]D\\w+|surfCubemap\\w+");

  private static final Set<String> GLOBALS = Set.of("cuModuleGetGlobal", "cuModuleGetGlobal_v2");

  private static final String RESULT = "CUresult";

  private static final Set<String> SPECIFIERS = Set.of("static", "extern", "constexpr", "const");

  /** What begins the declaration of a type after a macro. */
  private static final Set<String> TYPES = Set.of("class", "enum", "struct", "union");

  /** Words at the start of a declaration that are no macros. */
  private static final Set<String> NO_MACROS =
      Set.of(
          "auto",
          "case",
          "class",
          "const",
          "constexpr",
          "delete",
          "else",
          "enum",
          "extern",
          "friend",
          "goto",
          "inline",
          "long",
          "mutable",
          "namespace",
          "new",
          "register",
          "return",
          "short",
          "signed",
          "static",
          "struct",
          "template",
          "thread_local",
          "throw",
          "typedef",
          "typename",
          "union",
          "unsigned",
          "using",
          "virtual",
          "volatile");

  private static final Set<String> WITH_SPACES =
      Set.of("inline", "__inline__", "__forceinline__", "__noinline__", "static");

  private static final Pattern MACRO = Pattern.compile("[A-Z][A-Z0-9_]{2,}");

  private static final Set<String> INDEX_TYPES = Set.of("dim3", "uint3");

  private SharedNames() {}

  /** The entry of a surface object that is not also declared as a texture object in its file. */
  public static String surface(String name) {
    return "surface " + name;
  }

  /** The entry of a variable that holds a texture object in calls. */
  public static String textureObject(String name) {
    return "texture object " + name;
  }

  /**
   * The entry of a name that holds a surface object somewhere, or that is declared as one in a form
   * in which its type cannot be replaced, such as a parameter.
   */
  public static String surfaceObject(String name) {
    return "surface object " + name;
  }

  /** The entry of a variable that host code looks up in a module. */
  public static String global(String name) {
    return "global " + name;
  }

  /** The entry of a name that the project gives CUresult. */
  public static String result(String name) {
    return "result " + name;
  }

  /** The entry of a name that begins the declaration of a variable and may be a macro. */
  public static String variable(String name) {
    return "variable " + name;
  }

  /**
   * The entry of a macro with execution spaces and words that may stand beside them.
   *
   * @param words the words and other macros in its definition, separated by blanks
   */
  public static String space(String macro, String words) {
    return "space " + macro + " " + words;
  }

  /** The entry of a type of which the project has arithmetic operators. */
  public static String operator(String type) {
    return "operator " + type;
  }

  /** The entries of a file, sorted. */
  public static List<String> in(Tokens t) {
    SortedSet<String> names = new TreeSet<>();
    if (t.mentions(SURFACES)) {
      Set<String> surfaces = declared(t, SURFACES);
      surfaces.removeAll(textures(t));
      surfaces.forEach(n -> names.add(surface(n)));
    }
    if (t.mentions(SURFACES) || t.mentions(TEXTURE_CALLS)) {
      objects(t, names);
    }
    if (t.mentions(GLOBALS)) {
      for (int i = 0; i < t.count(); i++) {
        if (t.isIdentifier(i) && GLOBALS.contains(t.text(i)) && t.is(i + 1, '(')) {
          int last = t.match(i + 1) - 1;
          if (last > i && t.kind(last) == Tokens.STRING) {
            names.add(global(t.text(last).replace("\"", "")));
          }
        }
      }
    }
    if (t.mentions(RESULT)) {
      for (int i = 1; i < t.count(); i++) {
        if (t.isIdentifier(i) && t.is(i, RESULT)) {
          if (t.is(i - 1, '=') && t.is(i - 3, "using") && t.is(i + 1, ';')) {
            names.add(result(t.text(i - 2)));
          } else if (t.is(i - 1, "typedef") && t.is(i + 2, ';')) {
            names.add(result(t.text(i + 1)));
          }
        }
      }
    }
    if (t.mentions(DEVICE_ADDRESSES)) {
      names.add(DEVICE_ADDRESS);
    }
    if (includesSamples(t)) {
      names.add(SAMPLES);
    }
    for (int i = 0; i < t.count(); i++) {
      if (t.isIdentifier(i) && !t.inDirective(i) && isBeforeVariable(t, i)) {
        names.add(variable(t.text(i)));
      }
    }
    for (Directive d : t.directives()) {
      if (d.name().equals("define") && d.body() + 1 < d.last()) {
        space(t, d).ifPresent(words -> names.add(space(t.text(d.body()), words)));
      }
    }
    if (t.mentions("operator") && t.mentions(INDEX_TYPES)) {
      operators(t).forEach(type -> names.add(operator(type)));
    }
    names.addAll(InitializedClasses.in(t));
    names.addAll(MemberSpaces.in(t));
    names.addAll(MemberTemplates.in(t));
    return List.copyOf(names);
  }

  /** Returns whether a file includes a header of the CUDA samples. */
  public static boolean includesSamples(Tokens t) {
    return t.directives().stream()
        .filter(Directive::isInclude)
        .anyMatch(d -> SAMPLES_HEADER.matcher(t.included(d)).matches());
  }

  /** Adds which names hold texture objects in calls, and which must stay surface objects. */
  private static void objects(Tokens t, Set<String> names) {
    for (int i = 0; i < t.count(); i++) {
      if (!t.isIdentifier(i)) {
        continue;
      }
      boolean call = t.is(i + 1, '(') && t.match(i + 1) > 0;
      if (SURFACES.contains(t.text(i)) && variable(t, i) < 0 && !call) {
        declaredAt(t, i).forEach(n -> names.add(surfaceObject(n)));
      } else if (call && TEXTURE_CALLS.contains(t.text(i))) {
        int name = object(t, i + 2);
        if (name > 0) {
          names.add(textureObject(t.text(name)));
        }
      } else if (SURFACE_CALL.matcher(t.text(i)).matches()) {
        int open = t.is(i + 1, '<') ? t.after(i + 1) : i + 1;
        int end = t.is(open, '(') ? t.match(open) : -1;
        for (int k = open + 1; k < end; k++) {
          if (t.isIdentifier(k)) {
            names.add(surfaceObject(t.text(k)));
          }
        }
      }
    }
  }

  /** The names that a declaration may give the type at token {@code i}, up to its end. */
  private static Set<String> declaredAt(Tokens t, int i) {
    Set<String> names = new TreeSet<>();
    for (int k = i + 1; k < t.count() && !t.is(k, ';') && !t.is(k, ')') && !t.is(k, '{'); k++) {
      if (t.isIdentifier(k)) {
        names.add(t.text(k));
      }
    }
    return names;
  }

  /**
   * The last name of the argument that begins at a token, as in {@code &f.image}; -1 for others.
   */
  public static int object(Tokens t, int first) {
    int end = first;
    while (t.isIdentifier(end)
        || t.is(end, '&')
        || t.is(end, '.')
        || t.isPair(end, '-')
        || t.is(end, '>')
        || t.is(end, '[')) {
      end = t.after(end);
    }
    int name = t.is(end - 1, ']') ? t.match(end - 1) - 1 : end - 1;
    return (t.is(end, ',') || t.is(end, ')')) && t.isIdentifier(name) ? name : -1;
  }

  /**
   * The name of the one variable or member that is declared with the type at token {@code i}; -1 if
   * it declares something else, or more.
   */
  public static int variable(Tokens t, int i) {
    int end = t.isIdentifier(i + 1) ? i + 2 : -1;
    while (end > 0 && t.is(end, '[') && t.match(end) > 0) {
      end = t.match(end) + 1;
    }
    boolean ends = end > 0 && (t.is(end, ';') || t.is(end, '=') || t.is(end, '{'));
    int last = end;
    while (ends && last < t.count() && !t.is(last, ';')) {
      ends = !t.is(last, ',');
      last = t.after(last);
    }
    return ends ? i + 1 : -1;
  }

  /** Whether the type at token {@code i} is that of surface objects. */
  public static boolean isSurfaceType(Tokens t, int i) {
    return t.isIdentifier(i) && SURFACES.contains(t.text(i));
  }

  /** The words of a macro that has nothing but words, one of which may be an execution space. */
  private static Optional<String> space(Tokens t, Directive define) {
    List<String> words = new ArrayList<>();
    boolean known = false;
    for (int i = define.body() + 1; i < define.last(); i++) {
      String word = t.text(i);
      if (!t.isIdentifier(i)) {
        return Optional.empty();
      }
      if (!WITH_SPACES.contains(word)) {
        words.add(word);
        known |= word.startsWith("__") || MACRO.matcher(word).matches();
      }
    }
    return known ? Optional.of(String.join(" ", words)) : Optional.empty();
  }

  /** The types of indices that parameters of arithmetic operators have. */
  private static Set<String> operators(Tokens t) {
    Set<String> types = new TreeSet<>();
    for (int i = 0; i < t.count(); i++) {
      int open = i + 2;
      if (t.is(i, "operator") && t.is(open, '(') && "+-*/%".contains(t.text(i + 1))) {
        for (int k = open + 1; k < t.match(open); k++) {
          if (INDEX_TYPES.contains(t.text(k))) {
            types.add(t.text(k));
          }
        }
      }
    }
    return types;
  }

  /**
   * {@code TABLE const float t[4]}, also with specifiers before it: a word, then a type and a name
   * without a bracket of a function.
   */
  private static boolean isBeforeVariable(Tokens t, int word) {
    if (!t.isIdentifier(word + 1)
        || !isStart(t, word)
        || NO_MACROS.contains(t.text(word))
        || TYPES.contains(t.text(word + 1))) {
      return false;
    }
    int names = 0;
    int depth = 0;
    int i = word + 1;
    while (!t.inDirective(i) && (t.isIdentifier(i) || isOfType(t, i, depth))) {
      depth += t.is(i, '<') ? 1 : t.is(i, '>') ? -1 : 0;
      names += depth == 0 && t.isIdentifier(i) && !t.is(i - 1, ':') ? 1 : 0;
      i++;
    }
    return names > 1
        && (t.is(i, '=') || t.is(i, '[') || t.is(i, ';') || t.is(i, '{') || t.is(i, ','));
  }

  private static boolean isStart(Tokens t, int word) {
    int first = word;
    while (t.isIdentifier(first - 1) && !t.inDirective(first - 1)) {
      first--;
      if (!SPECIFIERS.contains(t.text(first))) {
        return false;
      }
    }
    int before = first - 1;
    return first == 0
        || t.inDirective(before)
        || t.is(before, ';')
        || t.is(before, '{')
        || t.is(before, '}');
  }

  private static boolean isOfType(Tokens t, int i, int depth) {
    return t.is(i, '<')
        || t.is(i, '>')
        || t.is(i, ':')
        || t.is(i, '*')
        || t.is(i, '&')
        || (depth > 0 && (t.is(i, ',') || t.kind(i) == Tokens.NUMBER));
  }

  /** Names of texture objects that the file declares. */
  public static Set<String> textures(Tokens t) {
    return declared(t, TEXTURES);
  }

  private static Set<String> declared(Tokens t, Set<String> types) {
    Set<String> names = new TreeSet<>();
    for (int i = 0; i < t.count(); i++) {
      int name = t.is(i + 1, '&') || t.is(i + 1, '*') ? i + 2 : i + 1;
      if (t.isIdentifier(i) && types.contains(t.text(i)) && t.isIdentifier(name)) {
        names.add(t.text(name));
      }
    }
    return names;
  }
}
