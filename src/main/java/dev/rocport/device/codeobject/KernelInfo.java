package dev.rocport.device.codeobject;

import java.util.List;

/**
 * A kernel of a code object.
 *
 * @param name as the host asks for it
 * @param descriptorAddress where the descriptor lies, before loading
 * @param argumentBytes of the segment of arguments, explicit and hidden
 * @param maxThreads the most threads of a block, from its launch bounds
 */
public record KernelInfo(
    String name,
    long descriptorAddress,
    KernelDescriptor descriptor,
    int argumentBytes,
    List<Argument> arguments,
    int maxThreads,
    int sgprs) {
  /** The address of the first instruction, before loading. */
  public long entry() {
    return descriptorAddress + descriptor.entryOffset();
  }

  /** The arguments that the program passes. */
  public List<Argument> explicitArguments() {
    return arguments.stream().filter(a -> !a.isHidden()).toList();
  }
}
