package dev.rocport.warp.uniformity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.warp.code.DeviceFunction;
import dev.rocport.warp.code.Syntax;
import dev.rocport.warp.uniformity.LaneValue.Kind;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.junit.jupiter.api.Test;

final class LanesTest {
  /** What is said of the argument of the only call of {@code use}. */
  private static LaneValue used(String text) {
    UniformityAnalysis analysis = LaneClaims.analysis(text);
    List<LaneValue> found = new ArrayList<>();
    for (DeviceFunction f : analysis.code().functions()) {
      for (IASTFunctionCallExpression c : f.all(IASTFunctionCallExpression.class)) {
        if (Syntax.callee(c).equals("use")) {
          found.add(analysis.lanes(f).of(Syntax.arguments(c)[0]));
        }
      }
    }
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  private static LaneValue inKernel(String body) {
    return used("__global__ void k(int n, int* p) {\n" + body + "\n}\n");
  }

  private static List<List<String>> permutations(List<String> all) {
    if (all.isEmpty()) {
      return List.of(List.of());
    }
    List<List<String>> result = new ArrayList<>();
    for (String first : all) {
      List<String> rest = new ArrayList<>(all);
      rest.remove(first);
      for (List<String> r : permutations(rest)) {
        List<String> one = new ArrayList<>(List.of(first));
        one.addAll(r);
        result.add(one);
      }
    }
    return result;
  }

  @Test
  void aLongChainIsFollowedInEveryOrderOfItsDeclarations() {
    String chain = "f = threadIdx.x * 3; e = f; d = e; c = d; b = c; a = b; use(a);";
    List<List<String>> orders = permutations(List.of("a", "b", "c", "d", "e", "f"));
    assertThat(orders).hasSize(720);
    for (List<String> order : orders) {
      String text = "int " + String.join(" = 0, ", order) + " = 0;\n" + chain;
      assertThat(inKernel(text)).as(text).isEqualTo(LaneValue.of(Uniformity.LANE));
    }
  }

  @Test
  void aVariableWhoseAddressIsTakenMayDifferInEachLane() {
    assertThat(inKernel("int x = 0; atomicExch(&x, p[n]); use(x);"))
        .isEqualTo(LaneValue.of(Uniformity.LANE));
    assertThat(inKernel("int x[2] = {}; fill(&x[n]); use(x[0]);"))
        .isEqualTo(LaneValue.of(Uniformity.LANE));
  }

  @Test
  void anAddressInThePointeeDoesNotChangeThePointer() {
    assertThat(inKernel("prefetch(&p[threadIdx.x]); use(p);")).isEqualTo(LaneValue.UNIFORM);
  }

  @Test
  void aSharedVariableWhoseAddressIsTakenHasOneValue() {
    assertThat(inKernel("__shared__ int x; atomicAdd(&x, 1); __syncthreads(); use(x);"))
        .isEqualTo(LaneValue.UNIFORM);
  }

  @Test
  void aVariablePassedByReferenceMayDifferInEachLane() {
    assertThat(
            used(
                "__device__ void set(int& x) { x = threadIdx.x; }\n"
                    + "__global__ void k() { int x = 0; set(x); use(x); }"))
        .isEqualTo(LaneValue.of(Uniformity.LANE));
    assertThat(
            used(
                "__device__ void get(const int& x) {}\n"
                    + "__global__ void k() { int x = 0; get(x); use(x); }"))
        .isEqualTo(LaneValue.constant(0));
  }

  @Test
  void anOutputOfAsmMayDifferInEachLane() {
    assertThat(inKernel("int x = 0; asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(x)); use(x);"))
        .isEqualTo(LaneValue.of(Uniformity.LANE));
  }

  @Test
  void aChainOfOnlyValuesKeepsTheNumberOfTheThread() {
    assertThat(
            inKernel(
                "int f = threadIdx.x; int e = f; int d = e; int c = d; int b = c; int a = b;"
                    + " use(a);"))
        .isEqualTo(LaneValue.of(Kind.THREAD, 0));
  }

  @Test
  void aChainAgainstTheOrderOfALoopIsFollowedToItsEnd() {
    String names = "abcdefghijklmnopqrstuvw";
    StringBuilder body = new StringBuilder("int x = 0;\n");
    names.chars().forEach(c -> body.append("int ").append((char) c).append(" = 0;\n"));
    body.append("for (int q = 0; q < n; q++) {\n");
    for (int i = 0; i + 1 < names.length(); i++) {
      body.append(names.charAt(i) + " = " + names.charAt(i + 1) + ";\n");
    }
    body.append("w = threadIdx.x;\n}\nuse(a);");
    assertThat(inKernel(body.toString()).uniformity()).isEqualTo(Uniformity.LANE);
  }

  @Test
  void valuesWithoutALaneAreUniform() {
    assertThat(inKernel("int a = n; int b = a + 1; for (int i = 0; i < b; i++) { a = i; } use(a);"))
        .isEqualTo(LaneValue.UNIFORM);
    assertThat(inKernel("int a = a; use(a);")).isEqualTo(LaneValue.UNIFORM);
  }

  @Test
  void twoConstantsAreNoConstantAndNoFirstThread() {
    assertThat(inKernel("int a = 1; a = 3; use((threadIdx.x + a) / 32);").uniformity())
        .isEqualTo(Uniformity.LANE);
    assertThat(inKernel("use((threadIdx.x + n) / 32);").uniformity()).isEqualTo(Uniformity.LANE);
  }

  @Test
  void theFirstThreadOfABlockKeepsWarpsTogether() {
    for (String first :
        List.of(
            "blockIdx.x * blockDim.x",
            "blockDim.x * blockIdx.x",
            "blockIdx.x * n",
            "blockIdx.x * 256",
            "(blockIdx.x << 8)",
            "blockIdx.x * (blockDim.x * 2)",
            "(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x")) {
      assertThat(inKernel("int i = " + first + " + threadIdx.x; use(i / 32);").uniformity())
          .as(first)
          .isEqualTo(Uniformity.WARP);
    }
    assertThat(inKernel("int i = blockIdx.x * 48 + threadIdx.x; use(i / 32);").uniformity())
        .isEqualTo(Uniformity.LANE);
  }

  @Test
  void lanesThatLeaveALoopCountItsTripsApart() {
    String loop = "int a = 0; for (;;) { if (threadIdx.x < a) { %s; } a++; } use(a);";
    assertThat(inKernel(loop.formatted("break")).uniformity()).isEqualTo(Uniformity.LANE);
    assertThat(inKernel(loop.formatted("continue")).uniformity()).isEqualTo(Uniformity.LANE);
    assertThat(inKernel(loop.formatted("return")).uniformity()).isEqualTo(Uniformity.BLOCK);
    assertThat(inKernel("int a = 0; for (;;) { if (n < a) { break; } a++; } use(a);").uniformity())
        .isEqualTo(Uniformity.BLOCK);
    assertThat(
            inKernel(
                    "int a = 0; for (;;) { for (;;) { if (threadIdx.x < 3) { break; } } a++; }"
                        + " use(a);")
                .uniformity())
        .isEqualTo(Uniformity.BLOCK);
  }

  @Test
  void aShortCircuitIsACondition() {
    assertThat(inKernel("int a = 0; if (threadIdx.x < 3 && (a = 1)) {} use(a);").uniformity())
        .isEqualTo(Uniformity.LANE);
  }

  @Test
  void aRangeGivesItsVariable() {
    assertThat(inKernel("for (int a : parts(threadIdx.x)) { use(a); }").uniformity())
        .isEqualTo(Uniformity.LANE);
  }

  @Test
  void assignedParametersSpread() {
    assertThat(inKernel("n = threadIdx.x * 3; use(n);").uniformity()).isEqualTo(Uniformity.LANE);
    assertThat(
            used("__device__ void f(int v) { v += 1; use(v); }\n"
                    + "__global__ void k() { f(threadIdx.x); }\n")
                .uniformity())
        .isEqualTo(Uniformity.LANE);
  }

  @Test
  void quotientsOfFloatingPointNumbersAreNoWarps() {
    assertThat(inKernel("float a = threadIdx.x; use(a / 32);").uniformity())
        .isEqualTo(Uniformity.LANE);
    assertThat(inKernel("use((float) threadIdx.x / 32);").uniformity()).isEqualTo(Uniformity.LANE);
    assertThat(inKernel("use((unsigned) threadIdx.x / 32);").uniformity())
        .isEqualTo(Uniformity.WARP);
  }

  @Test
  void functionsThatCallEachOtherAreSolvedTogether() {
    String text =
        "__device__ void h(int q) { use(q); }\n"
            + "__device__ int g(int p) { return p + threadIdx.x; }\n"
            + "__device__ void f() { int y = g(0); h(y); y = g(y); }\n";
    assertThat(used(text).uniformity()).isEqualTo(Uniformity.LANE);
  }

  @Test
  void aRecursionPassesOnTheArgumentsOfItsCaller() {
    assertThat(
            used("__device__ int f(int p, int q) { return p < 1 ? q : f(p - 1, p); }\n"
                    + "__global__ void k() { use(f(threadIdx.x, 0)); }\n")
                .uniformity())
        .isEqualTo(Uniformity.LANE);
    assertThat(used("__device__ int f(int p) { return f(p); }\nvoid __global__ k() { use(f(1)); }"))
        .isEqualTo(LaneValue.UNIFORM);
  }

  @Test
  void aJumpOverAnAssignmentIsACondition() {
    for (String body :
        List.of(
            "int a = 0; if (threadIdx.x < 3) { goto done; } a = 1; done: use(a);",
            "int a = 0; switch (n) { case 0: if (threadIdx.x < 3) { break; } a = 1; } use(a);",
            "int a = 0; switch (threadIdx.x) { case 0: a = 1; break; default: ; } use(a);",
            "int a = 0; do { if (threadIdx.x < 3) { continue; } a = 1; } while (n); use(a);",
            "int a = 0; while (true) { if (threadIdx.x < 3) { continue; } a = 1;"
                + " if (a > n) { break; } } use(a);",
            "int a = 0; int b = ({ if (threadIdx.x < 3) { a = 1; } 2; }); use(a);")) {
      assertThat(inKernel(body).uniformity()).as(body).isEqualTo(Uniformity.LANE);
    }
  }

  @Test
  void threadsThatReturnedDoNotDifferFromOthers() {
    assertThat(inKernel("int a = 0; if (threadIdx.x < 3) { return; } a = 1; use(a);").uniformity())
        .isEqualTo(Uniformity.BLOCK);
    assertThat(
            inKernel(
                    "int a = 0; if (threadIdx.x < 3) { if (threadIdx.x < 1) { a = 1; } use(a);"
                        + " return; }")
                .uniformity())
        .isEqualTo(Uniformity.LANE);
  }

  @Test
  void theWayToAReturnIsACondition() {
    assertThat(
            used("__device__ int f() { if (threadIdx.x < 3) goto no; return 1; no: return 0; }\n"
                    + "__global__ void k() { use(f()); }\n")
                .uniformity())
        .isEqualTo(Uniformity.LANE);
  }

  @Test
  void aVariableHidesAnotherOfItsName() {
    assertThat(inKernel("int a = threadIdx.x * 3; { int a = 3; use(a); }"))
        .isEqualTo(LaneValue.constant(3));
    assertThat(inKernel("int a = 3; { int a = threadIdx.x * 3; n = a; } use(a);"))
        .isEqualTo(LaneValue.constant(3));
    assertThat(inKernel("int a = 3; for (int a = threadIdx.x * 3; a < n; a++) { use(a); }"))
        .isEqualTo(LaneValue.of(Uniformity.LANE));
  }

  @Test
  void aLambdaMayAssignWhatItCaptures() {
    assertThat(
            inKernel("int a = 0; auto set = [&] { a = threadIdx.x; }; set(); use(a);").uniformity())
        .isEqualTo(Uniformity.LANE);
  }

  @Test
  void aStructuredBindingHasTheValueOfItsInitializer() {
    assertThat(inKernel("auto [x, y] = pair(threadIdx.x * 3); use(y);").uniformity())
        .isEqualTo(Uniformity.LANE);
  }

  @Test
  void aMethodOfTheFileGivesWhatItReturns() {
    assertThat(
            used("struct S { __device__ int rank() { return threadIdx.x * 3; } };\n"
                    + "__global__ void k() { S s; use(s.rank()); }\n")
                .uniformity())
        .isEqualTo(Uniformity.LANE);
  }

  @Test
  void lanesWithDifferentMasksVoteApart() {
    assertThat(
            inKernel("unsigned m = __match_any_sync(-1, p[n]); use(__ballot_sync(m, n));")
                .uniformity())
        .isEqualTo(Uniformity.LANE);
    assertThat(inKernel("use(__ballot_sync(0xffffffff, threadIdx.x < 3));").uniformity())
        .isEqualTo(Uniformity.WARP);
    assertThat(inKernel("auto g = coalesced_threads(); use(g.size());").uniformity())
        .isEqualTo(Uniformity.LANE);
  }

  @Test
  void anAssignmentThroughAReferenceChangesWhatItRefersTo() {
    for (String body :
        List.of(
            "int a = 0; int& r = a; r = threadIdx.x * 3; use(a);",
            "int a = 0; auto& q = a; auto& r{q}; r++; r *= threadIdx.x; use(a);",
            "int a[4] = {}; for (int& e : a) { e = threadIdx.x * 3; } use(a[0]);",
            "S s = {}; auto& [x, y] = s; x = threadIdx.x * 3; use(s.x);",
            "int a = 0; int& r = a; atomicExch(&r, 3); use(a);",
            "int a = 0; int& r = a; a = threadIdx.x * 3; use(r);")) {
      assertThat(inKernel(body).uniformity()).as(body).isEqualTo(Uniformity.LANE);
    }
    assertThat(inKernel("int a = threadIdx.x * 3; int b = 0; int& r = a; r = 1; use(b);"))
        .isEqualTo(LaneValue.constant(0));
  }
}
