package dev.rocport.device.check;

import java.util.List;

/** Findings as text for a terminal. */
public final class FindingText {
  private FindingText() {}

  /** One finding, some lines, each with its end. */
  public static String of(Finding finding) {
    StringBuilder out = new StringBuilder("rocport: ");
    out.append(finding.certain() ? "" : "possible ")
        .append(finding.check().word())
        .append(": ")
        .append(finding.title())
        .append('\n');
    site(out, finding.site());
    finding.others().forEach(s -> site(out, s));
    line(out, "why", finding.why());
    line(out, "do", finding.advice());
    return out.toString();
  }

  /** A line for each finding with how often it was seen, and a line on top. */
  public static String page(List<Findings.Seen> all, long beyond, Checks checks) {
    StringBuilder out = new StringBuilder("rocport: --check ").append(checks.text()).append(": ");
    out.append(
        all.isEmpty() ? "no findings" : all.size() == 1 ? "1 finding" : all.size() + " findings");
    if (beyond > 0) {
      out.append(", and others ").append(beyond).append(" times");
    }
    out.append('\n');
    for (Findings.Seen s : all) {
      Finding f = s.finding();
      out.append("  ")
          .append(f.certain() ? f.check().word() : "possible " + f.check().word())
          .append("  ")
          .append(f.site().where())
          .append(": ")
          .append(f.title())
          .append(s.times() == 1 ? "" : " (" + s.times() + " times)")
          .append('\n');
    }
    return out.toString();
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
