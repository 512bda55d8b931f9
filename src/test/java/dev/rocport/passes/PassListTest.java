package dev.rocport.passes;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.rocport.Choices;
import dev.rocport.buildsystem.BuildFiles;
import dev.rocport.lang.cuda.CudaPasses;
import dev.rocport.lang.java.JavaPorter;
import dev.rocport.lang.python.PythonPorter;
import dev.rocport.rules.PortOptions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every pass that edits has a snippet in the properties, which the pass does edit. */
final class PassListTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.rocport")
          .that(resideInAPackage("dev.rocport.."));

  /** A rule for which each pass edits; empty for those that only report. */
  private static final Map<String, String> RULES =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("Build autotools", "AUTOTOOLS-MAKEFILE"),
              Map.entry("Build bazel", "BAZEL-FLAG"),
              Map.entry("Build script", "SCRIPT-FLAG"),
              Map.entry("Build cmake", "CMAKE-FLAG"),
              Map.entry("Build make", "MAKE-FLAG"),
              Map.entry("Build meson", "MESON-FLAG"),
              Map.entry("Build other", ""),
              Map.entry("Cuda ApiPass", "API-RUNTIME"),
              Map.entry("Cuda AsmPass", "PTX-BITS"),
              Map.entry("Cuda AttributeOrderPass", "CXX-ATTRIBUTE-ORDER"),
              Map.entry("Cuda BarrierPass", "SYNC-RELEASE"),
              Map.entry("Cuda BroadcastPass", "SHMEM-BROADCAST"),
              Map.entry("Cuda BuiltinVariablePass", "CXX-BUILTIN-VARIABLE"),
              Map.entry("Cuda CaseLabels", "ENUM-CASE"),
              Map.entry("Cuda ClangPass", "CXX-CLANG-BUILTIN"),
              Map.entry("Cuda ClusterPass", "LAUNCH-CLUSTER"),
              Map.entry("Cuda CollectiveLaunchPass", "SHMEM-LAUNCH"),
              Map.entry("Cuda CubNamespacePass", ""),
              Map.entry("Cuda CubWarpPass", "W64-CUB"),
              Map.entry("Cuda DeviceLaunchPass", ""),
              Map.entry("Cuda DeclvalPass", ""),
              Map.entry("Cuda DevicePrintfPass", "DEVICE-PRINTF"),
              Map.entry("Cuda DeviceUse", ""),
              Map.entry("Cuda DeviceptrPass", "PTR-DEVICEPTR"),
              Map.entry("Cuda Dim3Pass", "DIM3-UINT3"),
              Map.entry("Cuda ExecutionSpacePass", "CXX-EXECUTION-SPACE"),
              Map.entry("Cuda FencePass", "MPI-RELEASE-FENCE"),
              Map.entry("Cuda FragmentPass", ""),
              Map.entry("Cuda GroupPass", "CG-MEMBER"),
              Map.entry("Cuda GuardPass", "GUARD-ARCH"),
              Map.entry("Cuda HalfBitsPass", "HALF-BITS"),
              Map.entry("Cuda HalfValuePass", "HALF-VALUE"),
              Map.entry("Cuda NarrowingPass", "NARROWING-LIST"),
              Map.entry("Cuda HipWarpPass", ""),
              Map.entry("Cuda HostMathPass", ""),
              Map.entry("Cuda IncludePass", "INCLUDE-RUNTIME"),
              Map.entry("Cuda KernelSplitPass", "SHMEM-SPLIT"),
              Map.entry("Cuda KeyedReductionPass", ""),
              Map.entry("Cuda LaunchPass", "LAUNCH-GGL"),
              Map.entry("Cuda LegacyBlasPass", ""),
              Map.entry("Cuda OverloadHeaderPass", ""),
              Map.entry("Cuda OverloadPass", "OVERLOAD-SAME"),
              Map.entry("Cuda OwnFunctionPass", "OWN-FUNCTION"),
              Map.entry("Cuda PastedNamePass", "API-PASTED"),
              Map.entry("Cuda PtxStringPass", ""),
              Map.entry("Cuda ScaleTypePass", "BLASLT-SCALE-TYPE"),
              Map.entry("Cuda SchedulePass", "W64-BARRIER"),
              Map.entry("Cuda StaticVariablePass", "CXX-STATIC-DEVICE"),
              Map.entry("Cuda StringPass", "STRING-KERNEL"),
              Map.entry("Cuda TextureObjectPass", ""),
              Map.entry("Cuda TextureReferencePass", "TEXTURE-REFERENCE"),
              Map.entry("Cuda TextureVariablePass", "TEXTURE-OBJECT-VARIABLE"),
              Map.entry("Cuda VanishPass", "CXX-REGISTER"),
              Map.entry("Cuda VectorBracesPass", "VECTOR-BRACES"),
              Map.entry("Cuda VectorOperatorPass", "VEC-OPERATOR"),
              Map.entry("Cuda WarpOverloadPass", "W64-OVERLOAD"),
              Map.entry("Cuda WarpPass", "W64-WIDE"),
              Map.entry("Cuda WarpSizePass", "W64-HOST-SIZE"),
              Map.entry("Java BindingPass", ""),
              Map.entry("Java ConstantPass", "JAVA-CONSTANT"),
              Map.entry("Java KernelPass", "JAVA-KERNEL"),
              Map.entry("Java LibraryPass", "JAVA-LIBRARY"),
              Map.entry("Java ModuleFilePass", ""),
              Map.entry("Java OptionPass", "JAVA-NVRTC-OPTION"),
              Map.entry("Java SymbolPass", "JAVA-SYMBOL"),
              Map.entry("Python CompilePass", "PY-COMPILE-MODE"),
              Map.entry("Python DtypePass", "PY-FP8"),
              Map.entry("Python EnvironmentPass", "PY-ALLOC-CONF"),
              Map.entry("Python ExtensionPass", "PY-EXTENSION"),
              Map.entry("Python ImportPass", "PY-NVML"),
              Map.entry("Python NamePass", ""),
              Map.entry("Python PtxPass", ""),
              Map.entry("Python SettingPass", "PY-BACKEND-FLAG"),
              Map.entry("Python SetupPass", "PY-SETUP"),
              Map.entry("Python SymmetricPass", "PY-SYMM-MEM-MULTICAST")));

  /** Methods by which passes edit. */
  private static final Set<String> EDITS = Set.of("edit", "alsoEdit", "gate", "around");

  /** The passes that the porters call: where a pass is registered. */
  private static Set<String> registered() {
    Set<String> passes = new TreeSet<>();
    for (Class<?> porter : List.of(CudaPasses.class, PythonPorter.class, JavaPorter.class)) {
      CLASSES
          .get(porter)
          .getAccessesFromSelf()
          .forEach(
              c -> {
                JavaClass owner = c.getTargetOwner();
                if (c.getTarget().getName().equals("run")
                    && !owner.isEquivalentTo(porter)
                    && !owner.isInterface()
                    && owner.getPackageName().startsWith(porter.getPackageName())) {
                  passes.add(
                      porter.getSimpleName().replaceAll("Porter|Passes", "")
                          + " "
                          + owner.getSimpleName());
                }
              });
    }
    BuildFiles.SYSTEMS.forEach(system -> passes.add("Build " + system.name()));
    return passes;
  }

  @Test
  void everyPassThatIsRegisteredIsListed() {
    assertThat(RULES.keySet()).isEqualTo(registered());
    assertThat(RULES).hasSizeGreaterThan(30);
  }

  @Test
  void everyListedRuleEditsASnippetOfTheProperties() {
    Map<String, Set<String>> edited = new TreeMap<>();
    for (Language language : Language.values()) {
      for (Snippet s : Snippet.of(language)) {
        Mix mix = Mix.of(language, List.of(s), new Choices(List.of()));
        for (PortOptions options : PassPropertyTest.OPTIONS) {
          edited
              .computeIfAbsent(language.name(), k -> new TreeSet<>())
              .addAll(language.port(mix.file(), options).counts().keySet());
        }
      }
    }
    Set<String> all = edited.values().stream().flatMap(Set::stream).collect(Collectors.toSet());
    RULES.forEach(
        (pass, rule) ->
            assertThat(rule.isEmpty() || all.contains(rule)).as("%s: %s", pass, rule).isTrue());
  }

  /** A pass that is said to report makes no edit. */
  @Test
  void reportingPassesMakeNoEdits() {
    RULES.forEach(
        (pass, rule) -> {
          if (rule.isEmpty()) {
            String name = pass.substring(pass.indexOf(' ') + 1);
            CLASSES.stream()
                .filter(c -> c.getSimpleName().equals(name))
                .forEach(
                    c ->
                        assertThat(c.getAccessesFromSelf())
                            .extracting(x -> x.getTarget().getName())
                            .as(pass)
                            .doesNotContainAnyElementsOf(EDITS));
          }
        });
  }
}
