import contextlib
import enum
import types
import unittest

import support


class AmdSmiException(Exception):
    def __init__(self, err_code):
        super().__init__(err_code)
        self.err_code = err_code


def fake_amdsmi(handles=("a", "b"), **answers):
    """An amdsmi whose functions are given as their answers: values, or functions of the arguments."""
    smi = types.ModuleType("amdsmi")
    smi.log = []
    smi.AmdSmiException = AmdSmiException
    smi.AmdSmiMemoryType = enum.Enum("AmdSmiMemoryType", "VRAM GTT")
    smi.AmdSmiTemperatureType = enum.Enum("AmdSmiTemperatureType", "EDGE JUNCTION")
    smi.AmdSmiTemperatureMetric = enum.Enum("AmdSmiTemperatureMetric", "CURRENT MAX")
    smi.AmdSmiClkType = enum.Enum("AmdSmiClkType", "GFX MEM VCLK0")
    answers.update(init=None, shut_down=None, get_processor_handles=list(handles))

    def function(name, answer):
        def call(*arguments):
            smi.log.append((name,) + arguments)
            return answer(*arguments) if callable(answer) else answer

        return call

    for name, answer in answers.items():
        setattr(smi, "amdsmi_" + name, function(name, answer))
    return smi


def failing(code):
    def call(*arguments):
        raise AmdSmiException(code)

    return call


class NvmlTest(unittest.TestCase):
    def load(self, amdsmi=None, torch=None):
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        stack.enter_context(support.environment(ROCPORT_KEEP_COMPILE="1"))
        stack.enter_context(support.modules(amdsmi=amdsmi, torch=torch or support.fake_torch(hip="6.4")))
        return support.load("_rocm_nvml")

    def nvml(self, *args, **answers):
        nvml = self.load(fake_amdsmi(*args, **answers))
        nvml.nvmlInit()
        return nvml, nvml.nvmlDeviceGetHandleByIndex(0)


class Errors(NvmlTest):
    def test_have_classes_and_codes(self):
        nvml = self.load()
        self.assertIsInstance(nvml.NVMLError(3), nvml.NVMLError_NotSupported)
        self.assertEqual((3, "Not Supported"), (nvml.NVMLError_NotSupported().value, str(nvml.NVMLError(3))))
        self.assertEqual((12, 999), (nvml.NVML_ERROR_LIBRARY_NOT_FOUND, nvml.NVML_ERROR_UNKNOWN))
        self.assertIs(nvml.NVMLError_LibRmVersionMismatch, nvml.nvmlExceptionClass(18))
        self.assertEqual(nvml.NVMLError(9), nvml.NVMLError_DriverNotLoaded())
        self.assertNotEqual(nvml.NVMLError(9), ValueError())
        self.assertEqual("NVML Error with code 77", str(nvml.NVMLError(77)))
        self.assertEqual(1, len({nvml.NVMLError(4), nvml.NVMLError_NoPermission()}))
        with self.assertRaises(ValueError):
            nvml.nvmlExceptionClass(77)

    def test_amdsmi_results(self):
        for code, expected in ((2, "NotSupported"), (10, "NoPermission"), (34, "DriverNotLoaded"), (7, "Unknown")):
            nvml, device = self.nvml(get_power_info=failing(code))
            with self.assertRaises(getattr(nvml, "NVMLError_" + expected)) as raised:
                nvml.nvmlDeviceGetPowerUsage(device)
            self.assertIsInstance(raised.exception.__cause__, AmdSmiException)

    def test_use_before_the_start_and_after_the_end(self):
        nvml = self.load(fake_amdsmi())
        for use in (nvml.nvmlDeviceGetCount, nvml.nvmlShutdown, lambda: nvml.nvmlDeviceGetHandleByIndex(0)):
            with self.assertRaises(nvml.NVMLError_Uninitialized):
                use()
        nvml.nvmlInit()
        device = nvml.nvmlDeviceGetHandleByIndex(0)
        nvml.nvmlInitWithFlags(0)
        nvml.nvmlShutdown()
        self.assertEqual(2, nvml.nvmlDeviceGetCount())
        nvml.nvmlShutdown()
        with self.assertRaises(nvml.NVMLError_Uninitialized):
            nvml.nvmlDeviceGetName(device)

    def test_handles_of_something_else(self):
        nvml, _ = self.nvml()
        with self.assertRaises(nvml.NVMLError_InvalidArgument):
            nvml.nvmlDeviceGetName("a")
        for index in (-1, 2):
            with self.assertRaises(nvml.NVMLError_InvalidArgument):
                nvml.nvmlDeviceGetHandleByIndex(index)

    def test_functions_that_nobody_has_here(self):
        nvml, device = self.nvml()
        for name in ("nvmlDeviceGetNvLinkState", "nvmlSystemGetCudaDriverVersion", "nvmlDeviceGetFanSpeed"):
            with self.assertRaises(nvml.NVMLError_NotSupported):
                getattr(nvml, name)(device) if "Device" in name else getattr(nvml, name)()
        with self.assertRaises(AttributeError):
            nvml.NVML_NO_SUCH_THING
        self.assertNotIn("_Device", nvml.__all__)
        self.assertLessEqual({"nvmlInit", "NVMLError", "NVMLError_NotSupported", "NVML_CLOCK_SM"}, set(nvml.__all__))


