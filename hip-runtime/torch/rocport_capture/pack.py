"""Packs the files of a capture, except capture.json, into capture.tar.xz."""

import io
import lzma
import os
import shutil
import sys
import tarfile

from . import ranks

# What a reader of archives accepts; a larger capture stays a folder.
_LARGEST = 60 << 20
_MOST = 240 << 20
_PARTS = ("data.safetensors", "graphs", "plans", "kernels", "golden", "given")


def _parts(out):
    others = [f for f in ranks.folders(out) if f != out]
    for folder in others:
        os.remove(os.path.join(folder, "capture.json"))
        shutil.rmtree(os.path.join(folder, "recorded"))
    return list(_PARTS) + [os.path.basename(f) for f in others]


def _files(out, parts):
    for part in parts:
        path = os.path.join(out, part)
        if os.path.isfile(path):
            yield part
        for folder, folders, names in os.walk(path):
            folders.sort()
            for name in sorted(names):
                yield os.path.relpath(os.path.join(folder, name), out)


def pack(out):
    """Writes the archive, whose bytes depend on the files only, and removes the files."""
    parts = _parts(out)
    sizes = [os.path.getsize(os.path.join(out, name)) for name in _files(out, parts)]
    if sum(sizes) > _MOST or max(sizes, default=0) > _LARGEST:
        print("rocport: the capture has %d MiB and is not packed" % (sum(sizes) >> 20), file=sys.stderr)
        return 0
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in _files(out, parts):
            info = tarfile.TarInfo(name.replace(os.sep, "/"))
            with open(os.path.join(out, name), "rb") as file:
                content = file.read()
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    target = os.path.join(out, "capture.tar.xz")
    with open(target + ".tmp", "wb") as file:
        file.write(lzma.compress(stream.getvalue(), preset=9))
    os.replace(target + ".tmp", target)
    for part in parts + ["recorded"]:
        path = os.path.join(out, part)
        if os.path.isdir(path):
            shutil.rmtree(path)
        elif os.path.exists(path):
            os.remove(path)
    return 0
