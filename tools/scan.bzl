"""One line for each program and test: every .cu file is built for the host target and for CUDA.

    scan_program(name, srcs)         a program that a person runs
    scan_test(name)                  a test that is a .cu file of its own: name + ".cu"
    scan_program_test(name, program) a test that runs a scan_program, alone or driven by a script

srcs may mix .cu files, .c files and headers. A .cu file is compiled as C11 for the host target, through a line that
includes it so that debuggers see its own lines, and by nvcc for sm_90 and for the two paths before it (PTX of
compute_80 and of compute_75 alone). A .c file is C11 in every build, with SCAN_TARGET_CUDA defined in the CUDA builds.
"""

load("@rules_cc//cc:cc_binary.bzl", "cc_binary")
load("@rules_cc//cc:cc_library.bzl", "cc_library")
load("@rules_cc//cc:cc_test.bzl", "cc_test")
load(":cuda.bzl", "DEFAULT_ARCHS", "cuda_binary")
load(":run.bzl", "gpu_case", "run_test")

_C_OPTIONS = [
    "-std=c11",
    "-Wall",
    "-Wextra",
    "-Wpedantic",
    "-Werror",
    # A check in a test or an example is there in every build.
    "-UNDEBUG",
]
_NVCC_OPTIONS = ["-Werror=all-warnings"]
_NVCC_HOST_OPTIONS = [
    "-Wall",
    "-Wextra",
    "-Werror",
]
_LINK_OPTIONS = ["-lm", "-lpthread"]
_HAVE_CUDA = ["@local_tools//:have_cuda"]
_HAVE_GPU = ["@local_tools//:have_gpu"]

# The builds of each program for CUDA, by the ending of the target's name.
_VARIANTS = {
    "sm90": "compute_90:sm_90",
    "sm80": "compute_80:compute_80",
    "sm75": "compute_75:compute_75",
}

def _host_units_impl(ctx):
    units = []
    for source in ctx.files.srcs:
        unit = ctx.actions.declare_file("%s/%s.c" % (ctx.label.name, source.basename[:-len(".cu")]))
        ctx.actions.write(unit, "#include \"%s\"\n" % source.short_path)
        units.append(unit)
    return [DefaultInfo(files = depset(units))]

_host_units = rule(
    implementation = _host_units_impl,
    doc = "For each .cu file, a C file that includes it.",
    attrs = {"srcs": attr.label_list(allow_files = [".cu"])},
)

def _ending_in(srcs, endings):
    return [source for source in srcs if source.rpartition(".")[2] in endings]

def _host_program(cc_rule, name, srcs, deps, defines, testonly = False, copts = [], **kwargs):
    units = _ending_in(srcs, ["cu"])
    _host_units(name = name + "_units", srcs = units, testonly = testonly)
    cc_library(name = name + "_textual", textual_hdrs = units, testonly = testonly)
    cc_rule(
        name = name,
        srcs = _ending_in(srcs, ["c", "h"]) + [name + "_units"],
        copts = _C_OPTIONS + copts,
        local_defines = defines,
        linkopts = _LINK_OPTIONS,
        deps = [name + "_textual", "//scan"] + deps,
        testonly = testonly,
        **kwargs
    )

def _cuda_program(name, archs, deps, defines, nvcc_copts = [], **kwargs):
    cuda_binary(
        name = name,
        archs = archs,
        deps = ["//scan"] + deps,
        copts = _NVCC_OPTIONS + nvcc_copts,
        host_copts = _NVCC_HOST_OPTIONS,
        c_copts = _C_OPTIONS + ["-DSCAN_TARGET_CUDA"],
        local_defines = defines,
        linkopts = _LINK_OPTIONS,
        target_compatible_with = _HAVE_CUDA,
        **kwargs
    )

def _gpu_tests(name, programs, script, arguments, data, attributes, tags = []):
    """For each variant, the test that runs it where a GPU is, and the same as a case to be run without Bazel."""
    for variant, program in programs.items():
        gpu_case(
            name = "%s_%s_case" % (name, variant),
            program = program,
            script = script,
            arguments = arguments,
            data = data,
            tags = [variant + "_program"] + tags,
            target_compatible_with = _HAVE_CUDA,
            testonly = True,
        )
        run_test(
            name = "%s_%s_gpu_test" % (name, variant),
            program = program,
            script = script,
            arguments = arguments,
            data = data,
            tags = ["gpu", "exclusive"],
            target_compatible_with = _HAVE_GPU,
            **attributes
        )

