"""Captures of several ranks: each has a folder, and kernels are shared."""

import json
import os


def folders(out):
    """The folder of each rank; that of the capture itself if there is one rank."""
    with open(os.path.join(out, "capture.json")) as file:
        ranks = json.load(file).get("ranks", 1)
    return [out] if ranks == 1 else [os.path.join(out, "rank%d" % r) for r in range(ranks)]


def join(out, ranks):
    """Writes the capture.json of all ranks; they must have compiled the same graphs."""
    captures = []
    for rank in range(int(ranks)):
        with open(os.path.join(out, "rank%d" % rank, "capture.json")) as file:
            captures.append(json.load(file))
    first = captures[0]
    names = [g["name"] for g in first["graphs"]]
    for rank, other in enumerate(captures):
        if [g["name"] for g in other["graphs"]] != names:
            raise SystemExit("rocport: rank %d compiled other graphs than rank 0" % rank)
    with open(os.path.join(out, "capture.json"), "w") as file:
        json.dump({**first, "ranks": int(ranks), "graphs": [{"name": n} for n in names]}, file, indent=1)
        file.write("\n")
    return 0
