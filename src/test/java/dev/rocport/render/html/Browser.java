package dev.rocport.render.html;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A headless Chromium with one page, driven by the DevTools protocol. */
final class Browser implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String LISTENING = "DevTools listening on ";

  private final Process process;
  private final HttpClient client = HttpClient.newHttpClient();
  private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
  private final Map<String, CompletableFuture<JsonNode>> awaited = new ConcurrentHashMap<>();
  private final List<String> complaints = Collections.synchronizedList(new ArrayList<>());
  private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger ids = new AtomicInteger();
  private final WebSocket socket;
  private String session = "";

  private Browser(Path program, Path profile) throws IOException {
    process =
        new ProcessBuilder(
                program.toString(),
                "--headless",
                "--no-sandbox", // tests may run as root, and open pages of their own only
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    socket =
        client
            .newWebSocketBuilder()
            .buildAsync(URI.create(address(process)), new Listener())
            .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
            .join();
    String target =
        call("Target.createTarget", Map.of("url", "about:blank")).at("/targetId").asString();
    session =
        call("Target.attachToTarget", Map.of("targetId", target, "flatten", true))
            .at("/sessionId")
            .asString();
    for (String domain : List.of("Page", "Runtime", "Log", "Network", "Accessibility")) {
      call(domain + ".enable", Map.of());
    }
  }

  /**
   * Returns the browser that the build's script finds or, with {@code take}, installs; empty if
   * there is none.
   */
  static Optional<Path> program(boolean take) throws IOException, InterruptedException {
    Path script = Path.of(System.getProperty("rocport.home"), "src/build/browser.sh");
    List<String> command = new ArrayList<>(List.of("bash", script.toString()));
    if (!take) {
      command.add("--find");
    }
    Process p = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String said = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    return p.waitFor() == 0 ? Optional.of(Path.of(said)) : Optional.empty();
  }

  /** Starts one. */
  static Browser start(Path program, Path profile) throws IOException {
    return new Browser(program, profile);
  }

  private static String address(Process process) throws IOException {
    BufferedReader err = process.errorReader();
    for (String line = err.readLine(); line != null; line = err.readLine()) {
      if (line.startsWith(LISTENING)) {
        Thread.ofVirtual().start(() -> err.lines().forEach(l -> {}));
        return line.substring(LISTENING.length());
      }
    }
    throw new IOException("the browser ended with " + process.onExit().join().exitValue());
  }

  /** What the page's console got, errors of the policy included. */
  List<String> complaints() {
    return List.copyOf(complaints);
  }

  /** Addresses that the page asked for. */
  List<String> requests() {
    return List.copyOf(requests);
  }

  /** Calls a method of the protocol and waits for its result. */
  JsonNode call(String method, Map<String, Object> parameters) {
    int id = ids.incrementAndGet();
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    answers.put(id, answer);
    Map<String, Object> message =
        session.isEmpty()
            ? Map.of("id", id, "method", method, "params", parameters)
            : Map.of("id", id, "method", method, "params", parameters, "sessionId", session);
    socket.sendText(JsonMapper.shared().writeValueAsString(message), true).join();
    JsonNode all = answer.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    if (all.has("error")) {
      throw new IllegalStateException(method + ": " + all.get("error"));
    }
    return all.get("result");
  }

  /** Opens a file and waits until it is loaded. */
  void open(Path page) {
    complaints.clear();
    requests.clear();
    CompletableFuture<JsonNode> loaded = new CompletableFuture<>();
    awaited.put("Page.loadEventFired", loaded);
    call("Page.navigate", Map.of("url", page.toUri().toString()));
    loaded.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }

  /** The value of an expression of JavaScript; a promise's when it is kept. */
  JsonNode value(String expression) {
    JsonNode result =
        call(
            "Runtime.evaluate",
            Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
    if (result.has("exceptionDetails")) {
      throw new IllegalStateException(expression + ": " + result.get("exceptionDetails"));
    }
    return result.at("/result/value");
  }

  /** Sets width and height of the page in CSS pixels. */
  void size(int width, int height) {
    call(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  /** Sets the medium of the page, {@code screen} or {@code print}, and a color scheme. */
  void media(String media, String scheme) {
    call(
        "Emulation.setEmulatedMedia",
        Map.of(
            "media",
            media,
            "features",
            List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  /** Presses a key, such as {@code Tab} or {@code Enter}. */
  void press(String key, int code, String text) {
    for (String type : List.of("keyDown", "keyUp")) {
      call(
          "Input.dispatchKeyEvent",
          Map.of(
              "type",
              type,
              "key",
              key,
              "code",
              key,
              "windowsVirtualKeyCode",
              code,
              "text",
              type.equals("keyDown") ? text : ""));
    }
  }

  /** A picture of the page's first screens as PNG. */
  byte[] picture(int width, int height) {
    size(width, height);
    JsonNode shot = call("Page.captureScreenshot", Map.of("format", "png"));
    return Base64.getDecoder().decode(shot.get("data").asString());
  }

  @Override
  public void close() {
    socket.abort();
    // They write to the profile as long as they run.
    List<ProcessHandle> own = process.descendants().toList();
    process.destroy();
    process.onExit().orTimeout(20, TimeUnit.SECONDS).join();
    own.forEach(ProcessHandle::destroy);
    own.forEach(p -> p.onExit().orTimeout(20, TimeUnit.SECONDS).join());
    client.close();
  }

  private final class Listener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        take(JsonMapper.shared().readTree(text.toString()));
        text.setLength(0);
      }
      from.request(1);
      return CompletableFuture.completedFuture(null);
    }

    private void take(JsonNode message) {
      if (message.has("id")) {
        CompletableFuture<JsonNode> answer = answers.remove(message.get("id").asInt());
        if (answer != null) {
          answer.complete(message);
        }
        return;
      }
      String method = message.at("/method").asString();
      switch (method) {
        case "Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled" ->
            complaints.add(message.get("params").toString());
        case "Network.requestWillBeSent" ->
            requests.add(message.at("/params/request/url").asString());
        default -> {}
      }
      CompletableFuture<JsonNode> waiting = awaited.remove(method);
      if (waiting != null) {
        waiting.complete(message);
      }
    }
  }
}
