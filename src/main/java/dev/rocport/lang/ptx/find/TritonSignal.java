package dev.rocport.lang.ptx.find;

import dev.rocport.core.edit.Edit;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes {@code tt.elementwise_inline_asm} with a signal in it as {@code tt.extern_elementwise}: a
 * call of a function of {@code hip-runtime/triton/signals.c}.
 *
 * @param symbol the function
 * @param edit what is done
 */
record TritonSignal(String symbol, Edit edit) {
  static final String RULE = Findings.SIGNAL;

  /** After the template: attributes, operands and types, result, location. */
  private static final Pattern REST =
      Pattern.compile(
          "\\s*\\{(.*?)\\}\\s*(?:(%[^:]*?)\\s*:\\s*(.+?)\\s*)?->\\s*(.+?)(\\s+loc\\(.*\\))?\\s*");

  private static final Pattern CONSTRAINTS = Pattern.compile("constraints = \"([^\"]*)\"");
  private static final Pattern PURE = Pattern.compile("pure = (true|false)");
  private static final Pattern FLAG =
      Pattern.compile("(?:tensor<[^!]*)?!tt\\.ptr<i32(?:, 1)?>(?:, #\\w+)?>?");
  private static final Pattern NUMBER = Pattern.compile("i32|tensor<(?:\\d+x)*i32(?:, #\\w+)?>");

  /**
   * The edit for an operation.
   *
   * @param start where its name begins
   * @param behind where the text after its template begins
   * @param rest that text, to the end of the line
   * @return null if the template is not a signal
   * @throws Signal.Refused if it is one that cannot be written so
   */
  static @Nullable TritonSignal of(String template, int start, int behind, String rest)
      throws Signal.Refused {
    Matcher m = REST.matcher(rest);
    if (!m.matches()) {
      return null;
    }
    Matcher constraints = CONSTRAINTS.matcher(m.group(1));
    if (!constraints.find()) {
      return null;
    }
    Signal signal = Signal.of(template, constraints.group(1));
    if (signal == null) {
      return null;
    }
    if (!m.group(1).contains("packed_element = 1 ")) {
      throw new Signal.Refused("the template works on several elements at once");
    }
    List<String> operands = m.group(2) == null ? List.of() : split(m.group(2));
    List<String> types = m.group(3) == null ? List.of() : split(m.group(3));
    if (operands.size() != types.size() || operands.size() != count(constraints.group(1))) {
      throw new Signal.Refused("its operands do not match its constraints");
    }
    List<String> given = new ArrayList<>();
    List<String> typed = new ArrayList<>();
    for (int k = 0; k < signal.arguments().size(); k++) {
      String type = types.get(signal.arguments().get(k));
      if (!(k == 0 ? FLAG : NUMBER).matcher(type).matches()) {
        throw new Signal.Refused(
            (k == 0 ? "a pointer to 32-bit integers" : "a 32-bit integer")
                + " is required, but the operand has the type "
                + type);
      }
      given.add(operands.get(signal.arguments().get(k)));
      typed.add(type);
    }
    if (!NUMBER.matcher(m.group(4)).matches()) {
      throw new Signal.Refused("its result is " + m.group(4) + ", not a 32-bit integer");
    }
    Matcher pure = PURE.matcher(m.group(1));
    String text =
        "tt.extern_elementwise "
            + String.join(", ", given)
            + (given.isEmpty() ? "" : " ")
            + "{libname = \"rocport\", libpath = \"\", pure = "
            + (pure.find() ? pure.group(1) : "false")
            + ", symbol = \""
            + signal.symbol()
            + "\"} : ("
            + String.join(", ", typed)
            + ") -> "
            + m.group(4);
    return new TritonSignal(signal.symbol(), Edit.replace(start, behind + m.end(4), text, RULE));
  }

  private static int count(String constraints) {
    int n = 0;
    for (String c : constraints.split(",", -1)) {
      String word = c.strip();
      n += word.isEmpty() || word.startsWith("=") || word.startsWith("~") ? 0 : 1;
    }
    return n;
  }

  /** Parts between commas that are in no brackets. */
  private static List<String> split(String text) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int from = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      depth += c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0;
      if (c == ',' && depth == 0) {
        parts.add(text.substring(from, i).strip());
        from = i + 1;
      }
    }
    parts.add(text.substring(from).strip());
    return parts;
  }
}
