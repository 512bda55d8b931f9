package dev.rocport.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Settings of the system that slow GPUs down, or end programs that share memory. */
final class SystemProbe {
  private static final long MIB = 1L << 20;
  private static final long LEAST_SHARED = 1024 * MIB;
  private static final long MOST_GIB = 1 << 20;
  private static final long LEAST_LOCKED = 64 * MIB;
  private static final Pattern SIZE = Pattern.compile("(?:^|,)size=(\\d{1,12})([kKmMgG%]?)(?:,|$)");
  private static final Pattern LOCKED =
      Pattern.compile("(?m)^Max locked memory\\s+(unlimited|\\d{1,18})\\s");
  private static final Pattern MEMORY = Pattern.compile("(?m)^MemTotal:\\s+(\\d{1,15}) kB");

  private final Machine machine;
  private final Rocm rocm;
  private final List<Observation> found = new ArrayList<>();

  private SystemProbe(Machine machine, Rocm rocm) {
    this.machine = machine;
    this.rocm = rocm;
  }

  /** Reports only on machines that are meant to run programs on AMD GPUs. */
  static List<Observation> observe(Machine machine, Rocm rocm) {
    SystemProbe probe = new SystemProbe(machine, rocm);
    if (rocm.present()) {
      probe.numa();
      probe.shared();
      probe.locked();
      probe.iommu();
    }
    return probe.found;
  }

  private void numa() {
    String balancing = machine.text("/proc/sys/kernel/numa_balancing").strip();
    if (balancing.isEmpty()) {
      return;
    }
    if (balancing.equals("0")) {
      found.add(Observation.ok(Section.SYSTEM, "NUMA balancing", "off"));
    } else {
      add(
          "NUMA balancing",
          Status.WARNING,
          "on (" + balancing + ")",
          "The kernel unmaps pages to track access, and each resulting fault stalls the GPU.",
          "sysctl kernel.numa_balancing=0, as root (on the host if in a container)");
    }
  }

  private void shared() {
    OptionalLong size = sharedBytes();
    if (size.isEmpty()) {
      return;
    }
    String text = size(size.getAsLong());
    if (size.getAsLong() >= LEAST_SHARED) {
      found.add(Observation.ok(Section.SYSTEM, "/dev/shm", text));
    } else {
      add(
          "/dev/shm",
          Status.WARNING,
          text,
          "Data loaders with workers, and RCCL, put their buffers there; when it is full, programs"
              + " fail with a bus error or hang.",
          "start the container with --ipc=host or --shm-size=16g");
    }
  }

  private OptionalLong sharedBytes() {
    for (String line : machine.text("/proc/mounts").lines().toList()) {
      String[] words = line.split(" ");
      if (words.length >= 4 && words[1].equals("/dev/shm")) {
        Matcher m = SIZE.matcher(words[3]);
        // Where no size is given, tmpfs takes half of the memory.
        return m.find() ? bytes(Long.parseLong(m.group(1)), m.group(2)) : memory(50);
      }
    }
    return OptionalLong.empty();
  }

  private OptionalLong bytes(long number, String unit) {
    return switch (unit) {
      case "k", "K" -> OptionalLong.of(number << 10);
      case "m", "M" -> OptionalLong.of(number << 20);
      case "g", "G" -> OptionalLong.of(Math.min(number, MOST_GIB) << 30);
      case "%" -> memory(number);
      default -> OptionalLong.of(number);
    };
  }

  private OptionalLong memory(long percent) {
    Matcher m = MEMORY.matcher(machine.text("/proc/meminfo"));
    return m.find()
        ? OptionalLong.of(Long.parseLong(m.group(1)) * 1024 / 100 * percent)
        : OptionalLong.empty();
  }

  private void locked() {
    Matcher m = LOCKED.matcher(machine.text("/proc/self/limits"));
    if (!m.find()) {
      return;
    }
    Optional<Long> bytes =
        Optional.of(m.group(1)).filter(s -> !s.equals("unlimited")).map(Long::parseLong);
    if (bytes.map(b -> b >= LEAST_LOCKED).orElse(true)) {
      found.add(
          Observation.ok(
              Section.SYSTEM, "locked memory", bytes.map(SystemProbe::size).orElse("unlimited")));
      return;
    }
    boolean rdma = !machine.list("/sys/class/infiniband").isEmpty();
    add(
        "locked memory",
        rdma ? Status.WARNING : Status.NOTE,
        size(bytes.orElseThrow()),
        "Memory for RDMA must be locked; RCCL between machines fails above the limit.",
        "ulimit -l unlimited (docker: --ulimit memlock=-1)");
  }

  private void iommu() {
    boolean several = rocm.agents().size() > 1;
    String line = " " + machine.text("/proc/cmdline").strip() + " ";
    boolean there = !machine.list("/sys/kernel/iommu_groups").isEmpty();
    if (several && there && !line.contains(" iommu=pt ")) {
      add(
          "IOMMU",
          Status.NOTE,
          "iommu=pt is not on the kernel command line",
          "Copies between GPUs may go through page translation, or the first RCCL call may hang.",
          "add iommu=pt to the kernel command line, as root, and reboot");
    }
  }

  private static String size(long bytes) {
    if (bytes >= 1024 * MIB) {
      return bytes / (1024 * MIB) + " GiB";
    }
    return bytes >= MIB ? bytes / MIB + " MiB" : bytes / 1024 + " KiB";
  }

  private void add(String name, Status status, String text, String why, String fix) {
    found.add(Observation.of(Section.SYSTEM, name, status, text, why, fix));
  }
}
