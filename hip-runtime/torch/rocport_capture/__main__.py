"""Runs a script and records what torch.compile makes of it; lowers recordings for AMD GPUs.

  python -m rocport_capture record OUT SCRIPT ARGS...
  python -m rocport_capture lower OUT TARGET
  python -m rocport_capture reference OUT
  python -m rocport_capture pack OUT
"""

import os
import runpy
import sys
import traceback


def _record(out, script, *args):
    from .record import Recorder

    recorder = Recorder(out)
    recorder.install()
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
    recorder.write([script, *args])
    if not recorder.graphs:
        print("rocport: %s compiled no graph with Inductor" % script, file=sys.stderr)
    return code


def main():
    step, *args = sys.argv[1:]
    if step == "record":
        return _record(*args)
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
