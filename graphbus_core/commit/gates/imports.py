"""Imports: the changed modules import in the sandbox, and so does all of the project that imports them."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from graphbus_core.analysis.scan import Project
from graphbus_core.commit.gates.trial import (
    Gate,
    GateAnswer,
    Trial,
    build_import_path,
    report_not_run,
    report_proved,
    report_refused,
    summarize_failure,
)
from graphbus_core.sandbox import runner

_IMPORT = """
import importlib, importlib.util, json, os, sys
changed, importers = json.loads(sys.argv[1])
out = os.dup(1)  # what is imported may close or replace standard output

def end(code, said):
    # At once: a thread of the code must not keep this alive, nor what it prints at its end be the last line.
    os.write(out, f"\\n{said}\\n".encode("utf-8", "backslashreplace"))
    os._exit(code)

def load(name, path):
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as e:
        if e.name is None or not (name + ".").startswith(e.name + "."):
            raise
        module = None
    if module is not None and os.path.realpath(getattr(module, "__file__", None) or path) == os.path.realpath(path):
        return module
    if os.path.exists(os.path.join(os.path.dirname(path), "__init__.py")):
        raise ImportError(f"{name} is found in another place than {path}")
    # As pytest and `python file.py` do: a folder that is not a package may share its name with one on the path.
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec = importlib.util.spec_from_file_location(name.rpartition(".")[2], path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

for name, (path, classes) in changed.items():
    try:
        module = load(name, path)
        for one in classes:
            at = module
            for part in one.split("."):
                at = getattr(at, part)
    except BaseException as e:
        end(3, f"{name}: {type(e).__name__}: {e}")
failed = {}
for name, path in importers.items():
    try:
        load(name, path)
    except BaseException as e:
        failed[name] = f"{name}: {type(e).__name__}: {e}"
end(0, "failed " + json.dumps(failed) if failed else "imported")
"""


def ask(trial: Trial) -> GateAnswer:
    """Import them; what failed before the change as well is not a fault of it, but proves nothing either."""
    modules = collect_changed_modules(trial)
    others = find_importers(trial.project, modules)
    modules = {name: target for name, target in modules.items() if target[0] not in trial.applied.removed}
    ran = _run_imports(modules, others, trial.scratch, trial)
    if _is_success(ran):
        return report_proved()
    why, failed = summarize_failure(ran), _read_failures(ran)
    if failed:
        why = next(iter(failed.values()))
    if ran.stopped is None:
        with trial.copy(trial.applied.before) as baseline:
            before = _run_imports(modules, others, baseline, trial)
        if failed and before.ok:
            if new := [text for name, text in failed.items() if name not in _read_failures(before)]:
                return report_refused(f"what imports the changed code no longer does: {new[0]}")
            return report_proved(f"but {', '.join(failed)} did not import before the change either ({why})")
        if not failed and not before.ok and before.stopped is None and summarize_failure(before) == why:
            return report_not_run(f"the import failed before the change as well ({why})")
    if others and not failed:  # one of them ends the interpreter, or never ends
        with trial.copy(trial.applied.resulting_files) as alone:
            if _is_success(_run_imports(modules, {}, alone, trial)):
                return report_proved(f"but what imports the changed code could not be tried ({why})")
    return report_refused(f"the changed code does not import: {why}")


GATE = Gate("imports", ask)


def collect_changed_modules(trial: Trial) -> dict[str, tuple[str, list[str]]]:
    """Dotted name of a changed module -> its file, and the classes of agents that must be in it."""
    modules: dict[str, tuple[str, list[str]]] = {}
    for path in trial.applied.after:
        if path.endswith(".py"):  # a stub is read by checkers alone
            modules[trial.after.layout.name_module(path)] = (path, [])
    for agent in trial.after.agents:
        if agent.source_file in trial.applied.after:
            modules.setdefault(agent.module, (agent.source_file, []))[1].append(agent.class_name)
    return modules


def find_importers(project: Project, changed: Collection[str]) -> dict[str, str]:
    """The modules that were read for the project and import a changed one, by way of others as well, with their
    files."""
    readings = {path: r for path in project.files if (r := project.cache.readings.get(path)) is not None}
    reached = set(changed)
    while True:
        more = {r.name for r in readings.values() if r.name not in reached and not reached.isdisjoint(r.imports)}
        if not more:
            break
        reached |= more
    importer_paths = {r.name: path for path, r in readings.items() if r.name in reached - set(changed)}
    return {name: importer_paths[name] for name in sorted(importer_paths) if name.rpartition(".")[2] != "__main__"}


def _is_success(ran: runner.RunResult) -> bool:
    return ran.ok and ran.output.rstrip().endswith("imported")


def _read_failures(ran: runner.RunResult) -> dict[str, str]:
    """What the script says of modules that import a changed one: name -> why it does not import."""
    last = ran.output.rstrip().rpartition("\n")[2]
    try:
        failures = json.loads(last.removeprefix("failed ")) if last.startswith("failed {") else {}
    except ValueError:
        return {}
    return {str(k): str(v) for k, v in failures.items()}


def _run_imports(
    modules: Mapping[str, tuple[str, Sequence[str]]], others: Mapping[str, str], scratch: Path, trial: Trial
) -> runner.RunResult:
    command = [sys.executable, "-c", _IMPORT, json.dumps([modules, others])]
    path = build_import_path(scratch, trial.project)
    return runner.run(command, scratch, mount_path=trial.project.root, limits=trial.bounds, python_path=path)
