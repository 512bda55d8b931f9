package dev.rocport.device.server;

import dev.rocport.device.codeobject.Argument;
import dev.rocport.device.codeobject.CodeObject;
import dev.rocport.device.codeobject.KernelInfo;
import dev.rocport.device.dispatch.LoadedCode;
import java.util.List;

/** Describes the kernels and variables of a module that was loaded. */
final class ModuleDescription {
  private ModuleDescription() {}

  static Wire.Payload of(long module, LoadedCode code) {
    List<KernelInfo> kernels = code.object().kernels();
    Wire.Payload out = new Wire.Payload().u64(module).u32(kernels.size());
    for (KernelInfo k : kernels) {
      List<Argument> arguments = k.explicitArguments();
      out.string(k.name()).u32(k.argumentBytes()).u32(arguments.size());
      for (Argument a : arguments) {
        out.u32(a.offset()).u32(a.size()).u32(kind(a));
      }
      out.u32(k.descriptor().ldsSize())
          .u32(k.descriptor().scratchPerLane())
          .u32(k.descriptor().vgprs(code.object().target()))
          .u32(k.sgprs())
          .u32(k.maxThreads());
    }
    List<CodeObject.Variable> variables = code.object().variables();
    out.u32(variables.size());
    for (CodeObject.Variable v : variables) {
      out.string(v.name()).u64(code.base() + v.address()).u64(v.size());
    }
    return out;
  }

  private static int kind(Argument a) {
    return switch (a.kind()) {
      case "global_buffer" -> 1;
      case "dynamic_shared_pointer" -> 2;
      default -> 0;
    };
  }
}
