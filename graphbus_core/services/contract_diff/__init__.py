"""Contracts held against each other, from wherever they are. The judging is `contracts`; here is what around it.

asked        which two versions a command means -> the differences between them
sources      a file, a folder, git, a build, a module, a method -> the contracts in it
differences  two sources -> findings with place and payload, and what counts of them
projects     the methods of a project against an older state of it
published    against every version that was published or tagged; publish; can-i-use
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphbus_core.lazy_imports import make_lazy_getattr

if TYPE_CHECKING:
    from graphbus_core.contracts import Contract, annotation, check
    from graphbus_core.contracts.loaders.json_yaml import parse_document

__all__ = ["Contract", "annotation", "check", "parse_document"]

_HOMES = {
    "graphbus_core.contracts": "annotation check Contract",
    "graphbus_core.contracts.loaders.json_yaml": "parse_document",
}

if not TYPE_CHECKING:  # a type checker reads the imports above, and still finds a name that is not there
    __getattr__ = make_lazy_getattr(__name__, _HOMES)
