"""Calls a function when a module has been imported, so that scripts may set variables before that."""

import importlib.util
import sys


class _Loader:
    """Loads a module as its own loader does, and calls a function afterwards."""

    def __init__(self, loader, after):
        self._loader = loader
        self._after = after

    def __getattr__(self, name):
        return getattr(self._loader, name)

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        self._loader.exec_module(module)
        module.__spec__.loader = module.__loader__ = self._loader
        self._after(module)


class _Finder:
    """The first finder of the interpreter, for one module."""

    def __init__(self, name, after):
        self._name = name
        self._after = after
        self._searching = False

    def find_spec(self, name, path=None, target=None):
        if name != self._name or self._searching:
            return None
        self._searching = True
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self._searching = False
        if spec is not None:
            spec.loader = _Loader(spec.loader, self._after)
        return spec


def after(name, function):
    """Calls a function with a module as soon as the program has imported it."""
    if name in sys.modules:
        function(sys.modules[name])
    else:
        sys.meta_path.insert(0, _Finder(name, function))
