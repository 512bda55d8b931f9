import os
import tempfile
import types
import unittest

import support

try:
    import triton as real_triton
except ImportError:
    real_triton = None

ARCH = "gfx942"


class Constant:
    """What triton.language.constexpr is to those who use it here."""

    def __init__(self, value):
        self.value = value

    def __bool__(self):
        return bool(self.value)


class Options:
    """Options of a compilation, as Triton's AMD backend has them."""

    def __init__(self, arch=ARCH, extern_libs=None):
        self.arch = arch
        self.extern_libs = extern_libs
        self.__post_init__()

    def __post_init__(self):
        self.extern_libs = tuple({**(self.extern_libs or {}), "ocml": "ocml.bc"}.items())


def fake_triton():
    """The modules of Triton by the names support.modules takes; `calls` of the core has what kernels called."""
    language = types.ModuleType("triton.language")
    language.constexpr = Constant
    language.int32, language.int64 = "i32", "i64"
    language.cast = lambda x, dtype, bitcast=False, _semantic=None: (dtype, bitcast, x)
    core = types.ModuleType("triton.language.core")
    core.calls = []
    core.extern = lambda function: function

    def extern_elementwise(name, path, arguments, symbols, is_pure, _semantic):
        ((types, (symbol, result)),) = symbols.items()
        core.calls.append((name, symbol, list(zip(types, arguments)), result, is_pure))
        return "called"

    core.extern_elementwise = extern_elementwise
    language.core = core
    triton = types.ModuleType("triton")
    triton.language = language
    compiler = types.ModuleType("triton.backends.amd.compiler")
    compiler.HIPOptions = type("HIPOptions", (Options,), {"__post_init__": Options.__post_init__})
    backends, amd = types.ModuleType("triton.backends"), types.ModuleType("triton.backends.amd")
    return {
        "triton": triton,
        "triton_dot_language": language,
        "triton_dot_language_dot_core": core,
        "triton_dot_backends": backends,
        "triton_dot_backends_dot_amd": amd,
        "triton_dot_backends_dot_amd_dot_compiler": compiler,
    }


class Signals(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, f"rocport_{ARCH}.bc")
        open(self.path, "wb").close()
        environment = support.environment(ROCPORT_TRITON_LIBRARY=folder.name, ROCM_PATH=folder.name)
        environment.__enter__()
        self.addCleanup(environment.__exit__, None, None, None)
        self.fakes = fake_triton()
        modules = support.modules(torch=support.fake_torch(hip="6.4"), **self.fakes)
        modules.__enter__()
        self.addCleanup(modules.__exit__, None, None, None)
        self.rocm = support.load("_rocm_triton")
        self.calls = self.fakes["triton_dot_language_dot_core"].calls

    def options(self, *args, **kwargs):
        return self.fakes["triton_dot_backends_dot_amd_dot_compiler"].HIPOptions(*args, **kwargs)

    def semantic(self, options=None):
        return types.SimpleNamespace(builder=types.SimpleNamespace(options=options or self.options()))

    def test_the_gate_is_a_constant_for_kernels(self):
        self.assertIsInstance(self.rocm.is_rocm, Constant)
        self.assertTrue(self.rocm.is_rocm)

    def test_arguments_are_words_and_the_address(self):
        self.rocm.rocm_atomic_write("flag", 7, sem=Constant("release"), scope=Constant("gpu"), _semantic=self.semantic())
        flag, value = ("i64", False, "flag"), ("i32", True, 7)
        name = "rocport_atomicwrite_release_gpu_nomask_at"
        self.assertEqual([("rocport", name, [("i64", flag), ("i32", value)], "i32", False)], self.calls)

    def test_a_mask_is_handed_on(self):
        self.rocm.rocm_atomic_spin_wait("flag", 7, "mask", loop="ge", _semantic=self.semantic())
        (_, name, arguments, _, _), = self.calls
        self.assertEqual("rocport_atomicspinwait_acquire_system_while_ge_mask_at", name)
        self.assertEqual(("i32", ("i32", True, "mask")), arguments[2])

    def test_without_a_mask_none_is_a_constant_too(self):
        self.rocm.rocm_atomic_spin_wait("flag", 7, Constant(None), _semantic=self.semantic())
        self.assertEqual("rocport_atomicspinwait_acquire_system_while_lt_nomask_at", self.calls[0][1])

    def test_the_number_of_the_thread_has_no_arguments(self):
        self.rocm.rocm_get_tid(_semantic=self.semantic())
        self.assertEqual([("rocport", "rocport_getthreadid", [], "i32", False)], self.calls)

    def test_what_no_memory_model_has_is_refused(self):
        for call in (
            lambda s: self.rocm.rocm_atomic_write("flag", 7, sem="acquire", _semantic=s),
            lambda s: self.rocm.rocm_atomic_write("flag", 7, sem="acq_rel", _semantic=s),
            lambda s: self.rocm.rocm_atomic_spin_wait("flag", 7, sem="release", _semantic=s),
            lambda s: self.rocm.rocm_atomic_spin_wait("flag", 7, scope="cluster", _semantic=s),
            lambda s: self.rocm.rocm_atomic_spin_wait("flag", 7, loop="until", _semantic=s),
        ):
            with self.assertRaises(ValueError):
                call(self.semantic())
        self.assertEqual([], self.calls)

    def test_the_library_is_linked_beside_others(self):
        libraries = dict(self.options().extern_libs)
        self.assertEqual({"ocml": "ocml.bc", "rocport": self.path}, libraries)
        self.assertEqual("own.bc", dict(self.options(extern_libs={"rocport": "own.bc"}).extern_libs)["rocport"])
        self.assertNotIn("rocport", dict(self.options(arch="gfx90a").extern_libs))

    def test_a_second_copy_of_the_module_wraps_nothing_again(self):
        options = self.fakes["triton_dot_backends_dot_amd_dot_compiler"].HIPOptions
        before = options.__post_init__
        support.load("_rocm_triton", "another")
        self.assertIs(before, options.__post_init__)

    def test_a_library_that_is_not_there_is_named(self):
        with self.assertRaisesRegex(RuntimeError, "rocport_gfx90a.bc"):
            self.rocm.rocm_get_tid(_semantic=self.semantic(self.options(arch="gfx90a")))

    def test_below_rocm_it_is_found_too(self):
        folder = os.path.join(os.path.dirname(self.path), "amdgcn", "rocport")
        os.makedirs(folder)
        other = os.path.join(folder, "rocport_gfx90a.bc")
        open(other, "wb").close()
        self.assertEqual(other, dict(self.options(arch="gfx90a:sramecc+:xnack-").extern_libs)["rocport"])


class Elsewhere(unittest.TestCase):
    def test_another_build_keeps_its_backend_as_it_is(self):
        fakes = fake_triton()
        options = fakes["triton_dot_backends_dot_amd_dot_compiler"].HIPOptions
        before = options.__post_init__
        with support.modules(torch=support.fake_torch(hip=None), **fakes):
            rocm = support.load("_rocm_triton")
        self.assertIsInstance(rocm.is_rocm, Constant)
        self.assertFalse(rocm.is_rocm)
        self.assertIs(before, options.__post_init__)

    def test_without_torch_or_triton_the_module_still_imports(self):
        with support.modules(torch=None, **fake_triton()):
            self.assertIs(False, support.load("_rocm_triton").is_rocm)
        with support.modules(torch=support.fake_torch(hip=None), triton=None):
            self.assertIs(False, support.load("_rocm_triton").is_rocm)


if __name__ == "__main__":
    unittest.main()
