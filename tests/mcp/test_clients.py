"""A real client of the SDK, over stdio and over HTTP, plays each negotiation to its end (issue 19, part 4).

What serves the clients is killed in the middle, and started again; so is the build, and the consent negotiation.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.mcp import seats
from graphbus_core.mcp.seats import DocumentTable
from graphbus_core.negotiation.core import Ask, View
from graphbus_core.negotiation.document.model import Settings
from graphbus_core.participants.people.durable_desk import DurableDesk, DurableDeskParticipant, DurableQuestion
from graphbus_core.sessions.document import turn_api
from graphbus_core.sessions.document.directory import NegotiationDirectory
from graphbus_core.sessions.interface import InterfaceDirectory
from tests.mcp.hosts import Client, Host, bounded, killed, output, played

pytestmark = pytest.mark.timeout(400)  # many processes: a slow machine takes its time
pytest.importorskip("mcp")
both = pytest.mark.parametrize("transport", ["stdio", "http"])


async def discuss(client: Client, words: Mapping[str, str], turns: int = 60) -> str:
    """Answer until it is over: accept the newest offers of another, else offer what `words` has on an issue."""
    for _ in range(turns):
        asked = await client("what_am_i_asked", wait_s=10)
        if "over" in asked:
            return str(asked["over"])
        if "waiting" in asked:
            continue
        offers = [line.split("[")[1].split("]")[0] for line in asked["new"].splitlines() if "offers [" in line]
        issues = [line[2:].split(":")[0] for line in asked["new"].splitlines() if line.startswith("# 0")]
        body = {"accepts": [{"issue": i, "hash": h} for i, h in zip(issues, offers, strict=False)]}
        if signing := re.search(r"answer `(.+?)`", asked["new"]):
            body = json.loads(signing[1])
        elif not offers:
            body = {"offers": [{"issue": i, "text": words.get(i, "Keep it plain.")} for i in issues]}
        said = await client("my_answer", id=asked["id"], answer=body)
        assert said["taken"], said
    return "too many turns"


@both
def test_a_document(transport: str, tmp_path: Path) -> None:
    """Two clients meet in the directory; their servers are killed, and the seats outlive them."""
    root = tmp_path / "plans"
    where = NegotiationDirectory(root)
    where.init(Settings(2))
    where.add_issue("backups")

    async def game(at: Host) -> list[str]:
        async with at.client() as alpha, at.client() as beta:
            a = await alpha("join", where=str(root), seat="agent-alpha", topic="One plan", source="Keep 90 days.")
            b = await beta("join", where=str(root), seat="agent-beta")
            assert (a["seat"], b["seat"]) == ("agent-alpha", "agent-beta")
            topic = await alpha.session.read_resource(a["resources"]["topic"])
            assert "One plan" in topic.contents[0].text
            asked = await alpha("what_am_i_asked", wait_s=5)
            wrong = await alpha("my_answer", id=asked["id"], answer={"offers": [{"issue": "9", "text": "x"}]})
            assert "no one issue" in wrong["why"]
            offer = {"offers": [{"issue": "1", "text": "Keep backups 30 days."}]}
            assert (await alpha("my_answer", id=asked["id"], answer=offer))["taken"]
            assert not (await alpha("my_answer", id=asked["id"], answer=offer))["taken"]
            fits = await alpha("check_contract", a={"type": "integer"}, b={"type": "string"})
            assert (fits["compatible"], "counterexample" in fits) == (False, True)
            await at.kill()
        async with at.client() as alpha, at.client() as beta:
            assert (await alpha("join", where=str(root), seat="agent-alpha"))["resumed"]
            assert (await beta("join", where=str(root), seat="agent-beta"))["resumed"]
            return list(await asyncio.gather(discuss(alpha, {}), discuss(beta, {})))

    assert all("finished" in end for end in played(tmp_path, transport, game))
    assert "Keep backups 30 days." in (root / "final.md").read_text()
    assert set(where.read_state().tokens) == {"agent-alpha", "agent-beta"}


def test_a_question_that_is_answered_meanwhile_is_not_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other client is quicker by a hair: after the look, before the words. The reason is the same."""
    where = NegotiationDirectory(tmp_path / "plans")
    where.init(Settings(2))
    where.add_issue("backups")
    assert all(where.register(name).ok for name in ("agent-alpha", "agent-beta"))
    table, say = DocumentTable(where.root, "agent-alpha"), turn_api.take_turn
    asked = table.poll_question()
    assert asked is not None

    def outrun(at: NegotiationDirectory, name: str, text: str) -> object:
        assert say(NegotiationDirectory(where.root), name, "@position 1\nFirst.\n").ok
        return say(at, name, text)

    monkeypatch.setattr(seats, "take_turn", outrun)
    told = table.answer(asked.id, {"positions": [{"issue": "1", "text": "Second."}]})
    assert not told.taken
    assert told.why.startswith(f"{asked.id} is not open any more")


