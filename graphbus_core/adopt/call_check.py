"""A call against the function or class that it reaches: names it does not take, and what it leaves out."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from graphbus_core.adopt.asked import InferredSignature, TakenParameter
from graphbus_core.adopt.known.shapes import DARK, Certainty, KnownShape
from graphbus_core.adopt.signatures import Signatures

CLASS_LEVEL = {"ClassVar"}


@dataclass(frozen=True)
class Callee:
    """What a call reaches: a signature, by a name that people know, and where it stands."""

    name: str
    signature: InferredSignature
    path: str
    line: int
    lenient: bool = False  # unknown names are let pass (pydantic)


class CalledSignatures:
    """Signatures of what is called, constructors with them."""

    def __init__(self, signatures: Signatures) -> None:
        self.signatures, self.index = signatures, signatures.index

    def constructor(self, path: str, name: str) -> Callee | None:
        """What a class takes when it is made; None where nobody can tell."""
        if self.signatures.odd_constructor(path, name):
            return None
        line = getattr(self.index.cls(path, name), "line", 1)
        for at in self.index.family(path, name):
            cls = self.index.cls(*at) if at is not None else None
            if at is None or cls is None:
                break
            if "__init__" in cls.methods:
                made = self.signatures.of(at[0], cls.methods["__init__"])
                return Callee(name, made, path, line) if made is not None and not made.strange else None
            if any(d.partition("(")[0].rpartition(".")[2] == "dataclass" for d in cls.decorators):
                takes = self._fields(path, name, dataclasses=True)
                return Callee(name, _of(takes), path, line) if takes is not None else None
        outside = self.signatures.fits.outside(path, name)
        if outside == {"BaseModel"} and not self._aliased(path, name):
            takes = self._fields(path, name)
            return Callee(name, _of(takes), path, line, lenient=True) if takes is not None else None
        if outside == {"NamedTuple"}:
            takes = self._fields(path, name)
            return Callee(name, _of(takes), path, line) if takes is not None else None
        return None

    def _aliased(self, path: str, name: str) -> bool:
        """Whether a pydantic model may be filled by other names than its fields'."""
        family = (at for at in self.index.family(path, name) if at is not None)
        written = (self.signatures.sources.cls(*at) for at in family)
        return any(cls is not None and "alias" in ast.unparse(cls) for cls in written)

    def _fields(self, path: str, name: str, *, dataclasses: bool = False) -> list[TakenParameter] | None:
        found: dict[str, TakenParameter] = {}
        for at in reversed(self.index.family(path, name)):
            written = self.signatures.sources.cls(*at) if at is not None else None
            if written is None or at is None:
                continue
            decorated = " ".join(ast.unparse(d) for d in written.decorator_list)
            if dataclasses and "dataclass" not in decorated:
                continue  # a base that is none gives no fields
            if "init=False" in decorated:
                return None
            found.update((taken.name, taken) for taken in self._written(at[0], written, "kw_only=True" in decorated))
        return list(found.values())

    def _written(self, path: str, written: ast.ClassDef, only: bool) -> Iterator[TakenParameter]:
        """The fields that one class body writes. `only`: they are taken by keyword alone."""
        for line in written.body:
            if not isinstance(line, ast.AnnAssign) or not isinstance(line.target, ast.Name):
                continue
            word = ast.unparse(line.annotation).partition("[")[0].rpartition(".")[2]
            text = ast.unparse(line.value) if line.value is not None else ""
            if word == "KW_ONLY":  # `_: KW_ONLY` holds for what stands below it
                only = True
            elif word not in CLASS_LEVEL and "init=False" not in text.replace(" ", ""):
                told = KnownShape(self.signatures.hints.shape(path, line.annotation), Certainty.DECLARED, "hint")
                kind = "keyword_only" if only else "positional_or_keyword"
                yield TakenParameter(line.target.id, told, _is_required(text), kind)

    def faults(self, at: ast.Call, target: Callee) -> Iterator[tuple[str, str]]:
        """(name, sentence) for what the call gives and the target does not take, or needs and does not get."""
        made = target.signature
        starred = any(isinstance(a, ast.Starred) for a in at.args) or any(k.arg is None for k in at.keywords)
        positional = [t for t in made.takes if t.kind.startswith("positional")]
        if not made.wild and not target.lenient:
            yield from _surplus(at, target, len(positional), starred)
        if starred:
            return
        given = {t.name for t in positional[: len(at.args)]} | {k.arg for k in at.keywords}
        for missing in (t for t in made.takes if t.required and t.name not in given):
            yield missing.name, f"{target.name} needs `{missing.name}`, and does not get it"

    def bound(self, at: ast.Call, target: Callee) -> Iterator[tuple[TakenParameter, ast.expr]]:
        """Each parameter with the expression that it gets."""
        positional = [t for t in target.signature.takes if t.kind.startswith("positional")]
        for taken, value in zip(positional, at.args, strict=False):
            if isinstance(value, ast.Starred):
                break
            yield taken, value
        for keyword in at.keywords:
            found = target.signature.parameter(keyword.arg) if keyword.arg else None
            if found is not None:
                yield found, keyword.value


def _surplus(at: ast.Call, target: Callee, positional: int, starred: bool) -> Iterator[tuple[str, str]]:
    """What a call gives that nothing takes. `*args` may be empty, so it is never too much."""
    names = {t.name for t in target.signature.takes if t.kind != "positional_only"}
    for keyword in at.keywords:
        if keyword.arg is not None and keyword.arg not in names:
            yield keyword.arg, f"{target.name} takes no `{keyword.arg}`"
    if not starred and len(at.args) > positional:
        yield "*", f"{target.name} takes {positional} by position, and gets {len(at.args)}"


def _is_required(text: str) -> bool:
    """Whether a field must be given, by what stands behind its `=`: nothing, `...`, or a `field(…)` without default."""
    if not text or text == "..." or text.endswith("Field(...)"):
        return True
    return text.startswith(("field(", "dataclasses.field(")) and "default" not in text


def _of(takes: list[TakenParameter]) -> InferredSignature:
    return InferredSignature(tuple(takes), DARK)
