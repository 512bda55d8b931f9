package dev.rocport.buildsystem.shared;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.api.CubNamespacePass;
import dev.rocport.rules.Changes;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reports definitions in a build file that put CUB into a namespace, which hipCUB does not have.
 */
public final class CubNamespace {
  private static final Pattern DEFINITION =
      Pattern.compile("(?:(?<!\\w)|(?<=-D))((?:THRUST_)?CUB_WRAPPED_NAMESPACE)=([A-Za-z_]\\w*)");

  private final Changes changes;
  private final SourceFile file;
  private final Set<String> told = new HashSet<>();

  public CubNamespace(Changes changes) {
    this.changes = changes;
    this.file = changes.file();
  }

  /**
   * Looks at a part of the file; each definition is reported once.
   *
   * @param text the bytes of the file, one character each
   */
  public void report(String text, int from, int to) {
    Matcher m = DEFINITION.matcher(text).region(from, to);
    while (m.find()) {
      int line = file.lineStart(file.line(m.start()));
      if (text.substring(line, m.start()).indexOf('#') < 0 && told.add(m.group())) {
        changes.finding(
            CubNamespacePass.RULE,
            Disposition.REVIEW,
            m.start(),
            m.end(),
            CubNamespacePass.message(m.group(1), m.group(2)));
      }
    }
  }
}
