package dev.rocport.port;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SortedMap;

/**
 * The header that holds the text of the other rocport headers of a ported tree, for programs that
 * compile device code at run time: hipRTC reads no folder of the tree, and a program can be moved
 * away from it.
 */
final class RunTimeHeaders {
  /** Its name in the folder {@code rocport} of a ported tree. */
  static final String NAME = "rtc_headers.h";

  /** The header that uses it. */
  static final String USER = "rtc_sources.h";

  private RunTimeHeaders() {}

  /**
   * Returns the header's text, LF line ends.
   *
   * @param headers contents by name
   */
  static String text(SortedMap<String, byte[]> headers) {
    StringBuilder text =
        new StringBuilder(
            """
            // The text of the headers of this folder, see rtc_sources.h. Written by rocport.
            #ifndef ROCPORT_RTC_HEADERS_H
            #define ROCPORT_RTC_HEADERS_H
            #pragma GCC system_header
            static const char* const rocport_rtc_headers[][2] = {
            """);
    for (Map.Entry<String, byte[]> header : headers.entrySet()) {
      if (header.getKey().startsWith("rtc_")) {
        continue; // of the host
      }
      text.append("{\"").append(ShimHeaders.place(header.getKey())).append("\",\n");
      String content = new String(header.getValue(), StandardCharsets.UTF_8);
      content.lines().forEach(line -> text.append('"').append(escaped(line)).append("\\n\"\n"));
      text.append("},\n");
    }
    return text.append("{0, 0}};\n#endif\n").toString();
  }

  /** A line inside quotes; question marks are escaped because two of them begin a trigraph. */
  private static String escaped(String line) {
    return line.replace("\\", "\\\\")
        .replace("\"", "\\\"")
        .replace("?", "\\?")
        .replace("\t", "\\t");
  }
}
