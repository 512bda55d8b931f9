package dev.rocport.build.unit;

import java.util.Locale;
import java.util.Optional;

/** Language of a translation unit. */
public enum Language {
  /** C++ with kernels: host and device side. */
  HIP("hip"),
  CXX("c++"),
  C("c");

  private final String driverName;

  Language(String driverName) {
    this.driverName = driverName;
  }

  /** Returns the name for clang's flag {@code -x}. */
  public String driverName() {
    return driverName;
  }

  /** Returns the language by file extension; empty if such files are not compiled. */
  public static Optional<Language> ofFile(String path) {
    int dot = path.lastIndexOf('.');
    String ending = dot < 0 ? "" : path.substring(dot + 1);
    return switch (ending) {
      case "cu", "hip" -> Optional.of(HIP);
      case "C" -> Optional.of(CXX);
      default ->
          switch (ending.toLowerCase(Locale.ROOT)) {
            case "cpp", "cc", "cxx", "c++" -> Optional.of(CXX);
            case "c" -> Optional.of(C);
            default -> Optional.empty();
          };
    };
  }
}
