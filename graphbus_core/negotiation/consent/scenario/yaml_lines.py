"""A YAML text as plain data that knows its lines: so that every fault can be named with file and line.

Bounded: a text of a few lines may stand for millions of parts (aliases of aliases), and is refused before it does.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import yaml

from graphbus_core.errors import ScenarioError

MAX_PARTS = 500_000  # of a text, its aliases written out
MAX_DEPTH = 40
MAX_NUMBER = 1e15  # beyond it a float does not hold whole numbers apart
Path = tuple[str | int, ...]


class YamlLines:
    """The text as `data`, and where each part of it stands. Raises ScenarioError with `file:line`."""

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        self.lines: dict[Path, int] = {}
        self._parts = 0
        try:
            # Composed and not loaded: nodes know their lines, values do not. The safe loader makes no objects of a
            # text.
            node = yaml.compose(text, Loader=yaml.SafeLoader)
        except yaml.MarkedYAMLError as e:
            line = e.problem_mark.line + 1 if e.problem_mark else 1
            raise ScenarioError(f"{file}:{line}: this is not YAML: {e.problem}.") from None
        except yaml.YAMLError as e:
            raise ScenarioError(f"{file}:1: this is not YAML: {' '.join(str(e).split())}.") from None
        except RecursionError:
            raise ScenarioError(f"{file}:1: nested too deep.") from None
        self._scalars = yaml.SafeLoader("")
        try:
            # The loader keeps a parser alive until it is disposed of.
            self.data = self._plain(node, ()) if node is not None else None
        finally:
            self._scalars.dispose()

    def fail(self, path: Iterable[str | int], why: str) -> ScenarioError:
        """An error at the line of the longest known part of `path`."""
        # The fault may be about a key that is missing, which has no line. That of what should hold it is the nearest.
        at = tuple(path)
        while at not in self.lines and at:
            at = at[:-1]
        return ScenarioError(f"{self.file}:{self.lines.get(at, 1)}: {why}")

    def _plain(self, node: yaml.Node, path: Path) -> Any:
        """The node as plain data; where each part stands is remembered, and a key written twice is refused."""
        self.lines.setdefault(path, node.start_mark.line + 1)
        self._parts += 1
        # Counted on the way: a text of a kilobyte can name the same list of lists a billion times.
        if self._parts > MAX_PARTS:
            raise self.fail(path, f"more than {MAX_PARTS} parts, its aliases written out; write a smaller scenario.")
        if len(path) > MAX_DEPTH:
            raise self.fail(path, "nested too deep.")
        if isinstance(node, yaml.MappingNode):
            out: dict[str, Any] = {}
            for key, value in node.value:
                # Before the value is read, so that a fault inside it finds its key.
                self.lines[(*path, str(key.value))] = key.start_mark.line + 1
                name = self._text(str(key.value), (*path, str(key.value)))
                if name in out:
                    raise self.fail((*path, name), f"{name!r} stands here twice.")
                out[name] = self._plain(value, (*path, name))
            return out
        if isinstance(node, yaml.SequenceNode):
            return [self._plain(value, (*path, n)) for n, value in enumerate(node.value)]
        return self._scalar(node, path)

    def _scalar(self, node: yaml.Node, path: Path) -> Any:
        try:
            value = self._scalars.construct_object(node)
        except (ValueError, yaml.YAMLError) as e:
            shown = str(node.value)
            raise self.fail(path, f"{shown[:60]!r} cannot be read: {' '.join(str(e).split())[:160]}.") from None
        if isinstance(value, int | float) and ":" in str(node.value):
            return self._text(str(node.value), path)  # YAML 1.1 reads 12:30 as 750; people mean the text
        if isinstance(value, int | float) and not isinstance(value, bool):
            if not abs(value) <= MAX_NUMBER:  # nor is .nan
                shown = str(node.value)[:30]
                raise self.fail(
                    path, f"{shown!r} is not a number that can be weighed; give one between -1e15 and 1e15."
                )
            return value
        if isinstance(value, bool) or value is None:
            return value
        return self._text(value if isinstance(value, str) else str(node.value), path)

    def _text(self, text: str, path: Path) -> str:
        try:
            text.encode()
        except UnicodeEncodeError:
            # A scenario becomes a log and a document. Neither could be written with it, and that would show an hour
            # later.
            raise self.fail(path, f"{text[:60]!r} holds a lone surrogate, which is not a character.") from None
        if "\0" in text:
            raise self.fail(path, f"{text[:60]!r} holds a NUL character; take it out.")
        return text
