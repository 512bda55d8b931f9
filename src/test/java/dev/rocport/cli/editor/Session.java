package dev.rocport.cli.editor;

import dev.rocport.lsp.LspServer;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.eclipse.lsp4j.ApplyWorkspaceEditParams;
import org.eclipse.lsp4j.ApplyWorkspaceEditResponse;
import org.eclipse.lsp4j.ClientCapabilities;
import org.eclipse.lsp4j.CodeAction;
import org.eclipse.lsp4j.CodeActionContext;
import org.eclipse.lsp4j.CodeActionParams;
import org.eclipse.lsp4j.CodeLensWorkspaceCapabilities;
import org.eclipse.lsp4j.Diagnostic;
import org.eclipse.lsp4j.DidChangeTextDocumentParams;
import org.eclipse.lsp4j.DidCloseTextDocumentParams;
import org.eclipse.lsp4j.DidOpenTextDocumentParams;
import org.eclipse.lsp4j.InitializeParams;
import org.eclipse.lsp4j.InitializedParams;
import org.eclipse.lsp4j.InlayHintWorkspaceCapabilities;
import org.eclipse.lsp4j.MessageActionItem;
import org.eclipse.lsp4j.MessageParams;
import org.eclipse.lsp4j.Position;
import org.eclipse.lsp4j.PublishDiagnosticsParams;
import org.eclipse.lsp4j.Range;
import org.eclipse.lsp4j.ShowMessageRequestParams;
import org.eclipse.lsp4j.TextDocumentContentChangeEvent;
import org.eclipse.lsp4j.TextDocumentIdentifier;
import org.eclipse.lsp4j.TextDocumentItem;
import org.eclipse.lsp4j.TextEdit;
import org.eclipse.lsp4j.VersionedTextDocumentIdentifier;
import org.eclipse.lsp4j.WorkspaceClientCapabilities;
import org.eclipse.lsp4j.WorkspaceFolder;
import org.eclipse.lsp4j.jsonrpc.Launcher;
import org.eclipse.lsp4j.jsonrpc.messages.Either;
import org.eclipse.lsp4j.launch.LSPLauncher;
import org.eclipse.lsp4j.services.LanguageClient;
import org.eclipse.lsp4j.services.LanguageServer;

/** A client and a server, connected by pipes. */
final class Session implements LanguageClient, AutoCloseable {
  private static final int SECONDS = 60;

  final LanguageServer server;
  final List<String> messages = new CopyOnWriteArrayList<>();
  final CompletableFuture<Integer> exit = new CompletableFuture<>();
  final PipedOutputStream toServer;

  /** Open until hints and lenses are to be asked for again. */
  final CountDownLatch refreshed = new CountDownLatch(2);

  /** Lists without a version, which come before complete ones. */
  final List<PublishDiagnosticsParams> previews = new CopyOnWriteArrayList<>();

  private final Map<String, PublishDiagnosticsParams> published = new ConcurrentHashMap<>();
  private final Map<String, String> texts = new ConcurrentHashMap<>();
  private final Map<String, Integer> versions = new ConcurrentHashMap<>();
  private final Path root;

  Session(Path root) throws Exception {
    this(root, capabilities());
  }

  /** With a client that answers no requests: the bytes of a test are all that the server reads. */
  static Session silent(Path root) throws Exception {
    return new Session(root, new ClientCapabilities());
  }

