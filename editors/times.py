#!/usr/bin/env python3
"""Measures the language server: times.py TREE FILE. Prints times in ms and memory in MB."""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

tree, name = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
launcher = pathlib.Path(__file__).resolve().parent.parent / 'rocport'
server = subprocess.Popen([launcher, 'lsp'], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def send(method, params, number=None):
    message = {'jsonrpc': '2.0', 'method': method, 'params': params}
    if number is not None:
        message['id'] = number
    body = json.dumps(message).encode()
    server.stdin.write(b'Content-Length: %d\r\n\r\n' % len(body) + body)
    server.stdin.flush()


def receive(wanted):
    while True:
        length = 0
        while (line := server.stdout.readline().strip()):
            if line.lower().startswith(b'content-length:'):
                length = int(line.split(b':')[1])
        message = json.loads(server.stdout.read(length))
        if wanted(message):
            return message


def memory():
    status = pathlib.Path('/proc/%d/status' % server.pid).read_text()
    return int(status.split('VmHWM:')[1].split()[0]) // 1024


def published(uri, version):
    return receive(lambda m: m.get('method') == 'textDocument/publishDiagnostics'
                   and m['params']['uri'] == uri and m['params'].get('version') == version)


start = time.monotonic()
send('initialize', {'processId': os.getpid(), 'capabilities': {},
                    'workspaceFolders': [{'uri': tree.as_uri(), 'name': 'tree'}]}, 1)
receive(lambda m: m.get('id') == 1)
print('initialize %.0f ms' % (1000 * (time.monotonic() - start)))
send('initialized', {})
uri = (tree / name).as_uri()
text = (tree / name).read_text()
send('textDocument/didOpen', {'textDocument': {
    'uri': uri, 'languageId': 'cuda', 'version': 1, 'text': text}})
published(uri, 1)
print('first findings after the start %.0f ms' % (1000 * (time.monotonic() - start)))


def opened(number):
    send('textDocument/didClose', {'textDocument': {'uri': uri}})
    time.sleep(1)
    begin = time.monotonic()
    send('textDocument/didOpen', {'textDocument': {
        'uri': uri, 'languageId': 'cuda', 'version': number, 'text': text}})
    published(uri, number)
    return 1000 * (time.monotonic() - begin)


previews = []


def typed(version):
    begin = time.monotonic()
    send('textDocument/didChange', {
        'textDocument': {'uri': uri, 'version': version},
        'contentChanges': [{'range': {'start': {'line': 0, 'character': 0},
                                      'end': {'line': 0, 'character': 0}}, 'text': '/**/'}]})
    preview = receive(lambda m: m.get('method') == 'textDocument/publishDiagnostics'
                      and m['params']['uri'] == uri)
    previews.append(1000 * (time.monotonic() - begin))
    if preview['params'].get('version') != version:
        published(uri, version)
    return 1000 * (time.monotonic() - begin)


def asked(number):
    begin = time.monotonic()
    send('textDocument/hover', {'textDocument': {'uri': uri},
                                'position': {'line': 0, 'character': 12}}, number)
    receive(lambda m: m.get('id') == number)
    return 1000 * (time.monotonic() - begin)


def show(title, times):
    print('%s: first %.0f ms, median %.0f ms, slowest of the last 20 %.0f ms' % (
        title, times[0], statistics.median(times), max(times[10:])))


for title, measure in (('keystroke', typed), ('open', opened), ('hover', asked)):
    times = []
    for i in range(30):
        times.append(measure(100 + i))
        time.sleep(0.2)
    show(title, times)
show('keystroke, what tokens show', previews)
print('peak memory %d MB' % memory())
send('shutdown', None, 2)
receive(lambda m: m.get('id') == 2)
send('exit', None)
print('exit code %d' % server.wait(30))
