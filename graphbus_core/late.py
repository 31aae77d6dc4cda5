"""Names of a package that are imported when they are first used: a short command must not pay for what it leaves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def late_names(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package (PEP 562). `homes`: name -> `module`, or `module:name` where that differs.

    `module:` is the module itself.
    """

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, colon, own = homes[name].partition(":")
        found = import_module(module)
        return found if colon and not own else getattr(found, own or name)

    return get