class AmdSmi(NvmlTest):
    def test_starts_and_ends_it(self):
        smi = fake_amdsmi()
        nvml = self.load(smi)
        nvml.nvmlInit()
        nvml.nvmlShutdown()
        self.assertEqual([("init",), ("get_processor_handles",), ("shut_down",)], smi.log)

    def test_order_is_that_of_hip(self):
        order = {"a": 1, "b": 0}
        nvml, device = self.nvml(get_gpu_enumeration_info=lambda handle: {"hip_id": order[handle]})
        self.assertEqual("b", device.handle)
        nvml, device = self.nvml(get_gpu_enumeration_info=lambda handle: {"hip_id": "N/A"})
        self.assertEqual("a", device.handle)
        self.assertEqual(1, nvml.nvmlDeviceGetIndex(nvml.nvmlDeviceGetHandleByIndex(1)))

    def test_what_it_is(self):
        nvml, device = self.nvml(
            get_gpu_asic_info={"market_name": "AMD Instinct MI300X"},
            get_gpu_device_uuid=lambda handle: "uuid of " + handle,
            get_gpu_device_bdf=lambda handle: {"a": "0000:05:00.0", "b": "0001:c5:1f.0"}[handle],
            get_gpu_driver_info={"driver_name": "amdgpu", "driver_version": "6.12.12"},
        )
        self.assertEqual("AMD Instinct MI300X", nvml.nvmlDeviceGetName(device))
        self.assertEqual("uuid of a", nvml.nvmlDeviceGetUUID(device))
        self.assertEqual("6.12.12", nvml.nvmlSystemGetDriverVersion())
        self.assertIs(nvml.nvmlDeviceGetHandleByIndex(1), nvml.nvmlDeviceGetHandleByUUID(b"uuid of b"))
        pci = nvml.nvmlDeviceGetPciInfo(nvml.nvmlDeviceGetHandleByIndex(1))
        self.assertEqual(("00000001:C5:1F.0", "0001:C5:1F.0"), (pci.busId, pci.busIdLegacy))
        self.assertEqual((1, 0xC5, 0x1F), (pci.domain, pci.bus, pci.device))
        for name in ("00000000:05:00.0", b"0000:05:00.0"):
            self.assertIs(device, nvml.nvmlDeviceGetHandleByPciBusId(name))
        with self.assertRaises(nvml.NVMLError_NotFound):
            nvml.nvmlDeviceGetHandleByUUID("another")

    def test_units(self):
        nvml, device = self.nvml(
            get_gpu_memory_total=lambda handle, kind: {"VRAM": 192 << 30}[kind.name],
            get_gpu_memory_usage=lambda handle, kind: {"VRAM": 5 << 30}[kind.name],
            get_gpu_activity={"gfx_activity": 97, "umc_activity": 41, "mm_activity": "N/A"},
            get_temp_metric=lambda handle, kind, metric: {("JUNCTION", "CURRENT"): 63}[kind.name, metric.name],
            get_power_info={"average_socket_power": "N/A", "current_socket_power": 721},
            get_power_cap_info={
                "power_cap": 750000000,
                "default_power_cap": 750000000,
                "min_power_cap": 0,
                "max_power_cap": 800000000,
            },
            get_clock_info=lambda handle, kind: {
                "GFX": {"clk": 2100, "max_clk": 2105},
                "MEM": {"cur_clk": 1300, "max_clk": 1300},
            }[kind.name],
        )
        memory = nvml.nvmlDeviceGetMemoryInfo(device)
        self.assertEqual((192 << 30, 5 << 30, 187 << 30), (memory.total, memory.used, memory.free))
        rates = nvml.nvmlDeviceGetUtilizationRates(device)
        self.assertEqual((97, 41), (rates.gpu, rates.memory))
        self.assertEqual(63, nvml.nvmlDeviceGetTemperature(device, nvml.NVML_TEMPERATURE_GPU))
        self.assertEqual(721000, nvml.nvmlDeviceGetPowerUsage(device))
        self.assertEqual(750000, nvml.nvmlDeviceGetPowerManagementLimit(device))
        self.assertEqual(750000, nvml.nvmlDeviceGetEnforcedPowerLimit(device))
        self.assertEqual([0, 800000], nvml.nvmlDeviceGetPowerManagementLimitConstraints(device))
        self.assertEqual(2100, nvml.nvmlDeviceGetClockInfo(device, nvml.NVML_CLOCK_SM))
        self.assertEqual(1300, nvml.nvmlDeviceGetClockInfo(device, nvml.NVML_CLOCK_MEM))
        self.assertEqual(2105, nvml.nvmlDeviceGetMaxClockInfo(device, nvml.NVML_CLOCK_GRAPHICS))
        with self.assertRaises(nvml.NVMLError_InvalidArgument):
            nvml.nvmlDeviceGetClockInfo(device, 9)

    def test_values_that_are_not_there(self):
        for absent in ("N/A", 0xFFFF, 0xFFFFFFFF):
            nvml, device = self.nvml(
                get_power_info={"average_socket_power": absent, "current_socket_power": absent},
                get_gpu_activity={"gfx_activity": 3, "umc_activity": absent},
                get_temp_metric=absent,
            )
            for ask in ("PowerUsage", "UtilizationRates", "Temperature", "Name", "PowerManagementLimit"):
                with self.assertRaises(nvml.NVMLError_NotSupported):
                    getattr(nvml, "nvmlDeviceGet" + ask)(device)

    def test_processes(self):
        newer = {"pid": 7, "mem": 1, "memory_usage": {"vram_mem": 4096}}
        nvml, device = self.nvml(get_gpu_process_list=[newer, {"pid": 8, "memory_usage": {"vram_mem": "N/A"}}])
        processes = nvml.nvmlDeviceGetComputeRunningProcesses(device)
        self.assertEqual([(7, 4096), (8, None)], [(p.pid, p.usedGpuMemory) for p in processes])
        nvml, device = self.nvml(
            get_gpu_process_list=["process"],
            get_gpu_process_info=lambda handle, process: {"pid": 9, "mem": 2048},
        )
        (process,) = nvml.nvmlDeviceGetComputeRunningProcesses_v3(device)
        self.assertEqual((9, 2048), (process.pid, process.usedGpuMemory))


