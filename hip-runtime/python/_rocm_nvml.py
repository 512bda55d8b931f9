"""pynvml's names for ROCm. Written by rocport.

The functions of nvidia-ml-py that programs use, implemented with amdsmi, or, if that is not installed, with
torch.cuda where possible; all others raise NVMLError_NotSupported. Units are those of NVML: bytes, milliwatts,
megahertz, degrees Celsius, percent. GPUs are in the order of HIP if amdsmi reports it, so that without
HIP_VISIBLE_DEVICES the index is that of torch. PyTorch is imported only if amdsmi is not installed.
"""

# ---- errors --------------------------------------------------------------------------------------------------

_ERRORS = {
    1: ("UNINITIALIZED", "Uninitialized"),
    2: ("INVALID_ARGUMENT", "Invalid Argument"),
    3: ("NOT_SUPPORTED", "Not Supported"),
    4: ("NO_PERMISSION", "Insufficient Permissions"),
    5: ("ALREADY_INITIALIZED", "Already Initialized"),
    6: ("NOT_FOUND", "Not Found"),
    7: ("INSUFFICIENT_SIZE", "Insufficient Size"),
    8: ("INSUFFICIENT_POWER", "Insufficient External Power"),
    9: ("DRIVER_NOT_LOADED", "Driver Not Loaded"),
    10: ("TIMEOUT", "Timeout"),
    11: ("IRQ_ISSUE", "Interrupt Request Issue"),
    12: ("LIBRARY_NOT_FOUND", "Neither amdsmi nor a ROCm build of PyTorch with a GPU"),
    13: ("FUNCTION_NOT_FOUND", "Function Not Found"),
    14: ("CORRUPTED_INFOROM", "Corrupted infoROM"),
    15: ("GPU_IS_LOST", "GPU is lost"),
    16: ("RESET_REQUIRED", "GPU requires restart"),
    17: ("OPERATING_SYSTEM", "The operating system has blocked the request."),
    18: ("LIB_RM_VERSION_MISMATCH", "Library and driver do not match"),
    19: ("IN_USE", "In Use"),
    20: ("MEMORY", "Insufficient Memory"),
    21: ("NO_DATA", "No data"),
    22: ("VGPU_ECC_NOT_SUPPORTED", "Not available with ECC enabled"),
    23: ("INSUFFICIENT_RESOURCES", "Insufficient Resources"),
    999: ("UNKNOWN", "Unknown Error"),
}
_CLASSES = {}


class NVMLError(Exception):
    """NVMLError(code) creates an instance of the class for that code."""

    def __new__(cls, value=None, *args):
        if cls is NVMLError:
            cls = _CLASSES.get(value, NVMLError)
        error = Exception.__new__(cls)
        error.value = getattr(cls, "_value", value)
        return error

    def __str__(self):
        return nvmlErrorString(self.value)

    def __eq__(self, other):
        return self.value == getattr(other, "value", None)

    def __hash__(self):
        return hash(self.value)


NVML_SUCCESS = 0
for _code, (_name, _text) in _ERRORS.items():
    globals()["NVML_ERROR_" + _name] = _code
    _CLASSES[_code] = type(
        "NVMLError_" + _name.title().replace("_", ""), (NVMLError,), {"_value": _code, "__module__": __name__}
    )
    globals()[_CLASSES[_code].__name__] = _CLASSES[_code]


def nvmlErrorString(code):
    return "Success" if code == 0 else _ERRORS[code][1] if code in _ERRORS else "NVML Error with code %s" % code


def nvmlExceptionClass(code):
    if code not in _CLASSES:
        raise ValueError("nvmlErrorCode %s is not valid" % code)
    return _CLASSES[code]


NVML_TEMPERATURE_GPU = 0
NVML_CLOCK_GRAPHICS, NVML_CLOCK_SM, NVML_CLOCK_MEM, NVML_CLOCK_VIDEO = range(4)

# ---- data sources --------------------------------------------------------------------------------------------


class _Record:
    """The counterpart of an NVML structure."""

    def __init__(self, **fields):
        vars(self).update(fields)

    def __repr__(self):
        return "%s(%s)" % (type(self).__name__, ", ".join("%s=%r" % f for f in vars(self).items()))


class _Device(_Record):
    """A handle: the index, and amdsmi's handle if amdsmi is installed."""


class _State:
    users = 0
    smi = None
    devices = ()


# Results of amdsmi that have an NVML error of their own; the others become unknown errors.
_RESULTS = {1: 2, 2: 3, 3: 3, 8: 10, 10: 4, 31: 6, 32: 1, 34: 9}

# Values of "not available" in amdsmi numbers, by version.
_ABSENT = ("N/A", "", None, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF)


def _smi(name, *arguments):
    """Calls amdsmi and converts its exceptions to those of NVML."""
    function = getattr(_State.smi, name, None)
    if function is None:
        raise NVMLError(3)
    try:
        return function(*arguments)
    except _State.smi.AmdSmiException as e:
        raise NVMLError(_RESULTS.get(getattr(e, "err_code", None), 999)) from e


