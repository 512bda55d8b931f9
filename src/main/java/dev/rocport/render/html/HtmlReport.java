package dev.rocport.render.html;

import dev.rocport.core.result.BuildInfo;
import dev.rocport.core.result.Gate;
import dev.rocport.core.result.Result;
import dev.rocport.core.result.VerifyInfo;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A result as one page that needs no network: overview, remaining work, effort by folder,
 * verification, and all findings with filters. A content security policy allows only the page's own
 * style and script, by their hashes, so that text of a hostile source cannot run even if an escape
 * is missing.
 */
public final class HtmlReport {
  static final String STYLE = resource("report.css");
  private static final String SCRIPT = resource("report.js");

  private final Result result;
  private final HtmlWriter html;
  private final HtmlEffort effort;
  private final List<Section> sections = new ArrayList<>();

  /** A part of the page, in its table of contents. */
  private record Section(String id, String title, Runnable body) {}

  private HtmlReport(Result result, Gate.Verdict verdict, Writer out) {
    this.result = result;
    this.html = new HtmlWriter(out);
    this.effort = new HtmlEffort(result);
    HtmlOverview overview = new HtmlOverview(result, verdict, html);
    HtmlPtx ptx = new HtmlPtx(result, html);
    HtmlWarps warps = new HtmlWarps(result, html);
    HtmlFindings findings = new HtmlFindings(result, html);
    VerifyInfo verify = result.verify();
    BuildInfo build = result.build();
    section(true, "summary", "Summary", overview::summary);
    section(!result.phases().isEmpty(), "phases", "Phases of the port", overview::phases);
    section(!overview.troubled().isEmpty(), "trouble", "Files left out", overview::trouble);
    section(result.totals().edits() > 0, "ported", "What was ported", overview::ported);
    section(!result.totals().left().isEmpty(), "left", "What is left", overview::left);
    section(!ptx.isEmpty(), "ptx", "Leftover PTX", ptx::write);
    section(!warps.isEmpty(), "warps", "Warps of 32 lanes", warps::write);
    section(!effort.isEmpty(), "effort", "Effort by folder", () -> effort.write(html));
    section(!result.nvshmem().isEmpty(), "nvshmem", "NVSHMEM", overview::nvshmem);
    if (build != null) {
      section(true, "build", "Build", () -> new HtmlBuild(build, html).write());
    }
    if (verify != null) {
      section(true, "verify", "Verification", () -> new HtmlVerify(verify, html).write());
    }
    section(true, "findings", "Findings", () -> findings.write(out));
    section(!result.method().weights().isEmpty(), "method", "Method", overview::method);
  }

  private void section(boolean there, String id, String title, Runnable body) {
    if (there) {
      sections.add(new Section(id, title, body));
    }
  }

  /** Writes the report and leaves the writer open. */
  public static void write(Result result, Gate.Verdict verdict, Writer out) {
    new HtmlReport(result, verdict, out).page();
  }

  private void page() {
    html.own("<!DOCTYPE html>\n<html lang=\"en\">\n");
    head();
    html.open("body").newLine();
    html.element("a", "Skip to the findings", "class", "skip", "href", "#findings").newLine();
    header();
    html.open("main").newLine();
    for (Section s : sections) {
      html.open("section", "id", s.id(), "aria-labelledby", s.id() + "-title").newLine();
      html.element("h2", s.title(), "id", s.id() + "-title").newLine();
      s.body().run();
      html.close().newLine();
    }
    html.close().newLine();
    html.open("footer");
    html.text("Written by rocport " + result.run().version());
    html.text(". Identical inputs produce identical pages: the page contains no times.")
        .close()
        .newLine();
    html.own("<script>" + SCRIPT + "</script>\n");
    html.close().own("\n</html>\n");
  }

  private void head() {
    html.open("head").newLine();
    html.single("meta", "charset", "utf-8").newLine();
    String policy =
        "default-src 'none'; script-src '%s'; style-src '%s' '%s'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
            .formatted(hash(SCRIPT), hash(STYLE), hash(effort.style()));
    html.single("meta", "http-equiv", "Content-Security-Policy", "content", policy).newLine();
    html.single("meta", "name", "referrer", "content", "no-referrer").newLine();
    html.single("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    html.newLine().element("title", "rocport " + result.run().command() + ": " + roots());
    html.own("\n<style>" + STYLE + "</style>\n<style>" + effort.style() + "</style>\n");
    html.close().newLine();
  }

  private void header() {
    html.open("header").newLine();
    html.open("div", "class", "bar");
    html.open("h1").text("rocport " + result.run().command()).close();
    html.element("button", "Theme: system", "id", "theme", "type", "button", "hidden", "");
    html.close().newLine();
    html.open("p", "class", "roots").element("bdi", roots()).close().newLine();
    if (!result.run().options().isEmpty()) {
      String options =
          result.run().options().entrySet().stream()
              .map(o -> o.getKey() + " " + o.getValue())
              .collect(Collectors.joining(" · "));
      html.element("p", options, "class", "options").newLine();
    }
    html.open("nav", "aria-label", "Sections").open("ul");
    for (Section s : sections) {
      html.open("li").element("a", s.title(), "href", "#" + s.id()).close();
    }
    html.close().close().newLine();
    html.close().newLine();
  }

  private String roots() {
    return String.join(", ", result.run().roots());
  }

  static String hash(String text) {
    try {
      byte[] sum =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return "sha256-" + Base64.getEncoder().encodeToString(sum);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }

  private static String resource(String name) {
    try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
