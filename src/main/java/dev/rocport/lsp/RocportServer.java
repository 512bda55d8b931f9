package dev.rocport.lsp;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.rocport.assess.SuppressionComment;
import dev.rocport.explain.Explanation;
import dev.rocport.explain.ExplanationText;
import dev.rocport.rules.RuleCatalog;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.eclipse.lsp4j.ApplyWorkspaceEditParams;
import org.eclipse.lsp4j.ClientCapabilities;
import org.eclipse.lsp4j.CodeAction;
import org.eclipse.lsp4j.CodeActionKind;
import org.eclipse.lsp4j.CodeActionOptions;
import org.eclipse.lsp4j.CodeActionParams;
import org.eclipse.lsp4j.CodeLens;
import org.eclipse.lsp4j.CodeLensOptions;
import org.eclipse.lsp4j.CodeLensParams;
import org.eclipse.lsp4j.Command;
import org.eclipse.lsp4j.DidChangeConfigurationParams;
import org.eclipse.lsp4j.DidChangeTextDocumentParams;
import org.eclipse.lsp4j.DidChangeWatchedFilesParams;
import org.eclipse.lsp4j.DidChangeWatchedFilesRegistrationOptions;
import org.eclipse.lsp4j.DidChangeWorkspaceFoldersParams;
import org.eclipse.lsp4j.DidCloseTextDocumentParams;
import org.eclipse.lsp4j.DidOpenTextDocumentParams;
import org.eclipse.lsp4j.DidSaveTextDocumentParams;
import org.eclipse.lsp4j.ExecuteCommandOptions;
import org.eclipse.lsp4j.ExecuteCommandParams;
import org.eclipse.lsp4j.FileSystemWatcher;
import org.eclipse.lsp4j.Hover;
import org.eclipse.lsp4j.HoverParams;
import org.eclipse.lsp4j.InitializeParams;
import org.eclipse.lsp4j.InitializeResult;
import org.eclipse.lsp4j.InitializedParams;
import org.eclipse.lsp4j.InlayHint;
import org.eclipse.lsp4j.InlayHintParams;
import org.eclipse.lsp4j.MessageParams;
import org.eclipse.lsp4j.MessageType;
import org.eclipse.lsp4j.Registration;
import org.eclipse.lsp4j.RegistrationParams;
import org.eclipse.lsp4j.SaveOptions;
import org.eclipse.lsp4j.ServerCapabilities;
import org.eclipse.lsp4j.ServerInfo;
import org.eclipse.lsp4j.TextDocumentItem;
import org.eclipse.lsp4j.TextDocumentSyncKind;
import org.eclipse.lsp4j.TextDocumentSyncOptions;
import org.eclipse.lsp4j.WorkspaceEdit;
import org.eclipse.lsp4j.WorkspaceFolder;
import org.eclipse.lsp4j.WorkspaceFoldersOptions;
import org.eclipse.lsp4j.WorkspaceServerCapabilities;
import org.eclipse.lsp4j.jsonrpc.CompletableFutures;
import org.eclipse.lsp4j.jsonrpc.ResponseErrorException;
import org.eclipse.lsp4j.jsonrpc.messages.Either;
import org.eclipse.lsp4j.jsonrpc.messages.ResponseError;
import org.eclipse.lsp4j.jsonrpc.messages.ResponseErrorCode;
import org.eclipse.lsp4j.services.LanguageClient;
import org.eclipse.lsp4j.services.LanguageServer;
import org.eclipse.lsp4j.services.TextDocumentService;
import org.eclipse.lsp4j.services.WorkspaceService;

/** The requests of a client, answered from the documents and the analysis. */
final class RocportServer implements LanguageServer, TextDocumentService, WorkspaceService {
  /** A command that shows its argument. */
  static final String SHOW = "rocport.show";

  /** A command that shows the page of a rule. */
  static final String EXPLAIN = "rocport.explain";

  /** A command that suppresses a rule: the document, the line from 0, the rule, the reason. */
  static final String SUPPRESS = "rocport.suppress";

  private final Analyst analyst;
  private final String version;
  private final CompletableFuture<LanguageClient> client;
  private final CompletableFuture<Integer> end;
  private boolean watches;

  /** Whether the client shows the results of commands itself. */
  private boolean returnsText;

  private boolean isShutDown;