def _first(record, *names):
    """Returns the first of some entries that has a value."""
    for name in names:
        value = record.get(name)
        if value not in _ABSENT:
            return value
    raise NVMLError(3)


def _asked(device):
    """Checks that the library is initialized and the handle is valid; returns whether amdsmi is available."""
    if not _State.users:
        raise NVMLError(1)
    if not isinstance(device, _Device):
        raise NVMLError(2)
    return _State.smi is not None


def _only_smi(device):
    if not _asked(device):
        raise NVMLError(3)
    return device.handle


def _cuda():
    import torch

    return torch.cuda


def _has_rocm():
    """Returns whether PyTorch is installed, built for ROCm, and finds a GPU."""
    try:
        import torch
    except ImportError:
        return False
    return getattr(torch.version, "hip", None) is not None and torch.cuda.is_available()


def _by_hip(handles):
    """Sorts in HIP's order, if amdsmi knows it for all."""
    try:
        order = {_first(_smi("amdsmi_get_gpu_enumeration_info", h), "hip_id"): h for h in handles}
    except NVMLError:
        return handles
    return [order[i] for i in sorted(order)] if len(order) == len(handles) else handles


def _find_smi():
    """Returns amdsmi if it is installed and finds a driver. Importing it loads a library, which may fail."""
    try:
        import amdsmi
    except Exception:
        return None
    try:
        amdsmi.amdsmi_init()
    except amdsmi.AmdSmiException:
        return None
    return amdsmi


def nvmlInit():
    if not _State.users:
        _State.smi = _find_smi()
        if _State.smi is not None:
            handles = _by_hip(list(_smi("amdsmi_get_processor_handles")))
        elif _has_rocm():
            handles = [None] * _cuda().device_count()
        else:
            raise NVMLError(12)
        _State.devices = tuple(_Device(index=i, handle=h) for i, h in enumerate(handles))
    _State.users += 1


def nvmlInitWithFlags(flags):
    nvmlInit()


def nvmlShutdown():
    if not _State.users:
        raise NVMLError(1)
    _State.users -= 1
    if not _State.users:
        if _State.smi is not None:
            _smi("amdsmi_shut_down")
        _State.smi, _State.devices = None, ()


# ---- the system ----------------------------------------------------------------------------------------------


def nvmlDeviceGetCount():
    if not _State.users:
        raise NVMLError(1)
    return len(_State.devices)


def nvmlDeviceGetHandleByIndex(index):
    if not 0 <= int(index) < nvmlDeviceGetCount():
        raise NVMLError(2)
    return _State.devices[int(index)]


def nvmlDeviceGetHandleByUUID(uuid):
    return _named(uuid, nvmlDeviceGetUUID)


def nvmlDeviceGetHandleByPciBusId(bus_id):
    wanted = bus_id.decode() if isinstance(bus_id, bytes) else bus_id
    # NVML accepts domains of four and of eight digits.
    return _named(wanted.lower()[-12:], lambda device: nvmlDeviceGetPciInfo(device).busIdLegacy.lower())


def _named(name, of):
    wanted = name.decode() if isinstance(name, bytes) else name
    nvmlDeviceGetCount()
    for device in _State.devices:
        if of(device) == wanted:
            return device
    raise NVMLError(6)


def nvmlSystemGetDriverVersion():
    """Returns the version of the amdgpu driver."""
    device = nvmlDeviceGetHandleByIndex(0)
    return str(_first(_smi("amdsmi_get_gpu_driver_info", _only_smi(device)), "driver_version"))


def nvmlSystemGetCudaDriverVersion():
    """Raises an error: a driver for AMD GPUs has no CUDA version."""
    raise NVMLError(3)


nvmlSystemGetCudaDriverVersion_v2 = nvmlSystemGetCudaDriverVersion

# ---- a GPU ---------------------------------------------------------------------------------------------------


def nvmlDeviceGetIndex(device):
    _asked(device)
    return device.index


def nvmlDeviceGetName(device):
    if _asked(device):
        return str(_first(_smi("amdsmi_get_gpu_asic_info", device.handle), "market_name"))
    return _cuda().get_device_name(device.index)


def nvmlDeviceGetUUID(device):
    if _asked(device):
        return str(_smi("amdsmi_get_gpu_device_uuid", device.handle))
    uuid = getattr(_cuda().get_device_properties(device.index), "uuid", None)
    if uuid is None:
        raise NVMLError(3)
    return str(uuid)


def nvmlDeviceGetMemoryInfo(device, version=None):
    """.total, .free and .used, in bytes."""
    if _asked(device):
        kind = _State.smi.AmdSmiMemoryType.VRAM
        total = _smi("amdsmi_get_gpu_memory_total", device.handle, kind)
        used = _smi("amdsmi_get_gpu_memory_usage", device.handle, kind)
        return _Record(total=total, free=total - used, used=used)
    free, total = _cuda().mem_get_info(device.index)
    return _Record(total=total, free=free, used=total - free)


