"""The source diff: a bare `@contract` on each component that says something, a TypedDict where dicts have certain keys.

Only what stands in the body of a module is touched, by whole lines and hints; every other byte stays. A diff with which
`infer` would find something new is not proposed for that file.
"""

from __future__ import annotations

import ast
import itertools
import json
import keyword
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from difflib import unified_diff

from graphbus_core.editing.import_statements import insert_import
from graphbus_core.editing.source import Edit, Source
from graphbus_core.inference.project import Component, InferredProject, Method, infer
from graphbus_core.inference.shapes import Certainty, KnownShape, RecordShape, Shape, is_informative, render_type
from graphbus_core.inference.source import FunctionNode
from graphbus_core.model.edit_outcome import Refusal

# Inferred contracts as entries of `contracts.toml`: what no hint declares, for components that take part.
#
# What is certain is written out. What is only likely stands there as a comment, for a person to take or leave.
# What hints declare is not written a second time: the component's own entry makes it take part as it is.


HEAD = """\
# Contracts beside the code, as `graphbus infer --contracts` read them. Entries are yours to change; what stands here
# already is never rewritten. A line that begins with "# likely" is a guess: uncomment it where it is right.
"""


def render_contracts_file(inferred: InferredProject, declared_names: Collection[str] = ()) -> str:
    """The entries that are not `known` yet (`module:Name`), in the order of the files; empty where there is none."""
    blocks = [
        block
        for component in inferred.components
        for name, block in _build_blocks(component)
        if name not in declared_names and _can_be_named(name)
    ]
    return "\n\n".join(blocks) + "\n" if blocks else ""


def _can_be_named(name: str) -> bool:
    """Whether an import could lead there, and what it names is meant for others."""
    module, _, inner = name.partition(":")
    parts = inner.split(".")
    return all(word.isidentifier() for word in (*module.split("."), *parts)) and not any(
        p.startswith("_") for p in parts
    )


def _build_blocks(component: Component) -> Iterator[tuple[str, str]]:
    """One where hints declare something of the component; one for each function of which the code shows more."""
    functions = component.kind == "functions"
    module = _derive_module(component)
    declared = any(_declares(method) for method in component.methods)
    blocks = [
        (_qualify_name(module, component, function), list(_render_sides(function)), function)
        for function in component.methods
    ]
    shown_blocks = [
        (name, sides, function) for name, sides, function in blocks if sides or (functions and _declares(function))
    ]
    if not functions and (declared or shown_blocks):
        name = f"{module}:{component.name}"
        yield name, f"[{json.dumps(name, ensure_ascii=False)}]  # {component.file}:{component.line}"
    for name, sides, function in shown_blocks:
        head = f"[{json.dumps(name, ensure_ascii=False)}]  # {function.file}:{function.line}"
        yield name, "\n".join([head, *sides])


def _qualify_name(module: str, component: Component, method: Method) -> str:
    return f"{module}:{method.name}" if component.kind == "functions" else f"{module}:{component.name}.{method.name}"


def _derive_module(component: Component) -> str:
    """The dotted module as a scan names it."""
    path = component.file.removesuffix(".py").removesuffix("/__init__").removeprefix("src/")
    return path.replace("/", ".")


def _declares(method: Method) -> bool:
    sides = [method.signature.gives, *(part.told for part in method.signature.takes)]
    return any(part.level is Certainty.DECLARED and is_informative(part.shape) for part in sides)


def _render_sides(method: Method) -> Iterator[str]:
    """Its contract line by line; nothing of a side that hints declare whole, or that nobody can tell."""
    takes, gives = method.signature.takes, method.signature.gives
    levels = [parameter.told.level for parameter in takes if parameter.told.level is not Certainty.UNKNOWN]
    if takes and levels and any(level is not Certainty.DECLARED for level in levels) and not method.signature.wild:
        fields = {f"{t.name}{'' if t.required else '?'}": render_type(t.told.shape) for t in takes}
        inside = ", ".join(f"{_quote_key(name)} = {json.dumps(text)}" for name, text in fields.items())
        yield _render_line("input", "{ " + inside + " }", min(levels))
    if gives.level in (Certainty.LIKELY, Certainty.CERTAIN) and is_informative(gives.shape):
        yield _render_line("output", _render_value(gives.shape), gives.level)


def _render_line(side: str, value: str, level: Certainty) -> str:
    return f"{'' if level is not Certainty.LIKELY else '# likely: '}{side} = {value}"


def _render_value(shape: Shape) -> str:
    """A record as a table of its fields, which is easier to read and to change than a text; else a text."""
    if not isinstance(shape, RecordShape):
        return json.dumps(render_type(shape), ensure_ascii=False)
    fields = {
        f"{record_field.name}{'' if record_field.required else '?'}": _render_value(record_field.shape)
        for record_field in shape.fields
    }
    return "{ " + ", ".join(f"{_quote_key(name)} = {value}" for name, value in fields.items()) + " }"


def _quote_key(name: str) -> str:
    plain = name.replace("_", "").replace("-", "")
    return name if plain.isalnum() and name.isascii() else json.dumps(name, ensure_ascii=False)


