"""Names of a package that are imported when they are first used: a short command must not pay for what it leaves."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # as type checkers know it: what stands before every command imports next to nothing
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


def make_lazy_getattr(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package (PEP 562). `homes`: module -> its names, with a space between.

    `own:name` is one that the package calls otherwise, `:name` the module itself.
    """
    home_by_name = {
        word.rpartition(":")[2]: (module, word) for module, words in homes.items() for word in words.split()
    }

    def import_name(name: str) -> Any:
        if name not in home_by_name:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, word = home_by_name[name]
        home = import_module(module)
        return home if word.startswith(":") else getattr(home, word.partition(":")[0])

    return import_name
