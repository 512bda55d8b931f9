package dev.rocport.lsp;

import dev.rocport.port.LiveTree;
import dev.rocport.rules.PortOptions.Style;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.eclipse.lsp4j.Diagnostic;
import org.eclipse.lsp4j.DidChangeTextDocumentParams;
import org.eclipse.lsp4j.MessageParams;
import org.eclipse.lsp4j.MessageType;
import org.eclipse.lsp4j.PublishDiagnosticsParams;
import org.eclipse.lsp4j.jsonrpc.CompletableFutures;
import org.eclipse.lsp4j.services.LanguageClient;
import org.jspecify.annotations.Nullable;

/**
 * Analyzes open documents after each change, in a thread of its own. Work on a text is given up
 * when a newer text arrives.
 */
final class Analyst implements AutoCloseable {
  /** From the last keystroke to the analysis. */
  private static final int PAUSE_MS = 30;

  /** From a change to the analysis of the other documents that it may concern. */
  private static final int SETTLED_MS = 700;

  /** From the first change on disk to reading the tree: many files change at once. */
  private static final int DISK_MS = 300;

  /** Deeply nested sources need deep recursion; only touched pages use memory. */
  private static final long STACK = 64L << 20;

  private final CompletableFuture<LanguageClient> client;
  private final Setup.Source source;
  private final ScheduledThreadPoolExecutor thread;
  private final Map<String, TextBuffer> buffers = new ConcurrentHashMap<>();

  /** By their start; only in the thread. */
  private final Map<Path, Project> projects = new HashMap<>();

  /** Folders of the workspace; only in the thread. */
  private final Set<Path> roots = new HashSet<>();

  /** The result for the last text of each document; only in the thread. */
  private final Map<String, Found> results = new HashMap<>();

  /** What was shown for the last text of each source; only in the thread. */
  private final Map<String, Preview> previews = new HashMap<>();

  private volatile boolean isReady;
  private volatile Refreshes refreshes = Refreshes.NONE;
  private volatile @Nullable RuleCatalog catalog;
  private @Nullable ScheduledFuture<?> disk;
  private @Nullable ScheduledFuture<?> others;

  /**
   * The result for a document.
   *
   * @param path of the document in the project
   * @param isSource whether the document is C, C++ or CUDA
   * @param hasParts whether a part of its port makes sense without the others
   */
  record Found(
      TextBuffer buffer,
      LiveTree.Answer answer,
      Project project,
      String path,
      boolean isSource,
      boolean hasParts) {
    Found with(LiveTree.Answer other) {
      return new Found(buffer, other, project, path, isSource, hasParts);
    }
  }

  Analyst(CompletableFuture<LanguageClient> client, Setup.Source source) {
    this.client = client;
    this.source = source;
    this.thread =
        new ScheduledThreadPoolExecutor(
            1,
            r -> {
              Thread t = new Thread(null, r, "rocport-analysis", STACK);
              t.setDaemon(true);
              return t;
            });
    thread.setRemoveOnCancelPolicy(true);
  }

  /** The rules that explain names: those of a project, or the built-in ones. */
  RuleCatalog catalog() {
    RuleCatalog known = catalog;
    if (known == null) {
      known = RuleCatalog.builtIn();
      catalog = known;
    }
    return known;
  }

  Optional<TextBuffer> buffer(String uri) {
    return Optional.ofNullable(buffers.get(uri));
  }

  /** Sets what the client asks for again. */
  void refreshes(Refreshes supported) {
    refreshes = supported;
  }

  void roots(List<String> uris) {
    run(() -> uris.forEach(u -> folder(u).ifPresent(roots::add)));
  }

  void rootsChanged(List<String> added, List<String> removed) {
    run(
        () -> {
          removed.forEach(u -> folder(u).ifPresent(this::forget));
          added.forEach(u -> folder(u).ifPresent(roots::add));
          read();
        });
  }

  private void forget(Path root) {
    roots.remove(root);
    projects.remove(root);
    // Without a project, documents have no findings until another one takes them.
    List.copyOf(results.keySet()).stream()
        .filter(u -> file(u).filter(f -> f.startsWith(root)).isPresent())
        .forEach(
            u -> {
              results.remove(u);
              previews.remove(u);
              client.join().publishDiagnostics(new PublishDiagnosticsParams(u, List.of()));
              analyze(u);
            });
  }

  /** Reads the workspace. */
  void begin() {
    run(this::read);
  }

  void open(String uri, TextBuffer buffer) {
    buffers.put(uri, buffer);
    check(uri, buffer, 0);
  }

  void change(DidChangeTextDocumentParams params) {
    String uri = params.getTextDocument().getUri();
    TextBuffer buffer = buffers.get(uri);
    if (buffer == null) {
      return; // a change of a document that was never opened, or that was too large
    }
    Integer version = params.getTextDocument().getVersion();
    int next = version == null ? buffer.version() + 1 : version;
    for (var change : params.getContentChanges()) {
      buffer = buffer.with(change, next);
    }
    buffers.put(uri, buffer);
    check(uri, buffer, PAUSE_MS);
  }

