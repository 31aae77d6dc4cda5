"""Scenario files: every fault with file and line, before anyone is asked; the formats of others as they are."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import jsonschema
import pytest
import yaml

from graphbus_core.errors import ScenarioError, UsageError
from graphbus_core.negotiation.consent.optimum.search import find_optima
from graphbus_core.negotiation.consent.scenario.research_formats import is_domain, read_game, read_genius
from graphbus_core.negotiation.consent.scenario.yaml_format import SCENARIO_SCHEMA, read_scenario
from graphbus_core.sessions import consent
from graphbus_core.sessions.consent.files import load_scenario
from tests.consent.worlds import GAMES, ROOT

STORAGE = ROOT / "examples" / "consent" / "storage.yaml"
GOOD = """\
topic: t
issues:
  a: [x, y, z]
  b: {min: 0, max: 10, step: 5}
advocates:
  P:
    scores: {a: {x: 3}, b: {from: 0, to: 10}}
    weights: {a: 2}
    minimum: 4
    red_lines:
      - forbid: {a: y, b: [0, 5]}
      - limit: {of: b, at_most: 9}
  Q:
    scores: {a: {z: 1}}
    conditional_scores:
      - {when: {b: 10}, scores: {a: {x: 2}}}
"""


def test_a_scenario_file_means_what_it_says() -> None:
    """Weights are multiplied in, ranges are steps, conditions count where they hold."""
    scenario = read_scenario(GOOD)
    p, q = scenario.advocates
    assert scenario.issues[1].options == ("0", "5", "10")
    assert p.score((0, 1)) == 6 + 5
    assert q.score((0, 2)) == 2
    assert q.score((0, 1)) == 0
    assert [line.text for line in scenario.find_crossed_lines("P", (1, 0))] == [
        "not a y with b 0 or 5",
        "a total below its minimum",
    ]
    assert [line.text for line in scenario.find_crossed_lines("P", (0, 2))] == ["b at most 9"]


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        ("x: 3", "w: 3", 7, "no option 'w'"),
        ("forbid: {a: y", "forbid: {a: yy", 11, "no option 'yy'"),
        ("forbid: {a: y", "forbid: {aa: y", 11, "no issue 'aa'"),
        ("weights: {a: 2}", "weights: {c: 2}", 8, "no issue 'c'"),
        ("{a: {z: 1}}", "{a: {}}", 14, "for nothing"),
        ("limit: {of: b", "limit: {of: a", 12, "needs numbers"),
        ("scores: {a: {x: 2}}}", "scores: {b: {'5': 2}}}", 16, "cycle"),
        ("  b: {min: 0", "  b: {min: 11", 4, "ends before"),
        ("[x, y, z]", "[x, y, X]", 3, "twice"),
        ("  Q:", "  P:", 13, "twice"),
        ("    minimum: 4", "    minimun: 4", 9, "did you mean 'minimum'"),
        ("topic: t", "topic: [", 3, "not YAML"),
        ("    scores: {a: {z: 1}}", "    minimum: 3", 14, "no scores|read|given"),
        ("topic: t", "topic: t\nquorum: 7", 2, "quorum"),
        ("topic: t", "topic: t\npreferences: secret", 2, "preferences"),
    ],
)
def test_a_fault_is_found_with_file_and_line(old: str, new: str, line: int, why: str) -> None:
    assert old in GOOD
    text = GOOD.replace(old, new, 1)
    if "minimum: 3" in new:
        text = text.split("    conditional_scores")[0]
    with pytest.raises(ScenarioError, match=rf"^s\.yaml:{line}: .*({why})"):
        read_scenario(text, "s.yaml")


def test_two_conditions_that_depend_on_each_other_are_a_cycle() -> None:
    text = GOOD + "      - {when: {a: x}, scores: {b: {'10': 2}}}\n"
    with pytest.raises(ScenarioError, match=r"^s\.yaml:17: .*cycle of conditions"):
        read_scenario(text, "s.yaml")


def test_the_example_fits_its_schema_and_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCENARIO_SCHEMA)
    jsonschema.validate(yaml.safe_load(STORAGE.read_text()), SCENARIO_SCHEMA)
    written = json.loads((STORAGE.parent / "scenario.schema.json").read_text())
    assert written == SCENARIO_SCHEMA
    assert load_scenario(STORAGE).names == ("Reliability", "Cost", "Security")


def test_an_unknown_advocate_and_an_output_that_cannot_be_written_are_found_first(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="no advocate 'Nobody'"):
        consent.prepare(consent.Request(str(STORAGE), advocates={"Nobody": "x"}))
    with pytest.raises(UsageError, match="no advocate 'Nobody'"):
        consent.prepare(consent.Request(str(STORAGE), humans=("Nobody",)))
    blocked = tmp_path / "file"
    blocked.write_text("")
    for target in (tmp_path, blocked / "doc.md"):
        with pytest.raises(ScenarioError, match="cannot be written"):
            consent.prepare(consent.Request(str(STORAGE), output=str(target)))
    named = tmp_path / "s.yaml"
    named.write_text(STORAGE.read_text() + f"\noutput: {blocked}/doc.md\n")
    last = len(named.read_text().splitlines())
    with pytest.raises(ScenarioError, match=rf"s\.yaml:{last}: .*cannot be written"):
        consent.prepare(consent.Request(str(named)))


def test_words_alone_need_somebody_who_can_argue(monkeypatch: pytest.MonkeyPatch) -> None:
    for key in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(key, raising=False)
    with pytest.raises(UsageError, match="--human"):
        consent.prepare("Use negotiation for lunch. CC=Fast, CX=Cheap.")


@pytest.mark.skipif(not GAMES.is_dir(), reason="the shared scenarios are not here")
@pytest.mark.parametrize(("name", "possible"), [("base", 12), ("game1", 21)])
def test_the_shared_games_are_read_as_they_are(name: str, possible: int) -> None:
    """The folder, its config.txt and a score file all mean the game; the number of deals for all six is known."""
    scenario = load_scenario(GAMES / name)
    assert scenario.size == 720
    assert sum(map(scenario.is_permitted, scenario.iterate_outcomes())) == possible
    assert load_scenario(GAMES / name / "config.txt") == scenario
    assert [a.veto for a in scenario.advocates].count(True) == 2


def test_a_broken_game_names_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "scores_files").mkdir()
    (tmp_path / "config.txt").write_text("A,a,p1,coop,m\nB,b,p2,coop,m\n")
    (tmp_path / "scores_files" / "a.txt").write_text("1,2\n3,4\n5\n")
    for text, where in (("1,2\n3,x\n5\n", "b.txt:2"), ("1,2\n3\n5\n", "b.txt:2"), ("1,2\n5\n", "b.txt:2")):
        (tmp_path / "scores_files" / "b.txt").write_text(text)
        with pytest.raises(ScenarioError, match=where):
            load_scenario(tmp_path)
    (tmp_path / "scores_files" / "b.txt").unlink()
    with pytest.raises(ScenarioError, match="missing"):
        load_scenario(tmp_path)


DOMAIN = """<negotiation_template><utility_space number_of_issues="3">
<objective index="0" etype="objective" type="objective" name="Trip">
<issue index="1" name="Where (place)" vtype="discrete" type="discrete">
  <item index="1" value="Sea"/><item index="2" value="Hills"/></issue>
