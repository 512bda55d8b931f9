package dev.rocport.fleet;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/** The time that a task takes. */
final class Clock {
  private final Source source;
  private final long start = System.nanoTime();
  private final long thread = ofThread();
  private Duration processes = Duration.ZERO;
  private int age;

  Clock(Source source) {
    this.source = source;
  }

  private static long ofThread() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  void add(WorkerProcess.Answer answer) {
    processes = processes.plus(answer.processor());
    age = answer.age();
  }

  /** What it took until now. */
  Origin origin() {
    long milliseconds = (System.nanoTime() - start) / 1_000_000;
    long processor = processes.plusNanos(ofThread() - thread).toMillis();
    return new Origin(
        source.name(), source.location(), source.team(), milliseconds, processor, age);
  }
}
