"""Prints what is installed for this Python, without importing any of it.

Run as `python -B -c TEXT REQUIRED INSTALLED`: two regular expressions, over requirements and over
packages (NAME==VERSION) that are wanted. Writes one line: a mark and a JSON object.
"""
import sys

# Files in the current folder must not shadow modules of the library.
sys.path[:] = [p for p in sys.path if p]

LARGEST = 1 << 20
MOST = 10000


def constants(path, names):
    """Returns the strings that the top level of a module assigns to these names, without running it."""
    import ast

    with open(path, "rb") as f:
        tree = ast.parse(f.read(LARGEST))
    found = {}
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        value = getattr(node, "value", None)
        for t in targets:
            if isinstance(t, ast.Name) and t.id in names and isinstance(value, ast.Constant):
                found[t.id] = value.value if isinstance(value.value, str) else ""
    return found


def architectures(folder):
    """Returns the GPUs that the libraries of a ROCm build have code for, by the names of their files."""
    import os
    import re

    found = set()
    for library in ("rocblas", "hipblaslt"):
        try:
            for name in sorted(os.listdir(os.path.join(folder, "lib", library, "library")))[:MOST]:
                found.update(re.findall(r"gfx[0-9a-f]{3,5}", name))
        except OSError:
            pass
    return sorted(found)


def torch():
    import importlib.util
    import os

    spec = importlib.util.find_spec("torch")
    if spec is None:
        return None
    if not spec.origin:
        return {"broken": "there is a folder torch without __init__.py"}
    folder = os.path.dirname(spec.origin)
    try:
        facts = constants(
            os.path.join(folder, "version.py"), ("__version__", "cuda", "hip", "rocm")
        )
    except (OSError, SyntaxError, ValueError) as e:
        return {"folder": folder, "broken": "version.py: " + type(e).__name__}
    facts["folder"] = folder
    facts["architectures"] = architectures(folder)
    return facts


def libraries(dist):
    """Returns compiled modules of a package; a few are enough to show its platform."""
    names = (f for f in (dist.files or [])[: 10 * MOST] if str(f).endswith(".so"))
    return [str(dist.locate_file(f)) for _, f in zip(range(8), names)]


def packages(required, installed):
    import re

    from importlib import metadata

    required, installed = re.compile(required), re.compile(installed)
    found = []
    for count, dist in enumerate(metadata.distributions()):
        if count == MOST:
            break
        try:
            name = re.sub(r"[-_.]+", "-", dist.metadata["Name"] or "").lower()
            wants = [r for r in dist.requires or [] if required.match(r)][:100]
            if name and (wants or installed.match(name + "==" + str(dist.version))):
                where = str(dist.locate_file(""))
                found.append(
                    {
                        "name": name,
                        "version": dist.version,
                        "requires": wants,
                        "folder": where,
                        "libraries": libraries(dist) if wants and name != "torch" else [],
                    }
                )
        except Exception as e:  # a damaged package must not hide the others
            found.append({"name": "", "broken": type(e).__name__})
    return found


def main():
    import json

    facts = {
        "version": "%d.%d.%d" % sys.version_info[:3],
        "executable": sys.executable or "",
        "prefix": sys.prefix,
    }
    for name, part in (("torch", torch), ("packages", lambda: packages(*sys.argv[1:3]))):
        try:
            facts[name] = part()
        except Exception as e:
            facts[name + "Failed"] = type(e).__name__ + ": " + str(e)[:200]
    sys.stdout.write("\nrocport-facts:" + json.dumps(facts) + "\n")
    sys.stdout.flush()


main()
