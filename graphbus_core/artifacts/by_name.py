"""What `importlib` is to private modules: a module that is named in a variable is theirs too, or a clear error.

`importlib.import_module` and `importlib.resources` look in `sys.modules` and on `sys.path`, where the working directory
may hold files of the same names. It knows one set of modules by its functions, and nothing of where they come from.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Callable, Collection
from types import ModuleType
from typing import Any


class Face(ModuleType):
    """A module with some of its names replaced; all others are the module's own."""

    def __init__(self, module: ModuleType, **names: Any) -> None:
        # The name of the module itself: code that prints or pickles it must not see that it is a face.
        super().__init__(module.__name__, module.__doc__)
        vars(self).update({"__spec__": module.__spec__, "__package__": module.__package__})
        # `__path__` as well, or `import importlib.resources` below the face would look for a package and find none.
        vars(self).update({"_of": module, "__path__": getattr(module, "__path__", None), **names})

    def __getattr__(self, name: str) -> Any:
        return getattr(self._of, name)

    def __dir__(self) -> list[str]:
        return dir(self._of)


class ByName:
    """Imports by name for the code of one set. `load` gives a module of the set, `tops` are its packages."""

    def __init__(self, load: Callable[[str], ModuleType], tops: Collection[str], prefix: str, missing: str) -> None:
        self._load, self._tops, self._prefix, self._missing = load, tops, prefix, missing
        self._faces: dict[str, ModuleType] = {}

    def face(self, name: str) -> ModuleType:
        """`importlib` or one of its modules, as the set sees it; it is imported already."""
        if name not in self._faces:
            # Of `sys.modules` and not imported here: a face of what nobody asked for would load it.
            real = sys.modules[name]
            if name == "importlib":
                real = Face(real, import_module=self.import_module)
            elif name == "importlib.resources":
                real = Face(real, **{n: self._anchored(getattr(real, n)) for n in _ANCHORED if hasattr(real, n)})
            self._faces[name] = real
        # Later, because `importlib.resources` may be imported after the face of `importlib` was made.
        if name == "importlib" and "importlib.resources" in sys.modules:
            vars(self._faces[name])["resources"] = self.face("importlib.resources")
        return self._faces[name]

    def import_module(self, name: str, package: str | None = None) -> ModuleType:
        """`importlib.import_module` for the set. What is not of it, and stands in the working directory, is refused."""
        if name.startswith("."):
            if not package:
                return importlib.import_module(name, package)  # which says what is missing
            name = importlib.util.resolve_name(name, package)
        # The frozen name reaches us when code passes on its own `__package__`. It means the module without the
        # prefix.
        if name.startswith(f"{self._prefix}."):
            name = name[len(self._prefix) + 1 :]
        top = name.partition(".")[0]
        if top in self._tops:
            return self._load(name)
        # Checked after the set: only what the build does not have may be looked for outside, and there the working
        # directory
        # would answer with the project as it is today. What was built must not depend on where it is started.
        if self._stands_here(top):
            raise ModuleNotFoundError(f"No module named '{name}' {self._missing}", name=name)
        return importlib.import_module(name)

    @staticmethod
    def _stands_here(top: str) -> bool:
        """Whether a name would be answered by the working directory: by the project as it is now, not as built."""
        try:
            spec = importlib.util.find_spec(top)
        except (ImportError, ValueError):
            # Half a package on the path raises here. Then it does not answer for the name either.
            return False
        if spec is None:
            return False
        places = [spec.origin] if spec.origin and spec.has_location else list(spec.submodule_search_locations or ())
        here = os.path.join(os.getcwd(), "")
        return any(
            # An environment inside the project (`.venv`) is not the project.
            os.path.abspath(p).startswith(here) and not {"site-packages", "dist-packages"} & set(p.split(os.sep))
            for p in places
        )

    def _anchored(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function of `importlib.resources`, whose first argument is a package or its name."""

        def anchored(*args: Any, **kwargs: Any) -> Any:
            anchor = args[0] if args else next(iter(kwargs.values()), None)
            name = anchor.__name__ if isinstance(anchor, ModuleType) else anchor
            # Both spellings reach the same refusal: by module object, whose name has the prefix, and by plain text.
            plain = str(name or "").removeprefix(f"{self._prefix}.")
            if name is None or plain != name or plain.partition(".")[0] in self._tops:
                of = f"of {plain}" if plain else "beside a module"
                raise FileNotFoundError(
                    f"The data files {of} are not part of a build, which holds Python modules alone: give the node "
                    f"their path from outside, for example in an environment variable, or keep them in a module."
                )
            return function(*args, **kwargs)

        return anchored


_ANCHORED = (
    "files",
    "contents",
    "is_resource",
    "open_binary",
    "open_text",
    "path",
    "read_binary",
    "read_text",
)
