package dev.rocport.inventory;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Versions as people write them. */
final class VersionNumber {
  private static final Pattern BEHIND_NAME = Pattern.compile("-(\\d+)-(\\d+)$");
  private static final Pattern LOCAL = Pattern.compile("\\+cu(\\d+?)(\\d)(?:[^\\d]|$)");
  private static final Pattern SUFFIX = Pattern.compile("[-_]cu(?:da)?(\\d\\d)(\\d?)x?(?:$|[-_])");

  private VersionNumber() {}

  /** Decodes a number of a macro's form: 12040 of 1000.10 is 12.4. */
  static String of(String form, long n) {
    return switch (form) {
      case "major" -> Long.toString(n);
      case "1000.10" -> n / 1000 + "." + n % 1000 / 10;
      case "1000.100.1" -> n / 1000 + "." + n % 1000 / 100 + "." + n % 100;
      case "10000.100.1" -> n / 10_000 + "." + n % 10_000 / 100 + "." + n % 100;
      case "100000.100.1" -> n / 100_000 + "." + n % 100_000 / 100 + "." + n % 100;
      // Both counted by thousands and hundreds first, later by ten thousands.
      case "cudnn" -> of(n < 90_000 ? "1000.100.1" : "10000.100.1", n);
      case "nccl" -> of(n < 10_000 ? "1000.100.1" : "10000.100.1", n);
      default -> throw new IllegalArgumentException("no form " + form);
    };
  }

  /** The version in the name of a distribution's package: {@code cuda-toolkit-12-4}. */
  static String ofName(String name) {
    Matcher m = BEHIND_NAME.matcher(name);
    return m.find() ? m.group(1) + "." + m.group(2) : "";
  }

  /**
   * The version in the name of a library: 12, 12.4.127; of Windows' 120_0 and 110 for 12.0, 11.0.
   */
  static String ofFile(String text) {
    return text.replaceFirst("^(1\\d)(\\d)(_\\d+)?$", "$1.$2").replace('_', '.');
  }

  /** The version of a requirement: without the operator where it is equality. */
  static String ofSpec(String spec) {
    String plain = spec.replaceAll("\\s", "");
    return plain.matches("===?[^,]*") ? plain.replaceFirst("^=+", "") : plain;
  }

  /** The version of the toolkit that a requirement names by the way: {@code +cu121}, -cu12. */
  static String toolkit(String name, String spec) {
    Matcher local = LOCAL.matcher(spec);
    if (local.find()) {
      return local.group(1) + "." + local.group(2);
    }
    Matcher suffix = SUFFIX.matcher(name.toLowerCase(Locale.ROOT));
    return suffix.find()
        ? suffix.group(1) + (suffix.group(2).isEmpty() ? "" : "." + suffix.group(2))
        : "";
  }
}
