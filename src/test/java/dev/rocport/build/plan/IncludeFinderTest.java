package dev.rocport.build.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.lex.Lexer;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class IncludeFinderTest {
  private final SortedMap<String, ScannedFile> files = new TreeMap<>();

  private void file(String path, String text) {
    files.put(path, TreeScan.scan(path, Lexer.lex(SourceFile.of(path, text))));
  }

  private IncludeFinder.Found follow(String path) {
    return new IncludeFinder(files, Set.of("math.h", "vector")::contains).follow(path);
  }

  @Test
  void findsFoldersByTheEndOfThePath() {
    file("src/a.cu", "#include <lib/x.h>\n#include \"y.h\"\n#include \"beside.h\"\n");
    file("src/beside.h", "");
    file("include/lib/x.h", "#include <lib/z.h>\n");
    file("include/lib/z.h", "");
    file("util/y.h", "");

    IncludeFinder.Found found = follow("src/a.cu");

    assertThat(found.all()).containsExactly("include");
    assertThat(found.quoted()).containsExactly("util");
    assertThat(found.reached())
        .containsExactly("include/lib/x.h", "include/lib/z.h", "src/beside.h", "util/y.h");
  }

  @Test
  void findsHeadersThatMacrosName() {
    file(
        "src/a.cu",
        """
        #include "config.h"
        #define TYPES <lib/BACKEND/BACKEND_types.h>
        #define PARTS <lib/BACKEND/parts.h>
        #include TYPES
        #include PARTS
        #include USER_HEADER
        """);
    file(
        "src/config.h",
        """
        #ifdef CPU
        #define BACKEND cpu
        #else
        #define BACKEND gpu
        #endif
        #define USER_HEADER DEFAULT_USER
        #define DEFAULT_USER "user.h"
        #define USER_HEADER_OF(x) "other.h"
        """);
    file("include/lib/gpu/parts.h", "");
    file("include/lib/cpu/parts.h", "");
    file("own/user.h", "");
    file("own/other.h", "");

    IncludeFinder.Found found = follow("src/a.cu");

    assertThat(found.all()).containsExactly("include");
    assertThat(found.quoted()).containsExactly("own");
    assertThat(found.reached())
        .containsExactly(
            "include/lib/cpu/parts.h", "include/lib/gpu/parts.h", "own/user.h", "src/config.h");
  }

  @Test
  void leavesTheSystemsHeadersToTheCompiler() {
    file("a.cu", "#include <math.h>\n#include <vector>\n");
    file("util/math.h", "");
    file("util/vector", "");

    assertThat(follow("a.cu").all()).isEmpty();
  }

  @Test
  void takesTheNearestAndSaysSo() {
    file("a/main.cu", "#include \"x.h\"\n");
    file("a/inc/x.h", "");
    file("b/x.h", "");

    IncludeFinder.Found found = follow("a/main.cu");

    assertThat(found.quoted()).containsExactly("a/inc");
    assertThat(found.notes()).singleElement().asString().contains("a/inc/x.h or b/x.h");
  }

  @Test
  void endsWhereIncludesGoInCircles() {
    file("a.h", "#include \"b.h\"\n");
    file("b.h", "#include \"a.h\"\n");
    file("m.cu", "#include \"a.h\"\n");

    assertThat(follow("m.cu").reached()).containsExactly("a.h", "b.h");
  }

  @Test
  void seesDeviceCode() {
    file("launch.cpp", "void f() { k<<<1, 2>>>(); }");
    file("shift.cpp", "#include <iostream>\nint f(int a) { std::cout << a; return a << 1; }");
    file("comment.cpp", "// __global__ void k();\n");

    assertThat(files.get("launch.cpp").device()).isTrue();
    assertThat(files.get("shift.cpp").device()).isFalse();
    assertThat(files.get("comment.cpp").device()).isFalse();
  }
}
