"""What the parts of this reading ask of each other: a function's signature, an object's members, an expression's value.

Each of them needs the others (a call gives what its function gives, whose body holds calls), so all look down on these
forms, and `signatures.py` alone puts them together.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

from graphbus_core.analysis.index import FunctionRef, Index
from graphbus_core.inference.shapes import InstanceShape, KnownShape, Shape
from graphbus_core.inference.source import CodeScope, FunctionNode, HintReader, Sources


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

    def find_parameter(self, name: str) -> TakenParameter | None:
        """The parameter of that name."""
        return next((taken_parameter for taken_parameter in self.takes if taken_parameter.name == name), None)


class ShapeLookup(Protocol):
    """What an expression of one function can be."""

    frame: CodeScope

    def infer_shape(self, expression: ast.expr) -> KnownShape:
        """What the expression can be."""


class MemberLookup(Protocol):
    """What an object of the project has."""

    def find_attribute(self, shape: Shape, attr: str) -> KnownShape | None:
        """`value.attr`; None where nobody can tell."""

    def find_method(self, shape: InstanceShape, attr: str) -> tuple[str, str] | None:
        """The function that `value.attr(…)` calls; None where another one may be."""


class SignatureLookup(Protocol):
    """What the functions and classes of the project are."""

    index: Index
    sources: Sources
    hints: HintReader
    depth: int

    @property
    def members(self) -> MemberLookup:
        """What objects have."""

    @property
    def set_from_outside(self) -> Collection[str]:
        """Attributes that somebody sets on an object that is not `self`."""

    @property
    def filled_elsewhere(self) -> Collection[str]:
        """Names whose value somebody changes in place, or hands to somebody who may."""

    @property
    def dynamic_classes(self) -> Collection[tuple[str, str]]:
        """Classes whose own code sets attributes by computed names."""

    def is_test(self, path: str) -> bool:
        """Whether a file belongs to the tests."""

    def find(self, path: str, name: str) -> InferredSignature | None:
        """The signature of a function; None where there is none, or it asks for itself."""

    def find_for_code(self, code: FunctionRef) -> InferredSignature | None:
        """The signature behind a name that the index resolved."""

    def list_parameters(self, path: str, function: FunctionNode) -> tuple[TakenParameter, ...]:
        """Every parameter, `self` with them."""

    def is_overridden(self, class_key: tuple[str, str], method: str) -> bool:
        """Whether a class below this one has the method anew."""

    def list_subclasses(self, class_key: tuple[str, str]) -> list[tuple[str, str]]:
        """The classes that come from one."""
