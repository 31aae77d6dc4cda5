"""Versions that were published or tagged: a contract against them, a new one beside them, a consumer against one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from graphbus_core.build import evolution
from graphbus_core.contracts import Contract, Verdict, check
from graphbus_core.contracts.front import door, registry
from graphbus_core.contracts.front.components import parts_again
from graphbus_core.contracts.front.door import Item, Read
from graphbus_core.contracts.front.text import parse
from graphbus_core.errors import ContractError, UsageError
from graphbus_core.findings import Finding, Level
from graphbus_core.workspace.compares.differences import ToldDifference, differences, gone
from graphbus_core.workspace.compares.projects import is_project, project_differences
from graphbus_core.workspace.compares.sources import How, at_revision, nearest, read

HISTORY = registry.FOLDER
TAGS = "git:"


def history_differences(history: str, path: str, how: How, project: str = ".") -> tuple[ToldDifference, ...]:
    """A path against what was published (a folder) or tagged (`git:v*`): the newest, or all of them (`_TRANSITIVE`)."""
    if history.startswith(TAGS):
        return tuple(_against_tags(history.removeprefix(TAGS), path, how))
    if not Path(history).is_dir():
        raise ContractError(f"There is no history {history}; `graphbus contracts publish {path}` begins one.")
    return tuple(_against_folder(Path(history), path, how, project))


def _against_folder(history: Path, path: str, how: How, project: str) -> Iterator[ToldDifference]:
    here = Path(path)
    # A file that is gone is looked for among what was published; an unreadable argument is still an error.
    new = read(path, how, project) if here.exists() or not path.endswith(door.SUFFIXES) else Read({})
    titles = {title(name, item): item for name, item in new.items.items()}
    yield from _taken_away(history, here, titles, how)
    for name, item in titles.items():
        published = registry.versions(history, name)
        if not published:
            yield ToldDifference(
                Finding("GB303", f"{name} was not published yet", item.file, 1, name, Level.NOTE), None, name
            )
        yield from _against_versions(history, name, item, how)


def _taken_away(history: Path, here: Path, titles: Mapping[str, Item], how: How) -> Iterator[ToldDifference]:
    """What was published and is missing now. A folder speaks for all that was published from it."""
    if here.is_dir():
        # A folder speaks for everything published from it, so what it lacks was taken away. One file speaks for
        # itself.
        known = {registry.folder_name(name) for name in titles}
        missing = [name for name in registry.names(history) if name not in known]
    else:
        missing = [] if titles else [here.stem]
    for name in missing:
        published = registry.versions(history, name)
        if published:
            yield gone(published[-1].label, registry.file_of(history, name, published[-1].number).as_posix(), how)
        elif not here.is_dir():
            raise ContractError(f"{here} is not there, and {history} has no {name}. Look at the path again.")


def _against_versions(history: Path, name: str, item: Item, how: How) -> Iterator[ToldDifference]:
    """One contract against its newest version, or against all of them."""
    published = registry.versions(history, name)
    for version in published if how.transitive else published[-1:]:
        file = registry.file_of(history, name, version.number)
        old = door.read_file(file.name, door.disk(file.parent), None).items[""]
        # The side of today: old versions of before sides were kept are read as what they are now.
        old = replace(old, name=version.label, file=file.as_posix(), side=item.side, at=f" in {version.label}")
        if item.parts:
            old = replace(old, parts=parts_again(old.schema, item.side or ""))
        yield from differences(Read({version.label: old}), Read({version.label: item}), how)


def _against_tags(pattern: str, path: str, how: How) -> Iterator[ToldDifference]:
    here = Path(path)
    tags = _tags(nearest(here), pattern)
    agents = is_project(path)
    new = Read({}) if agents or not here.exists() else read(path, how)
    seen = agents or bool(new.items)
    for tag in tags if how.transitive else tags[-1:]:
        if agents:
            told = project_differences(f"git:{tag}", path, how)
        else:
            old = at_revision(here, tag, how)
            seen = seen or bool(old.items)
            # Labelled, or a contract of today and one of a tag would have one name in the report.
            told = differences(_labelled(old, tag, here), _labelled(new, tag, here), how)
        # What came after an old tag is told once, beside the newest.
        yield from (one for one in told if tag == tags[-1] or one.change is not None or one.finding.code != "GB303")
    # Nothing anywhere is a wrong path, not an empty contract.
    if not seen:
        raise ContractError(f"{path} holds no contract, neither here nor at {tags[-1]}. Look at the path again.")


def _tags(folder: Path, pattern: str) -> list[str]:
    """The tags that lead to HEAD, oldest version first. Raises ContractError where there is none."""
    said = [pattern] if pattern else []
    listed = evolution.git(folder, "tag", "--list", *said, "--merged", "HEAD", "--sort=v:refname")
    found = listed.decode("utf-8", "replace")
    if not found.split():
        # A shallow clone has no tags, and "nothing breaks" would be the most dangerous answer in CI.
        raise ContractError(f"No tag {pattern or '*'} leads to HEAD in {folder}. A shallow clone: `git fetch --tags`.")
    return found.split()


def _labelled(found: Read, tag: str, path: Path) -> Read:
    return Read({f"{name or path.name}@{tag}": item for name, item in found.items.items()}, found.notes)


def title(name: str, item: Item) -> str:
    """The name under which an item is published: its file below the folder, without the suffix."""
    text = name or Path(item.file).name or item.name
    if item.parts:  # one file, two contracts: what an API takes and what it sends
        text = f"{name.removesuffix(f' {item.side}') if ' ' in name else Path(item.file).name}-{item.side}"
    for suffix in door.SUFFIXES:
        text = text.replace(suffix, "")
    return text


def publish(folder: str, history: str, how: How) -> tuple[list[str], list[Finding]]:
    """Write a version of each contract that changed; what the mode refuses is not written. (written, refused)."""
    made: list[str] = []
    refused: list[Finding] = []
    found = read(folder, how)
    taken: dict[str, str] = {}
    for name, item in found.items.items():
        own = title(name, item)
        # Found before anything is written: two names that become one would overwrite each other's versions.
        other = taken.setdefault(registry.folder_name(own), name)
        if other != name:
            raise UsageError(f"{other} and {name} would both be published as {own}; rename one of them.")
    for name, item in found.items.items():
        own = title(name, item)
        told = _against_versions(Path(history), own, item, how) if how.sides else iter(())
        wrong = [one.finding for one in told if one.finding.level is Level.ERROR]
        if wrong:
            # The rest is published: a refusal of one contract says nothing about the others.
            refused += wrong
            continue
        version_now = registry.next_version(Path(history), own, item.schema, item.side)
        if version_now is not None:
            registry.write(Path(history), version_now)
            made.append(version_now.label)
    return made, refused


def can_i_use(consumer: str, producer: str, history: str, how: How) -> tuple[Verdict, tuple[str, str]]:
    """Whether the consumer takes what the producer sends, under a reading; with the names that were held together."""
    a, sender = _side(producer, history, replace(how, side="output"))
    b, taker = _side(consumer, history, replace(how, side="input"))
    if how.reading == "link":
        a, b = Contract.from_json_schema(a), Contract.from_json_schema(b)
    elif how.reading == "lenient":
        # Only the reader is opened: what is sent is known, and "lenient" is about how forgiving the reader is.
        b = Contract.from_json_schema(b).opened
    return check(a, b), (sender, taker)


def _side(text: str, history: str, how: How) -> tuple[Any, str]:
    """What one side sends or takes, and its label: of an agreement or a version by its file or its name, of a schema
    file, or of `pkg.module:Name`."""
    name, _, number = text.partition("@")
    # A file with `@2` behind it is a version in that file.
    if not Path(text).is_file() and Path(name).is_file():
        version = registry.in_file(Path(name), number)
    elif Path(text).is_file():
        document = parse(Path(text).read_bytes(), text)
        if not registry.is_version(document):
            return _only(text, how), text
        version = registry.of_document(document, text)
    elif ":" in text:
        return _only(text, how), text
    else:
        version = registry.wanted(Path(history), text)
    return version.schema if how.side == "output" else version.consumer, version.label


def _only(text: str, how: How) -> Any:
    found = read(text, how).items
    if len(found) != 1:
        raise UsageError(f"{text} holds {len(found)} contracts; give a file that holds one.")
    schema = next(iter(found.values())).schema
    return schema.to_json_schema() if isinstance(schema, Contract) else schema
