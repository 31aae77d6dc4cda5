"""What the parts of this reading ask of each other: a function's signature, an object's members, an expression's value.

Each of them needs the others (a call gives what its function gives, whose body holds calls), so all look down on these
forms, and `signatures.py` alone puts them together.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

from graphbus_core.adopt.frame import CodeScope
from graphbus_core.adopt.known.code import FunctionNode, Sources
from graphbus_core.adopt.known.hints import Hints
from graphbus_core.adopt.known.shapes import KnownShape, Made, Shape
from graphbus_core.build.understand.index import Code, Index


@dataclass(frozen=True)
class TakenParameter:
    """One parameter."""

    name: str
    told: KnownShape
    required: bool
    kind: str = "positional_or_keyword"


@dataclass(frozen=True)
class InferredSignature:
    """What a function takes (without `self`) and gives. `wild`: it also takes `*args` or `**kwargs`."""

    takes: tuple[TakenParameter, ...]
    gives: KnownShape
    wild: bool = False
    strange: str = ""  # a decorator that may change all of it

    def parameter(self, name: str) -> TakenParameter | None:
        """The parameter of that name."""
        return next((one for one in self.takes if one.name == name), None)


class AskedValues(Protocol):
    """What an expression of one function can be."""

    frame: CodeScope

    def of(self, at: ast.expr) -> KnownShape:
        """What the expression can be."""


class AskedMembers(Protocol):
    """What an object of the project has."""

    def attribute(self, shape: Shape, attr: str) -> KnownShape | None:
        """`value.attr`; None where nobody can tell."""

    def method(self, shape: Made, attr: str) -> tuple[str, str] | None:
        """The function that `value.attr(…)` calls; None where another one may be."""


class AskedSignatures(Protocol):
    """What the functions and classes of the project are."""

    index: Index
    sources: Sources
    hints: Hints
    depth: int

    @property
    def members(self) -> AskedMembers:
        """What objects have."""

    @property
    def set_from_outside(self) -> Collection[str]:
        """Attributes that somebody sets on an object that is not `self`."""

    @property
    def filled_elsewhere(self) -> Collection[str]:
        """Names whose value somebody changes in place, or hands to somebody who may."""

    @property
    def dynamic(self) -> Collection[tuple[str, str]]:
        """Classes whose own code sets attributes by computed names."""

    def is_test(self, path: str) -> bool:
        """Whether a file belongs to the tests."""

    def of(self, path: str, name: str) -> InferredSignature | None:
        """The signature of a function; None where there is none, or it asks for itself."""

    def of_code(self, code: Code) -> InferredSignature | None:
        """The signature behind a name that the index resolved."""

    def takes(self, path: str, function: FunctionNode) -> tuple[TakenParameter, ...]:
        """Every parameter, `self` with them."""

    def overridden(self, at: tuple[str, str], method: str) -> bool:
        """Whether a class below this one has the method anew."""

    def below(self, at: tuple[str, str]) -> list[tuple[str, str]]:
        """The classes that come from one."""
