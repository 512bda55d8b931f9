package dev.rocport.lang.cuda;

import dev.rocport.lang.cuda.Pass.Scope;
import dev.rocport.lang.cuda.Pass.Tools;
import dev.rocport.lang.cuda.api.ApiPass;
import dev.rocport.lang.cuda.api.BuiltinVariablePass;
import dev.rocport.lang.cuda.api.CaseLabels;
import dev.rocport.lang.cuda.api.CubNamespacePass;
import dev.rocport.lang.cuda.api.DeclvalPass;
import dev.rocport.lang.cuda.api.DevicePrintfPass;
import dev.rocport.lang.cuda.api.Dim3Pass;
import dev.rocport.lang.cuda.api.HalfBitsPass;
import dev.rocport.lang.cuda.api.HalfValuePass;
import dev.rocport.lang.cuda.api.IncludePass;
import dev.rocport.lang.cuda.api.KeyedReductionPass;
import dev.rocport.lang.cuda.api.LegacyBlasPass;
import dev.rocport.lang.cuda.api.NarrowingPass;
import dev.rocport.lang.cuda.api.OverloadPass;
import dev.rocport.lang.cuda.api.PastedNamePass;
import dev.rocport.lang.cuda.api.ScaleTypePass;
import dev.rocport.lang.cuda.api.VectorBracesPass;
import dev.rocport.lang.cuda.api.VectorOperatorPass;
import dev.rocport.lang.cuda.asm.AsmPass;
import dev.rocport.lang.cuda.deviceptr.DeviceptrPass;
import dev.rocport.lang.cuda.embedded.PtxStringPass;
import dev.rocport.lang.cuda.embedded.StringPass;
import dev.rocport.lang.cuda.guard.GuardPass;
import dev.rocport.lang.cuda.pass.AttributeOrderPass;
import dev.rocport.lang.cuda.pass.ClangPass;
import dev.rocport.lang.cuda.pass.ClusterPass;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.pass.DeviceLaunchPass;
import dev.rocport.lang.cuda.pass.DeviceUse;
import dev.rocport.lang.cuda.pass.ExecutionSpacePass;
import dev.rocport.lang.cuda.pass.HipWarpPass;
import dev.rocport.lang.cuda.pass.LaunchPass;
import dev.rocport.lang.cuda.pass.StaticVariablePass;
import dev.rocport.lang.cuda.shmem.BroadcastPass;
import dev.rocport.lang.cuda.shmem.CollectiveLaunchPass;
import dev.rocport.lang.cuda.shmem.KernelSplitPass;
import dev.rocport.lang.cuda.shmem.ShmemNames;
import dev.rocport.lang.cuda.texture.TextureObjectPass;
import dev.rocport.lang.cuda.texture.TextureReferencePass;
import dev.rocport.lang.cuda.texture.TextureVariablePass;
import dev.rocport.lang.cuda.warp.BarrierPass;
import dev.rocport.lang.cuda.warp.CubWarpPass;
import dev.rocport.lang.cuda.warp.FragmentPass;
import dev.rocport.lang.cuda.warp.GroupPass;
import dev.rocport.lang.cuda.warp.SchedulePass;
import dev.rocport.lang.cuda.warp.WarpOverloadPass;
import dev.rocport.lang.cuda.warp.WarpPass;
import dev.rocport.lang.cuda.warp.WarpSizePass;
import dev.rocport.lang.ptx.find.Findings;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/** All passes over a CUDA file. */
public final class CudaPasses {
  private record Step(
      String id,
      Scope scope,
      Set<Fact> needs,
      Set<Fact> provides,
      boolean inStrings,
      BiConsumer<CudaFile, Tools> body)
      implements Pass {
    @Override
    public void run(CudaFile file, Tools tools) {
      body.accept(file, tools);
    }
  }

