package dev.rocport.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Archives that Hadoop's client reads, from a web server. */
final class RemoteArchiveTest {
  private final CountDownLatch ended = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private HttpServer server;

  @TempDir Path folder;

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  @AfterEach
  void end() {
    ended.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  private void answer(HttpExchange exchange) throws IOException {
    Path file = folder.resolve(exchange.getRequestURI().getPath().substring(1));
    try (exchange) {
      if (!Files.exists(file)) {
        exchange.sendResponseHeaders(404, -1);
        return;
      }
      if (file.endsWith("slow.tar")) {
        ended.await();
      }
      exchange.sendResponseHeaders(200, Files.size(file));
      Files.copy(file, exchange.getResponseBody());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String url(String name) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/" + name;
  }

  @Test
  void countsWhatTheArchiveHas() throws Exception {
    Path app = Repositories.folder(folder.resolve("app"), 2, 1);
    Repositories.archive(folder.resolve("app.tar.gz"), t -> Repositories.folder(t, app));
    Path local = folder.resolve("local");
    Path remote = folder.resolve("remote");
    assertThat(FleetRun.of(FleetRun.audit(local, app)).code()).isZero();
    FleetRun run = FleetRun.of(FleetRun.audit(remote, url("app.tar.gz")));
    assertThat(run.code()).as(run.err()).isZero();
    for (Table table : List.of(Table.FILES, Table.FINDINGS, Table.EDITS, Table.PTX)) {
      assertThat(TableRows.of(remote, table)).isEqualTo(TableRows.of(local, table));
    }
    Map<String, Object> row = TableRows.of(remote, Table.REPOSITORIES).getFirst();
    assertThat(row).containsEntry("name", "app").containsEntry("source", url("app.tar.gz"));
    assertThat(row.get("files")).isEqualTo(4L);
  }

  @Test
  void whatCannotBeReadIsARow() throws Exception {
    Files.writeString(folder.resolve("slow.tar"), "x");
    Files.write(folder.resolve("huge.tar"), new byte[2 << 20]);
    Files.writeString(folder.resolve("broken.tgz"), "x");
    Path out = folder.resolve("out");
    ObjectNode settings =
        FleetRun.audit(
            out,
            url("slow.tar"),
            url("huge.tar"),
            url("broken.tgz"),
            url("none.tar"),
            "nosuch://host/other.tar");
    settings.put("timeLimit", 2).put("sizeLimit", 1);
    FleetRun run = FleetRun.of(settings);
    assertThat(run.code()).as(run.err()).isEqualTo(1);
    assertThat(TableRows.kinds(out))
        .containsOnly(
            Map.entry("slow", "time"),
            Map.entry("huge", "too-large"),
            Map.entry("broken", "broken-archive"),
            Map.entry("none", "unreadable"),
            Map.entry("other", "unreadable"));
    assertThat(TableRows.of(out, Table.FAILURES).toString()).contains("nosuch");
  }
}
