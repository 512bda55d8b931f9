// A client of `rocport lsp` without an editor: the protocol library of VS Code over a process.
'use strict';

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const protocol = require('vscode-languageserver-protocol/node');

const LAUNCHER = process.env.ROCPORT || path.join(__dirname, '..', '..', '..', 'rocport');

class Client {
  #server;
  #connection;
  #texts = new Map();
  #published = new Map();
  #listeners = [];

  constructor(folder) {
    this.folder = fs.realpathSync(folder);
    this.messages = [];
  }

  /** Starts the server for the folder. Returns what it can do. */
  async start(options = { returnsText: true }) {
    this.#server = spawn(LAUNCHER, ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#connection = protocol.createProtocolConnection(
      new protocol.StreamMessageReader(this.#server.stdout),
      new protocol.StreamMessageWriter(this.#server.stdin),
    );
    this.#connection.onNotification(protocol.PublishDiagnosticsNotification.type, (p) => {
      this.#published.set(p.uri, p);
      this.#listeners.forEach((listener) => listener());
    });
    this.#connection.onNotification(protocol.ShowMessageNotification.type, (p) =>
      this.messages.push(p.message),
    );
    this.#connection.onRequest(protocol.ApplyWorkspaceEditRequest.type, async (p) => {
      await this.apply(p.edit);
      return { applied: true };
    });
    this.#connection.listen();
    const result = await this.ask(protocol.InitializeRequest.type, {
      processId: process.pid,
      rootUri: null,
      capabilities: { workspace: { applyEdit: true, workspaceEdit: { documentChanges: true } } },
      initializationOptions: options,
      workspaceFolders: [{ uri: pathToFileURL(this.folder).href, name: 'fixture' }],
    });
    await this.#connection.sendNotification(protocol.InitializedNotification.type, {});
    return result;
  }

  /** Ends the session. Returns the exit code of the server. */
  async stop() {
    const end = new Promise((done) => this.#server.on('exit', done));
    await this.ask(protocol.ShutdownRequest.type);
    await this.#connection.sendNotification(protocol.ExitNotification.type);
    return end;
  }

  ask(type, parameters) {
    return this.#connection.sendRequest(type, parameters);
  }

  uri(name) {
    return pathToFileURL(path.join(this.folder, name)).href;
  }

  text(name) {
    return this.#texts.get(this.uri(name)).text;
  }

  async open(name) {
    const uri = this.uri(name);
    const text = fs.readFileSync(path.join(this.folder, name), 'utf8');
    this.#texts.set(uri, { text, version: 1 });
    await this.#connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, {
      textDocument: { uri, languageId: 'cuda-cpp', version: 1, text },
    });
  }

  /** Applies an edit of the server to the open documents, and tells it. */
  async apply(edit) {
    for (const { textDocument, edits } of edit.documentChanges) {
      const known = this.#texts.get(textDocument.uri);
      if (known.version !== textDocument.version) {
        throw new Error(`an edit of version ${textDocument.version}, not ${known.version}`);
      }
      const backwards = [...edits].sort(
        (a, b) =>
          b.range.start.line - a.range.start.line ||
          b.range.start.character - a.range.start.character,
      );
      for (const { range, newText } of backwards) {
        const from = offset(known.text, range.start);
        const to = offset(known.text, range.end);
        known.text = known.text.slice(0, from) + newText + known.text.slice(to);
      }
      known.version++;
      await this.#connection.sendNotification(protocol.DidChangeTextDocumentNotification.type, {
        textDocument: { uri: textDocument.uri, version: known.version },
        contentChanges: backwards.map(({ range, newText }) => ({ range, text: newText })),
      });
    }
  }

  /** Returns the findings of the current text of a document. */
  findings(name) {
    const uri = this.uri(name);
    return new Promise((done) => {
      const look = () => {
        const last = this.#published.get(uri);
        if (last && last.version === this.#texts.get(uri).version) {
          this.#listeners = this.#listeners.filter((listener) => listener !== look);
          done(last.diagnostics);
        }
      };
      this.#listeners.push(look);
      look();
    });
  }

  /** Returns the actions of a kind for the lines from first to last, from 0. */
  actions(name, first, last, ...only) {
    return this.ask(protocol.CodeActionRequest.type, {
      textDocument: { uri: this.uri(name) },
      range: { start: { line: first, character: 0 }, end: { line: last, character: 1 } },
      context: { diagnostics: [], only },
    });
  }

  execute(command, ...args) {
    return this.ask(protocol.ExecuteCommandRequest.type, { command, arguments: args });
  }
}

function offset(text, { line, character }) {
  let start = 0;
  for (let i = 0; i < line; i++) {
    start = text.indexOf('\n', start) + 1;
  }
  return start + character;
}

module.exports = { Client, LAUNCHER, protocol };
