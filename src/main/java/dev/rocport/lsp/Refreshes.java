package dev.rocport.lsp;

import org.eclipse.lsp4j.ClientCapabilities;
import org.eclipse.lsp4j.WorkspaceClientCapabilities;
import org.eclipse.lsp4j.services.LanguageClient;

/**
 * What a client asks for again when the server says so: it asks when it opens or changes a
 * document, and other files may decide the answer later.
 */
record Refreshes(boolean lenses, boolean hints) {
  static final Refreshes NONE = new Refreshes(false, false);

  static Refreshes of(ClientCapabilities can) {
    WorkspaceClientCapabilities workspace = can == null ? null : can.getWorkspace();
    if (workspace == null) {
      return NONE;
    }
    return new Refreshes(
        workspace.getCodeLens() != null
            && Boolean.TRUE.equals(workspace.getCodeLens().getRefreshSupport()),
        workspace.getInlayHint() != null
            && Boolean.TRUE.equals(workspace.getInlayHint().getRefreshSupport()));
  }

  void ask(LanguageClient client) {
    if (lenses) {
      var _ = client.refreshCodeLenses();
    }
    if (hints) {
      var _ = client.refreshInlayHints();
    }
  }
}