  /** All there are, in the order in which they run. */
  static final List<Pass> ALL =
      PassOrder.of(
          List.of(
              new Step(
                  "GuardPass",
                  Scope.ALWAYS,
                  Set.of(),
                  Set.of(Fact.BRANCHES, Fact.DROPPED_TOKENS, Fact.RUNTIME_EDITS),
                  true,
                  (f, tools) -> GuardPass.run(f)),
              new Step(
                  "CaseLabels",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(Fact.DROPPED_TOKENS, Fact.CODE),
                  false,
                  (f, tools) -> f.dropped.addAll(CaseLabels.run(f))),
              new Step(
                  "ScaleTypePass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(Fact.DROPPED_TOKENS, Fact.CODE),
                  false,
                  (f, tools) -> ScaleTypePass.run(f)),
              new Step(
                  "WarpPass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(Fact.DROPPED_TOKENS, Fact.CODE, Fact.SHIMS),
                  false,
                  (f, tools) -> WarpPass.run(f)),
              new Step(
                  "CollectiveLaunchPass",
                  Scope.SHMEM,
                  Set.of(Fact.BRANCHES),
                  Set.of(Fact.DROPPED_TOKENS, Fact.CODE, Fact.RUNTIME_EDITS),
                  false,
                  (f, tools) -> CollectiveLaunchPass.run(f)),
              new Step(
                  "BroadcastPass",
                  Scope.SHMEM,
                  Set.of(Fact.BRANCHES),
                  Set.of(Fact.CODE),
                  false,
                  (f, tools) -> BroadcastPass.run(f)),
              new Step(
                  "TextureVariablePass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(Fact.DROPPED_TOKENS, Fact.CODE, Fact.RUNTIME_EDITS),
                  false,
                  (f, tools) -> TextureVariablePass.run(f)),
              new Step(
                  "PastedNamePass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(Fact.DROPPED_TOKENS, Fact.CODE, Fact.RUNTIME_EDITS),
                  true,
                  (f, tools) -> PastedNamePass.run(f)),
              new Step(
                  "ApiPass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES, Fact.DROPPED_TOKENS),
                  Set.of(Fact.NAMES, Fact.CODE, Fact.RUNTIME_EDITS, Fact.SHIMS),
                  true,
                  (f, tools) -> ApiPass.run(f)),
              new Step(
                  "GroupPass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES, Fact.NAMES),
                  Set.of(Fact.CODE, Fact.SHIMS),
                  false,
                  (f, tools) -> GroupPass.run(f)),
              new Step(
                  "CubWarpPass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES, Fact.NAMES),
                  Set.of(Fact.CODE, Fact.SHIMS),
                  false,
                  (f, tools) -> CubWarpPass.run(f)),
              new Step(
                  "LaunchPass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(Fact.CODE, Fact.RUNTIME_EDITS),
                  false,
                  (f, tools) -> LaunchPass.run(f)),
              new Step(
                  "DeviceLaunchPass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(),
                  true,
                  (f, tools) -> DeviceLaunchPass.run(f)),
              new Step(
                  "VanishPass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(Fact.CODE),
                  false,
                  (f, tools) -> tools.vanish().run(f)),
              new Step(
                  "ClusterPass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(Fact.CODE),
                  true,
                  (f, tools) -> ClusterPass.run(f)),
              new Step(
                  "AttributeOrderPass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(Fact.CODE),
                  false,
                  (f, tools) -> AttributeOrderPass.run(f)),
              new Step(
                  "ExecutionSpacePass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(Fact.CODE),
                  false,
                  (f, tools) -> ExecutionSpacePass.run(f)),
              new Step(
                  "StaticVariablePass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(),
                  false,
                  (f, tools) -> StaticVariablePass.run(f)),
              new Step(
                  "ClangPass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(),
                  false,
                  (f, tools) -> ClangPass.run(f)),
              new Step(
                  "DeviceptrPass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(Fact.CODE),
                  false,
                  (f, tools) -> DeviceptrPass.run(f)),
              new Step(
                  "VectorOperatorPass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(Fact.CODE),
                  false,
                  (f, tools) -> VectorOperatorPass.run(f)),
              new Step(
                  "OverloadPass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(Fact.CODE),
                  false,
                  (f, tools) -> OverloadPass.run(f)),
              new Step(
                  "WarpOverloadPass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(Fact.CODE, Fact.SHIMS),
                  false,
                  (f, tools) -> WarpOverloadPass.run(f)),
              new Step(
                  "OwnFunctionPass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(Fact.CODE),
                  false,
                  (f, tools) -> tools.ownFunctions().run(f)),
              new Step(
                  "BuiltinVariablePass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(Fact.CODE),
                  false,
                  (f, tools) -> BuiltinVariablePass.run(f)),
              new Step(
                  "HostMathPass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(Fact.CODE, Fact.SHIMS),
                  false,
                  (f, tools) -> tools.hostMath().run(f)),
              new Step(
                  "DeclvalPass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(Fact.SHIMS),
                  false,
                  (f, tools) -> DeclvalPass.run(f)),
              new Step(
                  "OverloadHeaderPass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(Fact.SHIMS),
                  false,
                  (f, tools) -> tools.overloadHeaders().run(f)),
              new Step(
                  "DevicePrintfPass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(Fact.CODE),
                  false,
                  (f, tools) -> DevicePrintfPass.run(f)),
              new Step(
                  "LegacyBlasPass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(),
                  false,
                  (f, tools) -> LegacyBlasPass.run(f)),
              new Step(
                  "KeyedReductionPass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(),
                  false,
                  (f, tools) -> KeyedReductionPass.run(f)),
              new Step(
                  "CubNamespacePass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(),
                  false,
                  (f, tools) -> CubNamespacePass.run(f)),
              new Step(
                  "Dim3Pass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(Fact.CODE),
                  false,
                  (f, tools) -> Dim3Pass.run(f)),
              new Step(
                  "NarrowingPass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(Fact.CODE),
                  false,
                  (f, tools) -> NarrowingPass.run(f)),
              new Step(
                  "VectorBracesPass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(Fact.CODE),
                  false,
                  (f, tools) -> VectorBracesPass.run(f)),
              new Step(
                  "HalfValuePass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(Fact.CODE),
                  false,
                  (f, tools) -> HalfValuePass.run(f)),
              new Step(
                  "HalfBitsPass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(Fact.CODE, Fact.SHIMS),
                  false,
                  (f, tools) -> HalfBitsPass.run(f)),
              new Step(
                  "TextureReferencePass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(Fact.CODE, Fact.RUNTIME_EDITS, Fact.SHIMS),
                  false,
                  (f, tools) -> TextureReferencePass.run(f)),
              new Step(
                  "TextureObjectPass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(),
                  false,
                  (f, tools) -> TextureObjectPass.run(f)),
              new Step(
                  "WarpSizePass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES, Fact.NAMES),
                  Set.of(Fact.CODE, Fact.SHIMS),
                  false,
                  (f, tools) -> WarpSizePass.run(f)),
              new Step(
                  "HipWarpPass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(),
                  false,
                  (f, tools) -> HipWarpPass.run(f)),
              new Step(
                  "SchedulePass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(Fact.CODE, Fact.SHIMS),
                  false,
                  (f, tools) -> SchedulePass.run(f)),
              new Step(
                  "BarrierPass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(Fact.CODE, Fact.SHIMS),
                  false,
                  (f, tools) -> BarrierPass.run(f)),
              new Step(
                  "FragmentPass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(),
                  false,
                  (f, tools) -> FragmentPass.run(f)),
              new Step(
                  "FencePass",
                  Scope.CODE,
                  Set.of(Fact.BRANCHES),
                  Set.of(Fact.CODE, Fact.SHIMS),
                  false,
                  (f, tools) -> tools.fence().run(f)),
              new Step(
                  "KernelSplitPass",
                  Scope.SHMEM,
                  Set.of(Fact.BRANCHES, Fact.CODE),
                  Set.of(),
                  false,
                  (f, tools) -> KernelSplitPass.run(f)),
              new Step(
                  "StringPass",
                  Scope.ALWAYS,
                  Set.of(Fact.BRANCHES),
                  Set.of(),
                  false,
                  (f, tools) -> StringPass.run(f, kernel -> CudaPasses.inString(kernel, tools))),
              new Step(
                  "PtxStringPass",
                  Scope.ALWAYS,
                  Set.of(Fact.BRANCHES),
                  Set.of(),
                  false,
                  (f, tools) ->
                      PtxStringPass.run(
                          f, new Findings(tools.catalog(), tools.lexicon(), f.changes))),
              new Step(
                  "AsmPass",
                  Scope.ALWAYS,
                  Set.of(Fact.BRANCHES, Fact.NAMES),
                  Set.of(Fact.RUNTIME_EDITS, Fact.SHIMS),
                  true,
                  (f, tools) -> AsmPass.run(f)),
              new Step(
                  "DeviceUse",
                  Scope.ALWAYS,
                  Set.of(Fact.BRANCHES, Fact.RUNTIME_EDITS),
                  Set.of(Fact.RUNTIME),
                  false,
                  (f, tools) -> DeviceUse.run(f)),
              new Step(
                  "IncludePass",
                  Scope.ALWAYS,
                  Set.of(Fact.BRANCHES, Fact.NAMES, Fact.RUNTIME_EDITS, Fact.RUNTIME, Fact.SHIMS),
                  Set.of(),
                  true,
                  (f, tools) -> IncludePass.run(f))));

  private CudaPasses() {}

  /**
   * Runs them.
   *
   * @param onlyPtx true if rules about PTX are the only ones in force
   */
  static void run(CudaFile file, Tools tools, boolean onlyPtx) {
    boolean shmem = !onlyPtx && ShmemNames.areIn(file.t, 0, file.t.count());
    for (Pass pass : ALL) {
      boolean applies =
          switch (pass.scope()) {
            case ALWAYS -> true;
            case CODE -> !onlyPtx;
            case SHMEM -> shmem;
          };
      if (applies) {
        pass.run(file, tools);
      }
    }
  }

  /** Runs those for a kernel in a string literal. */
  static void inString(CudaFile kernel, Tools tools) {
    for (Pass pass : ALL) {
      if (pass.inStrings()) {
        pass.run(kernel, tools);
      }
    }
  }
}
