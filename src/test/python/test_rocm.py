import contextlib
import enum
import inspect
import subprocess
import sys
import types
import unittest
import unittest.mock

import support

AUTOTUNE = ("reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs")
ON = {
    "triton__cudagraphs": True,
    "triton__cudagraph_trees": True,
    "memory_planning": True,
    "max_autotune": True,
    "max_autotune_pointwise": True,
    "max_autotune_gemm": True,
    "max_autotune_gemm_backends": "ATEN,TRITON,CPP",
    "epilogue_fusion": True,
}


class Gate(unittest.TestCase):
    def gate(self, torch):
        with support.modules(torch=torch):
            return support.load("_rocm").is_rocm

    def test_follows_the_version_of_hip(self):
        self.assertIs(True, self.gate(support.fake_torch(hip="6.4.43482")))
        self.assertIs(False, self.gate(support.fake_torch(hip=None)))
        self.assertIs(False, self.gate(support.fake_torch(has_hip=False)))

    def test_is_false_without_torch_and_the_module_still_imports(self):
        with support.modules(torch=None):
            rocm = support.load("_rocm")
            self.assertIs(False, rocm.is_rocm)
            self.assertEqual("", rocm.gcn_arch())
            self.assertEqual("max-autotune", rocm.compile_mode("max-autotune"))
            with self.assertRaises(ImportError):
                rocm.fp8_e4m3()


class SymmetricMemory(unittest.TestCase):
    """Against a stand-in for torch with the calls that the helpers make."""

    class Tensor:
        is_cuda, device = True, "cuda:1"

    def setUp(self):
        torch = self.torch = support.fake_torch(hip="6.4")
        torch.Tensor, torch.Tag = self.Tensor, types.SimpleNamespace(out="out")
        self.pools, self.defined = [], {}
        test = self

        class Library:
            register_symm_mem_args = None

            def __init__(self, space, kind):
                self.space, self.own = space, []

            def define(self, schema, tags):
                name = self.space + "::" + schema.partition("(")[0]
                if name in test.defined:
                    raise RuntimeError("registered multiple times")
                test.defined[name] = schema
                self.own.append(name)

            def impl(self, name, function, key):
                pass

            def _destroy(self):
                for name in self.own:
                    del test.defined[name]

        torch.library = types.SimpleNamespace(Library=Library)
        torch.cuda.use_mem_pool = self.use
        fake = types.ModuleType("torch._subclasses.fake_tensor")
        fake.FakeTensor = type("FakeTensor", (), {})
        symmetric = types.ModuleType("torch.distributed._symmetric_memory")
        symmetric.get_mem_pool = lambda device: device
        self.modules = {
            "torch": torch,
            "torch_dot__subclasses_dot_fake_tensor": fake,
            "torch_dot_distributed_dot__symmetric_memory": symmetric,
        }

    @contextlib.contextmanager
    def use(self, pool):
        self.pools.append(pool)
        yield

    def test_pool_is_that_of_tensors_in_lists(self):
        with support.modules(**self.modules):
            run = support.load("_rocm").symm_mem_pool(lambda xs, n: n)
            self.assertEqual(3, run([None, (self.Tensor(),)], 3))
            self.assertEqual(4, run([], 4))
        self.assertEqual(["cuda:1"], self.pools)

    def test_out_variant_of_an_operator_that_is_defined_again_is_replaced(self):
        class Schema:
            arguments = ()

            def __str__(self):
                return "mine::scaled(Tensor x) -> Tensor"

        default = types.SimpleNamespace(_schema=Schema())
        self.torch.ops = types.SimpleNamespace(
            mine=types.SimpleNamespace(scaled=types.SimpleNamespace(default=default))
        )
        with support.modules(**self.modules):
            rocm = support.load("_rocm")
            rocm.symm_mem_out_variant("mine::scaled")
            rocm.symm_mem_out_variant("mine::scaled")
        self.assertEqual({"mine::scaled.out": "scaled.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)"}, self.defined)


