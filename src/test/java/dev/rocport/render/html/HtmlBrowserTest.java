package dev.rocport.render.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rocport.TestProfile;
import dev.rocport.core.result.Result;
import dev.rocport.render.Samples;
import dev.rocport.render.text.TextReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * The page in a real browser. The full profile takes a Chromium where there is none; the quick one
 * does without it then.
 */
@Tag("slow")
class HtmlBrowserTest {
  private static final boolean FULL = TestProfile.isFull();
  static final List<String> TEXTS = HostileResult.TEXTS;

  @TempDir private static Path folder;
  private static Browser browser;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    Optional<Path> program = Browser.program(FULL);
    assumeTrue(FULL || program.isPresent(), "no Chromium here: run src/build/browser.sh");
    browser = Browser.start(program.orElseThrow(), folder.resolve("profile"));
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.close();
    }
  }

  @BeforeEach
  void screen() {
    browser.size(1280, 900);
    browser.media("screen", "light");
  }

  private static void open(Result result) throws IOException {
    browser.open(Files.writeString(folder.resolve("report.html"), HtmlReportTest.page(result)));
  }

  private static String text(String expression) {
    return browser.value(expression).asString();
  }

  private static int number(String expression) {
    return browser.value(expression).asInt();
  }

  private static String count() {
    return text(
        "new Promise(r => setTimeout(() => r(document.getElementById('count').textContent), 250))");
  }

  @Test
  void opensWithoutErrorsAndRequests() throws IOException {
    open(Samples.result());
    assertThat(browser.complaints()).isEmpty();
    assertThat(browser.requests()).hasSize(1).allMatch(r -> r.startsWith("file:"));
    assertThat(count()).isEqualTo("2 of 3 findings"); // one is suppressed
    assertThat(text("document.querySelector('#rows tr code').textContent"))
        .isEqualTo("src/k.cu:12:3");
  }

  @ParameterizedTest
  @FieldSource("TEXTS")
  void hostileTextIsShownAsText(String hostile) throws IOException {
    open(HostileResult.of(hostile));
    browser.value("document.querySelector('input[value=suppressed]').click()");
    assertThat(count()).isEqualTo("3 findings");
    assertThat(browser.complaints()).isEmpty();
    assertThat(text("String(window.hacked)")).isEqualTo("undefined");
    assertThat(
            number(
                "document.images.length + document.querySelectorAll('[onerror], [onload],"
                    + " [onmouseover]').length"))
        .isZero();
    assertThat(
            text(
                "[...document.querySelectorAll('a')].map(a => a.getAttribute('href')[0]).join('')"))
        .matches("#+");
    assertThat(text("document.querySelector('#rows .what span').textContent"))
        .isEqualTo(TextReport.visible(hostile));
    assertThat(text("document.querySelector('#rows .what pre').textContent"))
        .isEqualTo(TextReport.visible(hostile));
  }

  @Test
  void thePolicyStopsWhatAnEscapeWouldHaveMissed() throws IOException {
    open(Samples.result());
    assertThatThrownBy(() -> browser.value("document.body.innerHTML = '<b>x</b>'"))
        .hasMessageContaining("TrustedHTML");
    browser.value(
        """
        (() => {
          const b = document.createElement('button');
          try { b.setAttribute('onclick', 'window.hacked = 1'); } catch (e) { }
          document.body.append(b);
          b.click();
        })()
        """);
    assertThat(text("String(window.hacked)")).isEqualTo("undefined");
  }

  @Test
  void findingsAreSearchedFilteredSortedAndTurnedByKeyboard() throws IOException {
    open(HostileResult.many(1000, 20));
    assertThat(count()).isEqualTo("1,000 findings");
    assertThat(number("document.querySelectorAll('#rows tr').length")).isEqualTo(50);

    browser.press("Tab", 9, "");
    assertThat(text("document.activeElement.className")).isEqualTo("skip");

    browser.value("document.getElementById('search').focus()");
    browser.call("Input.insertText", Map.of("text", "CALL_7 rule-2"));
    assertThat(count()).isEqualTo("20 of 1,000 findings");
    browser.value("document.querySelector('button[type=reset]').focus()");
    browser.press("Enter", 13, "\r");
    assertThat(count()).isEqualTo("1,000 findings");

    browser.value("document.querySelector('input[value=error]').focus()");
    browser.press(" ", 32, " ");
    assertThat(count()).isEqualTo("660 of 1,000 findings");

    browser.value("document.querySelector('th[data-sort=place] button').focus()");
    browser.press("Enter", 13, "\r");
    assertThat(text("document.querySelector('th[data-sort=place]').getAttribute('aria-sort')"))
        .isEqualTo("ascending");
    String first = "document.querySelector('#rows tr:first-child td:nth-child(2)').textContent";
    assertThat(text(first)).isEqualTo("src/part0/file0.cu:1:1");
    browser.press("Enter", 13, "\r");
    assertThat(text(first)).isEqualTo("src/part6/file6.cu:49:1");

    browser.value("document.querySelector('[data-to=last]').focus()");
    browser.press("Enter", 13, "\r");
    assertThat(text("document.getElementById('page').textContent")).isEqualTo("651–660 of 660");
    assertThat(browser.value("document.querySelector('[data-to=next]').disabled").asBoolean())
        .isTrue();

    browser.value("document.querySelector('.map a').focus()");
    browser.press("Enter", 13, "\r");
    assertThat(count()).isEqualTo("50 of 1,000 findings");
    assertThat(text("document.activeElement.id")).isEqualTo("path");
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void withoutScriptTheFirstFindingsAreThere() throws IOException {
    browser.call("Emulation.setScriptExecutionDisabled", Map.of("value", true));
    try {
      open(HostileResult.many(1000, 20));
      JsonNode tree = browser.call("Accessibility.getFullAXTree", Map.of());
      assertThat(names(tree, "StaticText"))
          .contains(
              "Without JavaScript, the page shows the first 50 of 1,000 findings.", "message 47");
      assertThat(names(tree, "searchbox")).isEmpty();
    } finally {
      browser.call("Emulation.setScriptExecutionDisabled", Map.of("value", false));
    }
  }

  private static List<String> names(JsonNode tree, String role) {
    List<String> names = new ArrayList<>();
    for (JsonNode n : tree.get("nodes")) {
      if (!n.at("/ignored").asBoolean(false) && n.at("/role/value").asString("").equals(role)) {
        names.add(n.at("/name/value").asString(""));
      }
    }
    return names;
  }

  @Test
  void everythingHasANameForAScreenReader() throws IOException {
    open(everything());
    JsonNode tree = browser.call("Accessibility.getFullAXTree", Map.of());
    for (String role :
        List.of("button", "link", "searchbox", "checkbox", "combobox", "region", "image")) {
      assertThat(names(tree, role)).as(role).isNotEmpty().noneMatch(String::isBlank);
    }
    Set<String> roles = new TreeSet<>();
    tree.get("nodes").forEach(n -> roles.add(n.at("/role/value").asString("")));
    assertThat(roles).contains("banner", "main", "navigation", "contentinfo", "search", "status");
    String levels =
        text("[...document.querySelectorAll('h1,h2,h3,h4')].map(h => h.tagName[1]).join('')");
    assertThat(levels).startsWith("12").doesNotContain("13").doesNotContain("4");
  }

  private static Result everything() {
    Result all = HostileResult.of("a text");
    return Samples.result()
        .with(java.util.Objects.requireNonNull(all.verify()))
        .with(java.util.Objects.requireNonNull(all.build()));
  }

  /** Texts with less contrast than WCAG 2.2 AA asks for: 4.5, 3 for large ones. */
  private static final String PALE =
      """
      (() => {
        const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
        const rgba = c => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = c; canvas.fillRect(0, 0, 1, 1);
          return [...canvas.getImageData(0, 0, 1, 1).data]; };
        const light = c => { const [r, g, b] = c.map(v => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
          return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
        const behind = e => { for (; e; e = e.parentElement) { const c = rgba(getComputedStyle(e).backgroundColor); if (c[3] === 255) return c; }
          return [255, 255, 255, 255]; };
        const pale = [];
        let looked = 0;
        for (const d of document.querySelectorAll('details')) d.open = true;
        for (const e of document.querySelectorAll('body *')) {
          if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) || e.disabled || !e.checkVisibility()) continue;
          if (e.tagName === 'SCRIPT') continue;
          const style = getComputedStyle(e);
          const a = light(rgba(style.color)), b = light(behind(e));
          const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
          const size = parseFloat(style.fontSize);
          looked++;
          if (ratio < (size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5)) {
            pale.push(e.tagName + '.' + e.className + ' ' + ratio.toFixed(2) + ' ' + e.textContent.trim().slice(0, 30));
          }
        }
        return looked < 50 ? 'only ' + looked + ' texts' : [...new Set(pale)].join('\\n');
      })()
      """;

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void textStandsOut(String scheme) throws IOException {
    browser.media("screen", scheme);
    open(everything());
    assertThat(text(PALE)).isEmpty();
    String other = scheme.equals("light") ? "dark" : "light";
    String background = "getComputedStyle(document.body).backgroundColor";
    String before = text(background);
    for (int i = 0;
        i < 2 && !text("document.documentElement.dataset.theme || ''").equals(other);
        i++) {
      browser.value("document.getElementById('theme').click()");
    }
    assertThat(text(background)).isNotEqualTo(before);
    assertThat(text(PALE)).isEmpty();
  }

  /**
   * Elements that make the page wider than the screen: those that no box with a scroll bar holds.
   */
  private static final String WIDE =
      """
      (() => {
        const width = document.documentElement.clientWidth;
        const wide = [...document.querySelectorAll('body *')].filter(
          e => e.getBoundingClientRect().right > width + 0.5 && !e.closest('.scroll, pre, .skip') && e.checkVisibility());
        return document.documentElement.scrollWidth <= width ? ''
          : wide.map(e => e.tagName + '.' + e.className + ' ' + e.textContent.slice(0, 20)).join(', ');
      })()
      """;

  @ParameterizedTest
  @ValueSource(ints = {320, 390, 768})
  void fitsTheScreen(int width) throws IOException {
    browser.size(width, 800);
    open(everything());
    assertThat(text(WIDE)).isEmpty();
    open(HostileResult.many(100, 20));
    assertThat(text(WIDE)).isEmpty();
  }

  @Test
  void paperGetsAllThatTheFilterLetsThroughAndNoControls() throws IOException {
    open(HostileResult.many(300, 20));
    browser.value(
        "addEventListener('beforeprint', () => { window.printed = document.querySelectorAll('#rows"
            + " tr').length; })");
    JsonNode pdf = browser.call("Page.printToPDF", Map.of());
    byte[] bytes = Base64.getDecoder().decode(pdf.get("data").asString());
    assertThat(new String(bytes, 0, 5, java.nio.charset.StandardCharsets.US_ASCII))
        .isEqualTo("%PDF-");
    assertThat(number("window.printed")).isEqualTo(300);
    assertThat(number("document.querySelectorAll('#rows tr').length")).isEqualTo(50);
    browser.media("print", "dark");
    assertThat(
            number(
                "[...document.querySelectorAll('form, nav, .pages, #theme')].filter(e =>"
                    + " e.checkVisibility()).length"))
        .isZero();
    assertThat(text("getComputedStyle(document.body).backgroundColor"))
        .isEqualTo("rgb(255, 255, 255)");
  }
}