def scan_program(
        name,
        srcs = None,
        deps = [],
        defines = [],
        gpu = True):
    """A program for both targets.

    name           the CUDA build where there is a GPU, else the host target
    name_host      the host target
    name_cuda      the CUDA build for every device from sm_75 on
    name_sm90_bin, name_sm80_bin, name_sm75_bin
                   code for sm_90 alone; PTX of compute_80 or compute_75 alone, which newer devices run too; tagged
                   sm90_program and so on, to be left out by --build_tag_filters

    Args:
      name: see above.
      srcs: .cu, .c and .h files of this package; name + ".cu" if left out.
      deps: cc_library targets.
      defines: macros for these sources, in all builds.
      gpu: False for a program of the host target alone: name and name_host.
    """
    common = dict(
        srcs = srcs or [name + ".cu"],
        deps = deps,
        defines = defines,
    )
    _host_program(cc_binary, name = name + "_host", **common)
    if gpu:
        for variant, archs in _VARIANTS.items():
            _cuda_program(name = "%s_%s_bin" % (name, variant), archs = archs, tags = [variant + "_program"], **common)

        # Built when asked for: its code is that of the builds above.
        _cuda_program(name = name + "_cuda", archs = DEFAULT_ARCHS, tags = ["manual"], **common)
    native.alias(
        name = name,
        actual = name + "_host" if not gpu else select({
            "@local_tools//:with_gpu": name + "_cuda",
            "//conditions:default": name + "_host",
        }),
    )

def scan_test(
        name,
        srcs = None,
        deps = ["//tests:harness"],
        defines = [],
        gpu = True,
        variants = list(_VARIANTS),
        repeats = False,
        optimised = True,
        **kwargs):
    """A test program for both targets.

    name                                     the test on the host target
    name_sm90_gpu_test and name_sm80_…, name_sm75_…   the test on a GPU; skipped where there is none
    name_sm90_bin and so on                           the programs of these, built wherever nvcc is, tagged like those
                                                      of scan_program

    Args:
      srcs: .cu, .c and .h files of this package; name + ".cu" if left out.
      deps: cc_library targets.
      defines: macros for these sources, in all builds.
      gpu: False for a test of the host target alone.
      variants: which builds for CUDA there are: one suffices where nothing depends on the device.
      repeats: True where another test has the same sources and differs in numbers alone: the programs for CUDA are
        tagged repeat_program, too.
      optimised: False for what a debugger is given: -O0, and -G for the GPU.
      **kwargs: size, timeout and the like, for the tests.
    """
    srcs = srcs or [name + ".cu"]
    common = dict(srcs = srcs, deps = deps, defines = defines, testonly = True)
    copts = [] if optimised else ["-O0"]
    tags = ["repeat_program"] if repeats else []
    _host_program(cc_test, name = name, copts = copts, **dict(common, **kwargs))
    if gpu:
        programs = {}
        for variant in variants:
            program = "%s_%s_bin" % (name, variant)
            _cuda_program(
                name = program,
                archs = _VARIANTS[variant],
                nvcc_copts = [] if optimised else ["-G"],
                tags = [variant + "_program"] + tags,
                **common
            )
            programs[variant] = program
        _gpu_tests(name, programs, None, [], [], kwargs, tags)

def scan_program_test(
        name,
        program,
        script = None,
        args = [],
        data = [],
        gpu = True,
        **kwargs):
    """Runs a scan_program: `PROGRAM args...`, or `bash SCRIPT PROGRAM args...` where a script drives it.

    The working folder is the root of the repository's tree, $TEST_TMPDIR is a folder to write to, and the exit code
    decides. The targets are those of scan_test: name, name_sm90_gpu_test and so on.

    Args:
      program: label of the scan_program, without a variant's ending.
      script: a bash script.
      args: may use $(rootpath LABEL) of what is in data.
      data: files that are there when the test runs.
      gpu: False for a test of the host target alone.
      **kwargs: size, timeout and the like, for the tests.
    """
    run_test(
        name = name,
        program = program + "_host",
        script = script,
        arguments = args,
        data = data,
        **kwargs
    )
    if gpu:
        programs = {variant: "%s_%s_bin" % (program, variant) for variant in _VARIANTS}
        _gpu_tests(name, programs, script, args, data, kwargs)
