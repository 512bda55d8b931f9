package dev.rocport.build.compile;

import dev.rocport.rules.ApiName;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.toolchain.HipVersion;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Detects errors whose only reason is that the HIP headers are older than a name. */
public final class NewerNames {
  private static final Pattern MISSING =
      Pattern.compile(
          "(?:use of undeclared identifier|unknown type name|no (?:member|type) named) '([^']+)'.*"
              + "|'([^']+)' file not found");

  private final Map<String, String> needs = new HashMap<>();
  private final HipVersion have;

  public NewerNames(RuleCatalog catalog, HipVersion have) {
    this.have = have;
    for (ApiName name : catalog.names()) {
      if (!name.needs().isEmpty()) {
        needs.put(name.hip(), name.needs());
        needs.put(name.roc(), name.needs());
      }
    }
    needs.remove("");
  }

  /**
   * Returns the HIP version that provides the missing name of an error; empty if it is available or
   * unknown.
   */
  public Optional<String> needed(Diagnostic error) {
    Matcher m = MISSING.matcher(error.message());
    if (!m.matches()) {
      return Optional.empty();
    }
    String version = needs.get(m.group(1) != null ? m.group(1) : m.group(2));
    return version == null || have.atLeast(HipVersion.parse(version))
        ? Optional.empty()
        : Optional.of(version);
  }

  public String have() {
    return have.toString();
  }
}
