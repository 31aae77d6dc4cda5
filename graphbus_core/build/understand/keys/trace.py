"""What is found on the way of one field: where its key stands, what makes it, what is not followed."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

MAX_DEPTH = 12  # expressions in expressions


@dataclass
class Trace:
    """What was found on the way of one field."""

    keys: list[ast.AST] = field(default_factory=list)  # string constants that name it
    keywords: list[ast.keyword] = field(default_factory=list)  # `Out(name=…)`, `dict(name=…)`
    literals: list[ast.AST] = field(default_factory=list)  # dicts and calls that make the object holding it
    unknown: list[ast.AST] = field(default_factory=list)  # makes it in a way that cannot be followed
    escapes: list[ast.AST] = field(default_factory=list)  # hands the whole object on
    reads: list[ast.expr] = field(default_factory=list)  # `p["x"]`, `p.get("x")` as a whole

    @property
    def touched(self) -> bool:
        """Whether the key surely stands there."""
        return bool(self.keys or self.keywords)

    @property
    def doubtful(self) -> list[ast.AST]:
        """What makes following uncertain."""
        return [*self.unknown, *self.escapes]
