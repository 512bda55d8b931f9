"""Runs a script and records what torch.compile makes of it; lowers recordings for AMD GPUs.

  python -m rocport_capture record OUT HOW CALLS SCRIPT ARGS...    HOW: native, or the GPU target that the script sees
  python -m rocport_capture join OUT RANKS
  python -m rocport_capture lower OUT TARGET
  python -m rocport_capture reference OUT
  python -m rocport_capture pack OUT
"""

import os
import runpy
import sys
import traceback

from . import imports


def _record(out, how, calls, script, *args):
    recorders = []

    def compiles(module):
        from .record import Recorder

        recorders.append(Recorder(out, how, int(calls)))
        recorders[0].install(module)

    def sees_rocm(_):
        from .amd import become_rocm

        become_rocm(how)

    # A script may set variables that PyTorch reads when it is imported: it is not imported before.
    if how != "native":
        imports.after("torch", sees_rocm)
    imports.after("torch._inductor.compile_fx", compiles)
    sys.argv = [script, *args]
    sys.path.insert(0, os.path.dirname(os.path.abspath(script)))
    code = 0
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as e:
        code = e.code if isinstance(e.code, int) else 1 if e.code else 0
    except Exception:  # pylint: disable=broad-except  # what was recorded before is kept
        traceback.print_exc()
        code = 1
    if not recorders or not recorders[0].graphs:
        print("rocport: %s compiled no graph with Inductor" % script, file=sys.stderr)
    for recorder in recorders:
        recorder.write([script, *args])
    return code


def main():
    step, *args = sys.argv[1:]
    if step == "record":
        return _record(*args)
    if step == "join":
        from .ranks import join

        return join(*args)
    if step == "lower":
        from .lower import lower

        return lower(*args)
    if step == "reference":
        from .reference import reference

        return reference(*args)
    if step == "pack":
        from .pack import pack

        return pack(*args)
    raise SystemExit("unknown step " + step)


sys.exit(main())
