"""Scenarios for the tests of the consent negotiation: generated ones, and the files shared beside the repository."""

from __future__ import annotations

import os
import random
from pathlib import Path

from graphbus_core.negotiation.consent.scenario.model import (
    Advocate,
    Conditional,
    Forbidden,
    Issue,
    Limit,
    RedLine,
    Scenario,
    build_minimum_line,
)
from graphbus_core.negotiation.consent.scenario.research_formats import read_game

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("GRAPHBUS_SHARED", ROOT.parent / "shared"))
GAMES = SHARED / "scenarios" / "llm-deliberation"


def shared_game(name: str) -> Scenario:
    """One of the games that lie beside the repository."""
    folder = GAMES / name
    return read_game({str(f.relative_to(folder)): f.read_text() for f in folder.rglob("*.txt")}, str(folder))


def generated(seed: int, parties: tuple[int, int] = (2, 5), issues: tuple[int, int] = (2, 4)) -> Scenario:
    """A small scenario with scores, conditional scores, minimums, forbidden combinations and limits."""
    rng = random.Random(seed)
    made = []
    for k in range(rng.randint(*issues)):
        count = rng.randint(2, 5)
        if rng.random() < 0.4:
            made.append(Issue(f"i{k}", tuple(map(str, range(count))), tuple(map(float, range(count)))))
        else:
            made.append(Issue(f"i{k}", tuple(f"o{j}" for j in range(count))))
    advocates = [_advocate(rng, f"p{p}", made) for p in range(rng.randint(*parties))]
    return Scenario("generated", tuple(made), tuple(advocates))


def _advocate(rng: random.Random, name: str, issues: list[Issue]) -> Advocate:
    scores = tuple(tuple(float(rng.randrange(30)) for _ in issue.options) for issue in issues)
    minimum = float(round(sum(map(max, scores)) * rng.uniform(0.3, 0.95)))
    conditionals = tuple(
        Conditional(
            {i: frozenset({rng.randrange(len(issues[i].options))}) for i in rng.sample(range(len(issues)), 2)},
            float(rng.randrange(-10, 20)),
        )
        for _ in range(rng.randint(0, 2))
    )
    lines = []
    numeric = [i for i, issue in enumerate(issues) if issue.numbers]
    for _ in range(rng.randint(0, 2)):
        if numeric and rng.random() < 0.3:
            lines.append(RedLine(name, Limit((rng.choice(numeric),), at_most=float(rng.randint(0, 2))), "a limit"))
            continue
        combination = {}
        for i in rng.sample(range(len(issues)), rng.randint(1, 2)):
            options = range(len(issues[i].options))
            combination[i] = frozenset(rng.sample(options, rng.randint(1, len(options) - 1)))
        lines.append(RedLine(name, Forbidden(combination), "not this"))
    lines.append(build_minimum_line(name, minimum))
    return Advocate(
        name, scores=scores, conditionals=conditionals, minimum=minimum, red_lines=tuple(lines), priority=f"P of {name}"
    )