class Architecture(unittest.TestCase):
    def rocm(self, arch, hip="6.4"):
        with support.modules(torch=support.fake_torch(hip=hip, arch=arch)):
            return support.load("_rocm")

    def test_drops_the_features(self):
        self.assertEqual("gfx942", self.rocm("gfx942:sramecc+:xnack-").gcn_arch())
        self.assertEqual("gfx1100", self.rocm("gfx1100").gcn_arch())

    def test_is_empty_without_a_gpu_and_on_other_builds(self):
        self.assertEqual("", self.rocm(None).gcn_arch())
        self.assertEqual("", self.rocm("gfx942", hip=None).gcn_arch())

    def test_8_bit_types_follow_it(self):
        for arch, e4m3, e5m2 in (
            ("gfx940", "e4m3fnuz", "e5m2fnuz"),
            ("gfx941", "e4m3fnuz", "e5m2fnuz"),
            ("gfx942:sramecc+:xnack-", "e4m3fnuz", "e5m2fnuz"),
            ("gfx950:sramecc+:xnack-", "e4m3fn", "e5m2"),
            ("gfx1201", "e4m3fn", "e5m2"),
            ("gfx1250", "e4m3fn", "e5m2"),
        ):
            rocm = self.rocm(arch)
            self.assertEqual((e4m3, e5m2), (rocm.fp8_e4m3(), rocm.fp8_e5m2()), arch)

    def test_gpus_without_8_bit_arithmetic_keep_the_plain_types(self):
        for arch in ("gfx906", "gfx90a:sramecc+:xnack-", "gfx1100", None):
            rocm = self.rocm(arch)
            self.assertEqual(("e4m3fn", "e5m2"), (rocm.fp8_e4m3(), rocm.fp8_e5m2()), arch)

    def test_other_builds_have_the_plain_types(self):
        rocm = self.rocm("gfx942", hip=None)
        self.assertEqual(("e4m3fn", "e5m2"), (rocm.fp8_e4m3(), rocm.fp8_e5m2()))


class Values(unittest.TestCase):
    def setUp(self):
        with support.modules(torch=support.fake_torch(hip="6.4")):
            self.rocm = support.load("_rocm")
        with support.modules(torch=support.fake_torch()):
            self.other = support.load("_rocm")

    def test_modes(self):
        class Mode(str, enum.Enum):
            FAST = "max-autotune"

        for mode in AUTOTUNE + (Mode.FAST,):
            self.assertEqual("default", self.rocm.compile_mode(mode))
            self.assertIs(mode, self.other.compile_mode(mode))
        for mode in ("default", "lite", "Max-Autotune", None, 3, ["max-autotune"]):
            self.assertIs(mode, self.rocm.compile_mode(mode))

    def test_options(self):
        options = {
            "triton.cudagraphs": True,
            "triton.cudagraph_trees": True,
            "memory_planning": True,
            "max-autotune": True,
            "max_autotune_pointwise": True,
            "max_autotune_gemm": True,
            "max_autotune_gemm_backends": "TRITON",
            "epilogue_fusion": True,
            "shape_padding": False,
        }
        before = dict(options)
        self.assertEqual(
            {
                "triton.cudagraphs": False,
                "triton.cudagraph_trees": False,
                "memory_planning": False,
                "max-autotune": False,
                "max_autotune_pointwise": False,
                "max_autotune_gemm": False,
                "max_autotune_gemm_backends": "ATEN",
                "epilogue_fusion": True,
                "shape_padding": False,
            },
            self.rocm.compile_options(options),
        )
        self.assertEqual(before, options)
        self.assertIs(options, self.other.compile_options(options))
        self.assertIsNone(self.rocm.compile_options(None))
        self.assertEqual({}, self.rocm.compile_options({}))

    def test_arguments(self):
        arguments = {"mode": "max-autotune", "fullgraph": True}
        self.assertEqual({"mode": "default", "fullgraph": True}, self.rocm.compile_arguments(arguments))
        self.assertEqual("max-autotune", arguments["mode"])
        self.assertIs(arguments, self.other.compile_arguments(arguments))
        self.assertEqual({"dynamic": None}, self.rocm.compile_arguments({"dynamic": None}))
        self.assertEqual(
            {"options": {"max_autotune": False}}, self.rocm.compile_arguments({"options": {"max_autotune": True}})
        )

    def test_allocator_configuration(self):
        for before, after in (
            ("max_split_size_mb:128", ""),
            ("max_split_size_mb:128,expandable_segments:True", "expandable_segments:True"),
            ("expandable_segments:True, max_split_size_mb : 64", "expandable_segments:True"),
            (
                "roundup_power2_divisions:[256:1,512:2,>:4],max_split_size_mb:512,garbage_collection_threshold:0.8",
                "roundup_power2_divisions:[256:1,512:2,>:4],garbage_collection_threshold:0.8",
            ),
            ("backend:native, expandable_segments:True", "backend:native, expandable_segments:True"),
            ("", ""),
            (None, None),
        ):
            self.assertEqual(after, self.rocm.alloc_conf(before))
            self.assertEqual(before, self.other.alloc_conf(before))


