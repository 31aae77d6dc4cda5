"""The sizes that the house allows, and what is larger. A folder may hold as much as belongs together."""

from __future__ import annotations

from tests.structure import house

# Each rule: its name, the most it allows, what a thing is called, and what to do when a thing is too large.
RULES = {
    "file_lines": (house.MAX_FILE_LINES, "lines", "move what has a purpose of its own to a module of its own"),
    "function_lines": (house.MAX_FUNCTION_LINES, "lines", "give its steps names: one function a step"),
    "complexity": (
        house.MAX_COMPLEXITY,
        "ways through it",
        "turn the branches into a table, or into one function a case",
    ),
}


def faults(of: house.House) -> list[str]:
    """What is larger than its rule allows, one sentence each with what to do; empty when the house holds."""
    sizes = {
        "file_lines": of.lines(),
        "function_lines": of.function_lines(),
        "complexity": of.complexity(),
    }
    return [
        f"{name} has {size} {unit}. The most is {most}. To do: {advice}."
        for rule, (most, unit, advice) in RULES.items()
        for name, size in sizes[rule].items()
        if size > most
    ]