  /**
   * Creates a server.
   *
   * @param end completed with the exit code when the client ends the session
   */
  RocportServer(
      Analyst analyst,
      CompletableFuture<LanguageClient> client,
      String version,
      CompletableFuture<Integer> end) {
    this.analyst = analyst;
    this.client = client;
    this.version = version;
    this.end = end;
  }

  @Override
  public CompletableFuture<InitializeResult> initialize(InitializeParams params) {
    analyst.roots(roots(params));
    watches = canWatch(params.getCapabilities());
    analyst.refreshes(Refreshes.of(params.getCapabilities()));
    returnsText =
        params.getInitializationOptions() instanceof JsonObject o
            && o.get("returnsText") instanceof JsonPrimitive p
            && p.getAsBoolean();
    watchParent(params.getProcessId());
    TextDocumentSyncOptions sync = new TextDocumentSyncOptions();
    sync.setOpenClose(true);
    sync.setChange(TextDocumentSyncKind.Incremental);
    sync.setSave(new SaveOptions(false));
    ServerCapabilities can = new ServerCapabilities();
    can.setTextDocumentSync(sync);
    can.setHoverProvider(true);
    can.setCodeActionProvider(
        new CodeActionOptions(
            List.of(
                CodeActionKind.QuickFix,
                Actions.PORT_LINES,
                Actions.SUPPRESS,
                Actions.EXPLAIN,
                CodeActionKind.Source,
                Actions.PORT_FILE)));
    can.setCodeLensProvider(new CodeLensOptions(false));
    can.setInlayHintProvider(true);
    can.setExecuteCommandProvider(new ExecuteCommandOptions(List.of(SHOW, EXPLAIN, SUPPRESS)));
    WorkspaceFoldersOptions folders = new WorkspaceFoldersOptions();
    folders.setSupported(true);
    folders.setChangeNotifications(true);
    can.setWorkspace(new WorkspaceServerCapabilities(folders));
    return CompletableFuture.completedFuture(
        new InitializeResult(can, new ServerInfo("rocport", version)));
  }

  @SuppressWarnings("deprecation") // older clients name only the root
  private static List<String> roots(InitializeParams params) {
    List<WorkspaceFolder> folders = params.getWorkspaceFolders();
    if (folders != null && !folders.isEmpty()) {
      return folders.stream().map(WorkspaceFolder::getUri).toList();
    }
    return params.getRootUri() == null ? List.of() : List.of(params.getRootUri());
  }

  private static boolean canWatch(ClientCapabilities can) {
    return can != null
        && can.getWorkspace() != null
        && can.getWorkspace().getDidChangeWatchedFiles() != null
        && Boolean.TRUE.equals(
            can.getWorkspace().getDidChangeWatchedFiles().getDynamicRegistration());
  }

  /** A client that dies may leave its end of the pipe open in another process. */
  private void watchParent(Integer process) {
    if (process != null) {
      CompletableFuture<?> gone =
          ProcessHandle.of(process)
              .<CompletableFuture<?>>map(ProcessHandle::onExit)
              .orElseGet(() -> CompletableFuture.completedFuture(null));
      var _ = gone.thenRun(() -> end.complete(1));
    }
  }

  @Override
  public void initialized(InitializedParams params) {
    if (watches) {
      var all =
          new DidChangeWatchedFilesRegistrationOptions(
              List.of(new FileSystemWatcher(Either.forLeft("**/*"))));
      var _ =
          client
              .join()
              .registerCapability(
                  new RegistrationParams(
                      List.of(new Registration("files", "workspace/didChangeWatchedFiles", all))));
    }
    analyst.begin();
  }

  @Override
  public CompletableFuture<Object> shutdown() {
    isShutDown = true;
    return CompletableFuture.completedFuture(new Object());
  }

  @Override
  public void exit() {
    end.complete(isShutDown ? 0 : 1);
  }

  @Override
  public TextDocumentService getTextDocumentService() {
    return this;
  }

  @Override
  public WorkspaceService getWorkspaceService() {
    return this;
  }

  @Override
  public void setTrace(org.eclipse.lsp4j.SetTraceParams params) {
    // There is no trace to set.
  }

  @Override
  public void didOpen(DidOpenTextDocumentParams params) {
    TextDocumentItem item = params.getTextDocument();
    analyst.open(item.getUri(), new TextBuffer(item.getText(), item.getVersion()));
  }

  @Override
  public void didChange(DidChangeTextDocumentParams params) {
    analyst.change(params);
  }