<issue index="2" name="Days" vtype="integer" type="integer" lowerbound="2" upperbound="6"/>
<issue index="3" name="Price" vtype="real" type="real"><range lowerbound="0" upperbound="100"/></issue>
</objective></utility_space></negotiation_template>"""
PROFILE = """<utility_space><objective index="0" name="Trip">
<issue index="1" name="Where (place)" vtype="discrete">
  <item index="1" value="Sea" evaluation="{sea}"/><item index="2" value="Hills" evaluation="2"/></issue>
<issue index="2" name="Days" vtype="integer" lowerbound="2" upperbound="6">
  <evaluator ftype="linear" slope="0.2" offset="0.1"/></issue>
<issue index="3" name="Price" vtype="real"><range lowerbound="0" upperbound="100"/>
  <evaluator ftype="linear" parameter0="1" parameter1="-0.01"/></issue>
<weight index="1" value="0.5"/><weight index="2" value="0.3"/><weight index="3" value="0.2"/></objective>
<reservation value="0.25"/></utility_space>"""


def test_a_genius_domain_counts_as_genius_does(tmp_path: Path) -> None:
    """Weight x evaluation / highest; offset + slope from the lower bound; a real range in steps; the reservation."""
    assert is_domain(DOMAIN) is True
    assert is_domain(PROFILE.format(sea=4)) is False
    assert is_domain("<results/>") is None
    for name, sea in (("one", 4), ("two", 1), ("three", 2)):
        (tmp_path / f"{name}.xml").write_text(PROFILE.format(sea=sea))
    (tmp_path / "domain.xml").write_text(DOMAIN)
    scenario = load_scenario(tmp_path)
    assert scenario.names == ("one", "three", "two")
    assert [len(i.options) for i in scenario.issues] == [2, 5, 21]
    one = scenario.find_advocate("one")
    assert one.score((1, 0, 0)) == pytest.approx(0.5 * 2 / 4 + 0.3 * 0.1 + 0.2)
    assert one.score((0, 4, 20)) == pytest.approx(0.5 + 0.3 * 0.9)
    assert one.minimum == 0.25
    assert load_scenario(tmp_path / "domain.xml") == scenario
    assert find_optima(scenario) is not None


def test_a_hyper_rectangle_counts_inside_its_box() -> None:
    profile = PROFILE.format(sea=4).replace(
        "</objective>",
        '<utility maxutility="10"><ufun weight="1"><hyperRectangle utility="5"><INCLUDES index="2" min="3" max="4"/>'
        "</hyperRectangle></ufun></utility></objective>",
    )
    scenario = read_genius(("d.xml", DOMAIN), {"a.xml": profile, "b.xml": profile})
    assert scenario.advocates[0].score((0, 1, 0)) - scenario.advocates[0].score((0, 0, 0)) == pytest.approx(0.5 + 0.06)


def test_broken_xml_names_file_and_line() -> None:
    with pytest.raises(ScenarioError, match=r"d\.xml:2"):
        read_genius(("d.xml", "<a>\n<b></a>"), {"p.xml": PROFILE})
    bad = PROFILE.format(sea="much")
    with pytest.raises(ScenarioError, match="evaluation"):
        read_genius(("d.xml", DOMAIN), {"p.xml": bad, "q.xml": bad})


_TABLE = "topic: x\nissues: {a: [x, y]}\nadvocates:\n  A: {scores: {a: {x: 2, y: 1}}}\n  B: {scores: {a: {y: 1}}}\n"
_ALIASES = "topic: x\na: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{chr(98 + i)}: &{chr(98 + i)} [{','.join(['*' + chr(97 + i)] * 9)}]\n" for i in range(7)
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (_TABLE.replace("x: 2", "x: .nan"), "s.yaml:4: '.nan' is not a number"),
        (_TABLE.replace("x: 2", "x: .inf"), "s.yaml:4: '.inf' is not a number"),
        (_TABLE.replace("x: 2", "x: 1.0e+308"), "s.yaml:4: '1.0e+308' is not a number"),
        (_TABLE.replace("x: 2", "x: 1" + "0" * 400), "s.yaml:4:"),
        (_TABLE.replace("[x, y]", "{min: 0, max: .inf}"), "s.yaml:2: '.inf' is not a number"),
        (_TABLE.replace("[x, y]", "{min: 0, max: 10, step: 1.0e-320}"), "s.yaml:2: 'a' has inf steps"),
        (_TABLE.replace("[x, y]", "{min: 10000000000000, max: 10000000000009}"), "s.yaml:2: the steps of 'a' look"),
        (_TABLE.replace("[x, y]", "{min: 0, max: 1.0e-8, step: 1.0e-11}"), "s.yaml:2: the steps of 'a' look"),
        (_TABLE.replace("[x, y]", "[3, 1, 2]").replace("x: 2, y: 1", "from: 3, to: 4"), "s.yaml:4: {from, to}"),
        (_TABLE.replace("[x, y]", '[x, "y\\nz"]'), "s.yaml:2: 'a' has an option"),
        (_TABLE.replace("  B:", "  a:"), "s.yaml:5: 'a' and 'A' cannot be told apart"),
        (_TABLE.replace("  B:", "  engine:"), "s.yaml:5: an advocate cannot be called 'engine': the name is taken"),
        (_TABLE.replace("  B:", '  "B: C":'), "s.yaml:5: an advocate cannot be called 'B: C'"),
        (_TABLE.replace("topic: x", 'topic: "\\ud800"'), "s.yaml:1:"),
        (_TABLE.replace("topic: x", 'topic: "x\\0"'), "s.yaml:1: 'x\\x00' holds a NUL"),
        (_TABLE.partition("  B")[0], "s.yaml:3: a negotiation takes at least two advocates; 1 named here"),
        (_TABLE.partition("{scores: {a: {y")[0], "s.yaml:5: B has nothing below it"),
        (_TABLE.replace("{scores: {a: {y: 1}}}", "{red_lines: [{text: no}]}"), "s.yaml:5: a red line has `forbid"),
        ("topic: " + "[" * 5000, "s.yaml:1: nested too deep"),
        (_ALIASES, "more than 500000 parts"),
    ],
)
def test_what_cannot_be_weighed_or_told_apart_is_refused_with_its_line(text: str, said: str) -> None:
    with pytest.raises(ScenarioError, match=re.escape(said)):
        read_scenario(text, "s.yaml")


def test_a_folder_with_one_scenario_file_is_that_file(tmp_path: Path) -> None:
    """What it names lies beside it, and a fault in it has its line."""
    (tmp_path / "s.yaml").write_text(_TABLE + "work: what.md\n")
    (tmp_path / "what.md").write_text("the decision")
    assert consent.prepare(consent.Request(str(tmp_path))).config.work == "the decision"
    (tmp_path / "s.yaml").write_text(_TABLE + f"output: {tmp_path}\n")
    with pytest.raises(ScenarioError, match=r"s\.yaml:6: .* cannot be written"):
        consent.prepare(consent.Request(str(tmp_path)))


def test_numbers_of_other_formats_are_bounded_too() -> None:
    issue = '<issue name="a" index="1" type="{}"><range lowerbound="0" upperbound="{}"/>{}</issue>'
    for kind, high, more in (("integer", "1e14", ""), ("real", "inf", ""), ("real", "nan", "")):
        text = f"<utility_space>{issue.format(kind, high, more)}</utility_space>"
        with pytest.raises(ScenarioError, match=r"d\.xml: "):
            read_genius(("d.xml", text), {"p.xml": text, "q.xml": text})
    with pytest.raises(ScenarioError, match=r"A\.txt:1: numbers from"):
        read_game({"config.txt": "A,A,p1,x,m\nB,A,p2,x,m\n", "scores_files/A.txt": "1,nan\n3\n"})


def test_an_output_that_would_replace_a_device_or_cannot_be_put_there_is_found_first(tmp_path: Path) -> None:
    """The document is written beside its place and put there: as root that would take `/dev/null` away."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for output in (pipe, Path(os.devnull)):
        with pytest.raises(ScenarioError, match="not a plain file"):
            consent.prepare(consent.Request(str(STORAGE), output=str(output)))
    consent.prepare(consent.Request(str(STORAGE), comms=os.devnull))
    closed = tmp_path / "closed"
    closed.mkdir()
    (closed / "old.md").write_text("old")
    closed.chmod(0o555)
    try:
        if os.geteuid() != 0:
            with pytest.raises(ScenarioError, match="cannot be written"):
                consent.prepare(consent.Request(str(STORAGE), output=str(closed / "old.md")))
    finally:
        closed.chmod(0o755)
