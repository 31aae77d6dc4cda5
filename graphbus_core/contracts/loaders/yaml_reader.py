"""YAML as JSON means it: one document of objects with text keys, lists, texts, numbers, true, false and null.

Scalars are those of YAML 1.2's core schema: `200:` is the key "200", `2020-01-01` and `yes` are texts. Anchors and
merge keys are followed. Read from the parser's events, which takes a third of the time of building nodes first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from graphbus_core.contracts.parsing.json_schema import encode_pointer_part

_CONSTANTS: Mapping[str, Any] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
# YAML 1.2, 10.3.2. Only what begins like a number is asked.
_INTEGER = re.compile(r"[-+]?[0-9]{1,4000}|0o[0-7]{1,4000}|0x[0-9a-fA-F]{1,4000}")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_INFINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_NUMBER_STARTS = frozenset("0123456789+-.")
_TAG = "tag:yaml.org,2002:"
_TEXT_TAGS = frozenset(("!", f"{_TAG}str", f"{_TAG}timestamp", f"{_TAG}binary"))
_KNOWN_TAGS = frozenset(f"{_TAG}{name}" for name in ("int", "float", "bool", "null", "map", "seq", "set", "omap"))
MERGE = "<<"


class YamlError(ValueError):
    """Why a text is not a document of JSON; with the line where that is known."""


def read_yaml(data: bytes) -> tuple[Any, bool]:
    """The one document of a text, and whether it is surely plain: without aliases, shallow, with finite numbers alone.

    Raises YamlError; what the parser itself refuses raises its own errors.
    """
    builder = _Builder()
    return builder.build(data), builder.is_plain


def index_lines(text: str) -> dict[int, int]:
    """Hash of a pointer -> line, from 1, of everything in a text: the pointers themselves take as much as the text."""
    import yaml

    line_by_pointer = {hash(""): 1}
    stack: list[list[Any]] = []  # [pointer, next index or None for a mapping, key under way]
    for event in yaml.parse(text, getattr(yaml, "CLoader", yaml.Loader)):
        if isinstance(event, yaml.CollectionEndEvent):
            stack.pop()
        if not isinstance(event, yaml.NodeEvent):
            continue
        line = event.start_mark.line + 1 if event.start_mark else 1
        if stack and stack[-1][1] is None and stack[-1][2] is None:
            stack[-1][2] = encode_pointer_part(getattr(event, "value", ""))
            line_by_pointer.setdefault(hash(f"{stack[-1][0]}/{stack[-1][2]}"), line)
            continue
        pointer = _take_pointer(stack[-1]) if stack else ""
        line_by_pointer.setdefault(hash(pointer), line)
        if isinstance(event, yaml.CollectionStartEvent):
            stack.append([pointer, None if isinstance(event, yaml.MappingStartEvent) else 0, None])
    return line_by_pointer


def _take_pointer(holder: list[Any]) -> str:
    """The place of the next value in a container under way."""
    if holder[1] is None:
        part, holder[2] = holder[2], None
        return f"{holder[0]}/{part}"
    holder[1] += 1
    return f"{holder[0]}/{holder[1] - 1}"


def convert_scalar(text: str) -> Any:
    """What a plain scalar stands for."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if text[0] not in _NUMBER_STARTS:
        return text
    if _INTEGER.fullmatch(text):
        return int(text, 0 if text[:2] in ("0o", "0x") else 10)
    if _FLOAT.fullmatch(text):
        return float(text)
    return float(text.replace(".", "", 1)) if _INFINITE.fullmatch(text) else text