  void close(String uri) {
    if (buffers.remove(uri) == null) {
      return;
    }
    run(
        () -> {
          results.remove(uri);
          previews.remove(uri);
          file(uri).ifPresent(this::leave);
          client.join().publishDiagnostics(new PublishDiagnosticsParams(uri, List.of()));
        });
    changedOnDisk();
  }

  /** The file of a closed document is that on disk again; alone, it has no project any more. */
  private void leave(Path file) {
    boolean wasAlone = projects.remove(file) != null;
    if (!wasAlone && roots.stream().anyMatch(file::startsWith)) {
      project(file).ifPresent(p -> p.path(file).ifPresent(p::remove));
    }
  }

  /** Forgets documents whose text is not known any more. */
  void lost(String head) {
    List<String> gone =
        buffers.keySet().stream().filter(u -> head.contains("\"" + u + "\"")).toList();
    (gone.isEmpty() ? List.copyOf(buffers.keySet()) : gone).forEach(this::close);
    client
        .join()
        .showMessage(
            new MessageParams(
                MessageType.Error,
                "rocport: a message is larger than the limit of "
                    + (LspServer.LARGEST_MESSAGE >> 20)
                    + " MiB and was skipped; open the document again to get findings"));
  }

  synchronized void changedOnDisk() {
    if (disk == null || disk.isDone()) {
      disk = later(this::read, DISK_MS);
    }
  }

  private void check(String uri, TextBuffer buffer, int after) {
    var _ =
        later(
            () -> {
              if (buffers.get(uri) == buffer) {
                analyze(uri);
              }
            },
            after);
  }

  /** Answers a request about a document; with {@code none} if nothing is known about it. */
  <T> CompletableFuture<T> ask(String uri, T none, Function<Found, T> answer) {
    if (!isReady) {
      return CompletableFuture.completedFuture(none);
    }
    return CompletableFutures.computeAsync(
        thread,
        cancelled -> {
          cancelled.checkCanceled();
          TextBuffer buffer = buffers.get(uri);
          Found found = results.get(uri);
          if (buffer != null && (found == null || found.buffer() != buffer)) {
            analyze(uri);
            found = results.get(uri);
          }
          cancelled.checkCanceled();
          return found == null || found.buffer() != buffer ? none : answer.apply(found);
        });
  }

  /** Reads what has changed on disk, and analyzes the open documents again. */
  private void read() {
    for (Path root : roots) {
      projects.computeIfAbsent(root, r -> new Project(r, source));
    }
    boolean changed = false;
    for (Project project : projects.values()) {
      changed |= refresh(project);
    }
    boolean first = !isReady;
    isReady = true;
    if (changed || first) {
      List.copyOf(buffers.keySet()).forEach(this::analyze);
      refreshes.ask(client.join());
    }
  }

  private boolean refresh(Project project) {
    String before = project.failure();
    boolean changed = project.refresh();
    project.setup().map(Setup::catalog).ifPresent(this::use);
    if (!project.failure().isEmpty() && !project.failure().equals(before)) {
      client
          .join()
          .showMessage(
              new MessageParams(
                  MessageType.Error,
                  "rocport: the configuration is not used: " + project.failure()));
    }
    return changed;
  }

  /** Explains names by these rules; what the first hover needs is read in the background. */
  @SuppressWarnings("ReferenceEquality") // another object has to be read, too
  private void use(RuleCatalog rules) {
    if (catalog != rules) {
      catalog = rules;
      var _ = CompletableFuture.runAsync(() -> Hovers.prepare(rules));
    }
  }

  private void analyze(String uri) {
    TextBuffer buffer = buffers.get(uri);
    Optional<Path> file = file(uri);
    Optional<Project> found = isReady ? file.flatMap(this::project) : Optional.empty();
    if (buffer == null || found.isEmpty() || !found.get().isReady()) {
      return;
    }
    Project project = found.get();
    Optional<String> path = project.path(file.get());
    if (path.isEmpty()) {
      return;
    }
    Optional<List<Diagnostic>> tokens = tokens(project, path.get(), buffer);
    tokens.ifPresent(t -> publishPreview(uri, buffer, t));
    if (buffers.get(uri) != buffer) {
      return; // a newer text arrived, and is analyzed next
    }
    project.put(path.get(), buffer.bytes());
    if (buffers.get(uri) != buffer) {
      return; // a newer text arrived, and is analyzed next
    }
    Optional<LiveTree.Answer> answer;
    try {
      answer = project.answer(path.get(), () -> buffers.get(uri) != buffer);
    } catch (CancellationException e) {
      return; // a newer text arrived, and is analyzed next
    }
    if (buffers.get(uri) != buffer) {
      return;
    }
    answer.ifPresentOrElse(
        a -> results.put(uri, found(buffer, a, project, path.get())), () -> results.remove(uri));
    List<Diagnostic> all = answer.map(a -> Findings.of(a, buffer)).orElse(List.of());
    client.join().publishDiagnostics(new PublishDiagnosticsParams(uri, all, buffer.version()));
    // The first text of a project has no preview, and the next one needs it.
    tokens
        .or(() -> tokens(project, path.get(), buffer))
        .ifPresentOrElse(
            t -> previews.put(uri, new Preview(buffer, t, all)), () -> previews.remove(uri));
    if (buffers.size() > 1) {
      settle(uri);
    }
  }

