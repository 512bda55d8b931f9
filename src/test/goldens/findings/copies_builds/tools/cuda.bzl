"""Rules that call nvcc."""

def _library(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".o")
    args = ctx.actions.args()
    args.add_all(["-Ithird_party/cub", "-I", "third_party/thrust", "-c", "-o"])  # want: BAZEL-FLAG
    args.add(out)
    args.add_all(ctx.files.srcs)
    args.add_all(ctx.attr.copts)
    ctx.actions.run(executable = "nvcc", arguments = [args], inputs = ctx.files.srcs, outputs = [out])
    return [DefaultInfo(files = depset([out]))]

cuda_library = rule(
    implementation = _library,
    attrs = {"srcs": attr.label_list(allow_files = True), "copts": attr.string_list()},
)