@both
def test_two_clients_at_one_seat(transport: str, tmp_path: Path) -> None:
    """One wins, the other is told; whoever sits down second is told that the seat was taken."""
    root = tmp_path / "plans"
    where = NegotiationDirectory(root)
    where.init(Settings(2))
    where.add_issue("backups")
    where.register("agent-beta")

    async def game(at: Host) -> tuple[list[dict[str, Any]], str]:
        async with at.client() as one, at.client() as other:
            await one("join", where=str(root), seat="agent-alpha")
            second = await other("join", where=str(root), seat="agent-alpha")
            assert "taken before" in second["notes"][0]
            where.write("agent-beta", "1", "Keep them.")
            where.hand_off("agent-beta")
            asked = [await c("what_am_i_asked", wait_s=10) for c in (one, other)]
            assert asked[0]["id"] == asked[1]["id"]
            said = [
                c("my_answer", id=asked[0]["id"], answer={"positions": [{"issue": "1", "text": f"Says {n}."}]})
                for n, c in enumerate((one, other))
            ]
            return list(await asyncio.gather(*said)), str(asked[0]["id"])

    answers, question = played(tmp_path, transport, game)
    assert sorted(a["taken"] for a in answers) == [False, True]
    assert f"{question} is not open any more" in next(a["why"] for a in answers if not a["taken"])
    assert len([e for e in where.read_state().issues["01-backups"].entries if e.by == "agent-alpha"]) == 1


@both
def test_a_ruling_is_asked_of_the_person_at_the_client(transport: str, tmp_path: Path) -> None:
    """Through elicitation, in both editions of the protocol; never of the model, and not where nobody can be asked."""
    root = tmp_path / "plans"
    where = NegotiationDirectory(root)
    where.init(Settings(2, max_rounds=1, judge="human"))
    for topic in ("backups", "logs"):
        where.add_issue(topic)
    for name in ("agent-alpha", "agent-beta"):
        where.register(name)
    for name in ("agent-alpha", "agent-beta"):
        for issue in ("1", "2"):
            where.write(name, issue, f"{name} wants its own.")
            where.write(name, issue, "They differ.", status="ESCALATE")
        where.hand_off(name)
    put: list[str] = []

    async def person(context: Any, params: Any) -> Any:
        from mcp.types import ElicitResult

        put.append(params.message)
        if len(put) == 1:
            return ElicitResult(action="decline")
        return ElicitResult(action="accept", content={"answer": f"Keep {len(put)} days."})

    async def game(at: Host) -> None:
        async with at.client() as mute:
            await mute("join", where=str(root), seat="human")
            asked = await mute("what_am_i_asked", wait_s=5)
            assert asked["person"]
            refused = await mute("my_answer", id=asked["id"], answer={"decision": "Mine."})
            assert not refused["taken"]
            assert "cannot ask its user" in (await mute("ask_the_person"))["why"]
        for mode in ("auto", "legacy"):
            async with at.client(person, mode) as client:
                await client("join", where=str(root), seat="human")
                if mode == "auto":
                    assert "not answered" in (await client("ask_the_person"))["why"]
                assert (await client("ask_the_person"))["taken"]

    played(tmp_path, transport, game)
    assert [i.decision for i in where.read_state().issues.values()] == ["Keep 2 days.", "Keep 3 days."]
    assert "could not agree" in put[0]


@both
def test_a_build(transport: str, tmp_path: Path) -> None:
    """A coding agent speaks for a component. The build is killed while it waits, and so is the server."""

    async def game(at: Host) -> tuple[int, str, list[dict[str, Any]]]:
        first = ["build", "agents", "--enable-agents", "--seat", "Cleaner=mcp"]
        build = await at.command(*first)
        async with at.client() as client:
            await client("join", where="build", seat="Cleaner")
            before = await _asked(client)
            await killed(build)
            answer = {"proposals": []}
            assert (await client("my_answer", id=before["id"], answer=answer))["taken"]  # while nobody waits for it
            await at.kill()
        build = await at.command("build", "agents", "--enable-agents", "--resume")
        asked = [before]
        async with at.client() as client, at.client() as rival:
            await client("join", where="build", seat="Cleaner")
            await rival("join", where="build", seat="Cleaner")
            while build.returncode is None and len(asked) < 10:
                found = await client("what_am_i_asked", wait_s=2)
                if "id" not in found:
                    continue
                asked.append(found)
                assert not (await client("my_answer", id=found["id"], answer={"proposals": "none"}))["taken"]
                said = [await c("my_answer", id=found["id"], answer={"proposals": []}) for c in (client, rival)]
                assert [s["taken"] for s in said] == [True, False]
            out = await output(build)
            assert "Cleaner" in await client.read("graph")
            assert "clean" in await client.read("contracts")
            rename = {"op": "rename_field", "node": "Cleaner", "method": "clean", "side": "output"}
            field = (await client("try_change", diff=[{**rename, "field": "nothing", "to": "x"}]))["reason"]
            assert "nothing" in field
            assert (await client.read("mismatches"), await client.read("why/Cleaner.clean")) == ("[]", "[]")
        return int(build.returncode or 0), out, asked

    code, out, asked = played(tmp_path, transport, game)
    assert code == 0, out
    assert "instructions" in asked[0]
    assert [a["id"] for a in asked].count(asked[0]["id"]) == 1  # what was answered is not asked again


