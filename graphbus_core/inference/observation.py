"""The tests run once, in the sandbox, on a copy of the project; the recorder tells what it saw on their output."""

from __future__ import annotations

import ast
import json
import re
import secrets
import shlex
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from graphbus_core.analysis import ProjectAnalysis
from graphbus_core.errors import UsageError
from graphbus_core.inference.interfaces import InferredSignature, TakenParameter
from graphbus_core.inference.project import Component, InferredProject, Method
from graphbus_core.inference.shapes import (
    NONE,
    UNKNOWN,
    Certainty,
    ContainerShape,
    InstanceShape,
    KnownShape,
    MappingShape,
    PlainShape,
    RecordField,
    RecordShape,
    Shape,
    TupleShape,
    expand_union,
    join_shapes,
    render_shape,
)
from graphbus_core.model.edit_outcome import Refusal
from graphbus_core.module_origin import is_installed
from graphbus_core.sandbox.runner import Limits, RunResult, describe, run
from graphbus_core.sandbox.scratch import create_scratch_copy

# What the recorder told, as shapes: read with suspicion.
#
# It comes out of a process that ran unreviewed code: all of it is bounded and checked; what is not a type is unknown.
#
# A mapping seen with three keys is not a record of three fields: keys that were always there are open to more, and
# keys that differed make it a plain mapping.


WORD = re.compile(r"[A-Za-z_][\w.]{0,120}")
MAX_FUNCTIONS, MAX_SHAPES, MAX_DEPTH, MAX_PARTS, MAX_EXAMPLES = 4_000, 12, 8, 32, 3
MOST_OF = 2  # with more than so many keys for each that was always there, it is not a record
KINDS = {"list", "set", "frozenset", "tuple", "Iterator"}

Classes = Callable[[str, str], Shape]  # module and qualified name -> the class of the project, or a plain word


