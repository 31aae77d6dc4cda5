"""Code that uses a contract itself: objects of a class that is one, and constants that are read when the code runs.

Says what names a field there with certainty, and refuses what may. Knows nothing of operations.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import NoReturn

from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit.followed import calls
from graphbus_core.build.edit.followed.receivers import Is, Receivers, around, parents
from graphbus_core.build.edit.records import RecordDefinition
from graphbus_core.build.edit.text.source import Source
from graphbus_core.build.edit.text.worktree import Worktree
from graphbus_core.build.understand.keys.scope import FUNCTIONS
from graphbus_core.syntax import last_name

_COPYING = frozenset({"replace", "evolve", "model_copy", "copy", "model_construct", "construct"})
_BY_TEXT = frozenset(
    """getattr setattr hasattr delattr attrgetter field_validator validator field_serializer model_validator""".split()  # noqa: SIM905
)
_AS_MAPPING = frozenset({"asdict", "vars", "model_dump", "fields", "model_fields", "dict", "__dict__"})


@dataclass(frozen=True)
class ContractUses:
    """Uses of the field `name` of a contract that `method` has."""

    work: Worktree
    record: RecordDefinition
    name: str
    method: str

    def of_class(self) -> list[tuple[Source, ast.AST]]:
        """Keywords of a contract class's constructor and attributes of its objects that name the field.

        Refusal where that cannot be told, and where the field is named in a way that is not followed.
        """
        cls = self.record.node
        assert isinstance(cls, ast.ClassDef)
        found: list[tuple[Source, ast.AST]] = []
        judge = Receivers(self.work, "", "", (self.record.source, cls))
        for source in calls.sources(self.work):
            near = cls.name.encode() in source.data
            if self.name.encode() not in source.data or not (near or self.method.encode() in source.data):
                continue
            for node in ast.walk(source.tree):
                if isinstance(node, ast.Call):
                    found += [(source, k) for k in self._given(cls, source, node, near)]
                elif self.record.flavour != "typeddict" and self._is_read(cls, source, node, near, judge):
                    found.append((source, node))
        return found

    def _given(self, cls: ast.ClassDef, source: Source, call: ast.Call, near: bool) -> list[ast.keyword]:
        """The keywords of a constructor's call that give the field. Refusal for a `**` and for what copies objects."""
        made = self.work.lookup(source, call.func)
        named = [k for k in call.keywords if k.arg == self.name]
        if made and made[1] is cls:
            if any(k.arg is None for k in call.keywords):
                self._not_followed(cls, source, call)
            return named
        is_heir = made is not None and isinstance(made[1], ast.ClassDef) and cls.name in map(last_name, made[1].bases)
        if near and (
            (named and (is_heir or last_name(call.func) in _COPYING))
            or (made is None and last_name(call.func) == cls.name and "*" in _imported(source))
        ):
            self._not_followed(cls, source, call)
        return []

    def _is_read(self, cls: ast.ClassDef, source: Source, node: ast.AST, near: bool, judge: Receivers) -> bool:
        """Whether an attribute is the field of one of its objects. Refusal where nobody can tell, and for text."""
        match node:
            case ast.Attribute(value=value, attr=attr) if attr == self.name:
                kind = judge.of(source, value)
                if kind is Is.UNKNOWN and near:
                    self._not_followed(cls, source, node)
                return kind is Is.OURS
            case ast.Constant(value=value) if value == self.name and self._by_text(source, node):
                if not near and f".{self.method}(".encode() not in source.data:
                    return False
                self._not_followed(cls, source, node)
            case ast.MatchClass(kwd_attrs=names) if self.name in names:
                self._not_followed(cls, source, node)
        return False

    def _by_text(self, source: Source, node: ast.Constant) -> bool:
        """Whether text names a field: `getattr(o, "x")`, `asdict(o)["x"]`, `o.model_copy(update={"x": 1})`."""
        parent = parents(source).get(id(node))
        if isinstance(parent, ast.Call) and last_name(parent.func) in _BY_TEXT:
            return True
        for place in around(source, node):
            if isinstance(place, ast.Call) and last_name(place.func) in _COPYING:
                return True
            if isinstance(place, ast.stmt):
                break
        return isinstance(parent, ast.Subscript) and any(
            isinstance(n, ast.Call | ast.Attribute) and last_name(getattr(n, "func", n)) in _AS_MAPPING
            for n in ast.walk(parent.value)
        )

    def _not_followed(self, cls: ast.ClassDef, source: Source, node: ast.AST) -> NoReturn:
        what = f"it cannot be told whether this is {cls.name}.{self.name}, or it is not followed here."
        raise Refusal(what, source.places(node))

    def refuse_class(self, made: Collection[int]) -> None:
        """A field leaves a class: refuse attributes that read it, and constructors that give it; `made` are allowed."""
        record = self.record
        assert isinstance(record.node, ast.ClassDef)
        left = [(source, n) for source, n in self.of_class() if id(n) not in made]
        if left:
            lines = tuple(f"{source.path}:{getattr(n, 'lineno', record.node.lineno)}" for source, n in left)
            raise Refusal(f"{record.node.name}.{self.name} is still used; replace_body first.", lines)
        order = list(record.fields())
        self.refuse_constructors(lambda call: len(call.args) > order.index(self.name))

    def refuse_constructors(self, wrong: Callable[[ast.Call], bool]) -> None:
        """Refuse calls of a contract class that would give other fields than they mean, or too few."""
        record = self.record
        for source in calls.sources(self.work):
            for node in ast.walk(source.tree):
                if isinstance(node, ast.Call) and last_name(node.func) == getattr(record.node, "name", None):
                    made = self.work.lookup(source, node.func)
                    if made and made[1] is record.node and wrong(node):
                        raise Refusal(
                            f"{last_name(node.func)} is made here without what the change asks for.",
                            source.places(node),
                        )

    def refuse_running(self) -> None:
        """A named contract that code reads when it runs (`OUT[key]`) is not followed there."""
        record = self.record
        if not isinstance(record.node, ast.Dict):
            return
        up = parents(record.source)
        holder = up.get(id(record.node))
        if not isinstance(holder, ast.Assign | ast.AnnAssign) or holder not in record.source.tree.body:
            return
        targets = holder.targets if isinstance(holder, ast.Assign) else [holder.target]
        names = {t.id for t in targets if isinstance(t, ast.Name)}
        for source in calls.sources(self.work):
            if not any(n.encode() in source.data for n in names):
                continue
            for node in ast.walk(source.tree):
                if not isinstance(node, ast.Name | ast.Attribute) or not isinstance(node.ctx, ast.Load):
                    continue
                if last_name(node) not in names or _declares(source, node):
                    continue
                meant = self.work.lookup(source, node)
                if meant and meant[1] is record.node:
                    raise Refusal(
                        f"{last_name(node)} is read here when the code runs, and has {self.name!r}.",
                        source.places(node),
                    )


def _imported(source: Source) -> set[str]:
    return {a.name for n in source.tree.body if isinstance(n, ast.ImportFrom) for a in n.names}


def _declares(source: Source, node: ast.AST) -> bool:
    """Whether a name stands in a decorator or in a statement of the file or class: where contracts are declared."""
    below = node
    for place in around(source, node):
        if isinstance(place, FUNCTIONS):
            return below in place.decorator_list
        below = place
    return True