class Torch(NvmlTest):
    def torch(self, **properties):
        torch = support.fake_torch(hip="6.4", arch="gfx942")
        torch.cuda.device_count = lambda: 3
        torch.cuda.get_device_name = lambda index: "GPU %d" % index
        torch.cuda.mem_get_info = lambda index: (60, 100)
        torch.cuda.get_device_properties = lambda index: types.SimpleNamespace(**properties)
        return torch

    def test_answers_what_it_knows(self):
        broken = fake_amdsmi()
        broken.amdsmi_init = failing(34)
        for amdsmi in (None, broken):
            nvml = self.load(amdsmi, self.torch(uuid="u", pci_domain_id=0, pci_bus_id=5, pci_device_id=1))
            nvml.nvmlInit()
            self.assertEqual(3, nvml.nvmlDeviceGetCount())
            device = nvml.nvmlDeviceGetHandleByIndex(2)
            memory = nvml.nvmlDeviceGetMemoryInfo(device)
            self.assertEqual(("GPU 2", "u"), (nvml.nvmlDeviceGetName(device), nvml.nvmlDeviceGetUUID(device)))
            self.assertEqual((100, 40, 60), (memory.total, memory.used, memory.free))
            self.assertEqual("00000000:05:01.0", nvml.nvmlDeviceGetPciInfo(device).busId)
            for ask in ("PowerUsage", "UtilizationRates", "Temperature", "PowerManagementLimit"):
                with self.assertRaises(nvml.NVMLError_NotSupported):
                    getattr(nvml, "nvmlDeviceGet" + ask)(device)
            with self.assertRaises(nvml.NVMLError_NotSupported):
                nvml.nvmlSystemGetDriverVersion()

    def test_an_older_torch(self):
        nvml = self.load(None, self.torch())
        nvml.nvmlInit()
        for ask in ("UUID", "PciInfo"):
            with self.assertRaises(nvml.NVMLError_NotSupported):
                getattr(nvml, "nvmlDeviceGet" + ask)(nvml.nvmlDeviceGetHandleByIndex(0))

    def test_needs_none_if_there_is_amdsmi(self):
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        stack.enter_context(support.modules(amdsmi=fake_amdsmi(), torch=None))
        nvml = support.load("_rocm_nvml")
        nvml.nvmlInit()
        self.assertEqual(2, nvml.nvmlDeviceGetCount())
        nvml.nvmlShutdown()
        support.sys.modules["amdsmi"] = None
        with self.assertRaises(nvml.NVMLError_LibraryNotFound):
            nvml.nvmlInit()

    def test_neither(self):
        for torch in (support.fake_torch(hip="6.4"), support.fake_torch(arch="sm_90")):
            nvml = self.load(None, torch)
            with self.assertRaises(nvml.NVMLError_LibraryNotFound):
                nvml.nvmlInit()


if __name__ == "__main__":
    unittest.main()