# A TypedDict beside the class, where every return shows the same keys; and the hint that leads to it.


MAX_FIELDS = 24  # a larger one is a table, and no record


def is_record(inferred: KnownShape, function: FunctionNode) -> bool:
    """Whether a function gives a dict whose keys are certain, and no hint says so yet."""
    shape = inferred.shape
    if inferred.level != Certainty.CERTAIN or not isinstance(shape, RecordShape) or shape.open or not shape.fields:
        return False
    if any(not f.name.isidentifier() or keyword.iskeyword(f.name) or f.name.startswith("__") for f in shape.fields):
        return False
    bare = function.returns is None or ast.unparse(function.returns) in ("dict", "Dict", "typing.Dict")
    return bare and len(shape.fields) <= MAX_FIELDS and not function.decorator_list


def name_record(function: FunctionNode, cls: str, used_names: Iterable[str]) -> str:
    """What the record is called: `get_order` gives an `OrderRecord`; with the class's name where that is taken."""
    words = [word for word in function.name.split("_") if word]
    words = words[1:] if len(words) > 1 and words[0] in ("get", "make", "build", "create", "to") else words
    name = "".join(word[:1].upper() + word[1:] for word in words) + "Record"
    return f"{cls}{name}" if name in set(used_names) else name


def render_record(name: str, shape: RecordShape, newline: str) -> str:
    """The class, as PEP 8 has it, with the lines that stand between it and what follows."""
    lines = [f"class {name}(TypedDict):"]
    for record_field in shape.fields:
        hint = render_type(record_field.shape, hint=True)
        lines.append(f"    {record_field.name}: {hint if record_field.required else f'NotRequired[{hint}]'}")
    return newline.join([*lines, "", "", ""])


def find_needed_names(shape: RecordShape) -> list[str]:
    """What the class needs from `typing`."""
    text = render_record("_", shape, "\n")
    return [word for word in ("Any", "NotRequired", "TypedDict") if word in text]


def build_hint_edit(source: Source, function: FunctionNode, name: str) -> Edit:
    """The edit that writes `-> Name`."""
    if function.returns is not None:
        start, end = source.span(function.returns)
        return Edit(start, end, name.encode())
    start, _ = source.span(function)
    _, last = source.span(function)
    depth = 0
    for token in source.iter_tokens(start, last):
        depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
        if token.text == ":" and depth == 0:
            return Edit(token.start, token.start, f" -> {name}".encode())
    raise ValueError("a function without a colon")


OURS = "graphbus_core"
NO_COMPONENT = {"Protocol", "TypedDict", "Enum", "StrEnum", "IntEnum", "NamedTuple", "GraphBusNode", "BaseModel"}


@dataclass(frozen=True)
class SourceDecoration:
    """What each file was and becomes. `left` says which files were left alone, and why."""

    before: dict[str, bytes]
    after: dict[str, bytes]
    components: int
    records: int
    left: tuple[str, ...] = ()

    @property
    def diff(self) -> str:
        """As a unified diff."""
        parts = []
        for path, new in self.after.items():
            old_lines, new_lines = (
                text.decode("utf-8", "replace").splitlines(True) for text in (self.before[path], new)
            )
            parts.append("".join(unified_diff(old_lines, new_lines, f"a/{path}", f"b/{path}")))
        return "".join(parts)


def decorate_sources(inferred: InferredProject) -> SourceDecoration:
    """The diff for a project as it was inferred."""
    before: dict[str, bytes] = {}
    after: dict[str, bytes] = {}
    skipped: list[str] = []
    components = record_count = 0
    for path, own in itertools.groupby(sorted(inferred.components, key=lambda item: item.file), lambda item: item.file):
        raw = (inferred.root / path).read_bytes()
        try:
            file = _FileEdits(Source(path, raw))
            for component in own:
                file.decorate_component(component)
            new = file.apply_edits()
        except (Refusal, SyntaxError, ValueError) as e:
            skipped.append(f"{path}: {e}")
            continue
        if new != raw:
            before[path], after[path] = raw, new
            components, record_count = components + file.components, record_count + file.records
    return _drop_new_findings(inferred, SourceDecoration(before, after, components, record_count, tuple(skipped)))


def _drop_new_findings(inferred: InferredProject, decoration: SourceDecoration) -> SourceDecoration:
    """Files whose new hints disagree with the code stay as they are: the hint was wrong then, and not the code."""
    stood = {finding.fingerprint for finding in inferred.findings}
    more = [
        finding
        for finding in infer(inferred.root, over=decoration.after, links=False).findings
        if finding.fingerprint not in stood
    ]
    bad = {place for finding in more for place in (finding.file, *(two.file for two in finding.related))} & set(
        decoration.after
    )
    if not bad:
        return decoration
    unaffected = {path: text for path, text in decoration.after.items() if path not in bad}
    skipped = (*decoration.left, *(f"{path}: with it, infer would find something new" for path in sorted(bad)))
    return SourceDecoration(
        {path: decoration.before[path] for path in unaffected},
        unaffected,
        decoration.components,
        decoration.records,
        skipped,
    )


