package dev.rocport.build.check;

import dev.rocport.core.result.Finding;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Headers with the names of the CUDA headers, to compile an original: they declare nothing of CUDA,
 * and include the standard headers that those of CUDA include. A compiler that reads them reports
 * the errors of a project that do not depend on CUDA, among others.
 */
public final class CudaHeaders {
  private static final String TEXT =
      """
      #pragma once
      #include <limits.h>
      #include <math.h>
      #include <stddef.h>
      #include <stdint.h>
      #include <stdio.h>
      #include <stdlib.h>
      #include <string.h>
      #ifdef __cplusplus
      #include <cmath>
      #include <cstdlib>
      #include <cstring>
      #include <functional>
      #include <new>
      #include <utility>
      #endif
      """;

  /** Types, and functions that make them. */
  private static final Pattern VECTOR =
      Pattern.compile("(?:make_)?(?:u?(?:char|short|int|long|longlong)|float|double)[1-4]|dim3");

  /**
   * Errors of code for GPUs that every compiler reports. Syntax errors are not among them: nvcc
   * accepts some syntax that clang rejects, such as other orders of attributes.
   */
  private static final Pattern LANGUAGE =
      Pattern.compile(
          "use of undeclared identifier .*|unknown type name .*"
              + "|called object type '.*' is not a function or function pointer.*"
              + "|cannot assign to variable '.*' with const-qualified type .*"
              + "|kernel call to non-global function .*"
              + "|redefinition of '.*'.*"
              + "|expected '[<(]' after '\\w+_cast'.*"
              + "|too (?:few|many) arguments to function call.*"
              + "|reinterpret_cast from '.*' to '.*' casts away qualifiers.*"
              + "|no viable conversion from 'std::.*"
              + "|cannot initialize a (?:member|parameter|variable|return object) of type .*"
              + "|no member named '.*' in (?!namespace ).*"
              + "|no member named '.*' in namespace 'boost(?:::\\w+)*'.*");

  private final Set<String> headers = new TreeSet<>();
  private final Set<String> names = new TreeSet<>();

  public CudaHeaders(RuleCatalog catalog) {
    for (ApiName name : catalog.names()) {
      (name.kind() == ApiName.Kind.HEADER ? headers : names).add(name.cuda());
    }
  }

  /** Writes the headers into a folder. */
  public void write(Path folder) throws IOException {
    for (String header : headers) {
      Path file = folder.resolve(header);
      Files.createDirectories(file.resolveSibling(""));
      Files.writeString(file, TEXT);
    }
  }

  /** Returns whether an error is that a name is missing which a CUDA header may declare. */
  public boolean mayDeclare(Finding error) {
    return Explanations.missing(error)
        .filter(
            n ->
                n.startsWith("__")
                    || NearNames.isCuda(n)
                    || names.contains(n)
                    || VECTOR.matcher(n).matches())
        .isPresent();
  }

  /** Returns whether an error of code for GPUs is one that nvcc reports as well. */
  public static boolean isOfLanguage(Finding error) {
    return LANGUAGE.matcher(error.message()).matches();
  }
}