  @Override
  public void didClose(DidCloseTextDocumentParams params) {
    analyst.close(params.getTextDocument().getUri());
  }

  @Override
  public void didSave(DidSaveTextDocumentParams params) {
    analyst.changedOnDisk();
  }

  @Override
  public void didChangeWatchedFiles(DidChangeWatchedFilesParams params) {
    analyst.changedOnDisk();
  }

  @Override
  public void didChangeConfiguration(DidChangeConfigurationParams params) {
    analyst.changedOnDisk();
  }

  @Override
  public void didChangeWorkspaceFolders(DidChangeWorkspaceFoldersParams params) {
    analyst.rootsChanged(
        params.getEvent().getAdded().stream().map(WorkspaceFolder::getUri).toList(),
        params.getEvent().getRemoved().stream().map(WorkspaceFolder::getUri).toList());
  }

  @Override
  public CompletableFuture<Hover> hover(HoverParams params) {
    return CompletableFutures.computeAsync(
        cancelled -> {
          Optional<TextBuffer> buffer = analyst.buffer(params.getTextDocument().getUri());
          RuleCatalog catalog = analyst.catalog();
          cancelled.checkCanceled();
          return buffer.flatMap(b -> Hovers.at(catalog, b, params.getPosition())).orElse(null);
        });
  }

  @Override
  public CompletableFuture<List<Either<Command, CodeAction>>> codeAction(CodeActionParams params) {
    String uri = params.getTextDocument().getUri();
    return analyst.ask(uri, List.of(), found -> new Actions(uri, found).at(params));
  }

  @Override
  public CompletableFuture<List<? extends CodeLens>> codeLens(CodeLensParams params) {
    return analyst.ask(params.getTextDocument().getUri(), List.of(), Lenses::of);
  }

  @Override
  public CompletableFuture<List<InlayHint>> inlayHint(InlayHintParams params) {
    return analyst.ask(
        params.getTextDocument().getUri(),
        List.of(),
        found -> found.isSource() ? Hints.of(found, params.getRange()) : List.of());
  }

  @Override
  public CompletableFuture<Object> executeCommand(ExecuteCommandParams params) {
    List<Object> args = params.getArguments() == null ? List.of() : params.getArguments();
    return switch (params.getCommand()) {
      case SHOW -> shown(text(args, 0));
      case EXPLAIN -> {
        RuleCatalog catalog = analyst.catalog();
        yield shown(ExplanationText.of(Explanation.of(catalog, text(args, 0)), catalog));
      }
      case SUPPRESS -> suppressed(text(args, 0), line(args), text(args, 2), text(args, 3));
      default -> failed("rocport has no command " + params.getCommand());
    };
  }

  private static String text(List<Object> args, int i) {
    return i < args.size() && args.get(i) instanceof JsonPrimitive p ? p.getAsString() : "";
  }

  /** Returns the second argument; -1 if it is no line. */
  private static int line(List<Object> args) {
    return args.size() > 1 && args.get(1) instanceof JsonPrimitive p && p.isNumber()
        ? p.getAsInt()
        : -1;
  }

  private CompletableFuture<Object> shown(String text) {
    if (!returnsText) {
      client.join().showMessage(new MessageParams(MessageType.Info, text));
    }
    return CompletableFuture.completedFuture(text);
  }

  private CompletableFuture<Object> suppressed(String uri, int line, String rule, String reason) {
    if (!SuppressionComment.isReason(reason)) {
      return failed("a suppression needs a reason in one line that does not end in a backslash");
    }
    return analyst
        .ask(
            uri,
            Optional.<WorkspaceEdit>empty(),
            found -> {
              Actions actions = new Actions(uri, found);
              return actions
                  .suppressing(line, rule, reason.strip())
                  .map(e -> actions.workspace(List.of(e)));
            })
        .thenCompose(
            edit ->
                edit.isEmpty()
                    ? failed(
                        "line %d has no finding of %s that a comment can suppress"
                            .formatted(line + 1, rule))
                    : client
                        .join()
                        .applyEdit(new ApplyWorkspaceEditParams(edit.get(), "Suppress " + rule))
                        .thenApply(r -> r.isApplied()));
  }

  private static CompletableFuture<Object> failed(String message) {
    return CompletableFuture.failedFuture(
        new ResponseErrorException(
            new ResponseError(ResponseErrorCode.InvalidParams, message, null)));
  }
}
