package dev.rocport.lang.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rocport.lang.cuda.pass.CudaFile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class PassOrderTest {
  private record Dummy(String id, Set<Fact> needs, Set<Fact> provides) implements Pass {
    @Override
    public Scope scope() {
      return Scope.ALWAYS;
    }

    @Override
    public boolean inStrings() {
      return false;
    }

    @Override
    public void run(CudaFile file, Tools tools) {}
  }

  private static void respectsFacts(List<Pass> passes) {
    for (int i = 0; i < passes.size(); i++) {
      for (Pass earlier : passes.subList(0, i)) {
        assertThat(PassOrder.isBefore(passes.get(i), earlier))
            .as(passes.get(i).id() + " after " + earlier.id())
            .isFalse();
      }
    }
  }

  @Test
  void everyPassComesAfterThoseThatProvideWhatItNeeds() {
    respectsFacts(CudaPasses.ALL);
    assertThat(CudaPasses.ALL).extracting(Pass::id).doesNotHaveDuplicates();
  }

  /** Text that two passes insert at one place nests by their order: a golden shows a change. */
  @Test
  void theOrderIsTheOneThatGoldensWereMadeWith() {
    assertThat(CudaPasses.ALL)
        .extracting(Pass::id)
        .containsExactly(
            "GuardPass",
            "CaseLabels",
            "ScaleTypePass",
            "WarpPass",
            "CollectiveLaunchPass",
            "BroadcastPass",
            "TextureVariablePass",
            "PastedNamePass",
            "ApiPass",
            "GroupPass",
            "CubWarpPass",
            "LaunchPass",
            "DeviceLaunchPass",
            "VanishPass",
            "ClusterPass",
            "AttributeOrderPass",
            "ExecutionSpacePass",
            "StaticVariablePass",
            "ClangPass",
            "DeviceptrPass",
            "VectorOperatorPass",
            "OverloadPass",
            "WarpOverloadPass",
            "OwnFunctionPass",
            "BuiltinVariablePass",
            "HostMathPass",
            "DeclvalPass",
            "OverloadHeaderPass",
            "DevicePrintfPass",
            "LegacyBlasPass",
            "KeyedReductionPass",
            "CubNamespacePass",
            "Dim3Pass",
            "NarrowingPass",
            "VectorBracesPass",
            "HalfValuePass",
            "HalfBitsPass",
            "TextureReferencePass",
            "TextureObjectPass",
            "WarpSizePass",
            "HipWarpPass",
            "SchedulePass",
            "BarrierPass",
            "FragmentPass",
            "FencePass",
            "KernelSplitPass",
            "StringPass",
            "PtxStringPass",
            "AsmPass",
            "DeviceUse",
            "IncludePass");
  }

  @Test
  void theFirstAndTheLastFollowFromTheFacts() {
    Random random = new Random(1);
    for (int i = 0; i < 100; i++) {
      List<Pass> shuffled = new ArrayList<>(CudaPasses.ALL);
      Collections.shuffle(shuffled, random);
      List<Pass> ordered = PassOrder.of(shuffled);
      respectsFacts(ordered);
      assertThat(ordered.getFirst().id()).isEqualTo("GuardPass");
      assertThat(ordered).hasSameElementsAs(CudaPasses.ALL);
    }
  }

  @Test
  void withoutAChoiceTheListDoesNotMatter() {
    Pass first = new Dummy("first", Set.of(), Set.of(Fact.BRANCHES));
    Pass second = new Dummy("second", Set.of(Fact.BRANCHES), Set.of(Fact.NAMES));
    Pass third = new Dummy("third", Set.of(Fact.NAMES), Set.of());
    assertThat(PassOrder.of(List.of(third, second, first))).containsExactly(first, second, third);
  }

  @Test
  void passesThatNeedEachOtherAreAnError() {
    Pass a = new Dummy("a", Set.of(Fact.NAMES), Set.of(Fact.CODE));
    Pass b = new Dummy("b", Set.of(Fact.CODE), Set.of(Fact.NAMES));
    assertThatThrownBy(() -> PassOrder.of(List.of(a, b)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("passes need each other: a, b");
  }

  @Test
  void aFactWithoutProviderIsAnError() {
    Pass a = new Dummy("a", Set.of(Fact.NAMES), Set.of());
    assertThatThrownBy(() -> PassOrder.of(List.of(a)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("a needs what no pass provides");
  }
}
