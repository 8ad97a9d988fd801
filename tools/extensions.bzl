"""The module extension that MODULE.bazel names; a Bazel without modules never loads this file."""

load(":local.bzl", "local_tools")

def _local_impl(_module_ctx):
    local_tools(name = "local_tools")

local = module_extension(implementation = _local_impl)
