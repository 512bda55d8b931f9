package dev.rocport.warp.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.ast.SyntaxTree;
import dev.rocport.warp.schedule.Value.Kind;
import dev.rocport.warp.schedule.Value.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.eclipse.cdt.core.dom.ast.IASTFunctionCallExpression;
import org.junit.jupiter.api.Test;

final class LanesTest {
  static File file(String text) {
    SourceFile source = SourceFile.of("t.cu", text);
    SyntaxTree tree = Objects.requireNonNull(SyntaxTree.parse("t.cu", source.bytes()));
    return new File(source, tree.unit());
  }

  /** What is said of the argument of the only call of {@code use}. */
  private static Value used(String text) {
    File file = file(text);
    List<Value> found = new ArrayList<>();
    for (Function f : file.functions) {
      for (IASTFunctionCallExpression c : f.all(IASTFunctionCallExpression.class)) {
        if (Ast.callee(c).equals("use")) {
          found.add(file.lanes(f).of(Ast.arguments(c)[0]));
        }
      }
    }
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  private static Value inKernel(String body) {
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
      assertThat(inKernel(text)).as(text).isEqualTo(Value.of(Spread.LANE));
    }
  }

  @Test
  void aVariableWhoseAddressIsTakenMayDifferInEachLane() {
    assertThat(inKernel("int x = 0; atomicExch(&x, p[n]); use(x);"))
        .isEqualTo(Value.of(Spread.LANE));
    assertThat(inKernel("int x[2] = {}; fill(&x[n]); use(x[0]);")).isEqualTo(Value.of(Spread.LANE));
  }

  @Test
  void anAddressInThePointeeDoesNotChangeThePointer() {
    assertThat(inKernel("prefetch(&p[threadIdx.x]); use(p);")).isEqualTo(Value.UNIFORM);
  }

  @Test
  void aSharedVariableWhoseAddressIsTakenHasOneValue() {
    assertThat(inKernel("__shared__ int x; atomicAdd(&x, 1); __syncthreads(); use(x);"))
        .isEqualTo(Value.UNIFORM);
  }

  @Test
  void aVariablePassedByReferenceMayDifferInEachLane() {
    assertThat(
            used(
                "__device__ void set(int& x) { x = threadIdx.x; }\n"
                    + "__global__ void k() { int x = 0; set(x); use(x); }"))
        .isEqualTo(Value.of(Spread.LANE));
    assertThat(
            used(
                "__device__ void get(const int& x) {}\n"
                    + "__global__ void k() { int x = 0; get(x); use(x); }"))
        .isEqualTo(Value.constant(0));
  }

  @Test
  void anOutputOfAsmMayDifferInEachLane() {
    assertThat(inKernel("int x = 0; asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(x)); use(x);"))
        .isEqualTo(Value.of(Spread.LANE));
  }

  @Test
  void aChainOfOnlyValuesKeepsTheNumberOfTheThread() {
    assertThat(
            inKernel(
                "int f = threadIdx.x; int e = f; int d = e; int c = d; int b = c; int a = b;"
                    + " use(a);"))
        .isEqualTo(Value.of(Kind.THREAD, 0));
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
    assertThat(inKernel(body.toString()).spread()).isEqualTo(Spread.LANE);
  }

  @Test
  void valuesWithoutALaneAreUniform() {
    assertThat(inKernel("int a = n; int b = a + 1; for (int i = 0; i < b; i++) { a = i; } use(a);"))
        .isEqualTo(Value.UNIFORM);
    assertThat(inKernel("int a = a; use(a);")).isEqualTo(Value.UNIFORM);
  }

  @Test
  void twoConstantsAreNoConstantAndNoFirstThread() {
    assertThat(inKernel("int a = 1; a = 3; use((threadIdx.x + a) / 32);").spread())
        .isEqualTo(Spread.LANE);
    assertThat(inKernel("use((threadIdx.x + n) / 32);").spread()).isEqualTo(Spread.LANE);
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
      assertThat(inKernel("int i = " + first + " + threadIdx.x; use(i / 32);").spread())
          .as(first)
          .isEqualTo(Spread.WARP);
    }
    assertThat(inKernel("int i = blockIdx.x * 48 + threadIdx.x; use(i / 32);").spread())
        .isEqualTo(Spread.LANE);
  }

  @Test
  void lanesThatLeaveALoopCountItsTripsApart() {
    String loop = "int a = 0; for (;;) { if (threadIdx.x < a) { %s; } a++; } use(a);";
    assertThat(inKernel(loop.formatted("break")).spread()).isEqualTo(Spread.LANE);
    assertThat(inKernel(loop.formatted("continue")).spread()).isEqualTo(Spread.LANE);
    assertThat(inKernel(loop.formatted("return")).spread()).isEqualTo(Spread.BLOCK);
    assertThat(inKernel("int a = 0; for (;;) { if (n < a) { break; } a++; } use(a);").spread())
        .isEqualTo(Spread.BLOCK);
    assertThat(
            inKernel(
                    "int a = 0; for (;;) { for (;;) { if (threadIdx.x < 3) { break; } } a++; }"
                        + " use(a);")
                .spread())
        .isEqualTo(Spread.BLOCK);
  }

  @Test
  void aShortCircuitIsACondition() {
    assertThat(inKernel("int a = 0; if (threadIdx.x < 3 && (a = 1)) {} use(a);").spread())
        .isEqualTo(Spread.LANE);
  }

  @Test
  void aRangeGivesItsVariable() {
    assertThat(inKernel("for (int a : parts(threadIdx.x)) { use(a); }").spread())
        .isEqualTo(Spread.LANE);
  }

  @Test
  void assignedParametersSpread() {
    assertThat(inKernel("n = threadIdx.x * 3; use(n);").spread()).isEqualTo(Spread.LANE);
    assertThat(
            used("__device__ void f(int v) { v += 1; use(v); }\n"
                    + "__global__ void k() { f(threadIdx.x); }\n")
                .spread())
        .isEqualTo(Spread.LANE);
  }

  @Test
  void quotientsOfFloatingPointNumbersAreNoWarps() {
    assertThat(inKernel("float a = threadIdx.x; use(a / 32);").spread()).isEqualTo(Spread.LANE);
    assertThat(inKernel("use((float) threadIdx.x / 32);").spread()).isEqualTo(Spread.LANE);
    assertThat(inKernel("use((unsigned) threadIdx.x / 32);").spread()).isEqualTo(Spread.WARP);
  }

  @Test
  void functionsThatCallEachOtherAreSolvedTogether() {
    String text =
        "__device__ void h(int q) { use(q); }\n"
            + "__device__ int g(int p) { return p + threadIdx.x; }\n"
            + "__device__ void f() { int y = g(0); h(y); y = g(y); }\n";
    assertThat(used(text).spread()).isEqualTo(Spread.LANE);
  }

  @Test
  void aRecursionPassesOnTheArgumentsOfItsCaller() {
    assertThat(
            used("__device__ int f(int p, int q) { return p < 1 ? q : f(p - 1, p); }\n"
                    + "__global__ void k() { use(f(threadIdx.x, 0)); }\n")
                .spread())
        .isEqualTo(Spread.LANE);
    assertThat(used("__device__ int f(int p) { return f(p); }\nvoid __global__ k() { use(f(1)); }"))
        .isEqualTo(Value.UNIFORM);
  }
}
