package dev.rocport.device.server;

import dev.rocport.device.codeobject.PrintFormats;
import dev.rocport.device.dispatch.HostServices;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The host, for one launch. */
final class LaunchServices implements HostServices {
  private final Hostcalls hostcalls;
  private final OutputQueue output;
  private final LongFunction<String> explainer;
  private final Watcher watcher;
  private final Set<String> told;
  private @Nullable HostcallBuffer buffer;
  private @Nullable PrintBuffer printed;

  /**
   * @param explainer words on an address
   * @param told kernels of the program that {@link #tellOnce} has told of; safe for several threads
   */
  LaunchServices(
      Hostcalls hostcalls,
      OutputQueue output,
      LongFunction<String> explainer,
      Watcher watcher,
      Set<String> told) {
    this.hostcalls = hostcalls;
    this.output = output;
    this.explainer = explainer;
    this.watcher = watcher;
    this.told = told;
  }

  @Override
  public synchronized long hostcallBuffer() {
    if (buffer == null) {
      buffer = hostcalls.buffer();
    }
    return buffer.allocation().base();
  }

  @Override
  public synchronized long printBuffer(PrintFormats formats) {
    if (printed == null) {
      printed = hostcalls.printBuffer(formats);
    }
    return printed.allocation().base();
  }

  @Override
  public long heap() {
    return hostcalls.heap();
  }

  @Override
  public synchronized void serve() {
    if (buffer != null) {
      buffer.serve(output);
    }
  }

  @Override
  public void tell(String text) {
    output.write(2, text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void tellOnce(String kernel, Supplier<String> text) {
    if (told.add(kernel)) {
      tell(text.get());
    }
  }

  @Override
  public String explain(long address) {
    return explainer.apply(address);
  }

  @Override
  public synchronized void ended() {
    if (buffer != null) {
      hostcalls.give(buffer);
      buffer = null;
    }
    if (printed != null) {
      printed.print(output);
      hostcalls.give(printed);
      printed = null;
    }
    watcher.tell(output);
    output.end();
  }
}
