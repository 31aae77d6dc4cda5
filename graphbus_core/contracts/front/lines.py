"""Where the parts of a JSON or YAML text stand: pointer -> line. Read once, when the first line is asked for."""

from __future__ import annotations

import re
from typing import Any

from graphbus_core.contracts.reading.walk import escaped

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


class Lines:
    """The lines of one file."""

    def __init__(self, text: str, name: str) -> None:
        self._text, self._yaml = text, name.endswith((".yaml", ".yml"))
        self._found: dict[str, int] | None = None

    def of(self, pointer: str) -> int:
        """The line (from 1) of a part, or of the nearest part around it that is known."""
        if self._found is None:
            try:
                self._found = _of_yaml(self._text) if self._yaml else _of_json(self._text)
            except Exception:  # a place is a courtesy: without it the first line is named
                self._found = {}
        while pointer and pointer not in self._found:
            pointer = pointer.rpartition("/")[0]
        return self._found.get(pointer, 1)


def _of_json(text: str) -> dict[str, int]:
    import json

    found = {"": 1}
    stack: list[list[Any]] = []  # [pointer, next index or None for an object, key under way]
    line, at = 1, 0
    for token in _TOKEN.finditer(text):
        line += text.count("\n", at, token.start())
        at = token.start()
        word = token[0]
        if word in "}]":
            stack.pop()
        elif word == ",":
            if stack and stack[-1][1] is not None:
                stack[-1][1] += 1
            elif stack:
                stack[-1][2] = None
        elif word != ":":
            if stack and stack[-1][1] is None and stack[-1][2] is None:
                stack[-1][2] = escaped(json.loads(word))
                found[f"{stack[-1][0]}/{stack[-1][2]}"] = line
                continue
            here = "" if not stack else f"{stack[-1][0]}/{stack[-1][2] if stack[-1][1] is None else stack[-1][1]}"
            found.setdefault(here, line)
            if word in "{[":
                stack.append([here, None if word == "{" else 0, None])
    return found


def _of_yaml(text: str) -> dict[str, int]:
    import yaml

    found = {"": 1}
    seen: set[int] = set()
    stack: list[tuple[Any, str]] = [(yaml.compose(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)), "")]
    while stack:
        node, pointer = stack.pop()
        if node is None or id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                here = f"{pointer}/{escaped(str(key.value))}"
                found.setdefault(here, key.start_mark.line + 1)
                stack.append((value, here))
        elif isinstance(node, yaml.SequenceNode):
            for i, value in enumerate(node.value):
                found.setdefault(f"{pointer}/{i}", value.start_mark.line + 1)
                stack.append((value, f"{pointer}/{i}"))
    return found
