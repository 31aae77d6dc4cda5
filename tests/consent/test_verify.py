"""`consent verify` names every claim that was altered, in the words, the counts and the record; old documents hold."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.cli.main import main
from graphbus_core.errors import GraphBusError
from graphbus_core.negotiation.consent.report import FENCE
from graphbus_core.sessions import consent
from graphbus_core.sessions.consent.files import Run, Runs
from graphbus_core.sessions.consent.verification import VerificationResult, verify_file
from tests.consent.test_stand_aside import DECISION as ASIDE, SCRIPT
from tests.consent.worlds import ROOT

STORAGE = ROOT / "examples" / "consent" / "storage.yaml"
FIRST = Path(__file__).parent / "first_edition"
IMPOSSIBLE = (
    "topic: x\nissues: {a: [p, q], b: [r, s]}\nadvocates:\n"
    "  A: {scores: {a: {p: 9}}, minimum: 5}\n  B: {scores: {a: {q: 9}, b: {r: 1}}, minimum: 5}\n"
)
WORDS = (
    "Use negotiation for authentication protocol design.\n"
    "CC advocates Reliability, CX advocates Speed, CC-peer-02 advocates Security.\nOutput: words.md"
)


def decided(name: str) -> tuple[Path, Run]:
    """A document of each kind, with the run that it came from."""
    kept = Runs(Path.cwd()).create()
    if name == "words":
        session = ROOT / "examples" / "consent" / "session.md"
        request = consent.Request(WORDS, model=f"scripted:{session}")
    elif name == "deadlock":
        Path("x.yaml").write_text(IMPOSSIBLE)
        request = consent.Request("x.yaml", output="deadlock.md")
    elif name == "aside":
        Path("ben.yaml").write_text(SCRIPT)
        Path("aside.yaml").write_text(ASIDE)
        request = consent.Request("aside.yaml", models={"Ben": "scripted:ben.yaml"}, output="aside.md")
    else:
        shutil.copy(STORAGE, "storage.yaml")
        request = consent.Request("storage.yaml", preferences=name, output=f"{name}.md", seed=3)
    consent.run(consent.prepare(request), kept)
    return Path(f"{name}.md"), kept


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def altered_words(text: str) -> list[tuple[str, str]]:
    """Each line in turn says something else: a number moved, a word added, a line gone, a line doubled."""
    lines = text.split("\n")
    start = lines.index(FENCE) if FENCE in lines else len(lines)
    end = next((n for n in range(start + 1, len(lines)) if lines[n] == "```"), start)
    out = []
    for n, line in enumerate(lines):
        if not line.strip() or start <= n <= end or line.strip() in ("```", "|---|---|---|"):
            continue
        number = re.search(r"\d+", line)
        if number:
            moved = line[: number.start()] + str(int(number[0]) + 30) + line[number.end() :]
            out.append((f"number in {line[:40]!r}", "\n".join([*lines[:n], moved, *lines[n + 1 :]])))
        out.append((f"words in {line[:40]!r}", "\n".join([*lines[:n], line + " not", *lines[n + 1 :]])))
        out.append((f"gone: {line[:40]!r}", "\n".join([*lines[:n], *lines[n + 1 :]])))
    return out


def altered_record(text: str) -> list[tuple[str, str]]:
    """Each leaf of the record in turn, and a claim added to each object of it."""
    start = text.index(f"\n{FENCE}\n") + len(FENCE) + 2
    end = text.index("\n```", start)
    record = json.loads(text[start:end])
    out = []

    def put(name: str, path: tuple[Any, ...], value: Any) -> None:
        copy = json.loads(json.dumps(record))
        place = copy
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value
        out.append((name, text[:start] + json.dumps(copy, indent=1, ensure_ascii=False) + text[end:]))

    def walk(value: Any, path: tuple[Any, ...]) -> None:
        if isinstance(value, dict):
            if path:
                put(f"added to {path}", (*path, "also"), "and a pony")
            for key, inside in value.items():
                walk(inside, (*path, key))
        elif isinstance(value, list):
            for n, inside in enumerate(value):
                walk(inside, (*path, n))
        elif isinstance(value, bool):
            put(str(path), path, not value)
        elif isinstance(value, int | float):
            put(str(path), path, value + 1)
        elif value is None:
            put(str(path), path, "something")
        else:
            put(str(path), path, f"{value}x")

    walk(record, ())
    put("added", ("binding",), True)
    return out


def found(file: str) -> list[str]:
    """What verify says is wrong; a file that cannot be read at all is named as well."""
    try:
        result = verify_file(file)
    except GraphBusError as e:
        return [str(e)]
    return (
        list(result.wrong) if result.attested is False and result.wrong else ([] if result.holds else [result.why_not])
    )


@pytest.mark.no_cover
@pytest.mark.timeout(400)  # against a hang; a busy machine is slow
def test_every_claim_that_is_altered_is_named() -> None:
    """One at a time, in five documents: more than two hundred alterations."""
    tried = 0
    for name in ("disclosed", "private", "deadlock", "words", "aside"):
        file, _ = decided(name)
        text = file.read_text()
        whole = verify_file(str(file))
        assert (whole.wrong, whole.attested) == ((), True), name
        for what, changed in [*altered_words(text), *altered_record(text)]:
            file.write_text(changed)
            assert found(str(file)), f"{name}: {what}"
            tried += 1
        file.write_text(text)
    assert tried >= 200
    print(f"{tried} alterations")


def test_turns_60_and_a_deal_that_nobody_made_no_longer_hold(capsys: pytest.CaptureFixture[str]) -> None:
    file, _ = decided("disclosed")
    text = file.read_text()
    file.write_text(re.sub(r"TURNS: \d+", "TURNS: 60", text))
    assert main(["consent", "verify", str(file)]) == 1
    assert "TURNS: 60" in capsys.readouterr().out
    from graphbus_core.negotiation.consent.certificate import build_certificate

    scenario = consent.prepare("storage.yaml").scenario
    made_up = next(o for o in scenario.iterate_outcomes() if scenario.is_permitted(o))
    Path("made_up.json").write_text(
        json.dumps({"scenario_file": "storage.yaml", **build_certificate(scenario, made_up)})
    )
    assert main(["consent", "verify", "made_up.json"]) == 1
    assert "consent is not attested" in capsys.readouterr().out
    _, kept = decided("disclosed")
    assert main(["consent", "verify", "made_up.json", "--log", str(kept.folder)]) == 1
    assert "agreement" in capsys.readouterr().out


def test_without_the_log_the_numbers_hold_and_consent_is_not_attested(capsys: pytest.CaptureFixture[str]) -> None:
    file, kept = decided("disclosed")
    moved = Path("elsewhere")
    shutil.move(str(kept.folder), moved)
    assert main(["consent", "verify", str(file)]) == 1
    said = capsys.readouterr().out
    assert "numbers hold" in said
    assert "not attested" in said
    assert main(["consent", "verify", str(file), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["holds"], told["numbers"], told["attested"]) == (False, True, False)
    lines = (moved / "log.jsonl").read_text().replace('"turns":', '"turns": ')
    (moved / "log.jsonl").write_text(lines)
    assert main(["consent", "verify", str(file), "--log", str(moved)]) != 0, "an altered log attests nothing"


def test_a_log_of_another_negotiation_attests_nothing() -> None:
    file, _ = decided("disclosed")
    _, other = decided("private")
    result: VerificationResult = verify_file(str(file), log=str(other.folder))
    assert any("attested" in w for w in result.wrong)


@pytest.mark.parametrize("name", ["disclosed", "private"])
def test_documents_and_logs_of_the_first_edition_are_read_and_verified(name: str) -> None:
    shutil.copytree(FIRST, "old")
    os.chdir("old")
    run = next(r for r in Path("runs").iterdir() if f'"preferences": "{name}"' in (r / "run.json").read_text())
    alone = verify_file(f"{name}.md")
    assert alone.numbers
    assert not alone.attested
    result = verify_file(f"{name}.md", log=str(run))
    assert result.wrong == ()
    assert result.holds
    Path(f"{name}.md").write_text(Path(f"{name}.md").read_text().replace("TURNS: ", "TURNS: 6"))
    assert not verify_file(f"{name}.md", log=str(run)).holds


def test_votes_stand_in_the_ledger_together_when_the_check_has_closed() -> None:
    """While a check is open nobody reads in the ledger how another voted."""
    seen: list[str] = []
    ledger = Path("comms.md")

    class Watching:
        def __init__(self, inner: Any) -> None:
            self.inner = inner

        async def answer(self, ask: Any, view: Any) -> Any:
            if ask.kind == "consent":
                seen.append(ledger.read_text())
                assert not any(f.kind in ("consented", "objected") for _, f in view.facts)
            return await self.inner.answer(ask, view)

    shutil.copy(STORAGE, "storage.yaml")
    prepared = consent.prepare(consent.Request("storage.yaml", comms="comms.md"))
    seats = {n: Watching(s) for n, s in prepared.seats.items()}
    consent.run(consent.PreparedNegotiation(**{**vars(prepared), "seats": seats}))
    assert seen
    assert not any("[CONSENT - " in s for s in seen)
    assert ledger.read_text().count("[CONSENT - ") == 3