  /** Returns what tokens show in a source; empty for other files. */
  private static Optional<List<Diagnostic>> tokens(Project project, String path, TextBuffer text) {
    return project.preview(path, text.bytes()).map(a -> Findings.of(a, text));
  }

  /** Shows what is known before the analyses: without a version, since it is not complete. */
  private void publishPreview(String uri, TextBuffer buffer, List<Diagnostic> tokens) {
    Preview last = previews.get(uri);
    client
        .join()
        .publishDiagnostics(
            new PublishDiagnosticsParams(uri, last == null ? tokens : last.next(buffer, tokens)));
  }

  private static Found found(
      TextBuffer buffer, LiveTree.Answer answer, Project project, String path) {
    boolean isSource = project.isSource(path);
    boolean hip = project.setup().stream().allMatch(s -> s.options().style() == Style.HIP);
    return new Found(buffer, answer, project, path, isSource, isSource && hip);
  }

  /** A change of one document may change the findings of others. */
  private synchronized void settle(String changed) {
    TextBuffer text = buffers.get(changed);
    if (others != null) {
      others.cancel(false);
    }
    others =
        later(
            () -> {
              for (Map.Entry<String, Found> e : List.copyOf(results.entrySet())) {
                if (!e.getKey().equals(changed) && buffers.get(changed) == text) {
                  again(e.getKey());
                }
              }
              refreshes.ask(client.join());
            },
            SETTLED_MS);
  }

  private void again(String uri) {
    TextBuffer buffer = buffers.get(uri);
    Optional<Path> file = file(uri);
    Optional<Project> project = file.flatMap(this::project);
    Optional<String> path = project.flatMap(p -> p.path(file.get()));
    if (buffer == null || path.isEmpty()) {
      return;
    }
    project
        .get()
        .answer(path.get())
        .ifPresent(
            a -> {
              Found known = results.get(uri);
              boolean same =
                  known != null
                      && known.buffer() == buffer
                      && known.answer().result().equals(a.result());
              if (!same && known != null && known.buffer() == buffer) {
                results.put(uri, known.with(a));
                List<Diagnostic> all = Findings.of(a, buffer);
                previews.computeIfPresent(uri, (u, p) -> new Preview(buffer, p.tokens(), all));
                client
                    .join()
                    .publishDiagnostics(new PublishDiagnosticsParams(uri, all, buffer.version()));
              }
            });
  }

  /** The innermost folder of the workspace with the file; otherwise the file alone. */
  private Optional<Project> project(Path file) {
    Optional<Project> known =
        roots.stream()
            .filter(file::startsWith)
            .max(Comparator.comparingInt(Path::getNameCount))
            .map(r -> projects.computeIfAbsent(r, k -> new Project(k, source)));
    if (known.isPresent()) {
      return known;
    }
    Project alone = projects.get(file);
    if (alone == null && Files.isRegularFile(file)) {
      alone = new Project(file, source);
      projects.put(file, alone);
      refresh(alone);
    }
    return Optional.ofNullable(alone);
  }

  private static Optional<Path> folder(String uri) {
    return file(uri).filter(Files::isDirectory);
  }

  /** Returns the file of a document, without links in the folders above it. */
  private static Optional<Path> file(String uri) {
    try {
      URI parsed = URI.create(uri);
      if (!"file".equals(parsed.getScheme())) {
        return Optional.empty();
      }
      Path file = Path.of(parsed).toAbsolutePath().normalize();
      Path above = file;
      List<Path> names = new ArrayList<>();
      while (above.getParent() != null && !Files.isDirectory(above)) {
        names.addFirst(above.getFileName());
        above = above.getParent();
      }
      Path real = above.toRealPath();
      for (Path name : names) {
        real = real.resolve(name);
      }
      return Optional.of(real);
    } catch (IllegalArgumentException | FileSystemNotFoundException | IOException e) {
      return Optional.empty(); // no file of this machine
    }
  }

  private void run(Runnable task) {
    var _ = later(task, 0);
  }

  private @Nullable ScheduledFuture<?> later(Runnable task, int after) {
    if (thread.isShutdown()) {
      return null;
    }
    return thread.schedule(() -> guarded(task), after, TimeUnit.MILLISECONDS);
  }

  /** A failure ends one analysis, not the session. */
  private void guarded(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
      client
          .join()
          .logMessage(
              new MessageParams(
                  MessageType.Error, "rocport: internal error, please report it: " + e));
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
