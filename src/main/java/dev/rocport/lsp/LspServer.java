package dev.rocport.lsp;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.eclipse.lsp4j.jsonrpc.Launcher;
import org.eclipse.lsp4j.launch.LSPLauncher;
import org.eclipse.lsp4j.services.LanguageClient;

/** Runs the language server for one client. */
public final class LspServer {
  /** Bytes of the largest message that is read: twice the largest file that a port reads. */
  static final int LARGEST_MESSAGE = 64 << 20;

  /** Reports streams that end and requests that are cancelled too late, which are no errors. */
  private static final Logger PROTOCOL = Logger.getLogger("org.eclipse.lsp4j");

  private LspServer() {}

  /**
   * Serves a client until it ends the session, its process ends, or its stream ends.
   *
   * @param version the version that the server gives
   * @return 0 if the client ended the session as the protocol says, otherwise 1
   */
  public static int run(InputStream in, OutputStream out, Setup.Source source, String version)
      throws InterruptedException {
    return run(in, out, source, version, LARGEST_MESSAGE);
  }

  static int run(
      InputStream in, OutputStream out, Setup.Source source, String version, int largestMessage)
      throws InterruptedException {
    PROTOCOL.setLevel(Level.OFF);
    CompletableFuture<Integer> end = new CompletableFuture<>();
    CompletableFuture<LanguageClient> client = new CompletableFuture<>();
    ExecutorService threads =
        Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("rocport-lsp").factory());
    try (Analyst analyst = new Analyst(client, source)) {
      Launcher<LanguageClient> launcher =
          new LSPLauncher.Builder<LanguageClient>()
              .setLocalService(new RocportServer(analyst, client, version, end))
              .setRemoteInterface(LanguageClient.class)
              .setInput(new BoundedInput(in, largestMessage, analyst::lost))
              .setOutput(out)
              .setExecutorService(threads)
              .create();
      client.complete(launcher.getRemoteProxy());
      Future<Void> listening = launcher.startListening();
      threads.execute(
          () -> {
            await(listening);
            end.complete(1);
          });
      return end.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e); // the end is never completed with a failure
    } finally {
      threads.shutdownNow();
    }
  }

  /** Waits for the end of the stream, or for what makes reading it impossible. */
  private static void await(Future<Void> listening) {
    try {
      listening.get();
    } catch (InterruptedException | ExecutionException | CancellationException e) {
      // Either way, no further message comes.
    }
  }
}
