package dev.rocport.packaging;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One requirement of a Python package, in the form of PEP 508.
 *
 * @param name as written
 * @param extras with brackets, or empty
 * @param spec version specifiers, or empty
 * @param url of a direct reference, or empty
 * @param marker the text after the semicolon, or empty
 */
record Requirement(String name, String extras, String spec, String url, String marker) {
  private static final Pattern FORM =
      Pattern.compile(
          "([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\\s*(\\[[^\\]]*\\])?\\s*"
              + "(?:@\\s*([^\\s;]+(?:\\s*;(?=\\s))?)|(\\(?\\s*(?:===|[<>=!~]=|[<>])[^;@]*))?"
              + "\\s*(?:;\\s*(.*))?");
  private static final Pattern WHEEL =
      Pattern.compile(
          "[^\\s]*/([A-Za-z0-9_.]+)-([0-9][^-/]*)(?:-[0-9][^-/]*)?-[^-/]+-[^-/]+-[^-/]+\\.whl(?:[#?]\\S*)?");
  private static final Pattern OTHER_SYSTEM =
      Pattern.compile(
          "(?:sys_platform|platform_system|os_name|platform_machine)\\s*==\\s*[\"'](?:darwin|win32|"
              + "cygwin|Windows|Darwin|nt|aarch64|arm64|AMD64)[\"']");
  private static final Pattern NOT_LINUX =
      Pattern.compile(
          "(?:sys_platform|platform_system)\\s*!=\\s*[\"'](?:linux|Linux)[\"']"
              + "|platform_machine\\s*!=\\s*[\"']x86_64[\"']");

  /** Parses a requirement without comments and options; empty if it is not a requirement. */
  static Optional<Requirement> parse(String text) {
    String s = text.strip();
    if (s.contains("://") && !s.matches("(?s)[A-Za-z0-9._-]+\\s*(\\[[^\\]]*\\])?\\s*@.*")) {
      return wheel(s, "", "");
    }
    Matcher m = FORM.matcher(s);
    if (!m.matches()) {
      return Optional.empty();
    }
    String url = text(m.group(3)).strip();
    if (url.endsWith(";")) {
      url = url.substring(0, url.length() - 1).strip();
    }
    String spec = text(m.group(4)).strip();
    if (spec.startsWith("(") && spec.endsWith(")")) {
      spec = spec.substring(1, spec.length() - 1).strip();
    }
    Requirement r =
        new Requirement(m.group(1), text(m.group(2)), spec, url, text(m.group(5)).strip());
    return r.url.isEmpty() ? Optional.of(r) : wheel(url, r.name, r.marker).or(() -> Optional.of(r));
  }

  /** Returns the requirement that the file name of a wheel denotes. */
  private static Optional<Requirement> wheel(String url, String name, String marker) {
    Matcher m = WHEEL.matcher(url.replace("%2B", "+").replace("%2b", "+"));
    return m.matches()
        ? Optional.of(
            new Requirement(name.isEmpty() ? m.group(1) : name, "", "==" + m.group(2), url, marker))
        : Optional.empty();
  }

  private static String text(String s) {
    return s == null ? "" : s;
  }

  /** Returns the name as PEP 503 normalizes it. */
  String normal() {
    return normal(name);
  }

  static String normal(String name) {
    return name.replaceAll("[-_.]+", "-").toLowerCase(Locale.ROOT);
  }

  /** Returns the version of {@code ==VERSION}, its local part included; empty for all else. */
  String pin() {
    Matcher m = Pattern.compile("===?\\s*([^,*\\s]+)").matcher(spec);
    return m.matches() ? m.group(1) : "";
  }

  /** Returns the local version of a CUDA build, after the plus; empty for other builds. */
  String cuda() {
    Matcher m = Pattern.compile("\\+(cu\\d\\w*(?:\\.\\w+)*)").matcher(spec);
    return m.find() ? m.group(1) : "";
  }

  /**
   * Returns true if the marker is never met on Linux with an x86-64 processor, where ROCm wheels
   * are.
   */
  boolean isForOtherSystems() {
    return !marker.contains(" or ")
        && (OTHER_SYSTEM.matcher(marker).find() || NOT_LINUX.matcher(marker).find());
  }

  /**
   * Returns the requirement with another name and versions; a direct reference becomes a plain
   * requirement.
   */
  String with(String newName, String newSpec) {
    String keptExtras = newName.equals(name) ? extras : "";
    return newName + keptExtras + newSpec + (marker.isEmpty() ? "" : " ; " + marker);
  }
}