@dataclass(frozen=True)
class ObservedFunction:
    """One function as the tests saw it."""

    calls: int
    takes: Mapping[str, Shape]
    gives: Shape
    examples: Mapping[str, list[Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Observation:
    """Functions by (file, qualified name), and how the tests ended, in a few words."""

    functions: Mapping[tuple[str, str], ObservedFunction]
    command: str
    ended: str
    passed: bool
    protection: str = ""

    def to_dict(self) -> dict[str, Any]:
        """JSON form: types by function, and examples where they were asked for."""
        functions = [
            {
                "file": path,
                "name": name,
                "calls": function.calls,
                "takes": {word: render_shape(shape) for word, shape in function.takes.items()},
                "gives": render_shape(function.gives),
                **({"examples": dict(function.examples)} if function.examples else {}),
            }
            for (path, name), function in self.functions.items()
        ]
        return {"command": self.command, "ended": self.ended, "passed": self.passed, "functions": functions}


def read_report(line: str, classes: Classes) -> dict[tuple[str, str], ObservedFunction]:
    """The recorder's line. What is not of its form is left out."""
    try:
        report = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    functions: dict[tuple[str, str], ObservedFunction] = {}
    for place, entry in list(report.items())[:MAX_FUNCTIONS] if isinstance(report, dict) else ():
        path, _, name = str(place).rpartition(":")
        if not path.endswith(".py") or not WORD.fullmatch(name) or not isinstance(entry, dict):
            continue
        takes = entry.get("takes")
        calls = entry.get("calls")
        functions[path, name] = ObservedFunction(
            calls if isinstance(calls, int) else 0,
            {word: _read_shapes(some, classes) for word, some in _iter_pairs(takes) if word not in ("self", "cls")},
            _read_shapes(entry.get("gives"), classes),
            {word: _read_examples(some) for word, some in _iter_pairs(entry.get("examples"))},
        )
    return functions


def _iter_pairs(raw: object) -> Iterable[tuple[str, Any]]:
    if isinstance(raw, dict):
        yield from ((word, some) for word, some in list(raw.items())[:MAX_PARTS] if WORD.fullmatch(str(word)))


def _read_examples(raw: object) -> list[Any]:
    some = raw if isinstance(raw, list) else []
    return [
        example[:80] if isinstance(example, str) else example
        for example in some
        if isinstance(example, str | int | float)
    ][:MAX_EXAMPLES]


def _read_shapes(raw: object, classes: Classes) -> Shape:
    """One shape for all that were seen."""
    some = raw if isinstance(raw, list) else []
    return merge_shapes([_parse_shape(raw_shape, classes, 0) for raw_shape in some[:MAX_SHAPES]])


def merge_shapes(shapes: list[Shape]) -> Shape:
    """Shapes of several calls as one. Mappings become one mapping; keys that came and went are not fields."""
    keyed = [shape for shape in shapes if isinstance(shape, RecordShape)]
    mapped = [shape for shape in shapes if isinstance(shape, MappingShape)]
    rest: list[Shape] = [shape for shape in shapes if not isinstance(shape, RecordShape | MappingShape)]
    if mapped:
        inside = [*(shape.value for shape in mapped), *(f.shape for shape in keyed for f in shape.fields)]
        rest.append(
            MappingShape(
                merge_shapes([shape.key for shape in mapped] + [PlainShape("str")] * bool(keyed)), merge_shapes(inside)
            )
        )
    elif keyed:
        rest.append(_merge_records(keyed))
    return join_shapes(rest) if rest else UNKNOWN


def _merge_records(keyed: list[RecordShape]) -> Shape:
    """Keys that most calls share are fields, open to more; others are the data of a mapping."""
    always = set.intersection(*({f.name for f in record.fields} for record in keyed))
    every: dict[str, list[Shape]] = {}
    for record in keyed:
        for own in record.fields:
            every.setdefault(own.name, []).append(own.shape)
    if not always or len(every) > MOST_OF * len(always):
        return MappingShape(PlainShape("str"), merge_shapes([shape for some in every.values() for shape in some]))
    return RecordShape(
        tuple(RecordField(name, merge_shapes(some), name in always) for name, some in every.items()), open=True
    )


def _parse_shape(raw: object, classes: Classes, depth: int) -> Shape:
    if depth > MAX_DEPTH:
        return UNKNOWN
    match raw:
        case "None":
            return NONE
        case str() as word:
            return PlainShape(word) if WORD.fullmatch(word) else UNKNOWN
        case ["many", str() as kind, inner] if kind in KINDS:
            return ContainerShape(kind, _parse_shape(inner, classes, depth + 1))
        case ["row", *parts]:
            return TupleShape(tuple(_parse_shape(part, classes, depth + 1) for part in parts[:MAX_PARTS]))
        case ["mapped", key, value]:
            return MappingShape(_parse_shape(key, classes, depth + 1), _parse_shape(value, classes, depth + 1))
        case ["keyed", dict() as keys]:
            fields = (RecordField(word, _parse_shape(part, classes, depth + 1)) for word, part in _iter_pairs(keys))
            return RecordShape(tuple(fields), open=True)
        case ["either", *parts]:
            return merge_shapes([_parse_shape(part, classes, depth + 1) for part in parts[:MAX_PARTS]])
        case ["made", str() as module, str() as name] if WORD.fullmatch(module) and WORD.fullmatch(name):
            return classes(module, name)
    return UNKNOWN


# Recording makes calls several times as slow, so the tests get five minutes, where a gate gives them half of one.
LIMITS = Limits(timeout_s=300.0, memory_mb=2048, processes=256, output_bytes=8_000_000)
MAX_WORDS = 20_000
LAST_LINES = 12
_RECORDER = Path(__file__).with_name("recorder.py")


def observe(
    root: Path,
    command: str,
    *,
    values: bool = False,
    limits: Limits = LIMITS,
    stop: threading.Event | None = None,
) -> Observation:
    """Run the tests and give what was seen. Raises UsageError where they cannot run, or nothing of the project ran.

    Failing tests are not an error: what they called was seen all the same. `stop` ends the run at once.
    """
    argv = _parse_command(command)
    project = ProjectAnalysis(root)
    mark = secrets.token_hex(16)
    recorder_input = {"words": _collect_words(project), "values": values, "mark": mark}
    try:
        with create_scratch_copy(root, {}) as scratch:
            ran = _run_recorder(argv, scratch, root, recorder_input, replace(limits, stop=stop))
    except Refusal as e:
        raise UsageError(f"The tests were not run: {e}") from None
    if ran.stopped == "interrupt":
        raise KeyboardInterrupt
    report, test_output = _split_report(ran.output, mark)
    own = {path for path in project.texts.paths if not project.texts.is_test(path)}
    functions = {
        function_key: function
        for function_key, function in read_report(report, _build_class_lookup(project)).items()
        if function_key[0] in own
    }
    if not functions:
        raise UsageError(_explain_nothing_seen(command, ran, test_output))
    return Observation(functions, command, _describe_end(ran, test_output), ran.ok, str(describe()))


def _parse_command(command: str) -> list[str]:
    """What is run under the recorder: `-m module …`, or a script. Raises UsageError for anything else."""
    try:
        words = shlex.split(command)
    except ValueError as e:
        raise UsageError(f"--from-tests {command!r} cannot be read: {e}.") from None
    if words and Path(words[0]).name.startswith("python"):
        words = words[1:]
    elif words and Path(words[0]).name in ("pytest", "py.test"):
        words = ["-m", "pytest", *words[1:]]
    elif words and not words[0].startswith("-"):
        words = ["-m", *words]
    if len(words) < 1 or (words[0] == "-m" and len(words) < 2) or (words[0] != "-m" and words[0].startswith("-")):
        raise UsageError(
            f'--from-tests {command!r} names no tests. Give a command, as "pytest -q" or "python -m unittest".'
        )
    if words[0] == "-m" and not is_installed(words[1].partition(".")[0]):
        raise UsageError(
            f"{words[1]} is not installed beside GraphBus, in {sys.prefix}. Install it there with what the project "
            f"needs: `pip install {words[1]} -e .`; with uvx: `uvx --with {words[1]} --with-editable . …`."
        )
    return words


def _run_recorder(
    argv: list[str], scratch: Path, root: Path, recorder_input: dict[str, object], limits: Limits
) -> RunResult:
    paths = [str(scratch), *([str(scratch / "src")] if (scratch / "src").is_dir() else [])]
    if "pytest" in argv[:2]:
        argv = [*argv, "-p", "no:cacheprovider"]
    line = [sys.executable, str(_RECORDER), *argv]
    return run(
        line, scratch, mount_path=root, limits=limits, python_path=paths, stdin_data=json.dumps(recorder_input).encode()
    )


def _collect_words(project: ProjectAnalysis) -> list[str]:
    """Short texts that stand in the project's own code: keys that a recorder may tell without telling data."""
    identifiers: set[str] = set()
    for path in project.texts.paths:
        if not path.endswith(".py") or project.texts.is_test(path):
            continue
        try:
            tree = ast.parse(project.texts.read_content(path))
        except (SyntaxError, ValueError, RecursionError):
            continue
        for node in ast.walk(tree):
            match node:
                case ast.Constant(value=str() as word) | ast.keyword(arg=str() as word) | ast.arg(arg=word):
                    if word.isidentifier() and len(word) < 60:
                        identifiers.add(word)
    return sorted(identifiers)[:MAX_WORDS]


def _build_class_lookup(project: ProjectAnalysis) -> Classes:
    """Classes by module and name: of the project, or a plain word."""

    def look_up_class(module: str, name: str) -> Shape:
        for path in _list_module_paths(module):
            if path in project.texts.paths and name in project.index.facts[path].classes:
                return InstanceShape(path, name)
        return PlainShape(name.rpartition(".")[2])

    return look_up_class


def _list_module_paths(module: str) -> list[str]:
    """The files that a module may be."""
    base = module.replace(".", "/")
    return [f"{head}{base}{tail}" for head in ("", "src/") for tail in (".py", "/__init__.py")]


def _split_report(output: str, mark: str) -> tuple[str, str]:
    """The recorder's line, and the rest: what the tests printed."""
    report, rest = "", []
    for line in output.splitlines():
        if line.startswith(mark):
            report = line[len(mark) + 1 :]
        else:
            rest.append(line)
    return report, "\n".join(rest).strip()


def _describe_end(ran: RunResult, words: str) -> str:
    if ran.stopped is not None:
        return f"ended by the limit of {ran.stopped} after {ran.seconds:.0f} s"
    lines = words.splitlines()
    last = lines[-1].strip("= ")[:120] if lines else ""
    missing = next((line for line in lines if "No module named" in line), "")
    if missing:  # the commonest reason, and the one that the user can mend
        return f"{last} ({missing.partition('No module named')[2].strip()} is not installed in {sys.prefix})"
    return last or ("passed" if ran.ok else f"ended with code {ran.returncode}")


def _explain_nothing_seen(command: str, ran: RunResult, words: str) -> str:
    last = "\n".join(f"  {line[:160]}" for line in words.splitlines()[-LAST_LINES:])
    why = f"it was ended by the limit of {ran.stopped}" if ran.stopped else f"it ended with code {ran.returncode}"
    return (
        f"Nothing was seen while `{command}` ran in the sandbox: {why}. The tests run on a copy, without network, home "
        f"or keys, with the packages of {sys.prefix}. What they said last:\n{last or '  (nothing)'}"
    )


# Contracts with what the tests showed: only where nobody declared or showed one, and never more than *likely*.


SOURCE = "tests"


@dataclass(frozen=True)
class RefinedContracts:
    """The project with its contracts sharpened: how many parts, and sentences where tests saw something undeclared."""

    inferred: InferredProject
    parts: int
    methods: int
    otherwise: tuple[str, ...]


def refine_contracts(inferred: InferredProject, observed: Observation) -> RefinedContracts:
    """What nobody knew becomes likely. A declared or certain contract stays; `otherwise` says where it was not kept."""
    parts = methods = 0
    otherwise: list[str] = []
    components: list[Component] = []
    for component in inferred.components:
        refined: list[Method] = []
        for method in component.methods:
            watched = _find_observed(observed, component, method)
            if watched is None:
                refined.append(method)
                continue
            methods += 1
            signature, number = _refine_signature(method.signature, watched)
            parts += number
            otherwise += _find_contradictions(method, watched)
            refined.append(replace(method, signature=signature))
        components.append(replace(component, methods=tuple(refined)))
    return RefinedContracts(replace(inferred, components=tuple(components)), parts, methods, tuple(otherwise))


def _find_observed(observed: Observation, component: Component, method: Method) -> ObservedFunction | None:
    name = f"{component.name}.{method.name}" if component.kind == "class" else method.name
    return observed.functions.get((method.file, name))


def _refine_signature(signature: InferredSignature, watched: ObservedFunction) -> tuple[InferredSignature, int]:
    takes: list[TakenParameter] = []
    number = 0
    for parameter in signature.takes:
        refined = _refine_shape(parameter.told, watched.takes.get(parameter.name, UNKNOWN))
        number += refined is not parameter.told
        takes.append(replace(parameter, told=refined))
    gives = _refine_shape(signature.gives, watched.gives)
    number += gives is not signature.gives
    return replace(signature, takes=tuple(takes), gives=gives), number


def _refine_shape(known_shape: KnownShape, observed_shape: Shape) -> KnownShape:
    """What was seen, where nothing was known or only a bare container."""
    if observed_shape in (UNKNOWN, NONE):  # `None` alone says what a test left out, and not what is taken
        return known_shape
    if known_shape.shape == UNKNOWN or (
        _is_bare(known_shape.shape)
        and not _is_bare(observed_shape)
        and isinstance(observed_shape, RecordShape | ContainerShape | MappingShape)
    ):
        return KnownShape(observed_shape, Certainty.LIKELY, SOURCE)
    return known_shape


def _is_bare(shape: Shape) -> bool:
    match shape:
        case MappingShape(value=value):
            return value == UNKNOWN
        case ContainerShape(element=element):
            return element == UNKNOWN
    return False


def _find_contradictions(method: Method, watched: ObservedFunction) -> Iterator[str]:
    """Where `None` came though what is declared does not allow it: of all that tests do, the plainest."""
    for parameter in method.signature.takes:
        observed_shape = watched.takes.get(parameter.name, UNKNOWN)
        if (
            parameter.told.level >= Certainty.DECLARED
            and NONE in expand_union(observed_shape)
            and not _allows_none(parameter.told.shape)
        ):
            declared = f"{method.name} declares `{parameter.name}` as {render_shape(parameter.told.shape)}"
            yield f"{method.file}:{method.line}: {declared}; tests sent None"
    gives = method.signature.gives
    if gives.level >= Certainty.DECLARED and NONE in expand_union(watched.gives) and not _allows_none(gives.shape):
        yield f"{method.file}:{method.line}: {method.name} promises {render_shape(gives.shape)}; in tests it gave None"


def _allows_none(shape: Shape) -> bool:
    """Whether `None` is one of the alternatives, or what is written is not a type that we know all of."""
    return any(option in (NONE, UNKNOWN) or _is_open(option) for option in expand_union(shape))


def _is_open(shape: Shape) -> bool:
    return isinstance(shape, PlainShape) and shape.name not in ("str", "int", "float", "bool", "bytes")
