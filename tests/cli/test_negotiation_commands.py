"""`inspect-negotiation`, `why` and `log`: what they print, their exit codes, and the interactive view by keyboard."""

from __future__ import annotations

import asyncio
import json

import pytest

from graphbus_core.cli.main import main
from graphbus_core.config import SafetyConfig
from graphbus_core.logs.negotiation_folder import NegotiationFolder
from graphbus_core.negotiation.core import Driver, Session
from graphbus_core.negotiation.proposal import EVENTS, ProposalConfig, ProposalProtocol
from tests.negotiation.paper import (
    ACCEPT,
    REJECT,
    Paper,
    Seat,
    add,
    pipeline,
    proposals,
    propose,
    script,
)

AGENTS, LINKS = pipeline()


def keep(folder, build_id, table, paper):
    """A build's negotiation on disk."""
    with_ids = tuple(paper.agents.values())
    config = ProposalConfig(with_ids, LINKS, safety=SafetyConfig(max_negotiation_rounds=2))
    log, answers = NegotiationFolder(folder).open(build_id, EVENTS)
    with log, answers:
        session = Session(ProposalProtocol(), config, log)
        asyncio.run(Driver({a.name: Seat(script(table)) for a in AGENTS}, answers, paper.apply).run(session))


@pytest.fixture
def folder(tmp_path):
    """Two builds: `src` is added, then renamed; in between something is refused."""
    paper = Paper(AGENTS, LINKS)
    because = {"summary": "Add src [1]", "rationale": "C needs attribution"}
    table = {
        "A.propose": proposals(propose(add("A", "make", "src"), **because)),
        "B.propose": proposals(propose(add("B", "take", "late"), summary="late")),
        "C.evaluate": REJECT,
        "B.evaluate": {**ACCEPT, "reasoning": "safe to pass on"},
    }
    keep(tmp_path, "build-2026-02-20-153042", table, paper)
    rename = {"op": "rename_field", "node": "A", "method": "make", "side": "output", "field": "src", "to": "source"}
    paper.receipts.clear()
    keep(tmp_path, "build-2026-02-21-090000", {"A.propose": proposals(propose(rename, summary="rename it"))}, paper)
    return tmp_path


def run(capsys, *args):
    """Exit code, output."""
    code = main([str(a) for a in args])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_why_follows_a_field_across_builds_and_renames(folder, capsys):
    """Who, why, what peers said, the commit, the date; the older name is followed."""
    code, out, _ = run(capsys, "why", "A.make.source", "--dir", folder)
    assert code == 0
    assert out.index("rename it") < out.index("Add src [1]")
    for words in ("C needs attribution", "B: accept - safe to pass on", "commit c-", "build-2026-02-20-153042"):
        assert words in out
    code, out, _ = run(capsys, "why", "A.make", "--dir", folder, "--json")
    assert [cause["proposer"] for cause in json.loads(out)] == ["A", "A"]


def test_why_says_where_nobody_touched_it(folder, capsys):
    """Exit code 1; what was refused only with --all."""
    code, out, _ = run(capsys, "why", "B.take.late", "--dir", folder)
    assert (code, "as its author wrote it" in out) == (1, True)
    code, out, _ = run(capsys, "why", "B.take.late", "--dir", folder, "--all")
    assert (code, "rejected" in out) == (0, True)


def test_inspect_prints_and_filters(folder, capsys):
    """Keys agent, round, outcome and type; unknown ones are refused with what there is."""
    first = "build-2026-02-20-153042"
    code, out, _ = run(capsys, "inspect-negotiation", first, "--dir", folder, "--plain")
    assert code == 0
    for words in ("Round 1", "C: reject - no", "late", "Add src [1]", "change: add field A.make.output.src"):
        assert words in out
    args = ("inspect-negotiation", first, "--dir", folder, "--filter", "agent=A", "--filter", "outcome=committed")
    code, out, _ = run(capsys, *args, "--json")
    told = json.loads(out)
    assert [p["proposer"] for r in told["rounds"] for p in r["proposals"]] == ["A"]
    assert run(capsys, *args, "--filter", "round=2", "--json")[1].count('"proposer"') == 0
    assert run(capsys, "inspect-negotiation", "--dir", folder, "--search", "RENAME IT")[1].count("rename it") == 1
    code, _, err = run(capsys, "inspect-negotiation", "--dir", folder, "--filter", "colour=red")
    assert (code, "agent, round, outcome, type" in err) == (2, True)


