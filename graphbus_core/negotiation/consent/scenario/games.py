"""The games of "LLM-Deliberation" (arXiv 2309.17234) as scenarios: from the texts of their files, as they are.

`config.txt` has one party a line; `scores_files/PARTY.txt` one line an issue and the minimum last. Issues are called
A, B, … and options A1, A2, …, as the games' texts call them. Roles `p1` and `p2` hold vetoes. Pure: texts come in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from graphbus_core.errors import ScenarioError
from graphbus_core.negotiation.consent.scenario.scenario import Advocate, Issue, Scenario, minimum_of
from graphbus_core.negotiation.consent.scenario.yaml_lines import MAX_NUMBER

VETO_ROLES = frozenset({"p1", "p2"})


def read_game(files: Mapping[str, str], where: str = "") -> Scenario:
    """The scenario of one game folder. `files`: path inside the folder → text.

    Raises ScenarioError that names file and line.
    """
    config = files.get("config.txt")
    if config is None:
        raise ScenarioError(f"{where or 'the folder'}: config.txt is missing; it names one party a line.")
    parties: list[tuple[str, str, str, str]] = []
    for number, line in enumerate(config.splitlines(), 1):
        if not line.strip():
            continue
        # Commas inside an incentive are not escaped in the published files, and the fields we need come first.
        fields = [f.strip() for f in line.split(",")]
        if len(fields) < 4:
            raise ScenarioError(f"{_at(where, 'config.txt', number)}: a party is name, file, role, incentive, model.")
        parties.append((fields[0], fields[1], fields[2], fields[3]))
    if not parties:
        raise ScenarioError(f"{_at(where, 'config.txt', 1)}: no party is named.")
    # Seats go by name in the whole protocol; two of one name could not be told apart in a vote.
    doubled = {p[0] for p in parties if sum(q[0] == p[0] for q in parties) > 1}
    if doubled:
        raise ScenarioError(f"{_at(where, 'config.txt', 1)}: the party {min(doubled)!r} is named twice.")
    tables = {file: _scores(files, file, where) for _, file, _, _ in parties}
    shape = [len(row) for row in tables[parties[0][1]][0]]
    for _, file, _, _ in parties:
        _same_shape(tables[file][0], shape, file, parties[0][1], where)
    issues = _issues(shape, files.get("global_instructions.txt", ""))
    advocates = []
    for name, file, role, incentive in parties:
        scores, minimum = tables[file]
        text = files.get(f"individual_instructions/{incentive}/{file}.txt", "")
        advocates.append(
            Advocate(
                name=name,
                priority=f"The interests of {name}",
                scores=scores,
                minimum=minimum,
                # The games call a deal below the minimum impossible, which is what a red line is.
                red_lines=(minimum_of(name, minimum),),
                # As in the paper: without p1 and p2 nothing is agreed.
                veto=role in VETO_ROLES,
                brief=_fill(text, scores, minimum),
            )
        )
    # The first line of the instructions names the matter; it is all that a list of decisions has room for.
    topic = files.get("global_instructions.txt", "").strip().splitlines()
    return Scenario(
        topic=topic[0].strip() if topic else "LLM-Deliberation game",
        issues=issues,
        advocates=tuple(advocates),
        opening=_opening(files.get("initial_deal.txt", ""), issues),
    )


def _scores(files: Mapping[str, str], file: str, where: str) -> tuple[tuple[tuple[float, ...], ...], float]:
    path = f"scores_files/{file}.txt"
    if path not in files:
        raise ScenarioError(f"{_at(where, path, 0)}: missing; config.txt names the party file {file!r}.")
    rows: list[tuple[float, ...]] = []
    for number, line in enumerate(files[path].splitlines(), 1):
        if not line.strip():
            continue
        try:
            rows.append(tuple(float(v) for v in line.split(",")))
        except ValueError:
            raise ScenarioError(f"{_at(where, path, number)}: {line.strip()!r} is not a list of numbers.") from None
        if not all(abs(v) <= MAX_NUMBER for v in rows[-1]):  # nor is nan
            raise ScenarioError(f"{_at(where, path, number)}: numbers from -1e15 to 1e15 can be weighed.")
    if len(rows) < 2 or len(rows[-1]) != 1:
        raise ScenarioError(f"{_at(where, path, len(rows))}: the last line is the minimum total, one number.")
    return tuple(rows[:-1]), rows[-1][0]


def _same_shape(scores: tuple[tuple[float, ...], ...], shape: list[int], file: str, first: str, where: str) -> None:
    path = f"scores_files/{file}.txt"
    if len(scores) != len(shape):
        raise ScenarioError(
            f"{_at(where, path, len(scores) + 1)}: {len(scores)} issues, but {first}.txt has {len(shape)}."
        )
    for number, (row, width) in enumerate(zip(scores, shape, strict=True), 1):
        if len(row) != width:
            raise ScenarioError(f"{_at(where, path, number)}: {len(row)} options, but {first}.txt has {width}.")


def _issues(shape: list[int], text: str) -> tuple[Issue, ...]:
    issues = []
    for i, width in enumerate(shape):
        letter = chr(ord("A") + i) if i < 26 else f"I{i + 1}-"
        title = re.search(rf"Issue {letter}:\s*\"?([^\"\n]+)", text)
        # Names of options are not in the score files. The games' texts call them A1, A2, and people refer to these.
        options = tuple(f"{letter}{n}" for n in range(1, width + 1))
        meanings = {}
        for option in options:
            found = re.search(rf"\b{option}\b:?\s*(.+)", text)
            if found:
                meanings[option] = found.group(1).strip()
        issues.append(Issue(letter, options, None, title.group(1).strip() if title else "", meanings))
    return tuple(issues)


def _opening(text: str, issues: tuple[Issue, ...]) -> tuple[int, ...] | None:
    found = [v.strip() for v in text.split(",") if v.strip()]
    if len(found) != len(issues):
        # An initial deal of another length belongs to another game of the same folder. It is only where the talk
        # starts.
        return None
    indexes = [issue.index(option) for issue, option in zip(issues, found, strict=True)]
    return None if None in indexes else tuple(i for i in indexes if i is not None)


def _fill(text: str, scores: tuple[tuple[float, ...], ...], minimum: float) -> str:
    """A party's private instructions with its numbers in the places left for them."""
    for i, row in enumerate(scores):
        letter = chr(ord("A") + i)
        text = text.replace(f"#{letter}_MAX_NUM", f"{max(row):g}")
        for n, value in enumerate(row, 1):
            text = text.replace(f"#{letter}{n}_NUM", f"{value:g}")
    return text.replace("#MIN_NUM", f"{minimum:g}")


def _at(where: str, path: str, line: int) -> str:
    place = f"{where.rstrip('/')}/{path}" if where else path
    return f"{place}:{line}" if line else place
