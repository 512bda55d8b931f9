package dev.rocport.lang.cuda.pass;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Severity;
import dev.rocport.lang.cuda.lex.Launches;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.names.ApiTable;
import dev.rocport.lang.cuda.symbols.EnclosingFunction;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.ApiName.Kind;
import java.util.BitSet;

/** Reports dynamic parallelism: device code that launches kernels or calls the CUDA runtime. */
public final class DeviceLaunchPass {
  static final String RULE = "LAUNCH-DEVICE";

  private final CudaFile f;
  private final Tokens t;

  private DeviceLaunchPass(CudaFile f) {
    this.f = f;
    this.t = f.t;
  }

  public static void run(CudaFile f) {
    DeviceLaunchPass pass = new DeviceLaunchPass(f);
    Launches launches = Launches.of(f.t);
    BitSet opens = new BitSet();
    for (int n = 0; n < launches.count(); n++) {
      opens.set(launches.open(n), launches.close(n) >= 0);
    }
    for (int i = 0; i < f.t.count(); i++) {
      if (f.t.inDirective(i) || f.regions.isDead(i)) {
        continue;
      }
      if (opens.get(i)) {
        pass.launch(i);
      } else if (f.t.is(i + 1, '(') && pass.isRuntimeCall(i)) {
        pass.call(i);
      }
    }
  }

  private void launch(int i) {
    EnclosingFunction function = f.deviceFunction(i);
    if (function == null) {
      return;
    }
    // The compiler reports the name of the kernel, which can be in an earlier line.
    int kernel = Launches.kernel(t, i);
    int start = t.start(kernel < 0 ? i : kernel);
    int end = t.end(i + 2);
    if (function.host()) {
      f.changes.finding(
          RULE,
          Severity.WARNING,
          Disposition.REVIEW,
          start,
          end,
          "this launch works only where the function runs on the host",
          "Call the function only from host code, or split it into a host function and a device"
              + " function.");
    } else {
      f.changes.finding(
          RULE,
          Disposition.UNPORTED,
          start,
          end,
          "HIP kernels cannot launch kernels (dynamic parallelism)");
    }
  }

  private void call(int i) {
    if (f.isForDeviceOnly(i)) {
      f.changes.finding(
          RULE,
          Disposition.UNPORTED,
          t.start(i),
          t.end(i),
          t.text(i) + " in device code: HIP has this function on the host only");
    }
  }

  private boolean isRuntimeCall(int i) {
    ApiTable.Entry e = t.isIdentifier(i) ? f.api.find(t, i) : null;
    ApiName name = e == null ? null : e.name;
    return name != null
        && name.kind() == Kind.FUNCTION
        && name.family().equals("API-RUNTIME")
        && !f.api.target(name).isEmpty()
        && !f.isQualified(i)
        && !f.isOwn(name.cuda(), i);
  }
}
