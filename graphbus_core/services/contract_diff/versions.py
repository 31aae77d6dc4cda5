"""Versions that were published or tagged: a contract against them, a new one beside them, a consumer against one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from graphbus_core.analysis import contract_history
from graphbus_core.contracts import Contract, Verdict, check
from graphbus_core.contracts.loaders import loader, registry
from graphbus_core.contracts.loaders.json_yaml import parse_document
from graphbus_core.contracts.loaders.loader import LoadedContract, LoadResult
from graphbus_core.contracts.loaders.openapi import restore_parts
from graphbus_core.errors import ContractError, UsageError
from graphbus_core.findings import Finding, Level
from graphbus_core.services.contract_diff import sources
from graphbus_core.services.contract_diff.differences import (
    Difference,
    build_removal,
    is_project,
    list_differences,
    list_project_differences,
    was_project,
)
from graphbus_core.services.contract_diff.sources import (
    CompareOptions,
    find_nearest_folder,
    read_at_revision,
    read_source,
)

HISTORY = registry.FOLDER
TAGS = "git:"


def compare_with_history(history: str, path: str, how: CompareOptions, project: str = ".") -> tuple[Difference, ...]:
    """A path against what was published (a folder) or tagged (`git:v*`): the newest, or all of them (`_TRANSITIVE`)."""
    if history.startswith(TAGS):
        return tuple(_compare_with_tags(history.removeprefix(TAGS), path, how))
    if not Path(history).is_dir():
        raise ContractError(f"There is no history {history}; `graphbus contracts publish {path}` begins one.")
    return tuple(_compare_with_folder(Path(history), path, how, project))


def _compare_with_folder(history: Path, path: str, how: CompareOptions, project: str) -> Iterator[Difference]:
    current_path = Path(path)
    # A file that is gone is looked for among what was published; an unreadable argument is still an error.
    new = (
        read_source(path, how, project)
        if current_path.exists() or not path.endswith(loader.SUFFIXES)
        else LoadResult({})
    )
    titles = {build_title(name, item): item for name, item in new.items.items()}
    yield from _find_removed(history, current_path, titles, how)
    for name, item in titles.items():
        published = registry.read_versions(history, name)
        if not published:
            yield Difference(Finding("GB303", f"{name} was not published yet", item.file, 1, name), None, name)
        yield from _compare_with_versions(history, name, item, how)


def _find_removed(
    history: Path, current_path: Path, titles: Mapping[str, LoadedContract], how: CompareOptions
) -> Iterator[Difference]:
    """What was published and is missing now. A folder speaks for all that was published from it."""
    if current_path.is_dir():
        # A folder speaks for everything published from it, so what it lacks was taken away. One file speaks for
        # itself.
        known_names = {registry.make_folder_name(name) for name in titles}
        missing = [name for name in registry.list_names(history) if name not in known_names]
    else:
        missing = [] if titles else [current_path.stem]
    for name in missing:
        published = registry.read_versions(history, name)
        if published:
            yield build_removal(
                published[-1].label, registry.locate_file(history, name, published[-1].number).as_posix(), how
            )
        elif not current_path.is_dir():
            raise ContractError(f"{current_path} is not there, and {history} has no {name}. Look at the path again.")


def _compare_with_versions(history: Path, name: str, item: LoadedContract, how: CompareOptions) -> Iterator[Difference]:
    """One contract against its newest version, or against all of them."""
    published = registry.read_versions(history, name)
    for version in published if how.transitive else published[-1:]:
        file = registry.locate_file(history, name, version.number)
        old = loader.read_file(file.name, loader.build_folder_loader(file.parent), None).items[""]
        # The side of today: old versions of before sides were kept are read as what they are now.
        old = replace(old, name=version.label, file=file.as_posix(), side=item.side, at=f" in {version.label}")
        if item.parts:
            old = replace(old, parts=restore_parts(old.schema, item.side or ""))
        yield from list_differences(LoadResult({version.label: old}), LoadResult({version.label: item}), how)


def _compare_with_tags(pattern: str, path: str, how: CompareOptions) -> Iterator[Difference]:
    current_path = Path(path)
    tags = _list_tags(find_nearest_folder(current_path), pattern)
    agents = is_project(path)
    new = LoadResult({}) if agents or not current_path.exists() else read_source(path, how)
    has_contracts = agents or bool(new.items)
    for tag in tags if how.transitive else tags[-1:]:
        if agents:
            tag_differences = list_project_differences(f"git:{tag}", path, how)
        else:
            old = read_at_revision(current_path, tag, how)
            has_contracts = has_contracts or bool(old.items)
            # Labelled, or a contract of today and one of a tag would have one name in the report.
            tag_differences = list_differences(
                _label_items(old, tag, current_path), _label_items(new, tag, current_path), how
            )
        # What came after an old tag is told once, beside the newest.
        yield from (
            difference
            for difference in tag_differences
            if tag == tags[-1] or difference.change is not None or difference.finding.code != "GB303"
        )
    # Nothing anywhere is a wrong path, not an empty contract.
    if not has_contracts:
        raise ContractError(f"{path} holds no contract, neither here nor at {tags[-1]}. Look at the path again.")


def _list_tags(folder: Path, pattern: str) -> list[str]:
    """The tags that lead to HEAD, oldest version first. Raises ContractError where there is none."""
    patterns = [pattern] if pattern else []
    listed = contract_history.read_git(folder, "tag", "--list", *patterns, "--merged", "HEAD", "--sort=v:refname")
    tag_text = listed.decode("utf-8", "replace")
    if not tag_text.split():
        # A shallow clone has no tags, and "nothing breaks" would be the most dangerous answer in CI.
        raise ContractError(f"No tag {pattern or '*'} leads to HEAD in {folder}. A shallow clone: `git fetch --tags`.")
    return tag_text.split()


def _label_items(contracts: LoadResult, tag: str, path: Path) -> LoadResult:
    return LoadResult({f"{name or path.name}@{tag}": item for name, item in contracts.items.items()}, contracts.notes)


def build_title(name: str, item: LoadedContract) -> str:
    """The name under which an item is published: its file below the folder, without the suffix."""
    text = name or Path(item.file).name or item.name
    if item.parts:  # one file, two contracts: what an API takes and what it sends
        text = f"{name.removesuffix(f' {item.side}') if ' ' in name else Path(item.file).name}-{item.side}"
    for suffix in loader.SUFFIXES:
        text = text.replace(suffix, "")
    return text


def publish(folder: str, history: str, how: CompareOptions) -> tuple[list[str], list[Finding]]:
    """Write a version of each contract that changed; what the mode refuses is not written. (written, refused)."""
    published_labels: list[str] = []
    refused: list[Finding] = []
    contracts = read_source(folder, how)
    names_by_folder: dict[str, str] = {}
    for name, item in contracts.items.items():
        own = build_title(name, item)
        # Found before anything is written: two names that become one would overwrite each other's versions.
        other = names_by_folder.setdefault(registry.make_folder_name(own), name)
        if other != name:
            raise UsageError(f"{other} and {name} would both be published as {own}; rename one of them.")
    for name, item in contracts.items.items():
        own = build_title(name, item)
        version_differences = _compare_with_versions(Path(history), own, item, how) if how.sides else iter(())
        wrong = [difference.finding for difference in version_differences if difference.finding.level is Level.ERROR]
        if wrong:
            # The rest is published: a refusal of one contract says nothing about the others.
            refused += wrong
            continue
        version_now = registry.prepare_next_version(Path(history), own, item.schema, item.side)
        if version_now is not None:
            registry.write_version(Path(history), version_now)
            published_labels.append(version_now.label)
    return published_labels, refused


def can_i_use(consumer: str, producer: str, history: str, how: CompareOptions) -> tuple[Verdict, tuple[str, str]]:
    """Whether the consumer takes what the producer sends, under a reading; with the names that were held together."""
    a, sender = _read_side(producer, history, replace(how, side="output"))
    b, taker = _read_side(consumer, history, replace(how, side="input"))
    if how.reading == "link":
        a, b = Contract.from_json_schema(a), Contract.from_json_schema(b)
    elif how.reading == "lenient":
        # Only the reader is opened: what is sent is known, and "lenient" is about how forgiving the reader is.
        b = Contract.from_json_schema(b).opened
    # As `agree` reads them: JSON goes between two repositories, and a format that stands there is promised.
    return check(a, b, formats=None if how.reading == "strict" else True), (sender, taker)


def _read_side(text: str, history: str, how: CompareOptions) -> tuple[Any, str]:
    """What one side sends or takes, and its label: of an agreement or a version by its file or its name, of a schema
    file, or of `pkg.module:Name`."""
    name, _, number = text.partition("@")
    # A file with `@2` behind it is a version in that file.
    if not Path(text).is_file() and Path(name).is_file():
        version = registry.read_agreed_version(Path(name), number)
    elif Path(text).is_file():
        document = parse_document(Path(text).read_bytes(), text)
        if not registry.is_version(document):
            return _read_single_schema(text, how), text
        version = registry.parse_version(document, text)
    elif ":" in text:
        return _read_single_schema(text, how), text
    else:
        version = registry.find_version(Path(history), text)
    return version.schema if how.side == "output" else version.consumer, version.label


def _read_single_schema(text: str, how: CompareOptions) -> Any:
    items = read_source(text, how).items
    if len(items) != 1:
        raise UsageError(f"{text} holds {len(items)} contracts; give a file that holds one.")
    schema = next(iter(items.values())).schema
    return schema.to_json_schema() if isinstance(schema, Contract) else schema


# Which two versions a command means, and the differences between them: the one road from arguments to findings.


@dataclass(frozen=True)
class CompareRequest:
    """`old` and one of the three others, as they were typed. What was not said has the value that is usual for it."""

    old: str
    new: str | None = None
    against: str | None = None
    history: str | None = None
    mode: str | None = None
    reading: str | None = None
    project: str = "."


@dataclass(frozen=True)
class Comparison:
    """The differences, how they were read and judged, and what was strange in the files."""

    told: tuple[Difference, ...]
    how: CompareOptions
    notes: tuple[str, ...] = ()


def compare_versions(request: CompareRequest, how: CompareOptions) -> Comparison:
    """The differences that are asked for. Raises ContractError and UsageError for what cannot be compared."""
    # Where the folder is gone today the past says what it was: a project that was deleted breaks everybody.
    agents = request.new is None and (is_project(request.old) or was_project(request.old, request.against))
    # Agents call each other in both directions, so both sides count; a published schema is read by those who come
    # later.
    how = replace(how, mode=normalize_mode(request.mode, "FULL" if agents else "BACKWARD"))
    assert how.sides is not None  # a mode that does not exist is refused before anything is read
    if agents:
        # Data flows over links, and an extra field harms nobody there: "strict" would report each new optional field.
        how = replace(how, reading=request.reading or "link")
        if request.against is not None:
            return Comparison(list_project_differences(request.against, request.old, how), how)
    if request.history is not None:
        how = how if agents else _choose_history_reading(request, how)
        return Comparison(compare_with_history(request.history, request.old, how, request.project), how)
    if request.against is not None:
        pair = sources.read_against(request.against, request.old, how)
    else:
        pair = sources.read_both(request.old, str(request.new), how, request.project)
    # Decided after reading: whether a file is an API stands in it.
    how = sources.choose_reading(how, [item for side in pair for item in side.items.values()], request.reading)
    return Comparison(list_differences(*pair, how), how, tuple(dict.fromkeys(pair[1].notes)))


def normalize_mode(stated: str | None, usual: str) -> str:
    """A mode as the engine calls it."""
    return (stated or usual).upper().replace("-", "_")


def _choose_history_reading(request: CompareRequest, how: CompareOptions) -> CompareOptions:
    is_there = Path(request.old).exists()
    return sources.choose_reading(
        how, sources.read_source(request.old, how).items.values() if is_there else (), request.reading
    )
