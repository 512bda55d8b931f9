package dev.rocport.lang.cuda.ast;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.eclipse.cdt.core.dom.ast.IBinding;
import org.eclipse.cdt.core.dom.ast.IScope;
import org.eclipse.cdt.core.dom.ast.gnu.cpp.GPPLanguage;
import org.eclipse.cdt.core.dom.parser.IBuiltinBindingsProvider;
import org.eclipse.cdt.core.dom.parser.cpp.GPPParserExtensionConfiguration;
import org.eclipse.cdt.core.dom.parser.cpp.ICPPParserExtensionConfiguration;

/**
 * GNU C++ without its 400 implicitly declared functions, for files that use none of them: adding
 * them to the scope of a file takes longer than parsing a small file.
 */
final class Language extends GPPLanguage {
  private static final GPPLanguage PLAIN = new Language();

  /** What the names of all such functions, variables and types begin with. */
  private static final List<byte[]> PREFIXES =
      List.of(
          bytes("__builtin"),
          bytes("__sync_"),
          bytes("__atomic_"),
          bytes("__int128"),
          bytes("__uint128"),
          bytes("__func__"),
          bytes("__FUNCTION__"),
          bytes("__PRETTY_FUNCTION__"));

  private Language() {}

  /** The language of a file. */
  static GPPLanguage of(byte[] text) {
    for (int i = 0; i + 1 < text.length; i++) {
      if (text[i] == '_' && text[i + 1] == '_' && isBuiltIn(text, i)) {
        return getDefault();
      }
    }
    return PLAIN;
  }

  private static boolean isBuiltIn(byte[] text, int at) {
    for (byte[] p : PREFIXES) {
      int k = 0;
      while (k < p.length && at + k < text.length && text[at + k] == p[k]) {
        k++;
      }
      if (k == p.length) {
        return true;
      }
    }
    return false;
  }

  private static byte[] bytes(String name) {
    return name.getBytes(StandardCharsets.ISO_8859_1);
  }

  @Override
  protected ICPPParserExtensionConfiguration getParserExtensionConfiguration() {
    return Plain.CONFIGURATION;
  }

  private static final class Plain extends GPPParserExtensionConfiguration
      implements IBuiltinBindingsProvider {
    private static final Plain CONFIGURATION = new Plain();

    @Override
    public IBuiltinBindingsProvider getBuiltinBindingsProvider() {
      return this;
    }

    @Override
    public IBinding[] getBuiltinBindings(IScope scope) {
      return IBinding.EMPTY_BINDING_ARRAY;
    }

    @Override
    public boolean isKnownBuiltin(char[] name) {
      return false;
    }
  }
}
