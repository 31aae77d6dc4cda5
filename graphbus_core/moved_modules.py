"""Module paths of 0.2.0 that the docs named: they still import, with a warning, for one release.

A path below an old package that has a namesake below the new one follows it: `graphbus_core.api.client` is
`graphbus_core.http.client`. The old name is the same module, never a second copy of it.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers know it: this is loaded before every command, and imports next to nothing
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.abc import Loader
    from importlib.machinery import ModuleSpec
    from types import ModuleType
else:
    Loader = object  # importlib.abc costs a millisecond, and a loader needs only its two methods

_PACKAGE = "graphbus_core."
# Old path -> new path, both below `graphbus_core`. The longest old path that a name begins with decides.
MOVED = {
    "adopt": "inference",
    "agree": "sessions.interface",
    "api": "http",
    "build.commit": "commit",
    "build.link": "analysis.links",
    "build.orchestrator": "sessions.build.orchestrator",
    "build.scan": "analysis.scan",
    "consent": "sessions.consent",
    "document": "sessions.document.directory",
    "files": "storage",
    "late": "lazy_imports",
    "runtime.handling": "runtime.subscriptions",
    "runtime.handling.middleware": "runtime.middleware",
    "stores": "logs",
    "workspace": "services",
}


class MovedModuleFinder:
    """Finds an old path of MOVED. It stands first, because a search below the new package would load a second copy."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The spec that gives the module of the new path; None for any other name."""
        if not name.startswith(_PACKAGE) or (new := find_new_path(name)) is None:
            return None
        import warnings
        from importlib import import_module
        from importlib.machinery import ModuleSpec

        try:
            module = import_module(new)
        except ModuleNotFoundError as error:
            if error.name is not None and new.startswith(error.name):
                return None  # the import says that the old name is not there, in the words its caller knows
            raise
        warnings.warn(
            f"{name} is {new} now; the old path goes with the next release.", DeprecationWarning, stacklevel=2
        )
        return ModuleSpec(name, _AliasLoader(module), is_package=hasattr(module, "__path__"))


class _AliasLoader(Loader):
    """Gives a module that is loaded already, and leaves it as it is."""

    def __init__(self, module: ModuleType) -> None:
        self._module, self._spec = module, module.__spec__

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return self._module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec  # the import machinery put the old name there


def find_new_path(name: str) -> str | None:
    """The path that a module of 0.2.0 has now; None where it did not move, or was never named in the docs."""
    old = name.removeprefix(_PACKAGE)
    prefix = old
    while prefix and prefix not in MOVED:
        prefix = prefix.rpartition(".")[0]
    return f"{_PACKAGE}{MOVED[prefix]}{old[len(prefix) :]}" if prefix else None
