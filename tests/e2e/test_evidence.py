"""The corpora of evidence are well made, their judge tells right from wrong, and no figure gets worse unseen."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks import evidence
from benchmarks.evidence_cases import judge as judging
from benchmarks.evidence_cases.case import Case
from benchmarks.evidence_cases.honest import honest
from benchmarks.evidence_cases.judge import Result, judge, write
from benchmarks.evidence_cases.lookalikes import lookalikes
from benchmarks.evidence_cases.outside import outside
from benchmarks.evidence_cases.strangers import judge_all, print_table
from benchmarks.evidence_cases.traps import traps

# What the quick subset shows today, at most so many of each verdict. "left": honest mismatches that stay questions.
BOUNDS = {"committed": 0, "silent": 0, "unnamed": 0, "wrong": 0, "left": 0, "broken": 0}


def test_there_are_a_hundred_of_each_in_many_kinds() -> None:
    """Traps: ten kinds or more, eight or more of each. Honest: no kind of evidence is more than a quarter."""
    kinds = Counter(case.kind for case in traps())
    evidence_kinds = Counter(case.kind for case in honest())
    assert kinds.total() >= 100
    assert len(kinds) >= 10
    assert min(kinds.values()) >= 8
    assert evidence_kinds.total() == 100
    assert max(evidence_kinds.values()) <= 25
    assert len(list(outside())) >= 30


def test_no_two_cases_are_the_same() -> None:
    """Each case counts once."""
    cases = [*traps(), *lookalikes(), *honest()]
    assert len({case.name for case in cases}) == len(cases)


@pytest.mark.parametrize("part", ["traps", "honest", "guessed", "outside"])
def test_every_quick_case_is_a_case_and_no_figure_is_worse(part: str) -> None:
    """A case whose links fit, or whose program does not run before the build, would judge nothing."""
    results = evidence.run(evidence.chosen(part, True, ""), False)
    count = Counter(one.verdict for one in results)
    assert not count["bad case"], [one.why for one in results if one.verdict == "bad case"]
    assert all(count[verdict] <= bound for verdict, bound in BOUNDS.items()), dict(count)
    assert all(count[verdict] == 0 for verdict in evidence.BAD[part]), dict(count)
    if part != "outside":
        assert sum(count[verdict] for verdict in evidence.GOOD[part]) == len(results), dict(count)
    if part == "outside":  # where nothing is proposed, nothing could break either
        assert count["followed"] >= 1, dict(count)


def _case(kind: str) -> Case:
    return next(case for case in honest() if case.kind == kind)


def _judged(monkeypatch: pytest.MonkeyPatch, folder: Path, case: Case, old: str, new: str) -> Result:
    """The case judged over a build that replaces one name by another, and then freezes."""
    build = judging.build

    def repaired(folder: Path, *more: str) -> tuple[int, dict[str, Any]]:
        for path in folder.rglob("agents/*.py"):
            path.write_text(path.read_text().replace(f'"{old}"', f'"{new}"').replace(f"{old}:", f"{new}:"))
            path.write_text(path.read_text().replace("{" + old + "}", "{" + new + "}"))
        return build(folder, "--dry-run") and graphbus_plain(folder)

    def graphbus_plain(folder: Path) -> tuple[int, dict[str, Any]]:
        monkeypatch.chdir(folder)
        return judging.graphbus(["build", "agents"]), {}

    monkeypatch.setattr(judging, "build", repaired)
    return judge(case, folder)


def test_a_repair_by_the_meant_field_is_right(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Glacier.measure's `speed` is what the bulletin calls `glacier_speed`."""
    result = _judged(monkeypatch, tmp_path, _case("prefix"), "glacier_speed", "speed")
    assert (result.verdict, result.why) == ("right", "")


def test_a_repair_by_its_neighbour_of_the_same_type_is_wrong(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`melt` is a float too, and something else."""
    assert _judged(monkeypatch, tmp_path, _case("prefix"), "glacier_speed", "melt").verdict == "wrong"


def test_a_repair_that_breaks_the_program_beside_it_is_wrong(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The right field, and a `main.py` that nobody followed into."""
    result = _judged(monkeypatch, tmp_path, _case("flow"), "load", "mass")
    assert result.verdict == "wrong"
    assert "main.py" in result.why


def test_a_question_counts_only_with_its_candidates(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A question that names one of two candidates, and one that names both."""
    case = next(case for case in traps() if case.kind == "merges")
    for number, (names, verdict) in enumerate((("given", "unnamed"), ("given, family", "asked"))):
        said = {"mismatches": [{"question": f"What is legal_name: {names}?"}]}
        monkeypatch.setattr(judging, "build", lambda folder, said=said: (1, said))
        assert judge(case, tmp_path / str(number)).verdict == verdict


def test_a_stub_of_the_users_is_judged_and_the_builds_own_is_not(tmp_path: Path) -> None:
    """The build's stub of the nodes has no module beside it; a user's stub must tell what its module does."""
    own = tmp_path / ".graphbus" / "types" / "graphbus_nodes.pyi"
    own.parent.mkdir(parents=True)
    own.write_text("def weigh(self, load: int) -> int: ...\n")
    assert not judging._stub_differs(tmp_path)
    (tmp_path / "scale.py").write_text("def weigh(mass): ...\n")
    (tmp_path / "scale.pyi").write_text("def weigh(load: int) -> int: ...\n")
    assert "scale.pyi" in judging._stub_differs(tmp_path)


def test_cases_are_written_as_their_files(tmp_path: Path) -> None:
    """What the build reads is what the case says."""
    case = _case("test")
    write(case, tmp_path)
    assert all((tmp_path / name).read_text() == text for name, text in case.files.items())


STRANGER = """from graphbus_core import GraphBusNode, depends_on, schema_method


class Tap(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"litres": float})
    def fill(self):
        return {"litres": 2.5}


class Kettle(GraphBusNode):
    @depends_on("Tap.fill")
    @schema_method(input_schema={"volume": float}, output_schema={"done": str})
    def boil(self, volume):
        return {"done": f"{volume}"}
"""
CALL = "from kitchen import Kettle, Tap\n\nKettle().boil(volume=Tap().fill()['litres'])\n"
JUDGE = (
    "import pathlib, sys\nsys.exit({} if 'def boil(self, litres)' in pathlib.Path('kitchen.py').read_text() else {})\n"
)


def test_a_strangers_program_is_judged_by_its_own_judge(tmp_path: Path) -> None:
    """0 is right, 3 is not repaired, anything else is wrong; the folder that it came in is left alone."""
    for kind, judge_text, call in (("traps", JUDGE.format(1, 0), ""), ("honest", JUDGE.format(0, 3), CALL)):
        case = tmp_path / kind / "kettle"
        (case / "project").mkdir(parents=True)
        told = {"mismatch": "Tap.fill.litres -> Kettle.boil.volume", "witness": "script" if call else None}
        (case / "case.json").write_text(json.dumps(told))
        (case / "judge.py").write_text(judge_text)
        for name, text in (("pyproject.toml", ""), ("kitchen.py", STRANGER), ("main.py", call)):
            (case / "project" / name).write_text(text)
    results = judge_all(tmp_path, "", False)
    assert [(r.kind, r.verdict, r.changed, r.first) for r in results] == [
        ("traps", "right", False, True),
        ("honest", "right", True, None),
    ]
    assert print_table(results)
    assert (tmp_path / "honest/kettle/project/kitchen.py").read_text() == STRANGER