  private Session(Path root, ClientCapabilities capabilities) throws Exception {
    this.root = root.toRealPath();
    PipedInputStream in = new PipedInputStream(1 << 20);
    PipedInputStream answers = new PipedInputStream(1 << 20);
    toServer = new PipedOutputStream(in);
    PipedOutputStream out = new PipedOutputStream(answers);
    Thread thread =
        new Thread(
            () -> {
              try {
                exit.complete(LspServer.run(in, out, EditorChoices::setup, "test"));
              } catch (InterruptedException e) {
                exit.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    Launcher<LanguageServer> launcher = LSPLauncher.createClientLauncher(this, answers, toServer);
    launcher.startListening();
    server = launcher.getRemoteProxy();
    InitializeParams params = new InitializeParams();
    params.setCapabilities(capabilities);
    params.setWorkspaceFolders(List.of(new WorkspaceFolder(this.root.toUri().toString(), "t")));
    server.initialize(params).get(SECONDS, TimeUnit.SECONDS);
    server.initialized(new InitializedParams());
  }

  private static ClientCapabilities capabilities() {
    WorkspaceClientCapabilities workspace = new WorkspaceClientCapabilities();
    workspace.setInlayHint(new InlayHintWorkspaceCapabilities(true));
    workspace.setCodeLens(new CodeLensWorkspaceCapabilities(true));
    ClientCapabilities can = new ClientCapabilities();
    can.setWorkspace(workspace);
    return can;
  }

  String uri(String path) {
    return root.resolve(path).toUri().toString();
  }

  /** Opens a file with the content on disk. */
  void open(String path) throws IOException {
    open(path, Files.readString(root.resolve(path)));
  }

  void open(String path, String text) {
    texts.put(path, text);
    versions.put(path, 1);
    server
        .getTextDocumentService()
        .didOpen(new DidOpenTextDocumentParams(new TextDocumentItem(uri(path), "cuda", 1, text)));
  }

  void close(String path) {
    published.remove(uri(path));
    server
        .getTextDocumentService()
        .didClose(new DidCloseTextDocumentParams(new TextDocumentIdentifier(uri(path))));
  }

  String text(String path) {
    return texts.get(path);
  }

  /** Replaces a stretch of a document, as the keystrokes of a person do. */
  void edit(String path, int startLine, int start, int endLine, int end, String text) {
    Range range = new Range(new Position(startLine, start), new Position(endLine, end));
    change(path, List.of(new TextEdit(range, text)));
  }

  /** Applies edits of the server to a document and sends them as changes. */
  void change(String path, List<TextEdit> edits) {
    List<TextEdit> backwards = new ArrayList<>(edits);
    backwards.sort(
        Comparator.comparingInt((TextEdit e) -> e.getRange().getStart().getLine())
            .thenComparingInt(e -> e.getRange().getStart().getCharacter())
            .reversed());
    List<TextDocumentContentChangeEvent> changes = new ArrayList<>();
    for (TextEdit e : backwards) {
      String old = texts.getOrDefault(path, "");
      int from = offset(old, e.getRange().getStart());
      int to = offset(old, e.getRange().getEnd());
      texts.put(path, old.substring(0, from) + e.getNewText() + old.substring(to));
      changes.add(new TextDocumentContentChangeEvent(e.getRange(), e.getNewText()));
    }
    int version = versions.merge(path, 1, Integer::sum);
    server
        .getTextDocumentService()
        .didChange(
            new DidChangeTextDocumentParams(
                new VersionedTextDocumentIdentifier(uri(path), version), changes));
  }

  private static int offset(String text, Position p) {
    int at = 0;
    for (int i = 0; i < p.getLine(); i++) {
      at = text.indexOf('\n', at) + 1;
    }
    return at + p.getCharacter();
  }

  /** Waits for the findings of the current text. */
  List<Diagnostic> findings(String path) throws Exception {
    return findings(path, x -> true);
  }

  synchronized List<Diagnostic> findings(String path, Predicate<List<Diagnostic>> wanted)
      throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (true) {
      PublishDiagnosticsParams p = published.get(uri(path));
      if (p != null
          && versions.get(path).equals(p.getVersion())
          && wanted.test(p.getDiagnostics())) {
        return p.getDiagnostics();
      }
      if (System.nanoTime() > end) {
        throw new AssertionError("no such findings in time: " + p + " " + messages);
      }
      wait(50);
    }
  }

  List<String> rules(String path) throws Exception {
    return findings(path).stream().map(d -> d.getCode().getLeft()).toList();
  }

  /**
   * @param kinds of which there may be none, which means all
   */
  List<CodeAction> actions(String path, Range range, String... kinds) throws Exception {
    CodeActionContext context = new CodeActionContext(List.of());
    context.setOnly(List.of(kinds));
    return server
        .getTextDocumentService()
        .codeAction(new CodeActionParams(new TextDocumentIdentifier(uri(path)), range, context))
        .get(SECONDS, TimeUnit.SECONDS)
        .stream()
        .map(Either::getRight)
        .toList();
  }

  /** Returns the edits of the action whose title begins like this. */
  List<TextEdit> fix(String path, Range range, String title) throws Exception {
    CodeAction action =
        actions(path, range).stream()
            .filter(a -> a.getTitle().startsWith(title))
            .findFirst()
            .orElseThrow();
    return action.getEdit().getDocumentChanges().getFirst().getLeft().getEdits().stream()
        .map(Either::getLeft)
        .toList();
  }

  @Override
  public synchronized void publishDiagnostics(PublishDiagnosticsParams diagnostics) {
    if (diagnostics.getVersion() == null) {
      previews.add(diagnostics);
    }
    published.put(diagnostics.getUri(), diagnostics);
    notifyAll();
  }

  @Override
  public CompletableFuture<Void> refreshInlayHints() {
    refreshed.countDown();
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletableFuture<Void> refreshCodeLenses() {
    refreshed.countDown();
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletableFuture<ApplyWorkspaceEditResponse> applyEdit(ApplyWorkspaceEditParams params) {
    var edit = params.getEdit().getDocumentChanges().getFirst().getLeft();
    String path = edit.getTextDocument().getUri().substring(uri("").length());
    boolean isCurrent = versions.get(path).equals(edit.getTextDocument().getVersion());
    if (isCurrent) {
      change(path, edit.getEdits().stream().map(Either::getLeft).toList());
    }
    return CompletableFuture.completedFuture(new ApplyWorkspaceEditResponse(isCurrent));
  }

  @Override
  public void telemetryEvent(Object object) {
    messages.add(String.valueOf(object));
  }

  @Override
  public void showMessage(MessageParams params) {
    messages.add(params.getMessage());
  }

  @Override
  public CompletableFuture<MessageActionItem> showMessageRequest(ShowMessageRequestParams params) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void logMessage(MessageParams message) {
    messages.add(message.getMessage());
  }

  @Override
  public void close() throws Exception {
    if (!exit.isDone()) {
      server.shutdown().get(SECONDS, TimeUnit.SECONDS);
      server.exit();
    }
    exit.get(SECONDS, TimeUnit.SECONDS);
  }
}
