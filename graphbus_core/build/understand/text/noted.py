"""What a file's code does, noted as written: its calls, and where it stores something in what it has. Each once.

A flow is followed in the order of one function's statements. What another name, method, closure or lambda does to the
same object is not in that order. So each such place is kept, and evidence asks whether one of them meant its value.
"""

from __future__ import annotations

import ast

from graphbus_core.build.understand.text.values import (
    Attr,
    Call,
    Element,
    Facts,
    Global,
    Record,
    Store,
    Unknown,
    Values,
    united,
)
from graphbus_core.syntax import literal_text

SETTING = frozenset({"setitem", "setattr"})  # operator.setitem, setattr, monkeypatch.setitem: of what, key, value
SETTING_OWN = frozenset({"__setitem__", "__setattr__"})


ANY = "*"  # the name of an attribute that is computed: `setattr(x, name, value)`


class Noted:
    """The calls and stores of one file."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._calls: dict[tuple[int, int, int, int], int] = {}
        self._stores: set[tuple[int, int, int, str | None]] = set()

    def call(self, call: Call) -> int:
        """Keep a call; a second reading of the same place adds what it may be. Its number in the file's list."""
        key = (call.line, call.column, call.end_line, call.end_column)
        number = self._calls.get(key)
        if number is None:
            number = self._calls[key] = len(self._facts.calls)
            self._facts.calls.append(call)
            return number
        was = self._facts.calls[number]
        self._facts.calls[number] = Call(
            was.inside,
            united(was.function, call.function),
            tuple(united(a, b) for a, b in zip(was.args, call.args, strict=False)),
            {k: united(was.keywords.get(k, ()), call.keywords.get(k, ())) for k in {**was.keywords, **call.keywords}},
            tuple(united(a, b) for a, b in zip(was.spreads, call.spreads, strict=False)),
            was.starred,
            *key,
            was.guarded or call.guarded,
            was.caught or call.caught,
        )
        return number

    def store(self, at: ast.expr, of: Values, key: str | None, inside: str, value: Values = ()) -> None:
        """Keep one place where `of` is stored in. A loop's body is read twice; by then `of` may be more than it was."""
        where = (at.lineno, at.col_offset, len(of), key)
        if of and where not in self._stores:
            self._stores.add(where)
            self._facts.stores.append(Store(of, key, inside, at.lineno, value))

    def put(self, at: ast.expr, of: Values, value: Values, inside: str) -> None:
        """`of.append(value)`: one more element, under no key."""
        if of and value:
            self._facts.puts.append(Store(of, None, inside, at.lineno, value))

    def bound(self, target: ast.Attribute | ast.Subscript, of: Values, inside: str, value: Values) -> None:
        """`of.name = …`, `of["key"] = …`, `of[computed] = …`."""
        if isinstance(target, ast.Attribute):
            self.store(target, of, target.attr, inside, value)
        else:
            self.store(target, of, literal_text(target.slice), inside, value)
            self.put(target, of, value, inside)

    def set_by(self, at: ast.Call, call: Call, inside: str) -> None:
        """`operator.setitem(of, "key", …)`, `of.__setitem__("key", …)`."""
        positions = call.args
        match call.function:
            case (Attr(name=word) | Global(name=word),) if word.rpartition(".")[2] in SETTING and len(positions) > 1:
                key = literal_text(at.args[1])
                any_name = ANY if key is None and word == "setattr" else key
                self.store(at, positions[0], any_name, inside, positions[2] if len(positions) > 2 else ())
            case (Attr(name="patch") | Global(name="patch"),) if len(positions) > 1:  # `patch("shop.TOOL", mine)`
                name = (literal_text(at.args[0]) or "").rpartition(".")[2]
                self.store(at, (Unknown(at.lineno, "what is patched"),), name, inside, positions[1])
            case (Attr(of=(Attr(name="patch") | Global(name="patch"),), name="object"),) if len(positions) > 2:
                self.store(at, positions[0], literal_text(at.args[1]), inside, positions[2])
            case (Attr(of=(Attr(name="patch") | Global(name="patch"),), name="dict"),) if positions:
                self.put(
                    at,
                    positions[0],
                    united(*call.keywords.values(), tuple(Element(at.lineno, one) for one in positions[1:])),
                    inside,
                )
            case (Attr(of=of, name=word),) if word in SETTING_OWN and at.args:
                self.store(at, of, literal_text(at.args[0]), inside, positions[1] if len(positions) > 1 else ())

    def updated(self, at: ast.Call, of: Values, more: Record, inside: str) -> None:
        """`of.update(key=…)`, `of.update({…})`."""
        keys: set[str | None] = {*more.fields}
        for spread in more.spreads:
            for value in spread:
                keys |= {*value.fields} if isinstance(value, Record) and not value.open else {None}
        for key in keys:
            self.store(at, of, key, inside)
