package dev.rocport.build;

import dev.rocport.build.link.LinkResult;
import dev.rocport.build.run.UnitResult;
import dev.rocport.core.result.Finding;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a build came to.
 *
 * @param source what the plan was read from: {@code plain}, {@code make}, {@code autotools}, {@code
 *     cmake}, {@code compile_commands.json}
 * @param compiler first line of the compiler's version
 * @param hip version of the HIP headers
 * @param targets GPU targets
 * @param units in order of their path
 * @param links in the order they were linked
 * @param findings those of no unit: about linking and about build files
 * @param notes what the build was not sure of
 * @param seconds wall time of all
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

  /** All findings: those of the units in order, then the others. */
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