def nvmlDeviceGetUtilizationRates(device):
    """.gpu and .memory, in percent."""
    activity = _smi("amdsmi_get_gpu_activity", _only_smi(device))
    return _Record(gpu=_first(activity, "gfx_activity"), memory=_first(activity, "umc_activity"))


def nvmlDeviceGetTemperature(device, sensor=NVML_TEMPERATURE_GPU):
    """Temperature of the hottest place of the chip in degrees; all of these GPUs have this sensor."""
    handle = _only_smi(device)
    if sensor != NVML_TEMPERATURE_GPU:
        raise NVMLError(2)
    where, when = _State.smi.AmdSmiTemperatureType.JUNCTION, _State.smi.AmdSmiTemperatureMetric.CURRENT
    return _first({"now": _smi("amdsmi_get_temp_metric", handle, where, when)}, "now")


def nvmlDeviceGetPowerUsage(device):
    """In milliwatts."""
    power = _smi("amdsmi_get_power_info", _only_smi(device))
    return 1000 * int(_first(power, "average_socket_power", "current_socket_power"))


def _cap(device, name):
    """amdsmi has limits in microwatts."""
    return int(_first(_smi("amdsmi_get_power_cap_info", _only_smi(device)), name)) // 1000


def nvmlDeviceGetPowerManagementLimit(device):
    """In milliwatts."""
    return _cap(device, "power_cap")


nvmlDeviceGetEnforcedPowerLimit = nvmlDeviceGetPowerManagementLimit


def nvmlDeviceGetPowerManagementDefaultLimit(device):
    return _cap(device, "default_power_cap")


def nvmlDeviceGetPowerManagementLimitConstraints(device):
    """The minimum and the maximum limit, in milliwatts."""
    return [_cap(device, "min_power_cap"), _cap(device, "max_power_cap")]


def _clock(device, kind, *names):
    handle, kinds = _only_smi(device), _State.smi.AmdSmiClkType
    if kind not in (NVML_CLOCK_GRAPHICS, NVML_CLOCK_SM, NVML_CLOCK_MEM, NVML_CLOCK_VIDEO):
        raise NVMLError(2)
    which = {NVML_CLOCK_MEM: "MEM", NVML_CLOCK_VIDEO: "VCLK0"}.get(kind, "GFX")
    return int(_first(_smi("amdsmi_get_clock_info", handle, getattr(kinds, which)), *names))


def nvmlDeviceGetClockInfo(device, type):
    """In megahertz."""
    return _clock(device, type, "clk", "cur_clk")


def nvmlDeviceGetMaxClockInfo(device, type):
    """In megahertz."""
    return _clock(device, type, "max_clk")


def nvmlDeviceGetPciInfo(device):
    """.busId with a domain of eight digits, .busIdLegacy with four, and the numbers of both."""
    if _asked(device):
        domain, bus, rest = str(_smi("amdsmi_get_gpu_device_bdf", device.handle)).split(":")
        domain, bus, place = int(domain, 16), int(bus, 16), int(rest.split(".")[0], 16)
    else:
        properties = _cuda().get_device_properties(device.index)
        if not hasattr(properties, "pci_bus_id"):
            raise NVMLError(3)
        domain, bus, place = properties.pci_domain_id, properties.pci_bus_id, properties.pci_device_id
    where = "%02X:%02X.0" % (bus, place)
    return _Record(
        busId="%08X:%s" % (domain, where),
        busIdLegacy="%04X:%s" % (domain, where),
        domain=domain,
        bus=bus,
        device=place,
    )


nvmlDeviceGetPciInfo_v3 = nvmlDeviceGetPciInfo


def nvmlDeviceGetComputeRunningProcesses(device):
    """Records with .pid and .usedGpuMemory in bytes."""
    handle = _only_smi(device)
    processes = []
    for process in _smi("amdsmi_get_gpu_process_list", handle):
        if not isinstance(process, dict):  # amdsmi before ROCm 6.1 returns handles
            process = _smi("amdsmi_get_gpu_process_info", handle, process)
        memory = process.get("memory_usage", {}).get("vram_mem", process.get("mem"))
        processes.append(_Record(pid=process["pid"], usedGpuMemory=None if memory in _ABSENT else memory))
    return processes


nvmlDeviceGetComputeRunningProcesses_v2 = nvmlDeviceGetComputeRunningProcesses
nvmlDeviceGetComputeRunningProcesses_v3 = nvmlDeviceGetComputeRunningProcesses

__all__ = [_name for _name in globals() if _name.lower().startswith("nvml")]


def __getattr__(name):
    """Any other NVML function exists and raises NVMLError_NotSupported."""
    if not name.startswith("nvml"):
        raise AttributeError("module %r has no attribute %r" % (__name__, name))

    def unsupported(*args, **kwargs):
        raise NVMLError(3)

    unsupported.__name__ = name
    return unsupported
