package dev.rocport.build;

import dev.rocport.build.link.LinkResult;
import dev.rocport.build.run.UnitResult;
import dev.rocport.core.result.Finding;
import java.util.List;
import java.util.stream.Stream;

/**
 * Result of a build.
 *
 * @param source source of the plan: {@code plain}, {@code make}, {@code autotools}, {@code cmake},
 *     {@code compile_commands.json}
 * @param compiler first line of the compiler's version
 * @param hip version of the HIP headers
 * @param targets GPU targets
 * @param units in order of their path
 * @param links link results, in the order of linking
 * @param findings findings that belong to no unit: about linking and build files
 * @param notes assumptions of the build
 * @param seconds total wall time
 */
public record BuildResult(
    String source,
    String compiler,
    String hip,
    List<String> targets,
    List<UnitResult> units,
    List<LinkResult> links,
    List<Finding> findings,
    List<String> notes,
    double seconds) {

  public BuildResult {
    targets = List.copyOf(targets);
    units = List.copyOf(units);
    links = List.copyOf(links);
    findings = List.copyOf(findings);
    notes = List.copyOf(notes);
  }

  /** Returns all findings: those of the units in order, then the others. */
  public List<Finding> allFindings() {
    return Stream.concat(units.stream().flatMap(u -> u.findings().stream()), findings.stream())
        .toList();
  }

  public long count(UnitResult.Status status) {
    return units.stream().filter(u -> u.status() == status).count();
  }

  public long count(LinkResult.Status status) {
    return links.stream().filter(l -> l.status() == status).count();
  }
}
