"""Imports the modules of a build from its frozen sources: as modules, beside and apart from everything else.

Every build that is loaded gets a name of its own in front of its modules (`graphbus_frozen_1.agents.hello`), so that
two runtimes in one process do not mix, and neither takes a module of the working directory for one of its own. The
frozen code does not notice: an absolute import of a project's module (`from agents.models import Order`) is turned to
the frozen one by the `__import__` that these modules see; what is not the project's is imported as usual.

Sources are read and verified before the first of them runs.
"""

from __future__ import annotations

import builtins
import itertools
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec, spec_from_loader
from types import CodeType, ModuleType
from typing import Any
from weakref import WeakValueDictionary

from graphbus_core.artifacts import ArtifactFolder, FrozenModule
from graphbus_core.runtime.code_cache import CodeCache

_numbers = itertools.count(1)
_live: WeakValueDictionary[str, FrozenModules] = WeakValueDictionary()
_PREFIX = "graphbus_frozen_"


class FrozenModules:
    """The modules of one build, importable under the names they had when they were built."""

    def __init__(self, folder: ArtifactFolder) -> None:
        self._modules: Mapping[str, FrozenModule] = folder.modules
        self._root = os.path.abspath(folder.path)
        self._digests = folder.manifest.files
        self._cache = CodeCache(folder.path)
        self._sources = {m.file: folder.read(m.file) for m in self._modules.values() if m.file}
        self._tops = {name.partition(".")[0] for name in self._modules}
        self.prefix = f"{_PREFIX}{next(_numbers)}"
        self._builtins = {**vars(builtins), "__import__": self._import}
        _live[self.prefix] = self
        _install_finder()

    def load(self, name: str) -> ModuleType:
        """The module that was built as `name`. Raises what importing it raises."""
        fullname = f"{self.prefix}.{name}"
        if fullname in sys.modules:
            return sys.modules[fullname]
        package, _, own = fullname.rpartition(".")
        parent = import_module(package)
        spec = self.spec(fullname)
        if spec is None or not isinstance(spec.loader, _Source):
            return import_module(fullname)
        # What `import_module` would do, without the locks and searches that are half of its time: nobody else knows
        # this name yet.
        module = sys.modules[fullname] = module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except BaseException:
            sys.modules.pop(fullname, None)
            raise
        setattr(parent, own, module)
        return module

    def keep_code(self) -> None:
        """Keep what was compiled so far for the next run."""
        self._cache.save()

    def _compile(self, file: str, source: bytes) -> CodeType:
        return self._cache.compile(source, self._digests[file], file)

    def unload(self) -> None:
        """Take the modules out of `sys.modules`; what holds on to their classes goes on working."""
        for name in [n for n in sys.modules if n == self.prefix or n.startswith(f"{self.prefix}.")]:
            del sys.modules[name]
        _live.pop(self.prefix, None)

    def spec(self, fullname: str) -> ModuleSpec | None:
        """How to load `fullname`, or None where it is no module of this build."""
        if fullname == self.prefix:
            return _package(spec_from_loader(fullname, _Namespace(), is_package=True))
        name = fullname[len(self.prefix) + 1 :]
        module = self._modules.get(name)
        if module is None:
            return None
        if module.file is None:
            return _package(spec_from_loader(fullname, _Namespace(), is_package=True))
        origin = f"{self._root}/{module.file}"
        loader = _Source(module.file, self._sources[module.file], self._compile, self._builtins)
        spec = spec_from_loader(fullname, loader, origin=origin, is_package=module.is_package)
        if spec is not None:
            spec.has_location = True
        return _package(spec) if module.is_package else spec

    def _import(
        self,
        name: str,
        globals: Mapping[str, Any] | None = None,
        locals: Mapping[str, Any] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """What `import` means in frozen code."""
        top = name.partition(".")[0]
        if level or top not in self._tops:
            return builtins.__import__(name, globals, locals, fromlist or (), level)
        try:
            module = builtins.__import__(f"{self.prefix}.{name}", globals, locals, fromlist or (), 0)
        except ModuleNotFoundError as e:
            if e.name and e.name.startswith(f"{self.prefix}."):
                plain = e.name[len(self.prefix) + 1 :]
                raise ModuleNotFoundError(
                    f"No module named '{plain}' in this build: when the project was built it was not there, or nobody "
                    f"imported it. Build again with `graphbus build`.",
                    name=plain,
                ) from None
            raise
        return module if fromlist else sys.modules[f"{self.prefix}.{top}"]


def _package(spec: ModuleSpec | None) -> ModuleSpec | None:
    if spec is not None:
        spec.submodule_search_locations = []  # nothing on disk may answer for it
    return spec


class _Namespace(Loader):
    """A package without a file."""

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        pass


class _Source(Loader):
    """One frozen source."""

    def __init__(
        self, file: str, source: bytes, to_code: Callable[[str, bytes], CodeType], its_builtins: dict[str, Any]
    ) -> None:
        self._file, self._source, self._to_code, self._builtins = file, source, to_code, its_builtins

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        vars(module)["__builtins__"] = self._builtins
        exec(self._to_code(self._file, self._source), vars(module))  # what was built, verified by its digest

    def get_source(self, fullname: str) -> str:
        """For tracebacks and `inspect`."""
        from importlib.util import decode_source

        return decode_source(self._source)


class _Finder(MetaPathFinder):
    """Answers for the names of frozen modules alone."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith(_PREFIX):
            return None
        modules = _live.get(fullname.partition(".")[0])
        return modules.spec(fullname) if modules is not None else None


_finder = _Finder()


def _install_finder() -> None:
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
