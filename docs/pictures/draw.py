#!/usr/bin/env python3
"""Draws the pictures of the documentation from what rocport and git print: draw.py [FOLDER].

ROCPORT names another launcher. Needs git. The pictures are SVG files beside this script, or in FOLDER.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from html import escape

HERE = pathlib.Path(__file__).resolve().parent
LAUNCHER = os.environ.get('ROCPORT', str(HERE.parent.parent / 'rocport'))
WIDE, HIGH, LEFT, TOP = 7.8, 18, 14, 26
INK, PALE, EDGE = '#24292f', '#6e7781', '#d0d7de'
COLORS = {1: '#cf222e', 2: '#9a6700', 3: '#0969da'}

KERNEL = '''#include <cuda_runtime.h>
constexpr int kThreads = 4 * 32;
__global__ void sum(const int* in, int* out) {
  int v = in[blockIdx.x * kThreads + threadIdx.x];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
  if (threadIdx.x % 32 == 0) atomicAdd(out, v);
  asm volatile("wgmma.fence.sync.aligned;");
}
void run(const int* in, int* out, int n) {
  sum<<<n / kThreads, kThreads>>>(in, out);
  cudaDeviceSynchronize();
}
'''
MAKE = 'NVCC ?= nvcc\nlib.o: sum.cu\n\t$(NVCC) -O3 -arch=sm_80 -c sum.cu -o lib.o\n'


def text(x, y, content, color=INK, size=13, extra=''):
    """Returns text whose width does not depend on the font."""
    left = x + size * 0.6 * (len(content) - len(content.lstrip()))
    content = content.strip()
    style = extra + ('' if size == 13 else f' font-size="{size}"')
    return (f'<text x="{left:.1f}" y="{y:.0f}" textLength="{size * 0.6 * len(content):.1f}" '
            f'fill="{color}"{style}>{escape(content)}</text>')


def write(folder, name, title, width, height, body):
    (folder / name).write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'font-family="monospace" font-size="13" role="img">\n'
        f'<title>{escape(title)}</title>\n'
        f'<rect x=".5" y=".5" width="{width - 1:.0f}" height="{height - 1:.0f}" rx="6" '
        f'fill="#ffffff" stroke="{EDGE}"/>\n' + '\n'.join(body) + '\n</svg>\n')


def terminal(folder, name, title, lines):
    """Draws lines of a terminal; commands are those that begin with a dollar sign."""
    width = 2 * LEFT + WIDE * max(map(len, lines))
    body = [text(LEFT, TOP + HIGH * i, line, INK if line.startswith('$') else PALE,
                 extra=' font-weight="bold"' if line.startswith('$') else '')
            for i, line in enumerate(lines) if line]
    write(folder, name, title, width, TOP + HIGH * len(lines), body)


def graph(folder, name, title, lines):
    """Draws `git log --graph`: a circle for each commit, lines for the rest."""
    cell = 14
    body, rows = [], [re.match(r'([*|\\/ ]*)(.*)', line).groups() for line in lines]
    columns = max(len(lane.rstrip()) for lane, _ in rows)
    for i, (lane, subject) in enumerate(rows):
        y = TOP + HIGH * i - 4
        for k, mark in enumerate(lane):
            x = LEFT + cell * k / 2 + 6
            ends = {'|': (x, x), '*': (x, x), '\\': (x - cell / 2, x + cell / 2),
                    '/': (x + cell / 2, x - cell / 2)}.get(mark)
            if ends:
                first = y if mark == '*' and i == 0 else y - HIGH / 2
                last = y if mark == '*' and i == len(rows) - 1 else y + HIGH / 2
                body.append(f'<path d="M{ends[0]:.0f} {first:.0f}L{ends[1]:.0f} {last:.0f}" '
                            f'stroke="{PALE}" stroke-width="2"/>')
            if mark == '*':
                own = not re.match(r'\w+ (Port|Add the files|Merge the port)', subject)
                body.append(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="5" stroke="{INK}" '
                            f'fill="{COLORS[3] if own else "#ffffff"}"/>')
        body.append(text(LEFT + cell * columns / 2 + 16, y + 4, subject))
    width = 2 * LEFT + cell * columns / 2 + 16 + WIDE * max(len(s) for _, s in rows)
    write(folder, name, title, width, TOP + HIGH * len(rows), body)


def run(*command, cwd):
    done = subprocess.run(command, cwd=cwd, text=True, capture_output=True, env=dict(
        os.environ, GIT_AUTHOR_NAME='A. Person', GIT_AUTHOR_EMAIL='person@example.org',
        GIT_COMMITTER_NAME='A. Person', GIT_COMMITTER_EMAIL='person@example.org'))
    if done.returncode > 1:
        sys.exit(f'{command}: {done.stderr}')
    return done.stdout + done.stderr


def commit(tree, subject, **files):
    for name, content in files.items():
        (tree / name.replace('_', '.')).write_text(content)
    run('git', 'add', '-A', cwd=tree)
    run('git', 'commit', '-q', '-m', subject, cwd=tree)


def port(tree):
    out = run(LAUNCHER, 'port', '.', '--branch', 'rocm', cwd=tree)
    return ['$ rocport port . --branch rocm'] + out[out.index('\nbranch rocm') + 1:].splitlines()


def upstream(folder, tree):
    run('git', 'init', '-q', '-b', 'main', '.', cwd=tree)
    commit(tree, 'Sum integers', sum_cu=KERNEL, Makefile=MAKE)
    first = port(tree)
    message = run('git', 'log', '-1', '--format=%B', 'rocm~1', cwd=tree).strip().splitlines()
    terminal(folder, 'branch.svg', 'A port as a branch, and the message of one of its commits',
             first + ['', '$ git log -1 --format=%B rocm~1'] + message)
    run('git', 'worktree', 'add', '-q', '../review', 'rocm', cwd=tree)
    review = tree.parent / 'review'
    source = (review / 'sum.cu').read_text()
    commit(review, 'Use larger blocks', sum_cu=source.replace('4 * 32', '8 * 32'))
    run('git', 'worktree', 'remove', '../review', cwd=tree)
    commit(tree, 'Free the buffers', free_cu='#include <cuda_runtime.h>\n'
           'void release(int* p) {\n  cudaFree(p);\n}\n')
    port(tree)
    log = run('git', 'log', '--graph', '--oneline', 'rocm', cwd=tree).splitlines()
    graph(folder, 'merge.svg', 'The branch after a second port', [line.rstrip() for line in log])


class Server:
    """The language server, as an editor uses it."""

    def __init__(self, tree):
        self.process = subprocess.Popen([LAUNCHER, 'lsp'], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.number = 0
        self.ask('initialize', {'processId': os.getpid(), 'capabilities': {}, 'workspaceFolders': [
            {'uri': tree.as_uri(), 'name': 'tree'}]})
        self.send('initialized', {})

    def send(self, method, params, **more):
        body = json.dumps({'jsonrpc': '2.0', 'method': method, 'params': params, **more}).encode()
        self.process.stdin.write(b'Content-Length: %d\r\n\r\n' % len(body) + body)
        self.process.stdin.flush()

    def receive(self, wanted):
        while True:
            length = 0
            while line := self.process.stdout.readline().strip():
                if line.startswith(b'Content-Length:'):
                    length = int(line.split(b':')[1])
            message = json.loads(self.process.stdout.read(length))
            if wanted(message):
                return message

    def ask(self, method, params):
        self.number += 1
        self.send(method, params, id=self.number)
        return self.receive(lambda m: m.get('id') == self.number).get('result')


def editor(folder, tree):
    file = tree / 'sum.cu'
    file.write_text(KERNEL)
    server = Server(tree)
    document = {'uri': file.as_uri()}
    server.send('textDocument/didOpen', {'textDocument': {
        **document, 'languageId': 'cuda-cpp', 'version': 1, 'text': KERNEL}})
    found = server.receive(lambda m: m.get('method') == 'textDocument/publishDiagnostics')
    found = found['params']['diagnostics']
    lines = KERNEL.splitlines()
    everything = {'start': {'line': 0, 'character': 0},
                  'end': {'line': len(lines), 'character': 0}}
    hints = server.ask('textDocument/inlayHint', {'textDocument': document, 'range': everything})
    lenses = server.ask('textDocument/codeLens', {'textDocument': document})
    server.ask('shutdown', None)
    server.send('exit', None)
    server.process.wait(60)
    body, y, code = [], TOP - HIGH, LEFT + 4 * WIDE
    for i, line in enumerate(lines):
        above = [lens['command']['title'] for lens in lenses if lens['range']['start']['line'] == i]
        if above:
            y += HIGH
            body.append(text(code, y, ' | '.join(above), PALE, 11))
        y += HIGH
        body.append(text(LEFT, y, f'{i + 1:2}', PALE))
        x, done = code, 0
        here = sorted((h['position']['character'], h['label']) for h in hints
                      if h['position']['line'] == i)
        places = {}
        for at, label in here + [(len(line), '')]:
            for k in range(done, at + 1):
                places.setdefault(k, x + (k - done) * WIDE)
            if line[done:at].strip():
                body.append(text(x, y, line[done:at]))
            x += (at - done) * WIDE
            if label:
                width = len(label) * 6.6 + 6
                body.append(f'<rect x="{x + 2:.1f}" y="{y - 12}" width="{width:.0f}" height="16" '
                            f'rx="3" fill="#eaeef2"/>')
                body.append(text(x + 5, y, label, PALE, 11))
                x += width + 5
            done = at
        for d in found:
            if d['range']['start']['line'] == i:
                color = COLORS[d['severity']]
                start = places[d['range']['start']['character']]
                same = d['range']['end']['line'] == i
                end = places[d['range']['end']['character'] if same else len(line)]
                body.append(f'<path d="M{start:.0f} {y + 3}H{end:.0f}" stroke="{color}" '
                            f'stroke-dasharray="3 1.5" stroke-width="2"/>')
    y += HIGH
    for d in found:
        y += HIGH
        message = d['message'].splitlines()[0]
        message = message if len(message) < 86 else message[:83] + '...'
        at = f"{d['range']['start']['line'] + 1}:{d['range']['start']['character'] + 1}"
        body.append(text(LEFT, y, f'{at:6}{d["code"]:12}{message}', COLORS[d['severity']]))
    write(folder, 'editor.svg', 'Findings, hints and lenses in a source', 860, y + HIGH, body)


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    with tempfile.TemporaryDirectory() as work:
        for name, draw in (('upstream', upstream), ('editor', editor)):
            tree = pathlib.Path(work).resolve() / name
            tree.mkdir()
            draw(folder, tree)


main()
