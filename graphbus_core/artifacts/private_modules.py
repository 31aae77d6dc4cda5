"""Imports modules from sources that are held in memory: as modules, beside and apart from everything else.

Every set of modules gets a name of its own in front (`graphbus_frozen_1.agents.hello`), so that two builds or two
runtimes in one process do not mix, none is answered by what an earlier one left in `sys.modules`, and none takes a
module of the working directory for one of its own. The code does not notice: an absolute import of a module of the set
(`from agents.models import Order`) is turned to its own by the `__import__` that these modules see, and one by name
(`importlib.import_module`) by the `importlib` that they see (`by_name`); what is not of the set is imported as usual.
It knows nothing of where the sources come from.
"""

from __future__ import annotations

import builtins
import importlib
import importlib.util
import itertools
import os
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec, spec_from_loader
from types import CodeType, ModuleType
from typing import Any
from weakref import WeakValueDictionary

from graphbus_core.artifacts.folder import FrozenModule

# What `importlib` is to private modules: a module that is named in a variable is theirs too, or a clear error.
#
# `importlib.import_module` and `importlib.resources` look in `sys.modules` and on `sys.path`, where the working
# directory may hold files of the same names. It knows one set of modules by its functions, and nothing of where they
# come from.


class ModuleOverlay(ModuleType):
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


