"""What the source of a service names: its numbers, texts and regular expressions, in whatever language it is written.

Code does another thing at the values that it names, so that is where a service is sent examples. Read are the literals
of files that a branch changes, by their look alone: one that only looks like a number costs an example and no more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from graphbus_core.contracts.example_values import Landmarks

MAX_FILE_BYTES = 1 << 20
MAX_LITERALS = 80  # of a file: beyond that only the lines that were changed count
_NO_CODE = (".md", ".rst", ".txt", ".jsonl", ".ndjson", ".lock", ".svg", ".lcov", ".info", ".json")
_LITERAL = re.compile(
    r"(?P<comment>//[^\n]*|/\*.*?\*/|(?:^|(?<=\s))#[^\n]*)"
    r"|(?P<text>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)"
    r"|(?<=[(,=:\[!&|?{};\s])/(?P<pattern>(?:[^/\\\n\[*\s]|\\.|\[(?:[^\]\\\n]|\\.)*\])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])*)/"
    r"|(?<![\w.])(?P<number>0[xX][0-9a-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:[eE]\+?\d+)?)"
    r"(?P<more>(?:\s*(?:\*\*|<<|\*)\s*\d[\d_]*)*)",
    re.S,
)
_STEP = re.compile(r"(\*\*|<<|\*)\s*(\d[\d_]*)")
_LOOKS_LIKE_PATTERN = re.compile(r"\\[dwsb]|\[[^\]]+\]|[)\]\w][+*]|^\^|\$$")
_MAX_NUMBER = 10**21
_MAX_TEXT = 60  # longer ones are messages


def find_source_landmarks(folder: Path, changed: dict[str, frozenset[int]]) -> Landmarks:
    """What changed lines name, and the numbers and patterns of their whole files, where those are not too many."""
    found = Landmarks()
    for name, lines in sorted(changed.items()):
        file = folder / name
        if name.endswith(_NO_CODE) or not file.is_file() or file.stat().st_size > MAX_FILE_BYTES:
            continue
        try:
            source = file.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        whole, here = read_landmarks(source), read_landmarks("\n".join(_pick(source, lines)))
        found |= here
        if len(whole.numbers) + len(whole.patterns) <= MAX_LITERALS:
            found |= replace(whole, texts=here.texts)
    return found


def read_landmarks(source: str) -> Landmarks:
    """The literals of a source."""
    numbers: set[int] = set()
    texts: set[str] = set()
    patterns: set[str] = set()
    for literal in _LITERAL.finditer(source):
        if literal["number"]:
            numbers |= set(_read_numbers(literal["number"], literal["more"]))
        elif literal["pattern"]:
            patterns.add(literal["pattern"])
        elif literal["text"] and len(literal["text"]) <= _MAX_TEXT and "${" not in literal["text"]:
            inner = literal["text"][1:-1]
            texts.add(inner)
            if _LOOKS_LIKE_PATTERN.search(inner):
                patterns |= {inner, inner.replace("\\\\", "\\")}
    return Landmarks(frozenset(numbers), frozenset(texts), frozenset(patterns))


def _read_numbers(first: str, more: str) -> Iterator[int]:
    """The number, and what it becomes with what is multiplied, shifted or raised behind it, as `64 * 1024`."""
    plain = first.replace("_", "")
    value = int(plain, 16) if plain[:2] in ("0x", "0X") else int(float(plain)) if len(plain) < 20 else 0
    yield min(value, _MAX_NUMBER)
    for sign, text in _STEP.findall(more):
        other = min(int(text.replace("_", "")), 10**6)
        if sign != "*" and other > 64:
            return
        value = value * other if sign == "*" else value << other if sign == "<<" else value**other
        if value > _MAX_NUMBER:
            return
        yield value


def _pick(source: str, lines: Iterable[int]) -> Iterator[str]:
    all_lines = source.splitlines()
    return (all_lines[number - 1] for number in sorted(lines) if 0 < number <= len(all_lines))