async def _asked(client: Client) -> dict[str, Any]:
    for _ in range(20):
        found = await client("what_am_i_asked", wait_s=5)
        if "id" in found:
            return found
    raise AssertionError("nothing was asked")


SCENARIO = """\
topic: Which colour the door gets
max_turns: 20
preferences: private
issues:
  colour: {options: {green: Green, red: Red}}
advocates:
  North: {priority: Green, scores: {colour: {green: 60, red: 30}}, minimum: 20}
  South: {priority: Any, scores: {colour: {green: 50, red: 30}}, minimum: 20}
"""


@both
def test_a_consent_negotiation(transport: str, tmp_path: Path) -> None:
    """An advocate that is a client; the negotiation and the server are killed in the middle."""
    (tmp_path / "door.yaml").write_text(SCENARIO)

    def answer(asked: dict[str, Any]) -> dict[str, Any]:
        """As the question's schema wants it: the first of each choice, a short word elsewhere."""
        return dict(_example(asked["answer_schema"]))

    async def game(at: Host) -> tuple[int, str, int]:
        run = await at.command("consent", "run", "door.yaml", "--model", "South=mcp", "--comms", "none")
        async with at.client() as client:
            await client("join", where="consent", seat="South")
            first = await _asked(client)
            await killed(run)
            assert (await client("my_answer", id=first["id"], answer=answer(first)))["taken"], first
            await at.kill()
        run = await at.command("consent", "resume")
        count = 1
        async with at.client() as client:
            await client("join", where="consent", seat="South")
            while run.returncode is None and count < 40:
                found = await client("what_am_i_asked", wait_s=2)
                if "id" in found:
                    count += 1
                    said = await client("my_answer", id=found["id"], answer=answer(found))
                    assert said["taken"], (found, said)
            out = await output(run)
        return int(run.returncode or 0), out, count

    code, out, count = played(tmp_path, transport, game)
    assert code == 0, out
    assert count > 1


def _example(schema: Mapping[str, Any]) -> Any:
    """A value that a schema takes."""
    if "enum" in schema:
        return schema["enum"][0]
    if "const" in schema:
        return schema["const"]
    for several in ("oneOf", "anyOf"):
        if several in schema:
            return _example(schema[several][0])
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = kind[0]
    if kind == "object" or "properties" in schema:
        wanted = schema.get("required") or list(schema.get("properties", ()))
        return {name: _example(schema["properties"][name]) for name in wanted}
    simple = {"array": [], "boolean": True, "integer": 1, "number": 1, "null": None}
    return simple.get(str(kind), "Green is fine.")


SENDS = {"type": "object", "properties": {"id": {"type": "integer"}, "note": {"type": "string"}}, "required": ["id"]}
WANTS = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id", "note"]}
TAKES = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}


@both
def test_an_interface(transport: str, tmp_path: Path) -> None:
    """Two sides table, mend and accept; their servers are killed in the middle."""
    where = InterfaceDirectory(tmp_path / "shared", "orders")
    assert where.open("orders", "billing").ok
    place = f"agree:orders@{where.at}"

    async def side(client: Client, which: str, schema: Any) -> str:
        for _ in range(60):
            asked = await client("what_am_i_asked", wait_s=3)
            if "over" in asked:
                return str(asked["over"])
            if "id" in asked:
                fits = "fits: accept" in asked["question"]
                pair = asked["id"].rpartition("/")[2]
                await client("my_answer", id=asked["id"], answer={"accept": pair} if fits else {"table": schema})
        return "too many turns"

    async def game(at: Host) -> list[str]:
        async with at.client() as one, at.client() as two:
            for client, which, schema in ((one, "producer", SENDS), (two, "consumer", WANTS)):
                await client("join", where=place, seat=which)
                asked = await _asked(client)
                assert (await client("my_answer", id=asked["id"], answer={"table": schema}))["taken"]
            assert "The payload" in (await _asked(two))["new"]
            await at.kill()
        async with at.client() as one, at.client() as two:
            await one("join", where=place, seat="producer")
            await two("join", where=place, seat="consumer")
            return list(
                await asyncio.gather(side(one, "producer", {**SENDS, "title": "O"}), side(two, "consumer", TAKES))
            )

    assert all(end.startswith("agreed, version 1") for end in played(tmp_path, transport, game))


