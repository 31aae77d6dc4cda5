"""`graphbus replay --against BUILD`: yesterday's journal through today's code, with effects held back."""

import asyncio
import json
import sys

import pytest

from graphbus_core.cli.main import main
from graphbus_core.runtime.injection.effects import EffectPlayer, EffectProxy, EffectRecorder, read_effects

PROVIDERS = """
from pathlib import Path

from graphbus_core.runtime import effect


class Gateway:
    def charge(self, id, cents):
        with open(Path(__file__).parent / "charged", "a") as charged:
            charged.write(f"{id} {cents}\\n")
        if cents > 900:
            raise ValueError("card refused")
        return {"receipt": f"r-{id}"}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None


@effect
def gateway() -> Gateway:
    return Gateway()
"""
SHOP = """
from graphbus_core import GraphBusNode, subscribe


class Shop(GraphBusNode):
    def __init__(self, gateway):
        super().__init__()
        self.gateway, self.total = gateway, 0

    @subscribe("/Order/Placed")
    def on_placed(self, payload):
        cents = payload["qty"] * 100
        with self.gateway as gateway:
            receipt = gateway.charge(payload["id"], cents)
        self.total += cents
        self.publish("/Order/Paid", {"id": payload["id"], "receipt": receipt["receipt"]})

    def get_state(self):
        return {"total": self.total}

    def set_state(self, state):
        self.total = state["total"]
"""


@pytest.fixture
def shop(tmp_path, monkeypatch, capsys):
    """A project whose build `old` ran yesterday: two orders were paid, one card was refused."""
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "shop.py").write_text(SHOP)
    (tmp_path / "providers.py").write_text(PROVIDERS)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.graphbus]\nprovide = ["gateway=providers:gateway"]\nexclude = ["providers.py"]\n'
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "providers", raising=False)  # each test has its own
    build(tmp_path, "old")
    for order in ({"id": 1, "qty": 1}, {"id": 2, "qty": 2}, {"id": 3, "qty": 10}):
        event = ["--publish", "/Order/Placed", "--payload", json.dumps(order)]
        main(["run", "old", "--journal", "run.jsonl", "--state", "state.json", *event])
    capsys.readouterr()
    return tmp_path


def build(root, name, *changes):
    source = SHOP
    for old, new in changes:
        assert old in source
        source = source.replace(old, new)
    (root / "agents" / "shop.py").write_text(source)
    assert main(["build", ".", "--output-dir", name]) == 0


def compare(capsys, *options):
    code = main(["replay", "run.jsonl", "--against", *options, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_the_same_code_ends_the_same_and_no_effect_happens_again(shop, capsys):
    before = (shop / "charged").read_text()
    code, told = compare(capsys, "old", "--state", "state.json")
    assert (code, told["same"], told["played"]["events"]) == (0, True, 3)
    assert (told["states_compared"], told["effects_refused"]) == (True, 0)
    assert (shop / "charged").read_text() == before


def test_what_ends_otherwise_is_told_with_its_line(shop, capsys):
    build(shop, "new", ('receipt["receipt"]', 'receipt["receipt"].upper()'), ("+= cents", "+= cents + 1"))
    capsys.readouterr()
    code, told = compare(capsys, "new", "--to", "old")
    assert code == 1
    changed = [(d["what"], d["before"][0]["payload"], d["after"][0]["payload"]) for d in told["events"]]
    assert changed == [
        ("/Order/Placed", {"id": 1, "receipt": "r-1"}, {"id": 1, "receipt": "R-1"}),
        ("/Order/Placed", {"id": 2, "receipt": "r-2"}, {"id": 2, "receipt": "R-2"}),
    ]
    assert told["states"] == {"Shop": {"before": {"total": 300}, "after": {"total": 302}}}
    assert told["new_letters"] == []
    assert main(["replay", "run.jsonl", "--against", "new", "--to", "old", "--ignore", "receipt"]) == 1
    assert "0 end otherwise, 1 state differs" in capsys.readouterr().out


def test_a_call_that_is_not_in_the_record_is_refused(shop, capsys):
    build(shop, "new", ("* 100", "* 90"))
    capsys.readouterr()
    before = (shop / "charged").read_text()
    code, told = compare(capsys, "new", "--to", "old")
    assert (code, told["effects_refused"]) == (1, 3)
    assert "was not called for this event then" in told["new_letters"][0]["error"]
    assert [letter["error"] for letter in told["gone_letters"]] == ["ValueError: card refused"]
    assert (shop / "charged").read_text() == before


def test_no_journal_and_no_build_is_a_usage_error(shop, capsys):
    assert main(["replay", "nothing.jsonl", "--against", "old"]) == 2
    assert main(["replay", "run.jsonl", "--against", "nothing"]) == 2
    assert main(["replay", "run.jsonl", "--against", "old", "--state", "nothing.json"]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_an_async_effect_is_recorded_and_answered(tmp_path):
    """What is awaited then is awaited in a comparison, and what is no JSON has methods of its own."""

    class World:
        async def ask(self, n):
            if n == 2:
                raise KeyError("no answer")
            return {"n": n} if n else self

    async def use(world):
        again = await world.ask(0)
        try:
            await again.ask(2)
        except KeyError as error:
            return await again.ask(1), str(error)

    recorder = EffectRecorder(tmp_path / "run.jsonl", lambda: "event_1")
    then = asyncio.run(use(EffectProxy("World", recorder, World())))
    recorder.close()
    player = EffectPlayer(read_effects(tmp_path / "run.jsonl"), {"event_1": "event_0"})
    player.root = "event_0"
    assert then == ({"n": 1}, "'no answer'")
    assert asyncio.run(use(EffectProxy("World", player, None)))[0] == then[0]
    assert player.refused == 0
