package dev.rocport.build.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.rocport.build.check.CheckedUnit.Verdict;
import dev.rocport.build.run.UnitResult;
import dev.rocport.build.run.UnitResult.Status;
import dev.rocport.build.unit.Language;
import dev.rocport.build.unit.Unit;
import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonTest {
  @TempDir private Path include;

  private static Finding at(String rule, Severity severity, int line, String message, String code) {
    return new Finding(
        rule, severity, Disposition.UNPORTED, "a.cu", line, 1, line, 2, message, "", code, "f");
  }

  private static Finding error(int line, String message, String code) {
    return at("BUILD-ERROR", Severity.ERROR, line, message, code);
  }

  private static Finding in(String path, Finding f) {
    return new Finding(
        f.rule(),
        f.severity(),
        f.disposition(),
        path,
        f.line(),
        f.column(),
        f.endLine(),
        f.endColumn(),
        f.message(),
        f.advice(),
        f.snippet(),
        f.fingerprint());
  }

  private static Finding ported(Severity severity, int line, String message) {
    return at("API-UNKNOWN", severity, line, message, "");
  }

  private CheckedUnit compare(List<Finding> port, Finding... errors) throws IOException {
    return compare(Language.HIP, port, errors);
  }

  private CheckedUnit compare(Language language, List<Finding> port, Finding... errors)
      throws IOException {
    return compare(language, port, Set.of(), errors);
  }

  private CheckedUnit compare(
      Language language, List<Finding> port, Set<String> macros, Finding... errors)
      throws IOException {
    FileResult file =
        new FileResult("a.cu", FileResult.Status.PORTED, "cuda", 1, 1, new TreeMap<>(), port, "");
    UnitResult unit =
        new UnitResult(
            new Unit("a.cu", "a.cu", Path.of("/tree"), language, List.of(), false, Path.of("/a.o")),
            errors.length == 0 ? Status.COMPILED : Status.FAILED,
            0,
            new TreeMap<>(),
            new TreeMap<>(),
            0,
            Arrays.asList(errors),
            "");
    return new Comparison(
            RuleCatalog.builtIn(),
            List.of(file),
            include,
            Optional.of(include.resolve("tree/part")),
            around(
                at("API-UNKNOWN", Severity.ERROR, 7, "../b.h:7: cuOther_t has no match", ""),
                at("API-CUB", Severity.ERROR, 9, "../b.h:9: cub::PtxVersion has no match", "")))
        .of(unit, macros::contains);
  }

  private Surroundings around(Finding... outside) {
    Path root = include.resolve("around/beside/part");
    Path original = include.resolve("tree");
    return new Surroundings(
        root,
        List.of(),
        List.of(),
        Arrays.stream(outside).map(f -> in("../b.h", f)).toList(),
        Optional.of(new Surroundings.Outside(include.resolve("around/beside"), original)));
  }

  @Test
  void aFindingOutsideExplainsTheErrorsInItsLineOfTheOriginal() throws IOException {
    Path port = Files.createDirectories(include.resolve("around/beside")).resolve("b.h");
    Files.writeString(port, "// added\n// also added\n" + "f();\n".repeat(9));
    Files.writeString(
        Files.createDirectories(include.resolve("tree")).resolve("b.h"), "f();\n".repeat(9));
    String message = "invalid output constraint '=l' in asm (in %s:%d) (for gfx942)";

    CheckedUnit unit = compare(List.of(), error(4, message.formatted(port, 11), ""));
    assertThat(unit.verdict()).isEqualTo(Verdict.EXPLAINED);
    assertThat(unit.findings())
        .extracting(Finding::line, Finding::message)
        .containsExactly(tuple(4, "../b.h:9: cub::PtxVersion has no match"));

    CheckedUnit other = compare(List.of(), error(4, message.formatted(port, 10), ""));
    assertThat(other.verdict()).isEqualTo(Verdict.SILENT);
    assertThat(around().shown(other.findings().getFirst()).message())
        .startsWith("invalid output constraint '=l' in asm (in ../b.h:8) (for gfx942)");
  }

  @Test
  void aLambdaWithReferencesToTheHostIsRefused() throws IOException {
    CheckedUnit unit =
        compare(
            List.of(),
            error(
                4,
                "capture host variable 'A' by reference in device or host device lambda function"
                    + " (for gfx942) [ported: a.cu:5:55; no rule edited this line]",
                "thrust::for_each(thrust::device, first, last, [=, &A](int i) {"));

    assertThat(unit.verdict()).isEqualTo(Verdict.EXPLAINED);
    assertThat(unit.findings()).extracting(Finding::rule).containsExactly("PORT-REFUSED");
    assertThat(unit.findings().getFirst().message()).contains("by reference, which nvcc rejects");
  }

  @Test
  void aFindingOutsideTheTreeExplainsANameAndIsReported() throws IOException {
    CheckedUnit unit =
        compare(List.of(), error(4, "unknown type name 'cuOther_t'", "#include \"../b.h\""));

    assertThat(unit.verdict()).isEqualTo(Verdict.EXPLAINED);
    assertThat(unit.findings())
        .extracting(Finding::rule, Finding::line, Finding::message)
        .containsExactly(tuple("API-UNKNOWN", 4, "../b.h:7: cuOther_t has no match"));
  }

  @Test
  void aFindingOutsideExplainsTheNamespaceOfItsName() throws IOException {
    String missing = "use of undeclared identifier 'cub'";

    CheckedUnit unit = compare(List.of(), error(4, missing, "error = cub::PtxVersion(version);"));
    assertThat(unit.verdict()).isEqualTo(Verdict.EXPLAINED);
    assertThat(unit.findings())
        .extracting(Finding::message)
        .containsExactly("../b.h:9: cub::PtxVersion has no match");

    CheckedUnit other = compare(List.of(), error(4, missing, "error = cub::Other(version);"));
    assertThat(other.verdict()).isEqualTo(Verdict.SILENT);
  }

  @Test
  void aNamespaceAroundCubExplainsThatItIsNotThere() throws IOException {
    Finding macro =
        at("CUB-NAMESPACE", Severity.WARNING, 1, "X: so app::cub and its names do not exist", "");
    Finding member =
        error(4, "no member named 'cub' in namespace 'app'", "app :: cub::DeviceScan::Sum(t);");
    Finding namespace =
        error(5, "use of undeclared identifier 'app'", "using Scan = app::cub::DeviceScan;");
    Finding other = error(6, "use of undeclared identifier 'app'", "app::scan(t);");

    assertThat(compare(List.of(macro), member, namespace).verdict()).isEqualTo(Verdict.EXPLAINED);
    assertThat(compare(List.of(macro), other).verdict()).isEqualTo(Verdict.SILENT);
    assertThat(compare(List.of(), member).verdict()).isEqualTo(Verdict.SILENT);
  }

  @Test
  void aCopyOfALibraryExplainsTheErrorsInItsFiles() throws IOException {
    Finding copy =
        at("TREE-COPY", Severity.WARNING, 0, "ext/cub, ext/nv: copy of CUB, not ported", "");
    Finding inside = in("ext/nv/target", error(4, "no viable conversion", "dim3 d = u;"));
    Finding beside = in("ext/cubs/a.h", error(4, "no viable conversion", "dim3 d = u;"));

    assertThat(compare(List.of(copy), inside).verdict()).isEqualTo(Verdict.EXPLAINED);
    assertThat(compare(List.of(copy), inside, beside).verdict()).isEqualTo(Verdict.SILENT);
  }

  @Test
  void aMacroOfTheBuildHidesNoOtherError() throws IOException {
    List<Finding> port = List.of(ported(Severity.ERROR, 3, "cuThing_t has no counterpart"));
    Finding lacking = error(2, "use of undeclared identifier 'N'", "int a[N];");
    Finding explained = error(3, "expected ';'", "cuThing_t x;");
    Finding wrong = error(9, "no viable conversion", "dim3 d = u;");
    Set<String> macros = Set.of("N");

    CheckedUnit unit = compare(Language.HIP, port, macros, lacking, explained);
    assertThat(unit.verdict()).isEqualTo(Verdict.UNCHECKED);
    assertThat(unit.findings()).isEmpty();
    assertThat(unit.reason())
        .isEqualTo("a build file defines N, and this unit was not compiled with it");

    CheckedUnit other = compare(Language.HIP, port, macros, lacking, explained, wrong);
    assertThat(other.verdict()).isEqualTo(Verdict.SILENT);
    assertThat(other.findings()).extracting(Finding::line).containsExactly(9);
    assertThat(compare(Language.HIP, port, lacking).verdict()).isEqualTo(Verdict.SILENT);
  }

  @Test
  void compilersOfCOnlyWarnAboutCallsWithoutDeclarations() throws IOException {
    Finding own = error(3, "call to undeclared function 'solve'; ISO C99 and later", "solve(n);");
    Finding cuda = error(4, "call to undeclared function 'cudaNew'; ISO C99", "cudaNew(n);");

    assertThat(compare(Language.C, List.of(), own).verdict()).isEqualTo(Verdict.COMPILES);
    assertThat(compare(Language.C, List.of(), own, cuda).verdict()).isEqualTo(Verdict.SILENT);
    assertThat(compare(Language.HIP, List.of(), own).verdict()).isEqualTo(Verdict.SILENT);
  }

  @Test
  void anErrorWithoutFindingIsSilent() throws IOException {
    CheckedUnit unit = compare(List.of(), error(3, "no viable conversion", "dim3 d = u;"));

    assertThat(unit.verdict()).isEqualTo(Verdict.SILENT);
    assertThat(unit.findings())
        .extracting(Finding::rule, Finding::line)
        .containsExactly(tuple("PORT-CHECK", 3));
  }

  @Test
  void aFindingExplainsErrorsInItsLineAndMissingNamesElsewhere() throws IOException {
    List<Finding> port = List.of(ported(Severity.ERROR, 3, "cuThing_t has no counterpart"));

    CheckedUnit unit =
        compare(
            port,
            error(3, "expected ';'", "cuThing_t x;"),
            error(9, "unknown type name 'cuThing_t'", "cuThing_t y;"));

    assertThat(unit.verdict()).isEqualTo(Verdict.EXPLAINED);
  }

  @Test
  void aFindingAboutANameExplainsAssertionsWithIt() throws IOException {
    List<Finding> port = List.of(ported(Severity.WARNING, 3, "laneCount is 64 in a HIP branch"));
    String failed = "static assertion failed due to requirement '%s': too small";

    assertThat(compare(port, error(9, failed.formatted("8U >= My::laneCount"), "a")).verdict())
        .isEqualTo(Verdict.EXPLAINED);
    assertThat(compare(port, error(9, failed.formatted("8U >= My::count"), "a")).verdict())
        .isEqualTo(Verdict.SILENT);
  }

  @Test
  void aFindingAboutAHeaderExplainsItsNamespace() throws IOException {
    Finding use = error(9, "use of undeclared identifier 'timing'", "timing::state s;");

    assertThat(
            compare(
                    List.of(ported(Severity.ERROR, 3, "header timing/t.cuh has no counterpart")),
                    use)
                .verdict())
        .isEqualTo(Verdict.EXPLAINED);
    assertThat(compare(List.of(ported(Severity.ERROR, 3, "other/t.cuh stays")), use).verdict())
        .isEqualTo(Verdict.SILENT);
  }

  @Test
  void aFindingInAMacroExplainsErrorsWhereTheMacroIsUsed() throws IOException {
    List<Finding> port = List.of(ported(Severity.ERROR, 3, "inline PTX"));
    String message = "invalid output constraint '=f' in asm; expanded from macro 'OP' at a.cu:";

    assertThat(compare(port, error(9, message + 3, "OP(add)")).verdict())
        .isEqualTo(Verdict.EXPLAINED);
    assertThat(compare(port, error(9, message + 4, "OP(add)")).verdict()).isEqualTo(Verdict.SILENT);

    Finding spaced = in("my code/a.cu", ported(Severity.ERROR, 3, "inline PTX"));
    String there = "invalid asm; expanded from macro 'ADD' at my code/a.cu:3";
    assertThat(compare(List.of(spaced), error(9, there, "OP(add)")).verdict())
        .isEqualTo(Verdict.EXPLAINED);

    // The name of the inner macro follows the end of a line in the outer one.
    String cut =
        "invalid asm; expanded from macro 'Neg' at a.cu:7; expanded from macro '\\ at a.cu:3";
    assertThat(compare(port, error(9, cut, "Neg(r)")).verdict()).isEqualTo(Verdict.EXPLAINED);
  }

  @Test
  void thatTheCompilerStopsIsNoErrorOfItsOwn() throws IOException {
    List<Finding> port = List.of(ported(Severity.ERROR, 3, "inline PTX"));

    assertThat(
            compare(
                    port,
                    error(3, "invalid output constraint '=f' in asm", "asm();"),
                    error(0, "too many errors emitted, stopping now [-ferror-limit=]", ""))
                .verdict())
        .isEqualTo(Verdict.EXPLAINED);
  }

  @Test
  void aVectorAsABaseExplainsWhatVectorsOfHipDoInItsFile() throws IOException {
    List<Finding> port = List.of(at("VEC-OPERATOR-BASE", Severity.WARNING, 3, "base uint2", ""));
    Finding error = error(9, "no viable conversion from 'HIP_vector_type<unsigned, 2U>'", "");

    assertThat(compare(port, error).verdict()).isEqualTo(Verdict.EXPLAINED);
    assertThat(compare(port, in("b.cu", error)).verdict()).isEqualTo(Verdict.SILENT);
    assertThat(compare(List.of(), error).verdict()).isEqualTo(Verdict.SILENT);
  }

  @Test
  void aNoteExplainsNothing() throws IOException {
    List<Finding> port = List.of(ported(Severity.NOTE, 3, "cuThing_t is ported"));

    CheckedUnit unit = compare(port, error(3, "expected ';'", "cuThing_t x;"));

    assertThat(unit.verdict()).isEqualTo(Verdict.SILENT);
  }

  @Test
  void wordsOfProseExplainNothing() throws IOException {
    List<Finding> port = List.of(ported(Severity.ERROR, 3, "the kernel is not ported"));

    CheckedUnit unit =
        compare(port, error(9, "use of undeclared identifier 'kernel'", "kernel<<<1, 1>>>();"));

    assertThat(unit.verdict()).isEqualTo(Verdict.SILENT);
  }

  @Test
  void anErrorThatFollowsFromAnotherIsNotReported() throws IOException {
    CheckedUnit unit =
        compare(
            List.of(),
            error(3, "unknown type name 'Odd_t'", "Odd_t plan;"),
            error(4, "use of undeclared identifier 'plan'", "use(plan);"));

    assertThat(unit.findings()).extracting(Finding::line).containsExactly(3);
  }

  @Test
  void aClassWithAMemberOfAMissingTypeLosesItsBases() throws IOException {
    Finding conversion =
        error(9, "cannot initialize a parameter of type 'Base *' with an rvalue of type 'D *'", "");

    assertThat(compare(List.of(), conversion).verdict()).isEqualTo(Verdict.SILENT);
    assertThat(
            compare(
                    List.of(ported(Severity.ERROR, 3, "cuThing_t has no counterpart")),
                    error(3, "unknown type name 'cuThing_t'", "cuThing_t x;"),
                    conversion)
                .verdict())
        .isEqualTo(Verdict.EXPLAINED);
  }

  @Test
  void anOperatorOfTheProjectExplainsItsAmbiguousUses() throws IOException {
    String said = " conflicts with the HIP operator, which works component by component";
    List<Finding> port =
        List.of(
            at("VEC-OPERATOR-MEANING", Severity.ERROR, 3, "operator* on double2" + said, ""),
            at("VEC-OPERATOR-MEANING", Severity.ERROR, 4, "operator/ on cuComplex" + said, ""));

    assertThat(compare(port, ambiguous("*", "double2", "double")).verdict())
        .isEqualTo(Verdict.EXPLAINED);
    assertThat(compare(port, ambiguous("/", "hipComplex", "float")).verdict())
        .isEqualTo(Verdict.EXPLAINED);
    assertThat(compare(port, ambiguous("*", "float2", "float")).verdict())
        .isEqualTo(Verdict.SILENT);
  }

  private static Finding ambiguous(String operator, String type, String element) {
    return error(
        9,
        ("use of overloaded operator '%s' is ambiguous (with operand types '%s' (aka"
                + " 'HIP_vector_type<%s, 2>') and '%s')")
            .formatted(operator, type, element, type),
        "a = b * c;");
  }

  @Test
  void aMissingHeaderOfOthersLeavesTheUnitUnchecked() throws IOException {
    CheckedUnit unit =
        compare(
            List.of(), error(1, "'made/config.h' file not found", "#include \"made/config.h\""));

    assertThat(unit.verdict()).isEqualTo(Verdict.UNCHECKED);
    assertThat(unit.reason()).isEqualTo("'made/config.h' is not found");
  }

  @Test
  void aUnitWhoseCheckStopsAtErrorsThatGccAcceptsIsNotChecked() throws IOException {
    CheckedUnit unit =
        compare(
            Language.C,
            List.of(),
            error(3, "call to undeclared function 'helper'", "helper();"),
            error(0, "too many errors emitted, stopping now [-ferror-limit=]", ""));

    assertThat(unit.verdict()).isEqualTo(Verdict.UNCHECKED);
    assertThat(unit.reason()).isEqualTo("the compiler stopped because of too many errors");
  }

  @Test
  void aMissingHeaderIsNamedWithItsPackage() throws IOException {
    assertThat(missing("Eigen/Core"))
        .isEqualTo(
            "'Eigen/Core' is not found; the Debian package libeigen3-dev has it in"
                + " /usr/include/eigen3");
    assertThat(missing("zlib.h"))
        .isEqualTo("'zlib.h' is not found; the Debian package zlib1g-dev has it");
  }

  @Test
  void aMissingHeaderOutsideTheFolderThatWasPortedIsNamed() throws IOException {
    Path header = Files.createDirectories(include.resolve("tree/common")).resolve("book.h");
    Files.writeString(header, "");

    assertThat(missing("../common/book.h"))
        .isEqualTo(
            "'../common/book.h' is not found; it is %s, outside the folder that was ported"
                .formatted(header));
    assertThat(missing("../other/book.h")).isEqualTo("'../other/book.h' is not found");
  }

  @Test
  void aHeaderThatTheProjectHasForCudaOnlyIsAnErrorOfThePort() throws IOException {
    Path folder = Files.createDirectories(include.resolve("tree/part/own/system/cuda"));
    Files.writeString(folder.resolve("par.h"), "");

    assertThat(compare(List.of(), error(1, "'own/system/hip/par.h' file not found", "")).verdict())
        .isEqualTo(Verdict.SILENT);
    assertThat(missing("own/system/hip/other.h"))
        .isEqualTo("'own/system/hip/other.h' is not found");
  }

  private String missing(String header) throws IOException {
    return compare(List.of(), error(1, "'" + header + "' file not found", "")).reason();
  }

  @Test
  void aNameThatTheInstalledHeadersAreTooOldForLeavesTheUnitUnchecked() throws IOException {
    CheckedUnit unit =
        compare(
            List.of(),
            error(1, "use of undeclared identifier 'ncclCommFinalize'", "ncclCommFinalize(c);"));

    assertThat(unit.verdict()).isEqualTo(Verdict.UNCHECKED);
    assertThat(unit.reason())
        .isEqualTo("the installed headers lack 'ncclCommFinalize', which HIP 5.7 added");
  }

  @Test
  void aMissingHeaderOfCudaIsSilent() throws IOException {
    CheckedUnit unit =
        compare(
            List.of(), error(1, "'cudaSomething.h' file not found", "#include <cudaSomething.h>"));

    assertThat(unit.verdict()).isEqualTo(Verdict.SILENT);
  }

  @Test
  void anAssertionOfARocportHeaderIsARefusal() throws IOException {
    Finding assertion = error(5, "static assertion failed: at most 8 bytes", "static_assert(ok);");
    Finding next = error(6, "no type named 'Alias' in 'WordOf<32>'", "WordOf<32>::Alias a;");

    CheckedUnit unit =
        compare(List.of(), in("rocport/atomic.h", assertion), in("rocport/atomic.h", next));

    assertThat(unit.verdict()).isEqualTo(Verdict.EXPLAINED);
    assertThat(unit.findings())
        .extracting(Finding::rule, Finding::line)
        .containsExactly(tuple("PORT-REFUSED", 5));
    assertThat(compare(List.of(), assertion).verdict()).isEqualTo(Verdict.SILENT);
    assertThat(compare(List.of(), in("rocport/atomic.h", next)).verdict())
        .isEqualTo(Verdict.SILENT);
  }

  @Test
  void aHeaderThatOnlyHipAcceptsIsARefusal() throws IOException {
    CheckedUnit unit =
        compare(
            List.of(),
            error(
                2,
                "'cuda/__cccl_config' file not found (in /i/thrust/detail/config/config.h:25)",
                "#include <thrust/sort.h>"));

    assertThat(unit.verdict()).isEqualTo(Verdict.EXPLAINED);
    assertThat(unit.findings().getFirst().message())
        .startsWith("the Thrust of ROCm compiles as HIP only");
  }

  @Test
  void functionsOfAnOldGlmAreRefused() throws IOException {
    CheckedUnit unit =
        compare(
            List.of(),
            error(
                5,
                "reference to __host__ function 'dot<3, float, glm::packed_highp>' in __host__"
                    + " __device__ function (for gfx942)",
                "float d = glm::dot(a, b);"),
            error(
                6,
                "no matching function for call to 'cross'; candidate function not viable: call to"
                    + " __host__ function from __device__ function at"
                    + " /usr/include/glm/ext/../detail/func_geometric.inl:175",
                "c = cross(a, b);"),
            error(
                7,
                "no matching function for call to 'dot'; candidate function not viable: call to"
                    + " __host__ function from __global__ function at lib/glm/geometric.hpp:9",
                "d = glm::dot(a, b);"));

    assertThat(unit.verdict()).isEqualTo(Verdict.EXPLAINED);
    assertThat(unit.findings())
        .hasSize(3)
        .allMatch(f -> f.message().startsWith("GLM before 1.0 has no functions for device code"));
  }

  @Test
  void texturesInSurfaceObjectsAreRefused() throws IOException {
    CheckedUnit unit =
        compare(
            List.of(),
            error(
                4,
                "cannot initialize a parameter of type 'hipTextureObject_t' (aka '__hip_texture *')"
                    + " with an rvalue of type 'hipSurfaceObject_t' (aka '__hip_surface *')",
                "sample(octave.texture());"));

    assertThat(unit.verdict()).isEqualTo(Verdict.EXPLAINED);
    assertThat(unit.findings()).extracting(Finding::rule).containsExactly("PORT-REFUSED");
    assertThat(unit.findings().getFirst().message()).startsWith("HIP's types of texture and surf");
  }

  @Test
  void flagsOfNvccAreRefusedAndOtherUnknownFlagsAreNot() throws IOException {
    CheckedUnit unit = compare(List.of(), error(0, "unknown argument: '-ccbin'", ""));
    assertThat(unit.verdict()).isEqualTo(Verdict.EXPLAINED);
    assertThat(unit.findings().getFirst().message())
        .startsWith("hipcc gets -ccbin, a flag of nvcc");

    for (String flag : List.of("-fno-such", "--no-such")) {
      CheckedUnit other =
          compare(List.of(), error(0, "unknown argument: '%s'".formatted(flag), ""));
      assertThat(other.verdict()).isEqualTo(Verdict.SILENT);
    }
  }

  @Test
  void copiesOfCubOutsideTheFolderAreRefused() throws IOException {
    String missing = "'cuda_runtime_api.h' file not found";
    CheckedUnit unit =
        compare(
            List.of(),
            error(4, missing + " (in /p/third_party/cccl/cub/cub/detail/detect.cuh:49)", ""));
    assertThat(unit.verdict()).isEqualTo(Verdict.EXPLAINED);
    assertThat(unit.findings().getFirst().message()).startsWith("the build finds a copy of CUB");

    CheckedUnit own =
        compare(List.of(), error(4, missing + " (in /p/third_party/gpu/api.h:1)", ""));
    assertThat(own.verdict()).isEqualTo(Verdict.SILENT);
  }

  @Test
  void classesOfOpenCvAreRefusedInDeviceCode() throws IOException {
    CheckedUnit unit =
        compare(
            List.of(),
            error(
                4,
                "no matching function for call to object of type 'PtrStepb' (aka 'PtrStep<unsigned"
                    + " char>'); candidate function not viable: call to __host__ function from"
                    + " __device__ function at"
                    + " /usr/include/opencv4/opencv2/core/cuda_types.hpp:116",
                "int v = image(y, x);"));

    assertThat(unit.verdict()).isEqualTo(Verdict.EXPLAINED);
    assertThat(unit.findings()).extracting(Finding::rule).containsExactly("PORT-REFUSED");
    assertThat(unit.findings().getFirst().message()).startsWith("OpenCV declares the functions");

    CheckedUnit conversion =
        compare(
            List.of(),
            error(
                4,
                "reference to __host__ function 'operator const Key *' in __global__ function (for"
                    + " gfx942); 'operator const Key *' declared here at"
                    + " /usr/include/opencv4/opencv2/core/cuda_types.hpp:78",
                "use(keys[i]);"));
    assertThat(conversion.verdict()).isEqualTo(Verdict.EXPLAINED);
  }

  @Test
  void hostCallsInDeviceFunctionsAreRefusedOnTheHostSideOnly() throws IOException {
    String message =
        "no matching function for call to 'exit'%s; candidate function not viable: call to"
            + " __host__ function from __device__ function at /usr/include/stdlib.h:637";

    CheckedUnit unit = compare(List.of(), error(4, message.formatted(" (for host)"), "exit(1);"));
    assertThat(unit.verdict()).isEqualTo(Verdict.EXPLAINED);
    assertThat(unit.findings().getFirst().message()).startsWith("clang resolves the calls in");

    CheckedUnit both = compare(List.of(), error(4, message.formatted(""), "exit(1);"));
    assertThat(both.verdict()).isEqualTo(Verdict.SILENT);
  }

  @Test
  void aHeaderThatTheBuildMakesHasATemplate() throws IOException {
    Path folder = Files.createDirectories(include.resolve("tree/part/lib"));
    Files.writeString(folder.resolve("app_config.h.in"), "#cmakedefine WIDE\n");

    CheckedUnit unit = compare(List.of(), error(4, "'app/app_config.h' file not found", ""));

    assertThat(unit.verdict()).isEqualTo(Verdict.UNCHECKED);
    assertThat(unit.reason())
        .isEqualTo("'app/app_config.h' is not found; the build makes it from lib/app_config.h.in");
  }

  @Test
  void aHeaderThatNoPackageHasIsNotSaidToBeInOne() throws IOException {
    CheckedUnit unit = compare(List.of(), error(4, "'opencv2/cudev/a.hpp' file not found", ""));
    assertThat(unit.verdict()).isEqualTo(Verdict.UNCHECKED);
    assertThat(unit.reason())
        .isEqualTo("'opencv2/cudev/a.hpp' is not found; no Debian package has it");

    CheckedUnit other = compare(List.of(), error(4, "'opencv2/a.hpp' file not found", ""));
    assertThat(other.reason()).contains("the Debian package libopencv-dev has it in");
  }

  @Test
  void hostCodeThatNamesADeviceFunctionOfTheTreeIsRefused() throws IOException {
    String error =
        "no matching function for call to 'weight'; candidate function not viable: call to"
            + " __device__ function from __host__ function at ";

    CheckedUnit unit =
        compare(List.of(), error(4, error + "src/weights.h:9", "decltype(weight(*k)) w;"));
    CheckedUnit foreign =
        compare(List.of(), error(4, error + "/opt/lib/weights.h:9", "decltype(weight(*k)) w;"));
    CheckedUnit added =
        compare(List.of(), error(4, error + "rocport/texture.h:9", "decltype(weight(*k)) w;"));

    assertThat(unit.verdict()).isEqualTo(Verdict.EXPLAINED);
    assertThat(unit.findings().getFirst().message()).contains("__host__ __device__");
    assertThat(foreign.verdict()).isEqualTo(Verdict.SILENT);
    assertThat(added.verdict()).isEqualTo(Verdict.SILENT);
  }

  @Test
  void ownFunctionsWithNamesOfGlmAreNotRefused() throws IOException {
    CheckedUnit unit =
        compare(
            List.of(),
            error(6, "no matching function for call to 'cross'", "c = cross(glm::vec3(a), b);"),
            error(
                7,
                "no matching function for call to 'dot'; candidate function not viable: call to"
                    + " __host__ function from __device__ function at src/vectors.h:4",
                "d = dot(a, b);"));

    assertThat(unit.verdict()).isEqualTo(Verdict.SILENT);
  }

  @Test
  void aFindingAboutAnOptionExplainsThatTheCompilerDoesNotHaveIt() throws IOException {
    Finding option = ported(Severity.ERROR, 7, "-cubin: hipcc has --genco in its place");
    Finding error = error(0, "unknown argument: '-cubin'", "");

    CheckedUnit unit = compare(List.of(option), error);
    assertThat(unit.verdict()).isEqualTo(Verdict.EXPLAINED);
    assertThat(unit.findings()).isEmpty();
    assertThat(compare(List.of(), error).findings())
        .extracting(Finding::rule)
        .containsExactly("PORT-REFUSED");
  }

  @Test
  void aMacroThatChangesAHeaderOfHipIsRefused() throws IOException {
    Path header =
        Files.writeString(include.resolve("sort.hpp"), "\ntemplate <int warp> class S;\n");
    String text =
        "expected ',' or '>' in template-parameter-list (in %s:%d); expanded from macro 'warp' at"
            + " sizes.h:9";

    CheckedUnit unit =
        compare(
            List.of(),
            error(9, text.formatted(header, 2), "#define warp 32"),
            error(9, "expected member name or ';'", "#define warp 32"));

    assertThat(unit.verdict()).isEqualTo(Verdict.EXPLAINED);
    assertThat(unit.findings().getFirst().message())
        .startsWith("a header of ROCm uses the name 'warp', which this macro replaces");
    assertThat(compare(List.of(), error(9, text.formatted(header, 1), "#define warp 32")).verdict())
        .isEqualTo(Verdict.SILENT);
  }

  @Test
  void theNearestNameOfTheHeadersIsNamed() throws IOException {
    Path folder = Files.createDirectory(include.resolve("hipblas"));
    Files.writeString(
        folder.resolve("hipblas.h"),
        "const char* hipblasStatusToString(hipblasStatus_t status);\nvoid hipblasGetStream();\n");

    CheckedUnit unit =
        compare(
            List.of(),
            error(
                5,
                "use of undeclared identifier 'cublasStatusString'",
                "puts(cublasStatusString(s));"));

    assertThat(unit.findings().getFirst().message()).contains("'hipblasStatusToString'");
  }
}