class SafetyNet(unittest.TestCase):
    def loaded(self, torch, inductor=None, config=None, **variables):
        variables.setdefault("ROCPORT_KEEP_COMPILE", None)
        self.stack = support.contextlib.ExitStack()
        self.addCleanup(self.stack.close)
        self.stack.enter_context(support.environment(**variables))
        others = {}
        if inductor is not None:
            others = {"torch_dot__inductor": inductor, "torch_dot__inductor_dot_config": config}
        self.stack.enter_context(support.modules(torch=torch, **others))
        return support.load("_rocm")

    def test_other_builds_keep_their_function(self):
        torch = support.fake_torch()
        compile = torch.compile
        inductor, config = support.fake_inductor(**ON)
        self.loaded(torch, inductor, config)
        self.assertIs(compile, torch.compile)
        self.assertTrue(config.max_autotune)

    def test_each_form_of_the_call(self):
        torch = support.fake_torch(hip="6.4")
        self.loaded(torch)
        torch.compile("m", mode="reduce-overhead")
        torch.compile(model="m", mode="max-autotune")
        torch.compile(mode="max-autotune-no-cudagraphs", fullgraph=True)("m")
        torch.compile("m", options={"triton.cudagraphs": True, "shape_padding": True})
        torch.compile(options={"max_autotune": True})("m")
        torch.compile("m")
        self.assertEqual(["m"] * 6, [c.model for c in torch.calls])
        self.assertEqual(
            [("default", None), ("default", None), ("default", None)]
            + [(None, {"triton.cudagraphs": False, "shape_padding": True})]
            + [(None, {"max_autotune": False}), (None, None)],
            [(c.arguments["mode"], c.arguments["options"]) for c in torch.calls],
        )
        self.assertTrue(torch.calls[2].arguments["fullgraph"])

    def test_wrong_calls_stay_wrong(self):
        torch = support.fake_torch(hip="6.4")
        self.loaded(torch)
        with self.assertRaisesRegex(RuntimeError, "Either mode or options"):
            torch.compile("m", mode="max-autotune", options={"max_autotune": True})
        with self.assertRaises(TypeError):
            torch.compile("m", "max-autotune")

    def test_wraps_once_whatever_the_name_of_the_module(self):
        torch = support.fake_torch(hip="6.4")
        original = torch.compile
        self.loaded(torch)
        once = torch.compile
        support.load("_rocm", alias="package._rocm")
        support.load("_rocm")
        self.assertIs(once, torch.compile)
        self.assertIs(original, once.__wrapped__)
        self.assertEqual("compile", once.__name__)
        self.assertEqual(original.__doc__, once.__doc__)
        self.assertEqual(inspect.signature(original), inspect.signature(once))

    def test_can_be_turned_off(self):
        torch = support.fake_torch(hip="6.4")
        original = torch.compile
        inductor, config = support.fake_inductor(**ON)
        rocm = self.loaded(torch, inductor, config, ROCPORT_KEEP_COMPILE="1")
        self.assertIs(original, torch.compile)
        self.assertTrue(config.max_autotune)
        self.assertEqual("default", rocm.compile_mode("max-autotune"))

    def test_a_torch_without_compile(self):
        torch = support.fake_torch(hip="5.2")
        del torch.compile
        self.loaded(torch)
        self.assertFalse(hasattr(torch, "compile"))

    def expect_settings(self, config):
        self.assertEqual((False, False), (config.triton.cudagraphs, config.triton.cudagraph_trees))
        self.assertEqual((False, False), (config.memory_planning, config.max_autotune))
        self.assertEqual((False, False), (config.max_autotune_pointwise, config.max_autotune_gemm))
        self.assertEqual("ATEN", config.max_autotune_gemm_backends)
        self.assertTrue(config.epilogue_fusion)

    def test_settings_are_made_at_once_where_inductor_is_loaded(self):
        inductor, config = support.fake_inductor(**ON)
        self.loaded(support.fake_torch(hip="6.4"), inductor, config)
        self.expect_settings(config)

    def test_settings_are_made_before_each_compilation(self):
        torch = support.fake_torch(hip="6.4")
        self.loaded(torch)
        inductor, config = support.fake_inductor(**ON)
        with support.modules(torch_dot__inductor=inductor, torch_dot__inductor_dot_config=config):
            self.assertTrue(config.max_autotune)
            torch.compile("m")
            self.expect_settings(config)
            config.max_autotune = True
            torch.compile("m")
            self.expect_settings(config)

    def test_only_settings_that_there_are(self):
        inductor, config = support.fake_inductor(max_autotune=True)
        del config.triton
        self.loaded(support.fake_torch(hip="6.4"), inductor, config)
        self.assertFalse(config.max_autotune)
        self.assertFalse(hasattr(config, "memory_planning"))
        self.assertFalse(hasattr(config, "max_autotune_gemm_backends"))


