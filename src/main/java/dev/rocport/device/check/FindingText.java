package dev.rocport.device.check;

import java.util.List;
import java.util.stream.Collectors;

/** Findings as text for a terminal. */
public final class FindingText {
  /** More kernels than this are counted. */
  private static final int MOST_KERNELS = 3;

  private FindingText() {}

  /** One finding, some lines, each with its end. */
  public static String of(Finding finding) {
    StringBuilder out = new StringBuilder("rocport: ");
    out.append(finding.kind()).append(": ").append(finding.title()).append('\n');
    site(out, finding.site());
    finding.others().forEach(s -> site(out, s));
    line(out, "why", finding.why());
    line(out, "do", finding.advice());
    return out.toString();
  }

  /** A line for each finding with how often it was seen, and a line on top. */
  public static String page(Findings findings, Checks checks, Coverage coverage) {
    List<Findings.Seen> all = findings.all();
    int count = findings.count();
    StringBuilder out = new StringBuilder("rocport: --check ").append(checks.text()).append(": ");
    if (count > 0) {
      out.append(counted(count, "finding"));
    } else {
      out.append(coverage.isNothing() ? "no kernel was checked" : "no findings");
    }
    if (findings.beyond() > 0) {
      out.append(", and others ").append(findings.beyond()).append(" times");
    }
    if (all.size() > count) {
      out.append(", ").append(counted(all.size() - count, "note"));
    }
    out.append('\n');
    if (coverage.refused() > 0) {
      out.append("  not checked: ")
          .append(counted(coverage.refused(), "code object"))
          .append(", refused by the device\n");
    }
    if (checks.has(Check.RACE)) {
      out.append("  compared: ").append(counted(coverage.pairs(), "pair")).append(" of accesses\n");
    }
    if (checks.has(Check.ORDER)) {
      out.append("  late: ")
          .append(counted(coverage.late(), "access or command", "accesses and commands"))
          .append('\n');
    }
    for (Findings.Seen s : all) {
      Finding f = s.finding();
      out.append("  ")
          .append(f.kind())
          .append("  ")
          .append(f.site().where())
          .append(": ")
          .append(f.title())
          .append(repeated(s))
          .append('\n');
    }
    return out.toString();
  }

  private static String counted(long n, String what) {
    return counted(n, what, what + "s");
  }

  private static String counted(long n, String one, String many) {
    return n + " " + (n == 1 ? one : many);
  }

  private static String repeated(Findings.Seen seen) {
    if (seen.times() == 1) {
      return "";
    }
    List<String> kernels = seen.kernels();
    int more = kernels.size() - MOST_KERNELS;
    String named =
        kernels.size() < 2
            ? ""
            : ", in "
                + kernels.stream().limit(MOST_KERNELS).collect(Collectors.joining(", "))
                + (more > 0 ? " and " + counted(more, "other kernel") : "");
    return " (" + seen.times() + " times" + named + ")";
  }

  private static void line(StringBuilder out, String head, String text) {
    if (!text.isEmpty()) {
      out.append("  ").append(head).append(": ").append(text).append('\n');
    }
  }

  private static void site(StringBuilder out, Site site) {
    out.append("  ").append(site.role()).append(" at ").append(site.where());
    if (!site.kernel().isEmpty()) {
      out.append(" in ").append(site.kernel());
    }
    out.append('\n');
    if (!site.calls().isEmpty()) {
      out.append("    ").append(site.calls()).append('\n');
    }
    if (!site.threads().isEmpty()) {
      out.append("    ").append(site.threads()).append('\n');
    }
  }
}
