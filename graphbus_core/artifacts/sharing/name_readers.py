"""Which files of a project may read what a node only writes: any of them may import it, whatever it is called."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from graphbus_core.artifacts.sharing.module_uses import BY_NAME, ModuleUses
from graphbus_core.artifacts.sharing.values import ModuleScope

# (a name, the modules that may hold what has it) -> whether some other module of the project may read it.
IsRead = Callable[[str, Collection[str]], bool]
_DYNAMIC = re.compile(rf"\b(?:{'|'.join(BY_NAME)})\b")


def read_by_nobody(name: str, modules: Collection[str]) -> bool:
    """Where there is no other module."""
    return False


@dataclass(frozen=True)
class SourceFile:
    """A Python file of the project: its module's dotted name, its path, and its text."""

    module: str
    path: str
    text: str


class NameReaders:
    """Asks the files of a project, which are read when somebody asks for the first time."""

    def __init__(self, read_files: Callable[[], Iterable[SourceFile]]) -> None:
        self._read_files = read_files
        self._files: list[SourceFile] | None = None
        self._uses: dict[str, ModuleUses | None] = {}

    def is_read(self, name: str, modules: Collection[str]) -> bool:
        """Whether a module other than these, in which nobody does, may read it."""
        return self.find(name, modules) is not None

    def find(self, name: str, modules: Collection[str]) -> SourceFile | None:
        """The file that may read it; of whatever object, for a name is all that is compared."""
        if self._files is None:
            self._files = list(self._read_files())
        holders = re.compile(rf"\b(?:{'|'.join(re.escape(m.rpartition('.')[2]) for m in modules)})\b")
        whole_name = re.compile(rf"\b{re.escape(name)}\b")
        for file in self._files:
            if file.module in modules:
                continue
            if whole_name.search(file.text) and self._may_read(file, name):
                return file
            if _DYNAMIC.search(file.text) and holders.search(file.text):  # by a name that is computed
                return file
        return None

    def _may_read(self, file: SourceFile, name: str) -> bool:
        if file.path not in self._uses:
            try:
                scope = ModuleScope(file.module, file.path, ast.parse(file.text))
                self._uses[file.path] = ModuleUses(scope, {})
            except (SyntaxError, ValueError, RecursionError):
                self._uses[file.path] = None
        uses = self._uses[file.path]
        if uses is None or name in uses.cleared or name in uses.put_into:
            return True
        return not uses.is_unread(name, is_counted=name in uses.counted)


__all__ = ["IsRead", "NameReaders", "SourceFile", "read_by_nobody"]
