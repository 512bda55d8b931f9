package dev.rocport.port;

import dev.rocport.core.edit.OverlapException;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.FileResult.Status;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import dev.rocport.core.source.Encoding;
import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.TreeEntry;
import dev.rocport.io.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Source files that are copied unchanged because they cannot be ported, and why. */
final class Unported {
  /** Matches a directive, or the end of a statement or a block at the end of a line. */
  private static final Pattern CODE =
      Pattern.compile("^\\s*#\\s*(include|define|if|pragma)|[;{}]\\s*$", Pattern.MULTILINE);

  private Unported() {}

  /**
   * Returns the result of UTF-16 text or of bytes that are not text; an error if the name says
   * CUDA, or the text contains code.
   */
  static PortedFile notText(int index, TreeEntry entry, SourceFile file) {
    boolean wide = file.encoding() == Encoding.WIDE;
    boolean code = entry.language().equals("cuda") || (wide && looksLikeCode(file.bytes()));
    Finding finding =
        finding(
            wide ? "FILE-UTF16" : "FILE-BINARY",
            code ? Severity.ERROR : Severity.WARNING,
            entry.path(),
            0,
            wide
                ? "the file is UTF-16 or UTF-32: not ported"
                : "the file contains NUL bytes, so it is not source text: not ported",
            wide
                ? "Convert the file to UTF-8 (iconv -f UTF-16 -t UTF-8) and port again."
                : "Remove the NUL bytes, or exclude the file with --exclude.");
    return unported(index, entry, file, finding, "");
  }

  static PortedFile overlap(int index, TreeEntry entry, SourceFile file, OverlapException e) {
    Finding finding =
        finding(
            "FILE-OVERLAP",
            Severity.ERROR,
            entry.path(),
            file.line(Math.min(e.second().start(), file.length())),
            "two rules change the same bytes, so the file was not ported: " + e.getMessage(),
            "Skip one of the two rules with --skip, and report this as a bug.");
    return unported(index, entry, file, finding, finding.message());
  }

  static PortedFile tooDeep(int index, TreeEntry entry, SourceFile file) {
    Finding finding =
        finding(
            "FILE-TOO-DEEP",
            Severity.ERROR,
            entry.path(),
            0,
            "the source is nested too deeply to be parsed: not ported",
            "Split the deeply nested expression or initializer.");
    return unported(index, entry, file, finding, finding.message());
  }

  /**
   * Returns the result of a file whose original would not be restored byte for byte in
   * single-source style.
   */
  static PortedFile notIsolated(int index, TreeEntry entry, SourceFile file, String why) {
    Finding finding =
        finding(
            "FILE-NOT-ISOLATED",
            Severity.ERROR,
            entry.path(),
            0,
            "gates cannot be added to the file, so it was not ported: " + why,
            "Correct the conditionals that are not nested correctly or not terminated, and port the"
                + " file again.");
    return unported(index, entry, file, finding, finding.message());
  }

  static PortedFile internal(int index, TreeEntry entry, SourceFile file, RuntimeException e) {
    StackTraceElement[] at = e.getStackTrace();
    String where = at.length == 0 ? "" : " at " + at[0];
    Finding finding =
        finding(
            "FILE-INTERNAL",
            Severity.ERROR,
            entry.path(),
            0,
            "a rule failed, so the file was not ported: " + e + where,
            "This is a bug in rocport: please report it and attach the file.");
    return unported(index, entry, file, finding, finding.message());
  }

  /**
   * @param passed the result of the unchanged copy
   * @param limit largest file that fits, in bytes
   */
  static FileResult tooLarge(FileResult passed, long limit) {
    String message =
        "%d MB is above the size limit (%d MB, set by --max-file and by the available memory): not ported"
            .formatted(passed.bytes() >> 20, limit >> 20);
    Finding finding =
        finding(
            "FILE-TOO-LARGE",
            Severity.ERROR,
            passed.path(),
            0,
            message,
            "Raise --max-file, give rocport a larger heap (ROCPORT_JAVA_OPTS=-Xmx8g), or exclude"
                + " the file.");
    return new FileResult(
        passed.path(),
        Status.FAILED,
        passed.language(),
        passed.bytes(),
        0,
        passed.edits(),
        List.of(finding),
        message);
  }

  /** A file that no active rule applies to. */
  static PortedFile untouched(int index, TreeEntry entry, SourceFile file) {
    return unported(index, entry, file, List.of(), "");
  }

  private static PortedFile unported(
      int index, TreeEntry entry, SourceFile file, Finding finding, String failure) {
    return unported(index, entry, file, List.of(finding), failure);
  }

  private static PortedFile unported(
      int index, TreeEntry entry, SourceFile file, List<Finding> findings, String failure) {
    return new PortedFile(
        index,
        entry,
        file,
        file.bytes(),
        Collections.unmodifiableSortedMap(new TreeMap<>()),
        findings,
        List.of(),
        Collections.unmodifiableSortedSet(new TreeSet<>()),
        List.of(),
        List.of(),
        Partial.NONE,
        failure);
  }

  private static Finding finding(
      String rule, Severity severity, String path, int line, String message, String advice) {
    int column = line == 0 ? 0 : 1;
    return new Finding(
        rule,
        severity,
        Disposition.UNPORTED,
        path,
        line,
        column,
        line,
        column,
        message,
        advice,
        "",
        Sha256.fingerprint(rule + "\n" + path));
  }

  /**
   * Returns whether the content is C or C++ without the zero bytes of ASCII text in wide
   * characters.
   */
  private static boolean looksLikeCode(byte[] wide) {
    byte[] narrow = new byte[wide.length];
    int n = 0;
    for (byte b : wide) {
      if (b != 0) {
        narrow[n++] = b;
      }
    }
    String text = new String(narrow, 0, n, StandardCharsets.ISO_8859_1);
    return text.contains("cuda") || CODE.matcher(text).find();
  }
}
