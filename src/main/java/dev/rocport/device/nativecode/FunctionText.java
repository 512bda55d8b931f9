package dev.rocport.device.nativecode;

import java.util.SortedSet;

/**
 * The text of a function: its parameters and variables, an entry for each block of its region, and
 * its end.
 *
 * @param ir the blocks
 * @param scalars the scalar registers that are variables
 * @param written those that the function stores where it ends
 * @param outside indices that it branches to, where the region has no block
 * @param workspace what instructions use besides registers
 */
record FunctionText(
    Ir ir,
    Region region,
    SortedSet<Integer> scalars,
    SortedSet<Integer> written,
    SortedSet<Integer> outside,
    Workspace workspace) {

  /** A module of the function and those that it calls. */
  String module(int width) {
    StringBuilder text = new StringBuilder(workspace.globals());
    text.append("define void @").append(WaveFunction.NAME);
    text.append(
        "(ptr noalias %v, ptr noalias %a, ptr noalias %s, ptr noalias %c, i32 %number, i64 %budget)"
            + " #0 {\n");
    text.append("entry:\n  %n = alloca i64\n  %pc = alloca i32\n  %scc = alloca i1\n");
    text.append("  store i64 0, ptr %n\n");
    text.append(workspace.locals());
    text.append("  %state.at = getelementptr i8, ptr %c, i64 ").append(Context.STATE).append('\n');
    text.append(
        "  %scc.at = getelementptr i8, ptr %c, i64 12\n  %scc.in = load i32, ptr %scc.at\n");
    text.append("  %scc.bit = trunc i32 %scc.in to i1\n  store i1 %scc.bit, ptr %scc\n");
    for (int code : scalars) {
      text.append(
          """
            %%s%1$d = alloca i32
            %%s%1$d.at = getelementptr i32, ptr %%s, i64 %1$d
            %%s%1$d.in = load i32, ptr %%s%1$d.at
            store i32 %%s%1$d.in, ptr %%s%1$d
          """
              .formatted(code));
    }
    text.append("  switch i32 %number, label %end [");
    int number = 0;
    for (int pc : region.blocks().keySet()) {
      text.append(" i32 ").append(number++).append(", label %").append(WaveFunction.label(pc));
    }
    text.append(" ]\n").append(ir);
    for (int pc : outside) {
      text.append(
          """
          outside%1$d:
            store i32 %1$d, ptr %%pc
            br label %%end
          """
              .formatted(pc));
    }
    text.append("end:\n");
    for (int code : written) {
      text.append(
          "  %%s%1$d.out = load i32, ptr %%s%1$d%n  store i32 %%s%1$d.out, ptr %%s%1$d.at%n"
              .formatted(code));
    }
    text.append(
        """
          %scc.now = load i1, ptr %scc
          %scc.out = zext i1 %scc.now to i32
          store i32 %scc.out, ptr %scc.at
          %n.out = load i64, ptr %n
          store i64 %n.out, ptr %c
          %pc.out = load i32, ptr %pc
          %pc.at = getelementptr i8, ptr %c, i64 8
          store i32 %pc.out, ptr %pc.at
          ret void
        }
        """);
    text.append(Allocations.FIND);
    text.append(Gather.functions(width));
    text.append(GroupFunction.TEXT);
    text.append("attributes #0 = { nounwind \"denormal-fp-math\"=\"ieee,ieee\" }\n");
    return text.toString();
  }
}
