"""Today's exceptions to the rules of the house: `exceptions.toml`, which may only shrink."""

from __future__ import annotations

import tomllib
from pathlib import Path

from tests.structure import house

FILE = Path(__file__).with_name("exceptions.toml")
HEAD = """\
# What is larger than the rules of the house allow, with the size it had when it was last measured.
# Made smaller by `make house`. A number here never grows and no line is added: split the thing instead.
"""

# Each rule: its name, the most it allows, what a thing is called, and what to do when a thing is too large.
RULES = {
    "room_files": (
        house.MAX_FILES,
        "files without its door",
        "fold two files that change together, or make a room inside it",
    ),
    "room_lines": (house.MAX_ROOM_LINES, "lines", "make a room inside it for the files that belong together"),
    "file_lines": (house.MAX_FILE_LINES, "lines", "move what has a purpose of its own to a file of its own"),
    "function_lines": (house.MAX_FUNCTION_LINES, "lines", "give its steps names: one function a step"),
    "complexity": (
        house.MAX_COMPLEXITY,
        "ways through it",
        "turn the branches into a table, or into one function a case",
    ),
}


def measured(of: house.House) -> dict[str, dict[str, int]]:
    """Everything that is larger than its rule allows, rule by rule."""
    sizes = {
        "room_files": of.room_files(),
        "room_lines": of.room_lines(),
        "file_lines": of.lines(),
        "function_lines": of.function_lines(),
        "complexity": of.complexity(),
    }
    return {rule: {k: n for k, n in found.items() if n > RULES[rule][0]} for rule, found in sizes.items()}


def listed(file: Path = FILE) -> dict[str, dict[str, int]]:
    """The exceptions as they stand in the file."""
    read = tomllib.loads(file.read_text("utf-8"))
    return {rule: read.get(rule, {}) for rule in RULES}


def faults(found: dict[str, dict[str, int]], allowed: dict[str, dict[str, int]]) -> list[str]:
    """What is wrong, one sentence each with what to do; empty when the house holds."""
    said = []
    for rule, (most, unit, advice) in RULES.items():
        for name, size in found[rule].items():
            limit = allowed[rule].get(name, most)
            if size > limit:
                was = (
                    f"It had {limit} when it was made an exception" if name in allowed[rule] else f"The most is {most}"
                )
                said.append(f"{name} has {size} {unit}. {was}. To do: {advice}.")
        said += [
            f"{name} is within the rule `{rule}` now (or gone). To do: run `make house`, which takes its line out of "
            f"tests/structure/exceptions.toml, and commit that."
            for name in allowed[rule]
            if name not in found[rule]
        ]
    return said


def tightened(found: dict[str, dict[str, int]], allowed: dict[str, dict[str, int]]) -> str:
    """The file anew: entries that are no longer needed are gone, the others have the smaller of both numbers."""
    parts = [HEAD]
    for rule, (most, _, _) in RULES.items():
        kept = {k: min(n, found[rule][k]) for k, n in sorted(allowed[rule].items()) if k in found[rule]}
        parts.append(f"[{rule}] # at most {most}\n" + "".join(f'"{k}" = {n}\n' for k, n in kept.items()))
    return "\n".join(parts)