class _FileEdits:
    """The edits of one file."""

    def __init__(self, source: Source) -> None:
        self.source, self.edits = source, list[Edit]()
        self.names = {name for statement in source.tree.body for name in _iter_bound_names(statement)}
        self.ours = _find_imports(source, OURS).get("contract", "")
        self.alias = "contract" if self.ours or "contract" not in self.names else "graphbus_contract"
        self.typing = _find_imports(source, "typing")
        self.needed: set[str] = set()
        self.components = self.records = 0

    def decorate_component(self, component: Component) -> None:
        """Decorate a class, or the functions of a module; write the records of what they give."""
        if component.kind == "class":
            node = self._find_top_level(component.name)
            if isinstance(node, ast.ClassDef) and _is_component(node):
                record_edits = [edit for method in component.methods for edit in self._build_record(method, node)]
                self._decorate(node, record_edits, any(_has_hint(member) for member in component.methods))
            return
        for method in component.methods:
            function = self._find_top_level(method.name)
            if isinstance(function, FunctionNode) and not function.decorator_list:
                self._decorate(function, self._build_record(method, None), _has_hint(method))

    def _find_top_level(self, name: str) -> ast.stmt | None:
        matches = [n for n in self.source.tree.body if getattr(n, "name", None) == name]
        return matches[0] if len(matches) == 1 else None

    def _decorate(self, node: ast.ClassDef | FunctionNode, record_edits: list[Edit], says: bool) -> None:
        if not says and not record_edits:
            return
        place = self._find_start(node)
        newline = self.source.newline(place)
        self.edits += [*record_edits, Edit(place, place, f"@{self.ours or self.alias}".encode() + newline)]
        self.components += 1

    def _build_record(self, method: Method, cls: ast.ClassDef | None) -> list[Edit]:
        """The edits for one method: the class of its record, and the hint."""
        name = f"{cls.name}.{method.name}" if cls is not None else method.name
        functions = [n for n in (cls.body if cls is not None else self.source.tree.body) if isinstance(n, FunctionNode)]
        candidates = [function for function in functions if function.name == name.rpartition(".")[2]]
        shape = method.signature.gives.shape
        if (
            len(candidates) != 1
            or not isinstance(shape, RecordShape)
            or not is_record(method.signature.gives, candidates[0])
        ):
            return []
        if any(
            self.typing.get(word, word) != word or word in self._list_used_names() for word in find_needed_names(shape)
        ):
            return []  # the file means something else by `Any` or `TypedDict`
        record = name_record(candidates[0], cls.name if cls is not None else "Module", self.names)
        if record in self.names:
            return []
        self.names.add(record)
        self.needed |= set(find_needed_names(shape))
        self.records += 1
        place = self._find_start(cls or candidates[0])
        newline = self.source.newline(place).decode()
        text = render_record(record, shape, newline).encode()
        return [Edit(place, place, text), build_hint_edit(self.source, candidates[0], record)]

    def _find_start(self, node: ast.ClassDef | FunctionNode) -> int:
        """Where its first line begins, decorators with it."""
        return self.source.offset(min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]), 0)

    def _list_used_names(self) -> set[str]:
        return self.names - set(self.typing.values())

    def apply_edits(self) -> bytes:
        """The file with the edits made, and what they need imported."""
        if not self.edits:
            return self.source.raw
        edited_source = self.source.apply_edits(self.edits)
        if not self.ours:
            renamed = "" if self.alias == "contract" else f" as {self.alias}"
            edited_source = _add_import(edited_source, f"from {OURS} import contract{renamed}")
        words = sorted(word for word in self.needed if word not in self.typing)
        if words:
            edited_source = _add_import(edited_source, f"from typing import {', '.join(words)}")
        ast.parse(edited_source.data)
        return edited_source.raw


def _has_hint(method: Method) -> bool:
    """Whether the decorator would read anything: a hint stands in the code."""
    return "hint" in method.sources


def _is_component(class_node: ast.ClassDef) -> bool:
    bases = {ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in class_node.bases}
    words = {ast.unparse(decorator).partition("(")[0].rpartition(".")[2] for decorator in class_node.decorator_list}
    return not bases & NO_COMPONENT and not words & {"contract", "dataclass", "define", "attrs"}


def _iter_bound_names(statement: ast.stmt) -> Iterator[str]:
    for node in ast.walk(statement):
        match node:
            case ast.alias(name=name, asname=asname):
                yield asname or name.partition(".")[0]
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()):
                yield name


def _find_imports(source: Source, module: str) -> dict[str, str]:
    """What a file imports from a module at its top: the name there, and how it is called here."""
    return {
        alias.name: alias.asname or alias.name
        for statement in source.tree.body
        if isinstance(statement, ast.ImportFrom) and statement.module == module and not statement.level
        for alias in statement.names
    }


def _add_import(source: Source, statement: str) -> Source:
    """An import among the first imports of a file, where a formatter would put it."""
    return source.apply_edits([insert_import(source, statement)])