@unittest.skipIf(support.real_torch is None, "needs torch")
class InstalledTorch(unittest.TestCase):
    def setUp(self):
        stack = support.contextlib.ExitStack()
        self.addCleanup(stack.close)
        stack.enter_context(support.environment(ROCPORT_KEEP_COMPILE=None))
        stack.enter_context(support.as_rocm())
        self.torch = support.real_torch
        self.modes = []
        real = self.torch._TorchCompileInductorWrapper.__init__

        def record(wrapper, mode, options, *rest, **others):
            self.modes.append((mode, options))
            real(wrapper, mode, options, *rest, **others)

        stack.enter_context(unittest.mock.patch.object(self.torch._TorchCompileInductorWrapper, "__init__", record))

    def test_importing_does_not_load_inductor(self):
        script = (
            "import torch; torch.version.hip = '6.4'; import sys, _rocm;"
            "print('torch._inductor' in sys.modules, torch.compile.rocport_wrapped)"
        )
        done = subprocess.run(
            [sys.executable, "-B", "-c", script], cwd=support.MODULES, stdout=subprocess.PIPE, universal_newlines=True
        )
        self.assertEqual("False True", done.stdout.strip())

    def test_every_way_to_compile_reaches_inductor_with_the_default_mode(self):
        torch = self.torch
        support.load("_rocm")
        from torch._inductor import config

        with config.patch({"max_autotune": True, "triton.cudagraphs": True, "memory_planning": True}):
            torch.compile(torch.nn.Linear(2, 2), mode="reduce-overhead")
            torch.nn.Linear(2, 2).compile(mode="max-autotune")
            torch.compiler.compile(torch.nn.Linear(2, 2), mode="max-autotune-no-cudagraphs")
            torch.compile(mode="max-autotune")(lambda x: x)
            torch.compile(lambda x: x, options={"triton.cudagraphs": True})
            self.assertEqual([("default", None)] * 4 + [(None, {"triton.cudagraphs": False})], self.modes)
            self.assertFalse(config.max_autotune or config.triton.cudagraphs or config.memory_planning)
            self.assertEqual("ATEN", config.max_autotune_gemm_backends)

    def test_what_is_compiled_still_runs(self):
        torch = self.torch
        support.load("_rocm")
        compiled = torch.compile(lambda x: torch.relu(x) + 1, backend="eager", fullgraph=True)
        self.assertEqual([1.0, 3.0], compiled(torch.tensor([-1.0, 2.0])).tolist())


if __name__ == "__main__":
    unittest.main()