class _Builder:
    """One pass over the events. `_stack` holds the containers under way, each with the key that waits for a value."""

    def __init__(self) -> None:
        self._anchors: dict[str, Any] = {}
        self._stack: list[tuple[Any, str | None, str | None]] = []  # container, key that waits, anchor
        self._container: Any = None
        self._key: str | None = None
        self._root: Any = None
        self._documents = 0
        self.is_plain = True

    def build(self, data: bytes) -> Any:
        import yaml

        take: Mapping[type, Callable[[Any], None]] = {
            yaml.ScalarEvent: self._take_scalar,
            yaml.MappingStartEvent: self._open_mapping,
            yaml.SequenceStartEvent: self._open_sequence,
            yaml.MappingEndEvent: self._close,
            yaml.SequenceEndEvent: self._close,
            yaml.AliasEvent: self._take_alias,
            yaml.DocumentStartEvent: self._start_document,
        }
        for event in yaml.parse(data, getattr(yaml, "CLoader", yaml.Loader)):
            handle = take.get(type(event))
            if handle is not None:
                handle(event)
        return self._root

    def _start_document(self, event: Any) -> None:
        self._documents += 1
        if self._documents > 1:
            raise YamlError(f"line {event.start_mark.line + 1} begins a second document; give each a file of its own")

    def _take_scalar(self, event: Any) -> None:
        text, tag = event.value, event.tag
        if type(self._container) is dict and self._key is None:
            is_merge = text == MERGE and event.implicit[0]
            self._key = text if not is_merge else _MERGE_KEY
            if event.anchor:
                self._anchors[event.anchor] = text
            return
        if tag is None:
            value = convert_scalar(text) if event.implicit[0] else text
        elif tag in _TEXT_TAGS:
            value = text
        elif tag in _KNOWN_TAGS:
            value = convert_scalar(text)
            value = float(value) if tag == f"{_TAG}float" and type(value) is int else value
        else:
            raise YamlError(f"line {event.start_mark.line + 1} has the tag {tag}, which JSON does not have")
        if event.anchor:
            self._anchors[event.anchor] = value
        if type(value) is float and value - value != 0:
            self.is_plain = False
        self._put(value)

    def _open_mapping(self, event: Any) -> None:
        self._open(event, {})

    def _open_sequence(self, event: Any) -> None:
        self._open(event, [])

    def _open(self, event: Any, container: Any) -> None:
        if type(self._container) is dict and self._key is None:
            raise YamlError(f"line {event.start_mark.line + 1} has a key that is not text; put it in quotes")
        if event.tag is not None and event.tag not in _KNOWN_TAGS:
            raise YamlError(f"line {event.start_mark.line + 1} has the tag {event.tag}, which JSON does not have")
        self._stack.append((self._container, self._key, event.anchor))
        self.is_plain = self.is_plain and len(self._stack) < _SHALLOW
        if event.anchor:
            self._anchors[event.anchor] = _UNFINISHED
        self._container, self._key = container, None

    def _close(self, event: Any) -> None:
        done = self._container
        self._container, self._key, anchor = self._stack.pop()
        if type(done) is dict and _MERGE_KEY in done:
            done = _merge(done, event.start_mark.line + 1)
        if anchor:
            self._anchors[anchor] = done
        self._put(done)

    def _take_alias(self, event: Any) -> None:
        self.is_plain = False
        value = self._anchors.get(event.anchor, _MISSING)
        if value is _MISSING:
            raise YamlError(f"line {event.start_mark.line + 1} refers to the anchor {event.anchor}, which is not there")
        if value is _UNFINISHED:
            raise YamlError("refers to itself by an anchor; use $ref")
        if type(self._container) is dict and self._key is None:
            if not isinstance(value, str):
                raise YamlError(f"line {event.start_mark.line + 1} has a key that is not text; put it in quotes")
            self._key = value
            return
        self._put(value)

    def _put(self, value: Any) -> None:
        container = self._container
        if type(container) is dict:
            # Two merge keys in one mapping both count.
            if self._key is _MERGE_KEY and _MERGE_KEY in container:
                value = [*_as_list(container[_MERGE_KEY]), *_as_list(value)]
            container[self._key] = value
            self._key = None
        elif container is None:
            self._root = value
        else:
            container.append(value)


_MERGE_KEY: Any = object()  # no text: `"<<"` in quotes is a key like any other
_SHALLOW = 400
_MISSING: Any = object()
_UNFINISHED: Any = object()


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _merge(container: dict[str, Any], line: int) -> dict[str, Any]:
    """The mapping with what it merges; its own keys go first, then the earlier of the merged."""
    sources = _as_list(container[_MERGE_KEY])
    if not all(isinstance(source, dict) for source in sources):
        raise YamlError(f"line {line} ends a mapping whose merge key holds no mapping")
    merged: dict[str, Any] = {}
    for source in [{k: v for k, v in container.items() if k is not _MERGE_KEY}, *sources]:
        merged = {**source, **merged}
    return merged
