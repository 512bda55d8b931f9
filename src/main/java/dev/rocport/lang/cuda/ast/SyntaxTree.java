package dev.rocport.lang.cuda.ast;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.eclipse.cdt.core.dom.ast.IASTDeclarator;
import org.eclipse.cdt.core.dom.ast.IASTFunctionDefinition;
import org.eclipse.cdt.core.dom.ast.IASTName;
import org.eclipse.cdt.core.dom.ast.IASTNode;
import org.eclipse.cdt.core.dom.ast.IASTTranslationUnit;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTCompositeTypeSpecifier;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTNameSpecifier;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTNamespaceDefinition;
import org.eclipse.cdt.core.dom.ast.cpp.ICPPASTQualifiedName;
import org.eclipse.cdt.core.model.ILanguage;
import org.eclipse.cdt.core.parser.DefaultLogService;
import org.eclipse.cdt.core.parser.FileContent;
import org.eclipse.cdt.core.parser.IncludeFileContentProvider;
import org.eclipse.cdt.core.parser.ScannerInfo;
import org.eclipse.core.runtime.CoreException;
import org.jspecify.annotations.Nullable;

/**
 * The syntax tree of one file, at the file's own byte offsets. Includes are not followed. The
 * parser sees launches as calls ({@code k<<<g, b>>>(a)} as {@code k( g, b )(a)}), and CUDA
 * qualifiers as empty macros.
 */
public final class SyntaxTree {
  private static final ScannerInfo MACROS = new ScannerInfo(macros());

  private final IASTTranslationUnit unit;

  private SyntaxTree(IASTTranslationUnit unit) {
    this.unit = unit;
  }

  /**
   * Parses a file.
   *
   * @param path shown in the parser's own messages only
   * @param masked the file's bytes, with launches masked; one byte is one character to the parser
   * @return null if the parser gives up (for example, if nesting is too deep for its recursion)
   */
  public static @Nullable SyntaxTree parse(String path, byte[] masked) {
    FileContent content =
        FileContent.create(path, new String(masked, StandardCharsets.ISO_8859_1).toCharArray());
    try {
      IASTTranslationUnit unit =
          Language.of(masked)
              .getASTTranslationUnit(
                  content,
                  MACROS,
                  IncludeFileContentProvider.getEmptyFilesProvider(),
                  null,
                  ILanguage.OPTION_NO_IMAGE_LOCATIONS,
                  new DefaultLogService());
      return new SyntaxTree(unit);
    } catch (CoreException | StackOverflowError e) {
      // Generated code can nest deeper than a recursive parser goes; the caller has tokens.
      return null;
    }
  }

  /** The tree itself; its offsets are the file's. */
  public IASTTranslationUnit unit() {
    return unit;
  }

  /**
   * Names of the namespaces and classes that the byte at {@code offset} is in, those that a member
   * function's qualified name gives included.
   */
  public Set<String> scopesAt(int offset) {
    Set<String> scopes = new LinkedHashSet<>();
    IASTNode node = unit.getNodeSelector(null).findEnclosingNode(offset, 1);
    while (node != null) {
      switch (node) {
        case ICPPASTNamespaceDefinition n -> scopes.add(n.getName().toString());
        case ICPPASTCompositeTypeSpecifier c -> scopes.add(c.getName().getLastName().toString());
        case IASTFunctionDefinition f -> addQualifiers(f.getDeclarator(), scopes);
        default -> {}
      }
      node = node.getParent();
    }
    return scopes;
  }

  private static void addQualifiers(IASTDeclarator declarator, Set<String> scopes) {
    IASTName name = declarator.getName();
    if (name instanceof ICPPASTQualifiedName q) {
      for (ICPPASTNameSpecifier s : q.getQualifier()) {
        String text = s.toString();
        int template = text.indexOf('<');
        scopes.add(template < 0 ? text : text.substring(0, template).strip());
      }
    }
  }

  private static Map<String, String> macros() {
    Map<String, String> m = new HashMap<>();
    for (String q :
        new String[] {
          "__global__",
          "__device__",
          "__host__",
          "__shared__",
          "__constant__",
          "__managed__",
          "__forceinline__",
          "__restrict__",
          "__noinline__",
          "__grid_constant__",
          "__restrict"
        }) {
      m.put(q, "");
    }
    m.put("__launch_bounds__(...)", "");
    m.put("__align__(x)", "");
    m.put("__cluster_dims__(...)", "");
    m.put("__cplusplus", "201703L");
    m.put("__CUDACC__", "1");
    m.put("__HIPCC__", "1");
    return Map.copyOf(m);
  }
}
