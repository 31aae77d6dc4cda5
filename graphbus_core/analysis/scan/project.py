"""`scan`: source -> AgentDefinitions, and every file that they rest on. No code of the project runs in this process."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from graphbus_core.analysis.scan.drafts import Draft, ScanCache, ScannedFile
from graphbus_core.analysis.scan.layout import Layout, list_files, locate
from graphbus_core.analysis.scan.modules import ModuleTable
from graphbus_core.analysis.scan.side_declarations import SideDeclarations, read_declarations
from graphbus_core.artifacts.folder import FrozenModule, dump_compact
from graphbus_core.artifacts.peers import ImportsOf
from graphbus_core.artifacts.placement import Placement, place_together, read_recorded, record
from graphbus_core.errors import NoAgentsError, ScanError, UnreadableSourceError, UsageError
from graphbus_core.gc_control import pause_garbage_collection
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.settings import load_settings

if TYPE_CHECKING:
    from graphbus_core.analysis.scan.extractor import MetadataExtractor


@dataclass(frozen=True)
class UnreadableFile:
    """A file that could not be read, why, and the files that were left out with it because they rest on it."""

    path: str
    line: int
    reason: str
    with_it: tuple[str, ...] = ()


@dataclass(frozen=True)
class Project:
    """What a scan found. Paths are relative to `root`, with `/`.

    `files`: every file that was read for the agents, with its sha256: the scanned ones and the project's own modules
    that they import. `sources`: the bytes of the agents' files and of those modules; `modules` names them as `import`
    does. A scan of a copy of the project is `rescan(root)`. `whole` is the folder of all the code that may call the
    agents, where the user says it; else the nearest one with a `pyproject.toml` or `.git`.
    """

    root: Path
    agents: tuple[AgentDefinition, ...]
    files: Mapping[str, str]
    sources: Mapping[str, bytes] = field(repr=False)
    modules: tuple[FrozenModule, ...] = field(repr=False)
    layout: Layout = field(repr=False)
    include: tuple[str, ...] | None = None
    exclude: tuple[str, ...] | None = None
    cache: ScanCache = field(default_factory=ScanCache, repr=False, compare=False)
    texts: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)  # of agents, if known already
    beside: SideDeclarations = field(default_factory=SideDeclarations, repr=False, compare=False)
    whole: Path | None = None
    external: tuple[AgentDefinition, ...] = ()
    unreadable: tuple[UnreadableFile, ...] = ()

    def find_agent(self, name: str) -> AgentDefinition | None:
        """The agent of that name, or the component written elsewhere; None where there is neither."""
        return next((a for a in self.everyone if a.name == name), None)

    @property
    def everyone(self) -> tuple[AgentDefinition, ...]:
        """Who stands in the graph: the agents, and what is written elsewhere, which is asked and never edited."""
        return (*self.agents, *self.external)

    def rescan(self, root: Path | None = None, over: Mapping[str, bytes] | None = None) -> Project:
        """Scan once more, here or in a copy of the project at `root`; only files that changed are read anew.

        `over` holds texts that count in place of files, by path below the root.
        """
        layout = self.layout if root is None else self.layout.move_to(root)
        beside = self.beside.reload()
        cache = self.cache if beside.stamp == self.beside.stamp else ScanCache()
        rescanned = _scan(layout, self.include, self.exclude, cache, beside, over)
        return replace(rescanned, whole=self.whole)

    def find_added_files(self) -> list[str]:
        """Files that a scan would read now and that were not there: listed ones, and modules that something imports.

        Nothing is read: what stood there is known by its digest, and only names are looked up.
        """
        table = ModuleTable(self.layout)
        names = {
            name
            for path, reading in self.cache.readings.items()
            if path in self.files
            for name in (*reading.imports, *reading.consulted)
        }
        names |= {name.rpartition(".")[0] for name in names}
        listed, _ = list_files(self.layout, self.include, self.exclude)
        return sorted({*listed, *(path for name in names if (path := table.find_path(name)))} - self.files.keys())

    def move_to(self, project: Project) -> Project:
        """The same, of a copy, as the project that it was copied from: where nobody edited since."""
        return replace(self, root=project.root, layout=project.layout)

    def with_whole_folder(self, whole: str | os.PathLike[str] | None) -> Project:
        """The same, where the user says which folder the whole project is. Raises UsageError: the agents lie beside."""
        if whole is None:
            return self
        folder = Path(os.path.abspath(whole))
        if not folder.is_dir():
            raise UsageError(f"--root {os.fspath(whole)} is not a folder. Give the folder of the whole project.")
        if not self.root.resolve().is_relative_to(folder.resolve()):
            raise UsageError(
                f"--root {os.fspath(whole)} does not hold the agents in {self.root}. Give a folder above them."
            )
        return replace(self, whole=folder)


def scan(
    root: str | os.PathLike[str],
    include: Sequence[str] | None = None,
    exclude: Sequence[str] | None = None,
    *,
    cache_file: Path | None = None,
    beside: SideDeclarations | None = None,
    strict: bool = True,
) -> Project:
    """Read the agents of a folder or dotted package.

    `include` and `exclude` are globs on paths (`agents/*.py`) and on dotted module names (`shop.agents.*`); without
    them the settings' hold.
    Plain classes and functions take part that carry `@contract`, or that the settings (`beside`) name.
    A file that cannot be parsed is an error, or not `strict` one of `unreadable`.
    Raises ScanError: no such folder, a file that cannot be parsed, no agents found, a class that neither source nor
    an import tells enough about.
    """
    layout = locate(os.fspath(root))
    settings = load_settings(layout.root / layout.start)
    # Here and not in each command: what is left out of a validation is left out of a build, a picture and an editor.
    patterns = [tuple(p) if p else None for p in (include or settings["include"], exclude or settings["exclude"])]
    beside = read_declarations(settings, layout.root) if beside is None else beside
    # The last words: by which rules readings were made. A newer rule reads anew what an older one kept.
    rules = f"hints {beside.stamp} placement 10"
    cache = ScanCache(cache_file, f"{sys.version_info[:2]} {_read_own_version()} {rules}")
    project = _scan(layout, patterns[0], patterns[1], cache, beside, strict=strict)
    cache.save()
    return project


def _scan(
    layout: Layout,
    include: tuple[str, ...] | None,
    exclude: tuple[str, ...] | None,
    cache: ScanCache,
    beside: SideDeclarations,
    over: Mapping[str, bytes] | None = None,
    strict: bool = True,
) -> Project:
    paths, left_out = list_files(layout, include, exclude)
    table = ModuleTable(layout, over)
    unreadable: dict[str, UnreadableFile] | None = None if strict else {}
    drafts, imports = _collect_drafts(paths, table, cache, beside, unreadable)
    if any(draft.open for draft in drafts):
        from graphbus_core.analysis.scan.importing_reader import complete

        drafts = complete(drafts, layout, lambda open_: _freeze_modules(open_, imports, table, cache, unreadable)[0])

    def imports_of(name: str) -> Sequence[str] | None:
        path = table.find_path(name)
        return None if path is None else _list_imports(path, name, imports, table, cache, unreadable)

    agents, texts = _assign_names(_place(drafts, imports_of))
    beside.check_entries(agents, map(layout.name_module, paths), lambda name: table.find_path(name) is not None)
    if not agents:
        raise _build_no_agents_error(layout, len(paths), left_out, tuple((unreadable or {}).values()))
    sources, modules = _freeze_modules(agents, imports, table, cache, unreadable)
    files = {path: table.digest(path) for path in sorted({*paths, *sources})} | beside.list_files_within(layout.root)
    outside = beside.build_nodes(agents)
    return Project(
        layout.root,
        agents,
        files,
        sources,
        modules,
        layout,
        include,
        exclude,
        cache,
        texts,
        beside,
        external=outside,
        unreadable=tuple((unreadable or {}).values()),
    )


def _collect_drafts(
    paths: Iterable[str],
    table: ModuleTable,
    cache: ScanCache,
    beside: SideDeclarations,
    unreadable: dict[str, UnreadableFile] | None = None,
) -> tuple[list[Draft], dict[str, Sequence[str]]]:
    """What each file declares, from the cache where nothing changed; and what each imports."""
    extractor: MetadataExtractor | None = None
    drafts: list[Draft] = []
    imports: dict[str, Sequence[str]] = {}
    with pause_garbage_collection(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the parser's opinions on the project's strings are not ours to print
        for path in paths:
            reading = cache.readings.get(path)
            if reading is not None and _is_fresh(reading, table):
                drafts += cache.restore_drafts(reading)
            else:
                extractor = extractor or _build_extractor(table, beside)
                try:
                    fresh, reading = _read_file(path, table, extractor)
                except UnreadableSourceError as e:
                    if unreadable is None:
                        raise
                    _add_unreadable(unreadable, e, path)
                    imports[path] = ()
                    continue
                drafts += fresh
                cache.store(reading)
            imports[path] = reading.imports
    return drafts, imports


def _add_unreadable(unreadable: dict[str, UnreadableFile], error: UnreadableSourceError, path: str) -> None:
    """Note a file that cannot be read, and the one that rests on it where that is another."""
    known = unreadable.get(error.file, UnreadableFile(error.file, error.line, error.reason))
    with_it = known.with_it if path in (error.file, *known.with_it) else (*known.with_it, path)
    unreadable[error.file] = replace(known, with_it=with_it)


def _build_extractor(table: ModuleTable, beside: SideDeclarations) -> MetadataExtractor:
    # Late: where nothing changed since the last build, every reading comes from the cache.
    from graphbus_core.analysis.scan.extractor import MetadataExtractor
    from graphbus_core.analysis.scan.names import NameResolver

    return MetadataExtractor(NameResolver(table), beside)


def _read_file(path: str, table: ModuleTable, extractor: MetadataExtractor) -> tuple[list[Draft], ScannedFile]:
    table.consulted.clear()
    module = table.load(path, table.layout.name_module(path))
    module.tree  # noqa: B018  a file that does not parse fails the build, whether or not it holds agents
    scanner = extractor.scanner
    worth = module.mentions("class") or module.mentions("contract") or bool(scanner.plain.patterns)
    drafts = [extractor.extract(node) for node in scanner.scan(module)] if worth else []
    for draft in drafts:
        draft.text = dump_compact(draft.agent.to_dict())
    stored_drafts = [(d.text, [asdict(o) for o in d.open], d.uses.to_list()) for d in drafts]
    consulted = {name: table.describe_state(name) for name in sorted(table.consulted)}
    return drafts, ScannedFile(path, table.digest(path), module.name, stored_drafts, module.imports, consulted)


def _is_fresh(reading: ScannedFile, table: ModuleTable) -> bool:
    return (
        reading.digest == table.digest(reading.path)
        and reading.name == table.layout.name_module(reading.path)
        and all(table.describe_state(name) == state for name, state in reading.consulted.items())
    )


def _place(drafts: Sequence[Draft], imports_of: ImportsOf) -> list[Draft]:
    """Where an agent reads what another one may change, it runs in one place: no file of its own tells that."""
    named = [(draft.agent.name, Placement(read_recorded(draft.agent), draft.uses)) for draft in drafts]
    placed = zip(drafts, named, place_together(named, imports_of), strict=True)
    return [
        draft
        if alone == placement.alone
        else replace(draft, agent=replace(draft.agent, metadata={**draft.agent.metadata, **record(alone)}), text="")
        for draft, (_, placement), alone in placed
    ]


def _assign_names(drafts: Sequence[Draft]) -> tuple[tuple[AgentDefinition, ...], dict[str, str]]:
    """Give each agent its unique name, and put names where `module:Class` stands. Also the texts that still hold."""
    count: dict[str, int] = {}
    for draft in drafts:
        count[draft.agent.name] = count.get(draft.agent.name, 0) + 1
    by_key = {
        f"{a.module}:{a.class_name}": a.name if count[a.name] == 1 else f"{a.module}.{a.class_name}"
        for a in (d.agent for d in drafts)
    }
    agents: list[AgentDefinition] = []
    texts: dict[str, str] = {}
    for draft in drafts:
        agent = _rename_agent(draft.agent, by_key[f"{draft.agent.module}:{draft.agent.class_name}"], by_key)
        agents.append(agent)
        if agent is draft.agent and draft.text:
            texts[agent.name] = draft.text
    return tuple(sorted(agents, key=lambda a: a.name)), texts


def _rename_agent(agent: AgentDefinition, name: str, by_key: Mapping[str, str]) -> AgentDefinition:
    def resolve_names(needs: Iterable[str]) -> dict[str, None]:
        return dict.fromkeys(by_key.get(need, need.rpartition(":")[2]) for need in needs)

    if any(":" in need or need == name for need in agent.depends_on):
        hinted_keys = set(agent.metadata.get("hinted", ()))
        declared = resolve_names(need for need in agent.depends_on if need not in hinted_keys)
        hinted = [n for n in resolve_names(n for n in agent.depends_on if n in hinted_keys) if n not in declared]
        needs = tuple(need for need in (*declared, *hinted) if need != name)
        agent = replace(agent, depends_on=needs, metadata={**agent.metadata, "hinted": hinted})
    if name == agent.name:
        return agent
    return replace(
        agent,
        name=name,
        subscriptions=tuple(replace(s, node_name=name) for s in agent.subscriptions),
        publications=tuple(replace(p, node_name=name) for p in agent.publications),
    )


def _freeze_modules(
    agents: Sequence[AgentDefinition],
    imports: dict[str, Sequence[str]],
    table: ModuleTable,
    cache: ScanCache,
    unreadable: dict[str, UnreadableFile] | None,
) -> tuple[dict[str, bytes], tuple[FrozenModule, ...]]:
    """The files that running the agents needs: theirs, and the project's own modules they import, transitively."""
    modules: dict[str, FrozenModule] = {}
    mappings = [s.mapping for a in agents for s in a.subscriptions if s.mapping is not None]
    converting = [c.function.partition(":")[0] for mapping in mappings for c in mapping.conversions.values()]
    waiting = list(dict.fromkeys([*(a.module for a in agents), *converting]))
    while waiting:
        name = waiting.pop()
        if name in modules:
            continue
        parent = name.rpartition(".")[0]
        path = table.find_path(name)
        if path is None:
            if table.find_folder(name) is None or name == "graphbus_core":
                continue
            modules[name] = FrozenModule(name, None, True)
        else:
            modules[name] = FrozenModule(name, path, path.rpartition("/")[2] == "__init__.py")
            waiting += _list_imports(path, name, imports, table, cache, unreadable)
        if parent:
            waiting.append(parent)
    needed = _drop_empty_folders(modules)
    sources = {m.file: table.read_content(m.file) for m in needed if m.file}
    return dict(sorted(sources.items())), needed


