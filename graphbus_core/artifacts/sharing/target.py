"""What is asked about: a class of a module, or functions of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """`class_name`, or `functions`: the one or the other."""

    module: str
    class_name: str = ""
    functions: tuple[str, ...] = ()
    handlers: frozenset[str] = frozenset()  # methods that hear a topic, whatever their names
