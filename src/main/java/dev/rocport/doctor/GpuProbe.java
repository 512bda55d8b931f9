package dev.rocport.doctor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** GPUs, the way to them, and the driver. */
final class GpuProbe {
  private static final String KFD = "/dev/kfd";
  private static final String IN_CONTAINER =
      "start the container with --device=/dev/kfd --device=/dev/dri";

  private final Machine machine;
  private final Rocm rocm;
  private final List<Observation> found = new ArrayList<>();

  private GpuProbe(Machine machine, Rocm rocm) {
    this.machine = machine;
    this.rocm = rocm;
  }

  static List<Observation> observe(Machine machine, Rocm rocm) {
    GpuProbe probe = new GpuProbe(machine, rocm);
    probe.architecture();
    if (!rocm.agents().isEmpty() || machine.exists(KFD)) {
      probe.kfd();
      probe.render();
      probe.driver();
    }
    probe.rocm();
    probe.nvidia();
    return probe.found;
  }

  private void architecture() {
    List<Agent> agents = rocm.agents();
    if (agents.isEmpty()) {
      add(
          "architecture",
          Status.NOTE,
          "no AMD GPU found",
          "Ported code can be built here and run on the rocport device, which is slow.",
          "a port needs no GPU; for speed, use a machine with an AMD GPU");
      return;
    }
    Map<String, Integer> kinds = new LinkedHashMap<>();
    agents.forEach(
        a ->
            kinds.merge(
                a.gfx() + (a.units() > 0 ? " with " + a.units() + " compute units" : ""),
                1,
                Integer::sum));
    String text =
        kinds.entrySet().stream()
            .map(e -> e.getValue() + " x " + e.getKey())
            .collect(Collectors.joining(", "));
    if (rocm.architectures().size() > 1) {
      add(
          "architecture",
          Status.WARNING,
          text,
          "Programs use the first GPU that they find, which may be the integrated GPU of the CPU,"
              + " and libraries are rarely built for both.",
          "select a GPU with ROCR_VISIBLE_DEVICES");
    } else {
      found.add(Observation.ok(Section.GPU, "architecture", text));
    }
  }

  private void kfd() {
    if (machine.isOpen(KFD)) {
      found.add(Observation.ok(Section.GPU, KFD, "can be opened"));
    } else if (machine.exists(KFD)) {
      add(KFD, Status.PROBLEM, "access denied", "No program can use a GPU.", groups());
    } else {
      add(
          KFD,
          Status.PROBLEM,
          "is missing",
          "No program can use a GPU.",
          isContainer() ? IN_CONTAINER : "load the driver: modprobe amdgpu, as root");
    }
  }

  private void render() {
    List<String> missing = new ArrayList<>();
    List<String> closed = new ArrayList<>();
    for (Agent a : rocm.agents()) {
      String node = "/dev/dri/renderD" + a.render();
      if (a.render() > 0 && !machine.exists(node)) {
        missing.add(node);
      } else if (a.render() > 0 && !machine.isOpen(node)) {
        closed.add(node);
      }
    }
    if (!missing.isEmpty()) {
      add(
          "/dev/dri",
          Status.PROBLEM,
          "missing: " + String.join(" ", missing),
          "These GPUs cannot be used.",
          isContainer() ? IN_CONTAINER : "check the driver messages: dmesg | grep amdgpu, as root");
    }
    if (!closed.isEmpty()) {
      add(
          "/dev/dri",
          Status.PROBLEM,
          "access denied: " + String.join(" ", closed),
          "These GPUs cannot be used.",
          groups());
    }
    if (missing.isEmpty() && closed.isEmpty() && !rocm.agents().isEmpty()) {
      found.add(Observation.ok(Section.GPU, "/dev/dri", "render nodes can be opened"));
    }
  }

  private String groups() {
    return isContainer()
        ? "start the container with --group-add for the host groups that own the devices"
        : "add this user to the groups render and video (usermod -aG, as root) and log in again";
  }

  private void driver() {
    String version = machine.text("/sys/module/amdgpu/version").strip();
    if (!version.isEmpty()) {
      found.add(Observation.ok(Section.GPU, "driver", "amdgpu " + version));
    } else if (machine.isFolder("/sys/module/amdgpu")) {
      found.add(Observation.ok(Section.GPU, "driver", "amdgpu of the Linux kernel"));
    } else {
      add(
          "driver",
          Status.WARNING,
          "amdgpu is not loaded",
          "The machine may have GPUs without a driver.",
          "modprobe amdgpu, as root");
    }
  }

  private void rocm() {
    if (!rocm.version().isEmpty()) {
      found.add(Observation.ok(Section.GPU, "ROCm", rocm.version() + " in " + rocm.folder()));
    } else if (!rocm.folder().isEmpty()) {
      found.add(
          Observation.ok(
              Section.GPU, "ROCm", rocm.folder() + ", which does not state its version"));
    } else if (!rocm.agents().isEmpty()) {
      add(
          "ROCm",
          Status.NOTE,
          "none in /opt/rocm, and ROCM_PATH is not set to one",
          "PyTorch includes its own libraries, but extensions cannot be built.",
          "install ROCm, or set ROCM_PATH to its folder");
    }
  }

  private void nvidia() {
    boolean there = machine.isFolder("/proc/driver/nvidia");
    if (there && rocm.present()) {
      add(
          "NVIDIA",
          Status.NOTE,
          "an NVIDIA driver is loaded",
          "Builds that detect the GPU may select CUDA.",
          "select the platform explicitly: HIP_PLATFORM=amd, USE_ROCM=1");
    }
  }

  private boolean isContainer() {
    return machine.exists("/.dockerenv") || machine.exists("/run/.containerenv");
  }

  private void add(String name, Status status, String text, String why, String fix) {
    found.add(Observation.of(Section.GPU, name, status, text, why, fix));
  }
}
