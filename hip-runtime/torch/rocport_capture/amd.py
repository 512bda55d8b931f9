"""Makes PyTorch in this process take the GPU for an AMD GPU; no GPU is used.

Import this before torch._inductor: its modules read torch.version.hip while they are imported.
"""

import contextlib
import importlib
import types

import torch

# What PyTorch reads of hipDeviceProp_t; the numbers are those of the rocport device.
GPUS = {
    "gfx90a": {"multi_processor_count": 104, "major": 9, "minor": 0, "name": "AMD Instinct MI210"},
    "gfx942": {"multi_processor_count": 304, "major": 9, "minor": 4, "name": "AMD Instinct MI300X"},
    "gfx950": {"multi_processor_count": 256, "major": 9, "minor": 5, "name": "AMD Instinct MI350X"},
    "gfx1100": {"multi_processor_count": 48, "major": 11, "minor": 0, "name": "AMD Radeon RX 7900 XTX"},
    "gfx1151": {"multi_processor_count": 20, "major": 11, "minor": 5, "name": "AMD Radeon 8060S"},
    "gfx1201": {"multi_processor_count": 32, "major": 12, "minor": 0, "name": "AMD Radeon RX 9070 XT"},
}
_HIP = "6.4.43484"


def lanes(target):
    """Lanes of a wave: Triton uses waves of 32 lanes on RDNA."""
    return 64 if target.startswith("gfx9") else 32


_MACHINE = []


def machine():
    """The name of the GPU of this machine, also if scripts see another one; empty if there is none."""
    if _MACHINE:
        return _MACHINE[0]
    return torch.cuda.get_device_name() if torch.cuda.is_available() else ""


def become_rocm(target):
    """Lets a script take PyTorch for a build for ROCm with a GPU: ported scripts take that branch.

    Operators still run on the GPU or CPU of this machine.
    """
    cuda = torch.cuda
    _MACHINE.append(machine())
    if cuda.is_available():
        # PyTorch would ask AMD's libraries for the number of GPUs.
        cuda.init()
        count = cuda.device_count()
        cuda.device_count = lambda: count
    torch.version.hip = _HIP
    gpu = GPUS[target]
    own = cuda.get_device_properties
    shown = {"gcnArchName": _architecture(target), "warp_size": lanes(target), **gpu}

    class Properties:
        """Those of the GPU of this machine, and what tells the AMD GPU."""

        def __init__(self, device):
            self._own = own(device)

        def __getattr__(self, name):
            return shown[name] if name in shown else getattr(self._own, name)

    cuda.get_device_properties = lambda device=None: Properties(device)
    cuda.get_device_capability = lambda device=None: (gpu["major"], gpu["minor"])
    cuda.get_device_name = lambda device=None: gpu["name"]


def _architecture(target):
    return target + (":sramecc+:xnack-" if GPUS[target]["major"] == 9 else "")


def become(target):
    """Replaces the functions of torch.cuda that Inductor asks."""
    gpu = GPUS.get(target)
    if gpu is None:
        raise SystemExit("no properties for %s; known: %s" % (target, ", ".join(sorted(GPUS))))
    lds = (160 if target == "gfx950" else 64) << 10
    properties = types.SimpleNamespace(
        gcnArchName=_architecture(target), warp_size=lanes(target), regs_per_multiprocessor=65536,
        max_threads_per_multi_processor=2048, max_threads_per_block=1024, total_memory=64 << 30,
        shared_memory_per_block=lds, shared_memory_per_block_optin=lds,
        shared_memory_per_multiprocessor=lds, L2_cache_size=4 << 20, is_integrated=0,
        is_multi_gpu_board=0, uuid="", pci_bus_id=0, **gpu)
    torch.version.hip = _HIP
    torch.version.cuda = None
    cuda = torch.cuda
    cuda.is_available = lambda: True
    cuda.is_initialized = lambda: True
    cuda.is_bf16_supported = lambda including_emulation=True: True
    cuda.device_count = lambda: 1
    cuda.current_device = lambda: 0
    cuda.get_device_properties = lambda device=None: properties
    cuda.get_device_capability = lambda device=None: (gpu["major"], gpu["minor"])
    cuda.get_device_name = lambda device=None: gpu["name"]
    cuda.get_rng_state = lambda device=None: torch.get_rng_state()
    cuda.set_rng_state = lambda state, device=None: None
    cuda.synchronize = lambda device=None: None
    cuda.set_device = lambda device: None
    cuda.init = cuda._lazy_init = lambda: None
    cuda.current_stream = lambda device=None: types.SimpleNamespace(cuda_stream=0)
    cuda._DeviceGuard = cuda.device = lambda index: contextlib.nullcontext()
    cuda.mem_get_info = lambda device=None: (64 << 30, 64 << 30)
    torch._C._cuda_getCurrentRawStream = lambda index: 0
    ensure = getattr(torch._C, "_ensureCUDADeviceGuardSet", None)
    if ensure is not None:
        ensure()
    _copy_nothing()
    return properties


def _copy_nothing():
    """Lets flex attention choose strides for tensors without elements: a PyTorch for CPUs cannot copy these."""
    flex = importlib.import_module("torch._higher_order_ops.flex_attention")  # not the function of that name
    permute = getattr(flex, "_permute_strides", None)
    if permute is None:
        return

    def permuted(out, strides):
        same = permute(torch.empty(out.shape, dtype=out.dtype, device="meta"), strides)
        return out.new_empty_strided(out.shape, same.stride())

    flex._permute_strides = permuted


def become_for_triton(target):
    """Lets Triton compile for a GPU that is not there."""
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.backends.driver import DriverBase

    class Absent(DriverBase):
        """A driver of which only the target is asked."""

        def __init__(self):
            self.target = GPUTarget("hip", target, lanes(target))
            super().__init__()

        @staticmethod
        def is_active():
            return True

        def map_python_to_cpp_type(self, ty):
            raise NotImplementedError("there is no GPU")

        def get_current_target(self):
            return self.target

        def get_active_torch_device(self):
            return torch.device("cuda", 0)

        def get_current_device(self):
            return 0

        def get_device_capability(self, device=0):
            return (GPUS[target]["major"], GPUS[target]["minor"])

        def get_benchmarker(self):
            raise NotImplementedError("there is no GPU")

    triton.runtime.driver.set_active(Absent())
    from torch._inductor.runtime import triton_helpers

    triton_helpers.set_driver_to_gpu = triton_helpers.set_driver_to_cpu = lambda: None