def _drop_empty_folders(modules: Mapping[str, FrozenModule]) -> tuple[FrozenModule, ...]:
    """A folder that is only named like an import (`requests/`) and gives no module is not part of the project."""
    holding: set[str] = set()
    for module in modules.values():
        parent = module.name.rpartition(".")[0] if module.file else ""
        while parent and parent not in holding:
            holding.add(parent)
            parent = parent.rpartition(".")[0]
    return tuple(modules[name] for name in sorted(modules) if modules[name].file or name in holding)


def _list_imports(
    path: str,
    name: str,
    imports: dict[str, Sequence[str]],
    table: ModuleTable,
    cache: ScanCache,
    unreadable: dict[str, UnreadableFile] | None,
) -> Sequence[str]:
    """What a module may import; `imports` remembers it."""
    if path not in imports:
        try:
            imports[path] = _find_imports(path, name, table, cache)
        except UnreadableSourceError as e:
            if unreadable is None:
                raise
            _add_unreadable(unreadable, e, path)
            imports[path] = ()
    return imports[path]


def _find_imports(path: str, name: str, table: ModuleTable, cache: ScanCache) -> Sequence[str]:
    reading = cache.readings.get(path)
    if reading is not None and reading.digest == table.digest(path) and reading.name == name:
        return reading.imports
    listed = table.load(path, name).imports
    # It names itself as missing, so that it is never taken for a reading of agents.
    cache.store(ScannedFile(path, table.digest(path), name, [], listed, {name: None}))
    return listed


def _build_no_agents_error(layout: Layout, read: int, left_out: int, unreadable: Sequence[UnreadableFile]) -> ScanError:
    where = layout.root / layout.start
    if read == 0 and left_out == 0:
        return NoAgentsError(f"No agents found: {where} holds no Python files. Give the folder that holds your agents.")
    if unreadable:
        first = unreadable[0]
        more = f" (and {len(unreadable) - 1} more)" if len(unreadable) > 1 else ""
        return NoAgentsError(
            f"No agents found in what can be read of {where}. {first.path}:{first.line} cannot be read: "
            f"{first.reason}{more}. Mend the file, or leave it out with --exclude.",
            is_unreadable=True,
        )
    skipped = f" ({left_out} more were left out by --include and --exclude)" if left_out else ""
    return NoAgentsError(
        f"No agents found in {where}: {read} Python file{'s' * (read != 1)} read{skipped}, and no class inherits from "
        "GraphBusNode. `graphbus infer` reads a project as it is, without agents. For agents write "
        "`class Name(GraphBusNode)`, put `@contract` on a class or function, name them in `components` of "
        "[tool.graphbus], or give the folder that holds them."
    )


def _read_own_version() -> str:
    from graphbus_core import __version__

    return __version__
