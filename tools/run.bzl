"""run_test runs a program, or a script that drives one. gpu_case is the same as a thing to carry to another machine."""

def _quote(text):
    return "'" + text.replace("'", "'\\''") + "'"

def _run_impl(ctx):
    data = ctx.attr.data + ([ctx.attr.program] if ctx.attr.program else [])
    command = []
    files = ctx.files.data + ctx.files.files
    if ctx.file.script:
        command += ["bash", ctx.file.script.short_path]
        files.append(ctx.file.script)
    if ctx.executable.program:
        program = ctx.executable.program.short_path
        command.append(program if "/" in program else "./" + program)
    command += [ctx.expand_location(argument, data) for argument in ctx.attr.arguments]
    command += [file.short_path for file in ctx.files.files]

    launcher = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.write(
        launcher,
        "#!/usr/bin/env bash\nexec %s \"$@\"\n" % " ".join([_quote(word) for word in command]),
        is_executable = True,
    )
    runfiles = ctx.runfiles(files = files)
    for dependency in data:
        runfiles = runfiles.merge(dependency[DefaultInfo].default_runfiles)
    return [DefaultInfo(executable = launcher, runfiles = runfiles)]

_ATTRIBUTES = {
    "program": attr.label(executable = True, cfg = "target"),
    "script": attr.label(allow_single_file = True),
    "arguments": attr.string_list(doc = "May use $(rootpath LABEL) of what is in data."),
    "data": attr.label_list(allow_files = True),
    "files": attr.label_list(allow_files = True, doc = "Data whose paths follow the arguments."),
}

run_test = rule(implementation = _run_impl, test = True, attrs = _ATTRIBUTES)

# tools/gpu_collect.sh finds these by the name of the rule.
gpu_case = rule(implementation = _run_impl, executable = True, attrs = _ATTRIBUTES)
