// A session of a person: open a file, look at its findings, apply changes, and see findings go.
'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { afterEach, beforeEach, test } = require('node:test');
const { Client, LAUNCHER, protocol } = require('./client');

const FILE = 'kernel.cu';
const FIXTURE = path.join(__dirname, '..', '..', FILE);
const LIMIT = { timeout: 300_000 };

let folder;
let client;

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rocport-'));
  fs.copyFileSync(FIXTURE, path.join(folder, FILE));
  client = new Client(folder);
  client.can = (await client.start()).capabilities;
  await client.open(FILE);
});

afterEach(async () => {
  assert.equal(await client.stop(), 0);
  assert.deepEqual(fs.readFileSync(path.join(folder, FILE)), fs.readFileSync(FIXTURE));
  fs.rmSync(folder, { recursive: true });
});

const places = (findings) => findings.map((d) => `${d.range.start.line + 1} ${d.code}`);

async function show(t, title) {
  const found = await client.findings(FILE);
  t.diagnostic(`${title}, findings: ${found.length}`);
  for (const { range, code, message } of found) {
    const [first] = message.split('\n');
    t.diagnostic(`  ${range.start.line + 1}:${range.start.character + 1} ${code} ${first.slice(0, 54)}`);
  }
  return places(found);
}

async function apply(t, first, last, kind) {
  const [action] = await client.actions(FILE, first, last, kind);
  t.diagnostic(`apply: ${action.title}`);
  await client.apply(action.edit);
}

test('a fix ends its finding', LIMIT, async (t) => {
  assert.deepEqual(await show(t, 'opened'), ['3 PTX-INLINE', '5 W64-LANE']);
  await apply(t, 4, 4, 'quickfix.rocport.port');
  assert.deepEqual(await show(t, 'line ported'), ['4 PTX-INLINE']);
  await apply(t, 0, 0, 'source.rocport.port');
  assert.deepEqual(await show(t, 'file ported'), ['4 PTX-INLINE']);
  const out = path.join(folder, 'out');
  spawnSync(LAUNCHER, ['port', folder, '--out', out]);
  assert.equal(client.text(FILE), fs.readFileSync(path.join(out, FILE), 'utf8'));
  fs.rmSync(out, { recursive: true });
});

test('a selection is ported alone', LIMIT, async (t) => {
  await client.findings(FILE);
  await apply(t, 5, 7, 'quickfix.rocport.port');
  assert.match(client.text(FILE), /hipDeviceSynchronize/);
  assert.match(client.text(FILE), /mov\.u32/);
});

test('a suppression has a reason', LIMIT, async (t) => {
  assert.deepEqual(await show(t, 'opened'), ['3 PTX-INLINE', '5 W64-LANE']);
  const uri = client.uri(FILE);
  assert.equal(await client.execute('rocport.suppress', uri, 2, 'PTX-INLINE', 'Hopper only'), true);
  assert.deepEqual(await show(t, 'suppressed'), ['6 W64-LANE']);
  assert.match(client.text(FILE), /\n  \/\/ rocport: ignore PTX-INLINE Hopper only\n/);
  await assert.rejects(client.execute('rocport.suppress', uri, 5, 'W64-LANE', ' '), /needs a reason/);
});

test('rules and names are explained', LIMIT, async (t) => {
  await client.findings(FILE);
  const rule = await client.execute('rocport.explain', 'W64-LANE');
  t.diagnostic(rule.split('\n')[0]);
  assert.match(rule, /W64-LANE/);
  const hover = await client.ask(protocol.HoverRequest.type, {
    textDocument: { uri: client.uri(FILE) },
    position: { line: 7, character: 45 },
  });
  t.diagnostic(hover.contents.value.split('\n')[0]);
  assert.match(hover.contents.value, /hipDeviceSynchronize/);
  assert.deepEqual(client.messages, []);
});

test('lenses are above kernels', LIMIT, async () => {
  await client.findings(FILE);
  const lenses = await client.ask(protocol.CodeLensRequest.type, {
    textDocument: { uri: client.uri(FILE) },
  });
  assert.deepEqual(
    lenses.map((l) => `${l.range.start.line + 1} ${l.command.title}`),
    ['1 rocport: 4 edits of a port, 2 findings', '2 check', '2 verify'],
  );
  const { command, arguments: args } = lenses[1].command;
  assert.match(await client.execute(command, ...args), /rocport check PORTED/);
});

test('hints are between the code', LIMIT, async (t) => {
  const text = fs.readFileSync(FIXTURE, 'utf8').replace('<<<1, 64>>>', '<<<1, 2 * 32>>>');
  const line = text.split('\n').findIndex((l) => l.includes('<<<'));
  const start = { line, character: 0 };
  const end = { line: line + 1, character: 0 };
  const edits = [{ range: { start, end }, newText: `${text.split('\n')[line]}\n` }];
  const document = { uri: client.uri(FILE), version: 1 };
  await client.findings(FILE);
  await client.apply({ documentChanges: [{ textDocument: document, edits }] });
  await client.findings(FILE);
  const hints = await client.ask(protocol.InlayHintRequest.type, {
    textDocument: { uri: client.uri(FILE) },
    range: { start: { line: 0, character: 0 }, end },
  });
  hints.forEach((h) => t.diagnostic(`${h.position.line + 1}:${h.position.character + 1} ${h.label}`));
  assert.deepEqual(
    hints.map((h) => `${h.position.line + 1} ${h.label}`),
    ['2 blocks of 64', '8 64 threads'],
  );
});

/** Names in the manifest that have no counterpart fail only when somebody uses them. */
test('the extension uses what the server has', LIMIT, async () => {
  await client.findings(FILE);
  const source = fs.readFileSync(path.join(__dirname, '..', 'extension.js'), 'utf8');
  const own = require('../package.json').contributes.commands.map((c) => c.command);
  const known = [...own, ...client.can.executeCommandProvider.commands];
  for (const [, name] of source.matchAll(/'(rocport\.\w+)'/g)) {
    assert.ok(known.includes(name), name);
  }
  for (const name of own) {
    assert.ok(source.includes(`register('${name}'`), name);
  }
  for (const [kind] of source.matchAll(/(?:source|quickfix)\.rocport\.\w+/g)) {
    assert.ok(client.can.codeActionProvider.codeActionKinds.includes(kind), kind);
    assert.equal((await client.actions(FILE, 4, 4, kind)).length, 1, kind);
  }
});
