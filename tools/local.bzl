"""What this machine has: nvcc, a GPU, and programs that tests use. Each becomes a constraint that targets can ask for.

nvcc is looked for in $CUDA_HOME, $CUDA_PATH, on $PATH and in /usr/local/cuda. SCAN_CUDA=no hides it; SCAN_GPU=yes or
no overrides the detection of a GPU (set with --repo_env).
"""

# The release whose formatting the sources have.
_CLANG_FORMAT_MAJOR = "14"

# Programs that a test may need; without one the test is skipped.
_PROGRAMS = ["gcc", "clang", "cmake", "pkg-config"]

_BUILD_HEAD = '''load("@rules_cc//cc:cc_import.bzl", "cc_import")
load("@rules_cc//cc:cc_library.bzl", "cc_library")

package(default_visibility = ["//visibility:public"])

exports_files(["nvcc_version.txt"])
'''

_CONSTRAINT = '''
constraint_setting(
    name = "{name}",
    default_constraint_value = ":{default}",
)

constraint_value(
    name = "have_{name}",
    constraint_setting = ":{name}",
)

constraint_value(
    name = "no_{name}",
    constraint_setting = ":{name}",
)

config_setting(
    name = "with_{name}",
    constraint_values = [":have_{name}"],
)
'''

_CUDA = '''
cc_library(
    name = "cuda_headers",
    hdrs = glob([
        "cuda_include/*.h",
        "cuda_include/crt/*.h",
    ]),
    includes = ["cuda_include"],
)

cc_import(
    name = "cudart_archive",
    static_library = "libcudart_static.a",
)

cc_library(
    name = "cudart",
    linkopts = [
        "-ldl",
        "-lpthread",
        "-lrt",
    ],
    deps = [
        ":cuda_headers",
        ":cudart_archive",
    ],
)
'''

_NO_CUDA = '''
cc_library(
    name = "cuda_headers",
    target_compatible_with = [":have_cuda"],
)

cc_library(
    name = "cudart",
    target_compatible_with = [":have_cuda"],
)
'''

def _first_existing(repository_ctx, paths):
    for path in paths:
        if repository_ctx.path(path).exists:
            return path
    return None

def _find_cuda(repository_ctx):
    """nvcc with the headers and the static runtime that belong to it, or None where any of them is missing."""
    environ = repository_ctx.os.environ
    if environ.get("SCAN_CUDA") == "no":
        return None
    candidates = [environ[name] + "/bin/nvcc" for name in ["CUDA_HOME", "CUDA_PATH"] if environ.get(name)]
    on_path = repository_ctx.which("nvcc")
    if on_path:
        candidates.append(str(on_path))
    candidates.append("/usr/local/cuda/bin/nvcc")
    nvcc = _first_existing(repository_ctx, candidates)
    if not nvcc:
        return None

    root = str(repository_ctx.path(nvcc).realpath.dirname.dirname)
    headers = _first_existing(repository_ctx, [
        root + "/include/cuda_runtime_api.h",
        root + "/targets/x86_64-linux/include/cuda_runtime_api.h",
        root + "/targets/sbsa-linux/include/cuda_runtime_api.h",
        "/usr/include/cuda_runtime_api.h",
    ])
    runtime = _first_existing(repository_ctx, [
        root + "/lib64/libcudart_static.a",
        root + "/lib/libcudart_static.a",
        root + "/targets/x86_64-linux/lib/libcudart_static.a",
        root + "/targets/sbsa-linux/lib/libcudart_static.a",
        "/usr/lib/x86_64-linux-gnu/libcudart_static.a",
        "/usr/lib/aarch64-linux-gnu/libcudart_static.a",
    ])
    if not headers or not runtime:
        return None
    return struct(nvcc = nvcc, include = str(repository_ctx.path(headers).dirname), runtime = runtime)

def _gpu_seen(repository_ctx):
    override = repository_ctx.os.environ.get("SCAN_GPU")
    if override in ["yes", "no"]:
        return override == "yes"
    if repository_ctx.path("/dev/nvidia0").exists:
        return True
    nvidia_smi = repository_ctx.which("nvidia-smi")
    if not nvidia_smi:
        return False
    listing = repository_ctx.execute([nvidia_smi, "-L"])
    return listing.return_code == 0 and "GPU " in listing.stdout

def _find_clang_format(repository_ctx):
    for name in ["clang-format-" + _CLANG_FORMAT_MAJOR, "clang-format"]:
        program = repository_ctx.which(name)
        if program:
            version = repository_ctx.execute([program, "--version"]).stdout
            if "version %s." % _CLANG_FORMAT_MAJOR in version:
                return str(program)
    return ""

def _local_tools_impl(repository_ctx):
    cuda = _find_cuda(repository_ctx)
    programs = {name: str(repository_ctx.which(name) or "") for name in _PROGRAMS}
    programs["clang-format"] = _find_clang_format(repository_ctx)

    version = ""
    if cuda:
        version = repository_ctx.execute([cuda.nvcc, "--version"]).stdout
        repository_ctx.symlink(cuda.runtime, "libcudart_static.a")
        if cuda.include != "/usr/include":
            repository_ctx.symlink(cuda.include, "cuda_include")

    # An input of every CUDA compilation: another nvcc compiles everything anew.
    repository_ctx.file("nvcc_version.txt", version, executable = False)

    present = dict(programs, cuda = cuda, gpu = cuda and _gpu_seen(repository_ctx))
    build = _BUILD_HEAD
    for name, found in present.items():
        name = name.replace("-", "_")
        build += _CONSTRAINT.format(name = name, default = ("have_" if found else "no_") + name)
    build += _CUDA if cuda else _NO_CUDA
    repository_ctx.file("WORKSPACE", "", executable = False)
    repository_ctx.file("BUILD", build, executable = False)
    programs["nvcc"] = cuda.nvcc if cuda else ""
    programs["cuda_include"] = cuda.include if cuda else ""
    repository_ctx.file("programs.bzl", "".join([
        "%s = %r\n" % (name.replace("-", "_").upper(), path)
        for name, path in programs.items()
    ]), executable = False)

local_tools = repository_rule(
    implementation = _local_tools_impl,
    configure = True,
    local = True,
    environ = ["CUDA_HOME", "CUDA_PATH", "PATH", "SCAN_CUDA", "SCAN_GPU"],
)
