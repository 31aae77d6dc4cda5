"""What an object of the project has: `value.attr`, and the function that `value.attr(…)` calls."""

from __future__ import annotations

import ast
from dataclasses import replace

from graphbus_core.adopt.asked import AskedSignatures
from graphbus_core.adopt.frame import CodeScope
from graphbus_core.adopt.known.shapes import UNKNOWN, Certainty, Keyed, KnownShape, Made, Many, Shape, union
from graphbus_core.adopt.values import ExpressionShapes
from graphbus_core.build.understand.text.values import Function
from graphbus_core.syntax import inside


class Members:
    """Attributes and methods by class, each worked out once."""

    def __init__(self, signatures: AskedSignatures) -> None:
        self.signatures = signatures
        self._stored_known: dict[tuple[str, str, str], KnownShape | None] = {}

    def attribute(self, shape: Shape, attr: str) -> KnownShape | None:
        """`value.attr` of an object of the project; None where nobody can tell."""
        if not isinstance(shape, Made):
            return None
        for at in self.signatures.index.family(shape.path, shape.name):
            cls = self.signatures.index.cls(*at) if at is not None else None
            if at is None or cls is None:
                # A base outside of the project may have anything, also under this very name.
                return None
            if attr in cls.methods:
                function = self.signatures.index.facts[at[0]].functions[cls.methods[attr]]
                # Only a property is a value; a method without its call is one that somebody hands on.
                if {"property", "cached_property"} & {d.rpartition(".")[2] for d in function.decorators}:
                    made = self.signatures.of(at[0], cls.methods[attr])
                    return made.gives if made is not None and not made.strange else None
                return None
            if attr in cls.hints:
                hinted = self.signatures.hints.shape(at[0], cls.hints[attr])
                # A hint that means nothing to us does not let us believe what happens to be stored.
                return KnownShape(hinted, Certainty.DECLARED, "hint") if hinted != UNKNOWN else None
            if attr in cls.stored or attr in cls.attributes:
                return self._stored(at[0], at[1], attr)
        return None

    def _stored(self, path: str, cls: str, attr: str) -> KnownShape | None:
        """What `self.attr = …` puts there, in every method of the class."""
        known, key = self._stored_known, (path, cls, attr)
        if key not in known:
            known[key] = None  # an attribute that is asked about itself
            known[key] = self._put(path, cls, attr)
        return known[key]

    def _put(self, path: str, cls: str, attr: str) -> KnownShape | None:
        file = self.signatures.sources[path]
        if file is None:
            return None
        found: list[KnownShape] = []
        for name, owner in file.owner.items():
            if owner != cls:
                continue
            function = file.functions[name]
            values = ExpressionShapes(self.signatures, CodeScope(path, name, function))
            for at in inside(function.body):
                match at:
                    case ast.Assign(targets=targets, value=value):
                        if any(_is_self(t, attr) for t in targets):
                            found.append(values.of(value))
                    case ast.AnnAssign(target=target, annotation=annotation) if _is_self(target, attr):
                        hinted = self.signatures.hints.shape(path, annotation)
                        return KnownShape(hinted, Certainty.DECLARED, "hint") if hinted != UNKNOWN else None
        made = union(found)
        if isinstance(made.shape, Keyed | Many) and made.level < Certainty.DECLARED:
            # Any method, here or elsewhere, may put further things into it, so what is stored first does not bound
            # it.
            return None  # any method may fill it
        # Likely at most: an attribute may be set again from outside.
        return replace(made, level=min(made.level, Certainty.LIKELY)) if made.shape != UNKNOWN else None

    def method(self, shape: Made, attr: str) -> tuple[str, str] | None:
        """The function that `value.attr(…)` calls; None where a subclass or a base outside may have another."""
        for at in self.signatures.index.family(shape.path, shape.name):
            cls = self.signatures.index.cls(*at) if at is not None else None
            if at is None or cls is None:
                return None
            if attr in cls.methods:
                function = self.signatures.index.facts[at[0]].functions.get(cls.methods[attr])
                if attr in cls.attributes or function is None or not _takes_self(function):
                    return None  # bound anew in the body (`convert = staticmethod(convert)`), or zope's interface
                # A class below may have it anew with another contract, and which one is called nobody can tell.
                return None if self.signatures.overridden(at, attr) else (at[0], cls.methods[attr])
            if attr in cls.stored or attr in cls.attributes:
                return None
        return None


def _takes_self(function: Function) -> bool:
    """Whether the first parameter is the object, or there is none by intention."""
    first = function.parameters[0].name if function.parameters else ""
    return first in ("self", "cls") or "staticmethod" in function.decorators


def _is_self(at: ast.expr, attr: str) -> bool:
    return (
        isinstance(at, ast.Attribute) and at.attr == attr and isinstance(at.value, ast.Name) and at.value.id == "self"
    )
