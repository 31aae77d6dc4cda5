"""Which files can call into the agents: those that imports connect to them, which no common word does.

Who calls a method has an object. It comes by an import, or is handed on by somebody who has it. So connected are

    the agents' files, those of methods that they inherit, and those that call an agent by its name in text
    who imports one of these, by however many files between, and the tests below a `conftest.py` that does
    what any of those imports: a function there may be given an object

Imports are read from the text, without parsing it: one in a comment only makes the look a little larger. They are
resolved as `Index` resolves them, so that nothing it could follow is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

from graphbus_core.analysis.files import KEPT_FACTS, ProjectFiles, derive_module, derive_package
from graphbus_core.analysis.flow_types import BY_NAME
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.module_origin import is_ours
from graphbus_core.syntax import resolve_module

_IMPORT = re.compile(rb"\bimport\b")
_BLANK = rb"(?:[ \t\f]|\\\r?\n)*"
_FROM = re.compile(rb"%b([\w.\x80-\xff]+|\.[ .\t\w\x80-\xff]*)%b" % (_BLANK, _BLANK))
_NAMES = re.compile(rb"%b(\((?:[^)#]|#[^\n]*)*\)|(?:[^\n;#\\]|\\\r?\n)*)" % _BLANK)
_COMMENT = re.compile(rb"#[^\n]*")
_DYNAMIC = re.compile(rb"""\b(?:import_module|__import__|run_module)\(\s*["']([\w.\x80-\xff]+)["']""")
_QUOTED = re.compile(rb"""["']([^"'.\s]+)(?=["'.])""")
_CALLS_BY_NAME = re.compile(rb"\.(?:%b|get_node)\b" % "|".join(sorted(BY_NAME)).encode())
_ASSIGNED = re.compile(rb"""^[ \t]*\w[\w, \t]*(?::[^=\n]*)?=\s*(\(*\s*["'][^\n]*)""", re.M)
_METHOD = re.compile(rb"^[ \t]+(?:async[ \t]+)?def[ \t]+([\w\x80-\xff]+)", re.M)
_MAX_FROM = 300  # bytes between `from` and `import`

Import = tuple[str | None, str]  # `from a import b` is ("a", "b"), `import a.b` is (None, "a.b")


class Connections:
    """Computed when first asked for. `known` holds the imports of files as an earlier run read them."""

    def __init__(self, texts: ProjectFiles, agents: Sequence[AgentDefinition], prefix: str) -> None:
        self._texts, self._agents = texts, agents
        self._own = {path for a in agents if (path := prefix + a.source_file) in texts}
        # GraphBus is every project's library. In its own checkout, too, nobody is connected by it.
        self._skips_ours = not any(is_ours(derive_module(path)) for path in self._own)
        self.known: dict[str, Sequence[str]] = {}

    @cached_property
    def connected(self) -> frozenset[str]:
        """The files that can call into an agent."""
        users = self._find_users(self._own.union(self._find_inherited(), self._find_speakers()))
        return frozenset(path for path in _close(users, self._list_below) if path[-1:] != "/")

    @cached_property
    def related(self) -> frozenset[str]:
        """The files that can call a function of those: that anything imports together with them, in any direction."""
        importers = self._importers
        reached = _close(
            self.connected,
            lambda node: (
                *self._list_below(node),
                *importers.get(node, ()),
                *(above for above in _iter_above(node) if above in importers),
            ),
        )
        return frozenset(path for path in reached if path[-1:] != "/")

    def rate(self, path: str) -> int:
        """2 for a connected file, 1 for one that is only related to some, 0 for any other."""
        return (path in self.related) + (path in self.connected)

    def _find_users(self, start: Iterable[str]) -> set[str]:
        """Who imports one of these files, by however many between, and they themselves."""
        reached = _close(start, lambda node: (*self._importers.get(node, ()), *_iter_above(node)))
        return {path for path in reached if path[-1:] != "/"}

    @cached_property
    def _importers(self) -> Mapping[str, list[str]]:
        importers: dict[str, list[str]] = {}
        for path in self._texts.paths:
            for target in self.list_imports(path):
                importers.setdefault(target, []).append(path)
        return importers

    def list_imports(self, path: str) -> Sequence[str]:
        """The files and folders (with a `/`) that a file imports."""
        imports = self.known.get(path)
        if imports is None:
            imports = self.known[path] = tuple(dict.fromkeys(self._iter_imports(path)))
        return imports

    def _iter_imports(self, path: str) -> Iterator[str]:
        content, package = self._texts.read_content(path), derive_package(path)
        for module, name in _read_imports(content):
            written = name if module is None else module
            base = resolve_module(len(written) - len(written.lstrip(".")), written.lstrip("."), package)
            if self._skips_ours and is_ours(base):
                continue
            if module is None:
                yield from self._find_whole(base, path)
                continue
            yield from self._find_module(base, path)
            if name != "*":
                yield from self._find_whole(f"{base}.{name}" if base else name, path)
        if b"def test" in content or b"fixture" in content:  # a test is given what a fixture makes
            for folder in ("", *_iter_above(path)):
                if (conftest := f"{folder}conftest.py") in self._texts and conftest != path:
                    yield conftest

    def _find_whole(self, name: str, path: str) -> Iterator[str]:
        """A module and all that stands below its name: `import shop` leads to `shop.packing.Packer`, too."""
        yield from self._find_module(name, path)
        yield from (f"{folder}/" for folder in self._texts.iter_folders(name, path))

    def _find_module(self, name: str, path: str) -> Iterator[str]:
        """The file of a module; where none is found, or the file changes the way, the agents' own of that name."""
        module_file = self._texts.find_module(name, path)
        if module_file is not None:
            yield module_file
        if module_file is None or b"sys.path" in self._texts.read_content(path):
            yield from self._own_by_name.get(name, ())

    @cached_property
    def _own_by_name(self) -> Mapping[str, list[str]]:
        """The agents' files by each end of their dotted names: a script imports them from its folder, or theirs."""
        by_name: dict[str, list[str]] = {}
        for path in self._own:
            words = derive_module(path).split(".")
            for start in range(len(words)):
                by_name.setdefault(".".join(words[start:]), []).append(path)
        return by_name

    @cached_property
    def _below(self) -> Mapping[str, list[str]]:
        """The files and folders of each folder."""
        below: dict[str, dict[str, None]] = {}
        for path in self._texts.paths:
            node = path
            for folder in _iter_above(path):
                below.setdefault(folder, {})[node] = None
                node = folder
        return {folder: list(nodes) for folder, nodes in below.items()}

    def _list_below(self, node: str) -> Iterable[str]:
        return self._below.get(node, ()) if node[-1:] == "/" else self.list_imports(node)

    def _find_inherited(self) -> Iterator[str]:
        """The files that may define a method which an agent inherits: imported by the agents, with such a method."""
        words = {method.name.encode() for agent in self._agents for method in agent.methods}
        for path in _close(self._own, self._list_below) - self._own:
            if path[-1:] != "/" and not words.isdisjoint(_METHOD.findall(self._texts.read_content(path))):
                yield path

    def _find_speakers(self) -> set[str]:
        """The files that may call an agent by its name in text, which stands there or in a variable that is imported.

        A name that is put together from pieces does not count.
        """
        names = {agent.name.encode() for agent in self._agents}
        contents = {path: self._texts.read_content(path) for path in self._texts.paths}
        calling = {path for path, content in contents.items() if _CALLS_BY_NAME.search(content)}
        speakers = {path for path in calling if not names.isdisjoint(_QUOTED.findall(contents[path]))}
        imported = _close(calling - speakers, self._list_below) & contents.keys()
        holders = {
            path
            for path in imported
            if any(not names.isdisjoint(_QUOTED.findall(value)) for value in _ASSIGNED.findall(contents[path]))
        }
        return speakers | (calling & self._find_users(holders))


def _close(start: Iterable[str], list_next: Callable[[str], Iterable[str]]) -> set[str]:
    """What is reached from these, by any number of steps."""
    reached: set[str] = set()
    waiting = list(start)
    while waiting:
        node = waiting.pop()
        if node not in reached:
            reached.add(node)
            waiting += [after for after in list_next(node) if after not in reached]
    return reached


def _iter_above(node: str) -> Iterator[str]:
    """The folders that a file or folder lies in, nearest first, each with its `/`."""
    folder = node.rstrip("/").rpartition("/")[0]
    while folder:
        yield f"{folder}/"
        folder = folder.rpartition("/")[0]


@lru_cache(maxsize=KEPT_FACTS)
def _read_imports(content: bytes) -> tuple[Import, ...]:
    """What a text imports, wherever the words stand."""
    imports: dict[Import, None] = {}
    for statement in _IMPORT.finditer(content):
        start = statement.start()
        begin = content.rfind(b"from", max(0, start - _MAX_FROM), start)
        source = _FROM.fullmatch(content, begin + 4, start) if begin >= 0 else None
        module = b"".join(source[1].split()).decode("utf-8", "replace") if source is not None else None
        # `# taken from x \` above `import y`: then the line below is read by itself as well.
        alone = source is None or b"\n" in content[begin:start]
        listed = _NAMES.match(content, statement.end())
        names = _COMMENT.sub(b"", listed[1] if listed is not None else b"").strip(b"() \t\r\n").replace(b"\\", b" ")
        for part in names.split(b","):
            words = part.decode("utf-8", "replace").split()
            if not words:
                continue
            if module is not None:
                imports[module, words[0]] = None
            if alone:
                imports[None, words[0] if len(words) > 1 else words[0].partition(".")[0]] = None
    if any(word in content for word in (b"import_module", b"__import__", b"run_module")):
        imports.update(dict.fromkeys((None, name.decode("utf-8", "replace")) for name in _DYNAMIC.findall(content)))
    return tuple(imports)
