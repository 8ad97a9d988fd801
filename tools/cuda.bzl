"""cuda_library and cuda_binary, with the attribute names and the arch grammar of rules_cuda.

    cuda_library(name, srcs, hdrs, deps, archs, copts, host_copts)

archs: architectures separated by ';', each "[virtual:]real[,real...]": "compute_80:sm_80;compute_90:compute_90,sm_90".
"sm_90" alone is compute_90:sm_90, and "compute_75" alone is PTX of compute_75 and nothing else.
"""

load("@local_tools//:programs.bzl", "NVCC")
load("@rules_cc//cc:cc_binary.bzl", "cc_binary")
load("@rules_cc//cc:find_cc_toolchain.bzl", "find_cc_toolchain", "use_cc_toolchain")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

# Code for Hopper, and PTX that every device from sm_75 on can take: from sm_80 and from sm_90 on they copy in other ways.
DEFAULT_ARCHS = "compute_75:compute_75;compute_80:compute_80;compute_90:compute_90,sm_90"

def _number(arch):
    return arch.split("_", 1)[1]

def gencode_flags(archs):
    """The -gencode flags of an archs string; fails on one that does not follow the grammar."""
    flags = []
    for specification in archs.split(";"):
        virtual, colon, reals = specification.strip().rpartition(":")
        reals = [real.strip() for real in reals.split(",")]
        for real in reals:
            if not (real.startswith("sm_") or real.startswith("compute_")):
                fail("archs: %r is neither sm_NN nor compute_NN" % real)
        if not colon:
            virtual = "compute_" + _number(reals[0])
        elif not virtual.startswith("compute_"):
            fail("archs: %r before ':' is not compute_NN" % virtual)
        for real in reals:
            flags.append("-gencode=arch=%s,code=%s" % (virtual, real))
    return flags

def _compile(ctx, source, compiler, context, inputs):
    """Compiles one .cu file; returns its object."""
    output = ctx.actions.declare_file("%s_objects/%s.o" % (ctx.label.name, source.basename[:-len(".cu")]))
    arguments = ctx.actions.args()
    arguments.add_all([
        "-c",
        "-objtemp",
        "-ccbin",
        compiler,
        "-Xcompiler=-fPIC",
    ])
    arguments.add_all(gencode_flags(ctx.attr.archs))
    arguments.add_all(["-g", "-G"] if ctx.var["COMPILATION_MODE"] == "dbg" else ["-O3"])
    arguments.add_all(ctx.attr.host_copts, format_each = "-Xcompiler=%s")
    arguments.add_all(context.defines, format_each = "-D%s")
    arguments.add_all(context.quote_includes, format_each = "-I%s")
    arguments.add_all(context.includes, format_each = "-I%s")
    arguments.add_all(context.system_includes, before_each = "-isystem")
    arguments.add_all(ctx.attr.copts)
    arguments.add(source)
    arguments.add("-o", output)
    ctx.actions.run(
        executable = NVCC,
        arguments = [arguments],
        inputs = depset([source], transitive = [inputs, context.headers]),
        outputs = [output],
        use_default_shell_env = True,
        mnemonic = "CudaCompile",
        progress_message = "Compiling %s for %s" % (source.short_path, ctx.attr.archs),
    )
    return output

def _cuda_library_impl(ctx):
    cc_toolchain = find_cc_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = cc_toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    compiler = cc_common.get_tool_for_action(feature_configuration = features, action_name = "c++-compile")
    public = cc_common.create_compilation_context(
        headers = depset(ctx.files.hdrs),
        quote_includes = depset([".", ctx.bin_dir.path]),
    )
    dependencies = [dependency[CcInfo] for dependency in ctx.attr.deps]
    info = cc_common.merge_cc_infos(
        direct_cc_infos = [CcInfo(compilation_context = public)],
        cc_infos = dependencies,
    )
    private_headers = [source for source in ctx.files.srcs if source.extension in ["h", "cuh", "inc"]]
    inputs = depset(private_headers + ctx.files._nvcc_version, transitive = [cc_toolchain.all_files])
    objects = [
        _compile(ctx, source, compiler, info.compilation_context, inputs)
        for source in ctx.files.srcs
        if source.extension == "cu"
    ]
    linking_context, _ = cc_common.create_linking_context_from_compilation_outputs(
        name = ctx.label.name,
        actions = ctx.actions,
        feature_configuration = features,
        cc_toolchain = cc_toolchain,
        compilation_outputs = cc_common.create_compilation_outputs(
            objects = depset(objects),
            pic_objects = depset(objects),
        ),
        linking_contexts = [dependency.linking_context for dependency in dependencies] +
                           [ctx.attr._cudart[CcInfo].linking_context],
        alwayslink = True,
        disallow_dynamic_library = True,
    )
    return [
        DefaultInfo(files = depset(objects)),
        CcInfo(compilation_context = info.compilation_context, linking_context = linking_context),
    ]

cuda_library = rule(
    implementation = _cuda_library_impl,
    doc = "Compiles .cu files with nvcc, once for all of archs, for cc_* and cuda_* rules to depend on.",
    attrs = {
        "srcs": attr.label_list(allow_files = [".cu", ".h", ".cuh", ".inc"]),
        "hdrs": attr.label_list(allow_files = True),
        "deps": attr.label_list(providers = [CcInfo]),
        "archs": attr.string(default = DEFAULT_ARCHS),
        "copts": attr.string_list(doc = "For nvcc."),
        "host_copts": attr.string_list(doc = "For the host compiler behind nvcc."),
        "_cc_toolchain": attr.label(default = Label("@rules_cc//cc:current_cc_toolchain")),
        "_cudart": attr.label(default = Label("@local_tools//:cudart")),
        "_nvcc_version": attr.label(default = Label("@local_tools//:nvcc_version.txt"), allow_single_file = True),
    },
    fragments = ["cpp"],
    toolchains = use_cc_toolchain(),
)

def cuda_binary(
        name,
        srcs,
        deps = [],
        archs = DEFAULT_ARCHS,
        copts = [],
        host_copts = [],
        c_copts = [],
        local_defines = [],
        linkopts = [],
        **kwargs):
    """A program of .cu files, and of .c files beside them, with the static CUDA runtime.

    Args:
      name: the program; name + "_objects" is the cuda_library of its .cu files.
      srcs: .cu, .c and .h files.
      deps: cc_* and cuda_library targets.
      archs: as for cuda_library, and so are copts and host_copts.
      c_copts: flags for the .c files.
      local_defines: macros for all sources.
      linkopts: flags for the linker.
      **kwargs: what every rule has (tags, testonly, visibility, target_compatible_with), and data and args.
    """
    common = {key: value for key, value in kwargs.items() if key not in ["args", "data", "visibility"]}
    headers = [source for source in srcs if source.endswith(".h") or source.endswith(".cuh")]
    cuda_library(
        name = name + "_objects",
        srcs = [source for source in srcs if source.endswith(".cu")] + headers,
        deps = deps,
        archs = archs,
        copts = ["-D" + define for define in local_defines] + copts,
        host_copts = host_copts,
        visibility = ["//visibility:private"],
        **common
    )
    cc_binary(
        name = name,
        srcs = [source for source in srcs if source.endswith(".c")] + headers,
        copts = c_copts,
        local_defines = local_defines,
        linkopts = linkopts,
        deps = [name + "_objects", Label("@local_tools//:cuda_headers")] + deps,
        **kwargs
    )