def test_where_there_is_no_negotiation_it_is_said(tmp_path, capsys):
    """Exit code 2 and what to do."""
    for args in (("inspect-negotiation",), ("why", "A.make"), ("log", "verify")):
        code, _, err = run(capsys, *args, "--dir", tmp_path)
        assert (code, "--enable-agents" in err) == (2, True)
    code, _, err = run(capsys, "log", "verify", "build-none", "--dir", tmp_path)
    assert code == 2


def test_log_verify_detects_and_repairs(folder, capsys):
    """Exit code 1 at damage; --repair keeps what is sound."""
    assert run(capsys, "log", "verify", "--dir", folder)[0] == 0
    path = NegotiationFolder(folder).log_path("build-2026-02-21-090000")
    path.write_bytes(path.read_bytes().replace(b'"round_closed"', b'"round_opened"', 1))
    code, out, _ = run(capsys, "log", "verify", "--dir", folder)
    assert (code, "facts before it are sound" in out) == (1, True)
    assert run(capsys, "inspect-negotiation", "--dir", folder)[0] == 1
    assert run(capsys, "log", "verify", "--dir", folder, "--repair")[0] == 0
    code, out, _ = run(capsys, "log", "verify", "--dir", folder, "--json")
    assert (code, json.loads(out)["damage"]) == (0, None)


def test_log_export_and_replay(folder, capsys, tmp_path):
    """The projection, the facts alone, and the same facts again from the answers."""
    code, out, _ = run(capsys, "log", "export", "--dir", folder)
    assert (code, json.loads(out)["committed"]) == (0, 1)
    code, out, _ = run(capsys, "log", "export", "--dir", folder, "--facts")
    kinds = [json.loads(line)["kind"] for line in out.splitlines()]
    assert (kinds[0], kinds[-1]) == ("negotiation_opened", "negotiation_ended")
    code, _, _ = run(capsys, "log", "export", "--dir", folder, "-o", tmp_path / "out.json")
    assert json.loads((tmp_path / "out.json").read_text())["build_id"] == "build-2026-02-21-090000"
    code, out, _ = run(capsys, "log", "replay", "--dir", folder, "--json")
    said = json.loads(out)
    assert (code, said["facts"], said["differs"]) == (0, said["of"], None)
    answers = NegotiationFolder(folder).answers_path("build-2026-02-21-090000")
    from graphbus_core.storage.sealed_lines import seal_object

    lines = [line for line in answers.read_bytes().splitlines(True) if b".evaluate." not in line]
    forged = [json.loads(line) for line in answers.read_bytes().splitlines() if b".evaluate." in line]
    for one in forged:
        one.pop("crc")
        one["body"] = {"decision": "reject"}
    answers.write_bytes(b"".join(lines) + b"".join(seal_object(one) for one in forged))
    code, out, _ = run(capsys, "log", "replay", "--dir", folder)
    assert (code, "differs in evaluation" in out) == (1, True)


def test_the_interactive_view_by_keyboard(folder):
    """Arrows, filters, search: no mouse needed."""
    pytest.importorskip("textual")
    from graphbus_core.cli.negotiation_view import NegotiationView
    from graphbus_core.services.queries import negotiations

    build = "build-2026-02-20-153042"
    log = negotiations.read_log(build, NegotiationFolder(folder).log_path(build)).build_log()

    async def walk():
        app = NegotiationView(log.to_dict(), damage="line 9: altered")
        async with app.run_test(size=(120, 40)) as pilot:

            def shown():
                return str(app.query_one("#details").render())

            await pilot.pause()
            assert "damaged: line 9: altered" in str(app.query_one("#overview").render())
            assert "C needs attribution" in shown()
            await pilot.press("down")
            await pilot.pause()
            assert "C: reject" in shown()
            await pilot.press("o")
            await pilot.pause()
            assert app.filters == {"outcome": "committed"}
            await pilot.press("o")
            await pilot.pause()
            assert "late" in shown()
            await pilot.press("c", "slash", *"attribution", "enter")
            await pilot.pause()
            assert app.search_text == "attribution"
            assert "Add src [1]" in shown()
            await pilot.press("c", "p", "p")
            await pilot.pause()
            assert app.filters == {"party": "B"}
            await pilot.press("c", "t", "r", "a", "e", "q")
        return app.return_code

    assert asyncio.run(walk()) in (0, None)
