// Connects VS Code with the language server of rocport: see docs/editor.md.
'use strict';

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

const LANGUAGES = ['cuda-cpp', 'c', 'cpp', 'python', 'cmake', 'makefile'];

/** Kinds of actions of the server, which VS Code applies by itself. */
const PORT_FILE = 'source.rocport.port';
const PORT_LINES = 'quickfix.rocport.port';
const SUPPRESS = 'quickfix.rocport.suppress';

let client;

function activate(context) {
  const register = (name, run) =>
    context.subscriptions.push(vscode.commands.registerCommand(name, run));
  register('rocport.portFile', () => apply(PORT_FILE));
  register('rocport.portSelection', () => apply(PORT_LINES));
  register('rocport.suppressFinding', suppress);
  register('rocport.explainName', explain);
  register('rocport.restart', restart);
  return start();
}

async function start() {
  const command = vscode.workspace.getConfiguration('rocport').get('path');
  client = new LanguageClient(
    'rocport',
    'rocport',
    { command, args: ['lsp'] },
    {
      documentSelector: LANGUAGES.map((language) => ({ scheme: 'file', language })),
      initializationOptions: { returnsText: true },
      middleware: { executeCommand: show, provideCodeActions: withReasons },
    },
  );
  try {
    await client.start();
  } catch (failure) {
    vscode.window.showErrorMessage(
      `rocport: "${command} lsp" does not start; set rocport.path (${failure.message})`,
    );
  }
}

/** Starts the server that the settings name now, also if the last one did not start. */
async function restart() {
  await client.stop().catch(() => {});
  return start();
}

function deactivate() {
  return client && client.stop();
}

function apply(kind) {
  return vscode.commands.executeCommand('editor.action.codeAction', { kind, apply: 'first' });
}

/** Shows the results of the commands of the server. */
async function show(command, args, next) {
  const text = await next(command, args);
  if (command === 'rocport.show') {
    // A command line: the user completes and starts it.
    const terminal =
      vscode.window.terminals.find((t) => t.name === 'rocport') ||
      vscode.window.createTerminal('rocport');
    terminal.show();
    terminal.sendText(text, false);
  } else if (command === 'rocport.explain') {
    await page(text);
  }
  return text;
}

async function page(content) {
  const document = await vscode.workspace.openTextDocument({ content, language: 'markdown' });
  return vscode.window.showTextDocument(document, {
    preview: true,
    viewColumn: vscode.ViewColumn.Beside,
  });
}

/** A suppression asks for its reason, in place of the comment without one. */
async function withReasons(document, range, context, token, next) {
  const actions = (await next(document, range, context, token)) || [];
  for (const action of actions) {
    if (action.kind && action.kind.value === SUPPRESS && action.diagnostics.length > 0) {
      const [found] = action.diagnostics;
      action.title = `Suppress ${found.code} here ...`;
      action.edit = undefined;
      action.command = {
        title: action.title,
        command: 'rocport.suppressFinding',
        arguments: [document.uri, found],
      };
    }
  }
  return actions;
}

/** Suppresses a finding; without arguments, one of the line with the cursor. */
async function suppress(uri, finding) {
  const editor = vscode.window.activeTextEditor;
  if (!finding && !editor) {
    return;
  }
  const at = uri || editor.document.uri;
  const found = finding || (await choose(at, editor.selection.active.line));
  const reason =
    found &&
    (await vscode.window.showInputBox({
      prompt: `Why does ${found.code} not matter here?`,
      validateInput: (text) =>
        text.trim() === '' || text.trim().endsWith('\\')
          ? 'A suppression needs a reason that does not end in a backslash.'
          : undefined,
    }));
  if (reason) {
    await ask('rocport.suppress', [
      client.code2ProtocolConverter.asUri(at),
      found.range.start.line,
      String(found.code),
      reason,
    ]);
  }
}

async function choose(uri, line) {
  const here = vscode.languages
    .getDiagnostics(uri)
    .filter((d) => d.source === 'rocport' && d.range.start.line <= line && line <= d.range.end.line);
  if (here.length === 0) {
    vscode.window.showInformationMessage('rocport: there is no finding in this line.');
  }
  if (here.length < 2) {
    return here[0];
  }
  const picked = await vscode.window.showQuickPick(
    here.map((found) => ({ label: String(found.code), description: found.message, found })),
  );
  return picked && picked.found;
}

/** Explains what the user enters; the word under the cursor is the default. */
async function explain() {
  const editor = vscode.window.activeTextEditor;
  const word = editor && editor.document.getWordRangeAtPosition(editor.selection.active);
  const name = await vscode.window.showInputBox({
    prompt: 'A CUDA name, a PTX instruction, an nvcc flag or a rule',
    value: word ? editor.document.getText(word) : '',
  });
  const text = name && (await ask('rocport.explain', [name]));
  if (text) {
    await page(text);
  }
}

async function ask(command, args) {
  try {
    return await client.sendRequest('workspace/executeCommand', { command, arguments: args });
  } catch (failure) {
    vscode.window.showErrorMessage(`rocport: ${failure.message}`);
    return '';
  }
}

module.exports = { activate, deactivate };
