"""Prints the spans of all nodes that CPython sees in the files named on standard input.

One line a node: its class, its first byte, the byte behind its last one. "file PATH" starts a file, "bad PATH" stands for one
that CPython does not take.
"""
import ast
import sys

INSIDE = sys.version_info >= (3, 12)  # before, expressions inside of f-strings had wrong places


def walk(node, emit):
    name = type(node).__name__
    if name == "JoinedStr" or name == "TemplateStr":
        emit("Text", node)
        if INSIDE:
            fields(node, emit)
        return
    if name.startswith("Match") and name != "Match":
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)):
        name = "Text"
    if isinstance(node, (ast.stmt, ast.expr, ast.ExceptHandler)):
        emit(name, node)
    for child in ast.iter_child_nodes(node):
        walk(child, emit)


def fields(node, emit):
    for part in node.values:
        if type(part).__name__ in ("FormattedValue", "Interpolation"):
            walk(part.value, emit)
            if part.format_spec is not None:
                fields(part.format_spec, emit)


def main():
    for path in sys.stdin.read().split("\n"):
        if not path:
            continue
        with open(path, "rb") as f:
            data = f.read()
        try:
            tree = ast.parse(data)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            print("bad " + path)
            continue
        print("file " + path)
        text = data[3:] if data.startswith(b"\xef\xbb\xbf") else data
        skip = len(data) - len(text)
        starts = [0, 0]
        i = 0
        while i < len(text):
            if text[i] == 10 or (text[i] == 13 and text[i + 1 : i + 2] != b"\n"):
                starts.append(i + 1)
            i += 1

        def emit(name, node):
            print(
                name,
                skip + starts[node.lineno] + node.col_offset,
                skip + starts[node.end_lineno] + node.end_col_offset,
            )

        walk(tree, emit)


main()