def test_without_the_token_nobody_comes_in(tmp_path: Path) -> None:
    """The guard of the API is that of MCP."""
    import httpx2

    async def game(at: Host) -> list[int]:
        url = f"{await at._serving()}mcp"
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        async with httpx2.AsyncClient() as http:
            tokens = ("", "Bearer wrong")
            return [(await http.post(url, json=body, headers={"Authorization": t})).status_code for t in tokens]

    assert played(tmp_path, "http", game) == [401, 401]


def test_a_ticket_that_is_not_known_is_said(tmp_path: Path) -> None:
    """After the server was started again, and for whoever never joined."""

    async def game(at: Host) -> list[dict[str, Any]]:
        async with at.client() as client:
            first = await client("what_am_i_asked", wait_s=0)
            client.ticket = "an old one"
            return [first, await client("my_answer", id="x", answer={})]

    told = played(tmp_path, "http", game)
    assert ["call join" in one["error"] for one in told] == [True, True]


def test_a_long_wait_reports_progress(tmp_path: Path) -> None:
    """Clients that show it know that something lives."""
    where = NegotiationDirectory(tmp_path / "d")
    where.init(Settings(2))
    heard: list[str] = []

    async def told(progress: float, total: float | None, message: str | None) -> None:
        heard.append(str(message))

    async def game(at: Host) -> None:
        async with at.client() as client:
            await client("join", where=str(where.root))
            arguments = {"wait_s": 7}
            found = await client.session.call_tool("what_am_i_asked", arguments, progress_callback=told)
            assert "waiting" in json.dumps(found.structured_content)

    played(tmp_path, "stdio", game)
    assert heard[0] == "waiting for the others"


def test_a_question_on_the_desk_outlives_whoever_asked_it(tmp_path: Path) -> None:
    """Asked again after a kill it finds the answer; of two answers the first stands; another question is another."""
    desk = DurableDesk(tmp_path / "desk")
    seat = DurableDeskParticipant(desk, "build")
    ask = Ask("propose-Cleaner-1", "Cleaner", "propose", {"instructions": "Say.", "answer": {"type": "object"}})

    async def ask_it(one: Ask, seconds: float) -> Any:
        return await asyncio.wait_for(seat.answer(one, View((), ())), seconds)

    with pytest.raises(TimeoutError):
        bounded(ask_it(ask, 0.5), 30)
    laid = desk.list_open("Cleaner")[0]
    assert laid.id.startswith("build/propose-Cleaner-1~")
    assert (laid.kind, laid.ask.id) == ("propose", ask.id)
    assert desk.answer(laid.id, {"proposals": []})
    assert not desk.answer(laid.id, {"proposals": [1]})
    with pytest.raises(TimeoutError):  # of a build that asks something else under the same number
        bounded(ask_it(Ask(ask.id, "Cleaner", "propose", {"instructions": "Say more."}), 0.5), 30)
    assert bounded(ask_it(ask, 5), 30).body == {"proposals": []}


def test_a_question_that_is_taken_up_is_never_seen_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks between two steps of that would answer what is over: seen once, on a busy machine."""
    desk = DurableDesk(tmp_path / "desk")
    desk.add(DurableQuestion("build/a~1", "Cleaner", "propose", "build", {}))
    assert [laid.id for laid in desk.list_open("Cleaner")] == ["build/a~1"]
    assert desk.answer("build/a~1", {"proposals": []})
    seen: list[DurableQuestion] = []
    real = Path.unlink

    def unlink(path: Path, missing_ok: bool = False) -> None:
        real(path, missing_ok)
        seen.extend(desk.list_open("Cleaner"))

    monkeypatch.setattr(Path, "unlink", unlink)
    desk.remove("build/a~1")
    assert (seen, list((tmp_path / "desk").iterdir())) == ([], [])


def test_a_game_that_hangs_is_ended_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where its own cleanup hangs: nothing here may wait for ever."""
    monkeypatch.setattr("tests.mcp.hosts.ENDING_S", 0.2)

    async def hangs() -> None:
        while True:
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                await asyncio.sleep(3600)

    with pytest.raises(AssertionError, match=r"not over within 0\.2 s; it stood at .*test_clients\.py"):
        bounded(hangs(), 0.2)
