"""The repositories that a Bazel without modules asks for before it compiles C, written here instead of downloaded.

Each hands on the rules that are built into such a Bazel, also under the load paths that newer releases use.
"""

_CC_RULES = [
    "cc_binary",
    "cc_import",
    "cc_library",
    "cc_test",
    "cc_toolchain",
    "cc_toolchain_suite",
    "fdo_prefetch_hints",
    "fdo_profile",
    "objc_import",
    "objc_library",
]

_JAVA_RULES = [
    "java_binary",
    "java_import",
    "java_library",
    "java_runtime",
    "java_test",
    "java_toolchain",
]

_FIND_CC_TOOLCHAIN = '''
def find_cc_toolchain(ctx):
    return ctx.attr._cc_toolchain[cc_common.CcToolchainInfo]

def use_cc_toolchain(mandatory = True):
    return []
'''

_CURRENT_CC_TOOLCHAIN = '''
alias(
    name = "current_cc_toolchain",
    actual = "@bazel_tools//tools/cpp:current_cc_toolchain",
    visibility = ["//visibility:public"],
)
'''

_COVERAGE_TOOLS = '''
filegroup(
    name = "coverage_report_generator",
    visibility = ["//visibility:public"],
)

filegroup(
    name = "lcov_merger",
    visibility = ["//visibility:public"],
)
'''

def _exports(rules):
    return "".join(["%s = native.%s\n" % (rule, rule) for rule in rules])

def _write(repository_ctx, files):
    for path, content in files.items():
        repository_ctx.file(path, content, executable = False)

def _rules_cc_impl(repository_ctx):
    files = {
        "WORKSPACE": "",
        "BUILD": "",
        "cc/BUILD": _CURRENT_CC_TOOLCHAIN,
        "cc/defs.bzl": _exports(_CC_RULES),
        "cc/find_cc_toolchain.bzl": _FIND_CC_TOOLCHAIN,
        "cc/common/BUILD": "",
        # A file cannot hand on a global under the global's own name, hence the file between.
        "cc/common/builtin.bzl": "builtin_cc_common = cc_common\nBuiltinCcInfo = CcInfo\n",
        "cc/common/cc_common.bzl": "load(\":builtin.bzl\", \"builtin_cc_common\")\n\ncc_common = builtin_cc_common\n",
        "cc/common/cc_info.bzl": "load(\":builtin.bzl\", \"BuiltinCcInfo\")\n\nCcInfo = BuiltinCcInfo\n",
    }
    for rule in ["cc_binary", "cc_import", "cc_library", "cc_test"]:
        files["cc/%s.bzl" % rule] = _exports([rule])
    _write(repository_ctx, files)

def _rules_java_impl(repository_ctx):
    _write(repository_ctx, {
        "WORKSPACE": "",
        "BUILD": "",
        "java/BUILD": "",
        "java/defs.bzl": _exports(_JAVA_RULES),
    })

def _coverage_tools_impl(repository_ctx):
    _write(repository_ctx, {"WORKSPACE": "", "BUILD": _COVERAGE_TOOLS})

_rules_cc = repository_rule(implementation = _rules_cc_impl)
_rules_java = repository_rule(implementation = _rules_java_impl)
_coverage_tools = repository_rule(implementation = _coverage_tools_impl)

def stub_repositories():
    _rules_cc(name = "rules_cc")
    _rules_java(name = "rules_java")
    _coverage_tools(name = "remote_coverage_tools")
