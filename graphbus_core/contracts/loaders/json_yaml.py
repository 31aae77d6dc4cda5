"""Where the parts of a JSON or YAML text stand: pointer -> line. Read once, when the first line is asked for."""

from __future__ import annotations

import json
import re
from typing import Any

from graphbus_core.contracts.loaders.yaml_reader import YamlError, index_lines, read_yaml
from graphbus_core.contracts.parsing.json_schema import encode_pointer_part
from graphbus_core.errors import ContractError

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


class LineIndex:
    """The lines of one file."""

    def __init__(self, text: str, name: str) -> None:
        self._text, self._yaml = text, name.endswith((".yaml", ".yml"))
        self._found: dict[int, int] | None = None

    def find_line(self, pointer: str) -> int:
        """The line (from 1) of a part, or of the nearest part around it that is known."""
        if self._found is None:
            try:
                self._found = index_lines(self._text) if self._yaml else _index_json(self._text)
            except Exception:  # a place is a courtesy: without it the first line is named
                self._found = {}
        while pointer and hash(pointer) not in self._found:
            pointer = pointer.rpartition("/")[0]
        return self._found.get(hash(pointer), 1)


def _index_json(text: str) -> dict[int, int]:
    line_by_pointer = {hash(""): 1}
    stack: list[list[Any]] = []  # [pointer, next index or None for an object, key under way]
    line, scanned_to = 1, 0
    for token in _TOKEN.finditer(text):
        line += text.count("\n", scanned_to, token.start())
        scanned_to = token.start()
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
                stack[-1][2] = encode_pointer_part(json.loads(word))
                line_by_pointer[hash(f"{stack[-1][0]}/{stack[-1][2]}")] = line
                continue
            pointer = "" if not stack else f"{stack[-1][0]}/{stack[-1][2] if stack[-1][1] is None else stack[-1][1]}"
            line_by_pointer.setdefault(hash(pointer), line)
            if word in "{[":
                stack.append([pointer, None if word == "{" else 0, None])
    return line_by_pointer


# The document in the bytes of a JSON or YAML file. Whatever is not JSON ends in a sentence with its place.


MAX_FILE_BYTES = 20_000_000
MAX_PARTS = 2_000_000  # of a document once its aliases are written out


def parse_document(data: bytes, name: str) -> Any:
    """Read a document; `name` says whether it is YAML. Raises ContractError that names the line."""
    if len(data) > MAX_FILE_BYTES:
        raise ContractError(f"{name} is larger than {MAX_FILE_BYTES // 1_000_000} MB; that is not a schema.")
    try:
        if name.endswith((".yaml", ".yml")):
            document, is_plain = read_yaml(data)
        else:
            is_plain = False
            document = json.loads(data, parse_constant=_refuse_constant)
    except YamlError as e:
        raise ContractError(f"{name} {e}.") from None
    except (ValueError, RecursionError) as e:
        raise ContractError(f"{name} is not JSON: {e}.") from None
    except Exception as e:  # yaml has a tree of its own
        raise ContractError(f"{name} is not YAML: {' '.join(str(e).split())}.") from None
    odd = None if is_plain else _find_non_json(document)
    if odd:
        raise ContractError(f"{name} {odd}.")
    return document


def _refuse_constant(text: str) -> None:
    raise ValueError(f"{text} is not a JSON number")


def _find_non_json(document: Any) -> str | None:
    """What makes a document no JSON: YAML reads dates, keys that are not text, and parts that hold themselves."""
    sizes: dict[int, int] = {}  # parts of what is finished, aliases written out
    above: set[int] = set()
    stack: list[tuple[Any, bool]] = [(document, False)]
    while stack:
        node, is_leaving = stack.pop()
        if not isinstance(node, dict | list):
            if why := _find_non_json_scalar(node):
                return why
            continue
        inside = list(node.values() if isinstance(node, dict) else node)
        if is_leaving:
            above.discard(id(node))
            sizes[id(node)] = 1 + sum(sizes.get(id(v), 1) for v in inside)
            if sizes[id(node)] > MAX_PARTS:
                return f"has aliases of aliases: written out it is more than {MAX_PARTS:,} parts; use $ref"
            continue
        if id(node) in above:
            return "refers to itself by an anchor; use $ref"
        if id(node) in sizes:
            continue
        if len(above) > 500:
            return "is nested too deeply to be read; move inner parts to $defs"
        if isinstance(node, dict) and (key := next((k for k in node if not isinstance(k, str)), None)) is not None:
            return f"has the key {key!r}, which is not text; put it in quotes"
        above.add(id(node))
        stack.append((node, True))
        stack.extend((v, False) for v in inside)
    return None


def _find_non_json_scalar(scalar: Any) -> str | None:
    if not isinstance(scalar, str | int | float | bool | None):
        return f"holds {scalar!s}, a {type(scalar).__name__}, which JSON does not have; put it in quotes"
    if isinstance(scalar, float) and scalar - scalar != 0:
        return f"holds {scalar}, which is not a JSON number"
    return None