class DynamicImports:
    """Imports by name for the code of one set. `load` gives a module of the set, `tops` are its packages."""

    def __init__(self, load: Callable[[str], ModuleType], tops: Collection[str], prefix: str, missing: str) -> None:
        self._load, self._tops, self._prefix, self._missing = load, tops, prefix, missing
        self._faces: dict[str, ModuleType] = {}

    def get_overlay(self, name: str) -> ModuleType:
        """`importlib` or one of its modules, as the set sees it; it is imported already."""
        if name not in self._faces:
            # Of `sys.modules` and not imported here: a face of what nobody asked for would load it.
            real = sys.modules[name]
            if name == "importlib":
                real = ModuleOverlay(real, import_module=self.import_module)
            elif name == "importlib.resources":
                real = ModuleOverlay(
                    real,
                    **{n: self._guard_resources(getattr(real, n)) for n in _RESOURCE_FUNCTIONS if hasattr(real, n)},
                )
            self._faces[name] = real
        # Later, because `importlib.resources` may be imported after the face of `importlib` was made.
        if name == "importlib" and "importlib.resources" in sys.modules:
            vars(self._faces[name])["resources"] = self.get_overlay("importlib.resources")
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
        # directory would answer with the project as it is today. What was built must not depend on where it is started.
        if self.is_in_working_directory(top):
            raise ModuleNotFoundError(f"No module named '{name}' {self._missing}", name=name)
        return importlib.import_module(name)

    @staticmethod
    def is_in_working_directory(top: str) -> bool:
        """Whether a name would be answered by the working directory: by the project as it is now, not as built."""
        try:
            spec = importlib.util.find_spec(top)
        except (ImportError, ValueError):
            # Half a package on the path raises here. Then it does not answer for the name either.
            return False
        if spec is None:
            return False
        places = [spec.origin] if spec.origin and spec.has_location else list(spec.submodule_search_locations or ())
        working_directory = os.path.join(os.getcwd(), "")
        return any(
            # An environment inside the project (`.venv`) is not the project.
            os.path.abspath(p).startswith(working_directory)
            and not {"site-packages", "dist-packages"} & set(p.split(os.sep))
            for p in places
        )

    def _guard_resources(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function of `importlib.resources`, whose first argument is a package or its name."""

        def read_resource(*args: Any, **kwargs: Any) -> Any:
            anchor = args[0] if args else next(iter(kwargs.values()), None)
            name = anchor.__name__ if isinstance(anchor, ModuleType) else anchor
            # Both spellings reach the same refusal: by module object, whose name has the prefix, and by plain text.
            plain = str(name or "").removeprefix(f"{self._prefix}.")
            if name is None or plain != name or plain.partition(".")[0] in self._tops:
                whose = f"of {plain}" if plain else "beside a module"
                raise FileNotFoundError(
                    f"The data files {whose} are not part of a build, which holds Python modules alone: give the node "
                    f"their path from outside, for example in an environment variable, or keep them in a module."
                )
            return function(*args, **kwargs)

        return read_resource


_RESOURCE_FUNCTIONS = (
    "files",
    "contents",
    "is_resource",
    "open_binary",
    "open_text",
    "path",
    "read_binary",
    "read_text",
)


# A counter of the process and not an id of the object: an id is used again once the object is gone.
_numbers = itertools.count(1)
# Weak: a runtime that is dropped must not stay alive because a finder knows it.
_live: WeakValueDictionary[str, PrivateModules] = WeakValueDictionary()
_PREFIX = "graphbus_frozen_"


class PrivateModules:
    """Modules importable under the names they have in their project, and under no other, by no one else.

    `sources` holds the bytes of every file that a module names, `root` is where those files are said to be (for
    tracebacks and `__file__`). `names` are put over the builtins that the modules see. `missing` is added after the
    name of a module that is of the set's packages and not in it.
    """

    missing = "in this set of modules."

    def __init__(
        self,
        modules: Mapping[str, FrozenModule],
        sources: Mapping[str, bytes],
        root: str,
        names: Mapping[str, Any] | None = None,
    ) -> None:
        self._modules = modules
        self._sources = sources
        self._root = root
        self._tops = {name.partition(".")[0] for name in modules}
        self.prefix = f"{_PREFIX}{next(_numbers)}"
        self._by_name = DynamicImports(self._import_own, self._tops, self.prefix, self.missing)
        # A builtins of their own for each set: `__import__` in the shared one would change the import of the whole
        # process.
        self._builtins = {**vars(builtins), **(names or {}), "__import__": self._import}
        _live[self.prefix] = self
        _install_finder()

    def load(self, name: str) -> ModuleType:
        """The module that its project calls `name`. Raises what importing it raises."""
        fullname = f"{self.prefix}.{name}"
        if fullname in sys.modules:
            return sys.modules[fullname]
        package, _, own = fullname.rpartition(".")
        # The parent first, because its `__init__` may put this very module, or a stand-in, where it is looked for.
        parent = import_module(package)
        spec = self.find_spec(fullname)
        # A namespace has no source to run; the ordinary road does all that it needs.
        if spec is None or not isinstance(spec.loader, _SourceLoader):
            return import_module(fullname)
        # What `import_module` would do, without the locks and searches that are half of its time: nobody else knows
        # this name yet.
        module = sys.modules[fullname] = module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        # Also on Ctrl-C: a module half loaded would be found by the next import and taken for whole.
        except BaseException:
            sys.modules.pop(fullname, None)
            raise
        setattr(parent, own, module)
        return module

    def compile(self, file: str, source: bytes) -> CodeType:
        """The code of one file."""
        # `dont_inherit`: else the future statements of this file would hold in the project's code.
        return compile(source, f"{self._root}/{file}", "exec", dont_inherit=True)

    def unload(self) -> None:
        """Take the modules out of `sys.modules`; what holds on to their classes goes on working."""
        # Over a copy: code that runs while modules go may import another.
        for name in [n for n in list(sys.modules) if n == self.prefix or n.startswith(f"{self.prefix}.")]:
            del sys.modules[name]
        _live.pop(self.prefix, None)

    def find_spec(self, fullname: str) -> ModuleSpec | None:
        """How to load `fullname`, or None where it is not a module of the set."""
        if fullname == self.prefix:
            return _mark_as_package(spec_from_loader(fullname, _NamespaceLoader(), is_package=True))
        name = fullname[len(self.prefix) + 1 :]
        module = self._modules.get(name)
        if module is None:
            return None
        if module.file is None:
            return _mark_as_package(spec_from_loader(fullname, _NamespaceLoader(), is_package=True))
        origin = f"{self._root}/{module.file}"
        loader = _SourceLoader(module.file, self._sources[module.file], self.compile, self._builtins)
        spec = spec_from_loader(fullname, loader, origin=origin, is_package=module.is_package)
        if spec is not None:
            spec.has_location = True
        return _mark_as_package(spec) if module.is_package else spec

    def _import(
        self,
        name: str,
        globals: Mapping[str, Any] | None = None,
        locals: Mapping[str, Any] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """What `import` means in these modules."""
        top = name.partition(".")[0]
        if level or top not in self._tops:
            # `fromlist or ()`: `__import__` is called with None by old C extensions.
            module = builtins.__import__(name, globals, locals, fromlist or (), level)
            if top == "importlib" and not level:  # `import a.b` gives a, `from a.b import …` gives b
                return self._by_name.get_overlay(name if fromlist else top)
            return module
        with self._restore_project_names():
            module = builtins.__import__(f"{self.prefix}.{name}", globals, locals, fromlist or (), 0)
        return module if fromlist else sys.modules[f"{self.prefix}.{top}"]

    def _import_own(self, name: str) -> ModuleType:
        with self._restore_project_names():
            return import_module(f"{self.prefix}.{name}")

    @contextmanager
    def _restore_project_names(self) -> Iterator[None]:
        """A module that is missing is called by the name that its project knows."""
        try:
            yield
        except ModuleNotFoundError as e:
            if e.name and e.name.startswith(f"{self.prefix}."):
                # The prefix is ours and nobody can search the web for it. `from None`, because the cause would show
                # it again.
                plain = e.name[len(self.prefix) + 1 :]
                raise ModuleNotFoundError(f"No module named '{plain}' {self.missing}", name=plain) from None
            raise


def _mark_as_package(spec: ModuleSpec | None) -> ModuleSpec | None:
    if spec is not None:
        spec.submodule_search_locations = []  # nothing on disk may answer for it
    return spec


class _NamespaceLoader(Loader):
    """A package without a file."""

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        pass


class _SourceLoader(Loader):
    """One source."""

    def __init__(
        self, file: str, source: bytes, to_code: Callable[[str, bytes], CodeType], its_builtins: dict[str, Any]
    ) -> None:
        self._file, self._source, self._to_code, self._builtins = file, source, to_code, its_builtins

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        # Before the code runs: its very first line may be an import.
        vars(module)["__builtins__"] = self._builtins
        exec(self._to_code(self._file, self._source), vars(module))  # what was read, not what the disk holds by now

    def get_source(self, fullname: str) -> str:
        """For tracebacks and `inspect`."""
        from importlib.util import decode_source

        return decode_source(self._source)


class _Finder(MetaPathFinder):
    """Answers for the names of private modules alone."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith(_PREFIX):
            return None
        modules = _live.get(fullname.partition(".")[0])
        return modules.find_spec(fullname) if modules is not None else None


_finder = _Finder()


def _install_finder() -> None:
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
