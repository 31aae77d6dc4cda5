"""Two components agree on an interface before there is code (issue 19, part 5)."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest

from graphbus_core.cli.main import main
from graphbus_core.errors import UsageError
from graphbus_core.sessions.interface import InterfaceDirectory

SENDS = {"type": "object", "properties": {"id": {"type": "integer"}, "note": {"type": "string"}}, "required": ["id"]}
TAKES = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
WANTS = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id", "note"]}
GAMES = int(os.environ.get("GRAPHBUS_NEGOTIATIONS", "150"))


def opened(at: Path) -> InterfaceDirectory:
    """Orders sends, billing receives."""
    where = InterfaceDirectory(at, "orders")
    assert where.open("orders", "billing").ok
    return where


def test_both_accept_the_same_pair_and_the_engine_has_proved_it(tmp_path: Path) -> None:
    """What does not fit is named with a payload and cannot be accepted; what is tabled anew voids acceptances."""
    where = opened(tmp_path)
    assert "tabled no contract" in where.accept("producer", "x").refused
    where.table("producer", SENDS)
    told = where.table("consumer", WANTS)
    assert told.data["verdict"]["compatible"] is False
    assert "The payload" in told.data["says"]
    assert "do not fit" in where.accept("producer", told.data["pair"]).refused
    pair = where.table("consumer", TAKES).data["pair"]
    assert where.accept("consumer", pair).data["accepted"] == ["consumer"]
    again = where.table("producer", {**SENDS, "title": "Order"}).data
    assert again["accepted"] == []
    assert "What stands on the table is" in where.accept("producer", pair).refused
    assert not where.accept("producer", again["pair"]).data["agreed"]
    done = where.accept("consumer", again["pair"]).data
    assert (done["agreed"], done["version"]) == (True, 1)
    file = json.loads(where.file.read_text())
    assert (file["contract"], file["version"], file["hash"]) == ("orders", 1, again["pair"])
    assert file["history"][0]["accepted_by"] == ["orders", "billing"]


def test_the_next_version_is_negotiated_in_the_same_place(tmp_path: Path) -> None:
    """The file keeps its history; a file that was lost is written again."""
    where = opened(tmp_path)
    for schema in (SENDS, {**SENDS, "title": "Order"}):
        where.table("producer", schema)
        pair = (where.table("consumer", TAKES) if not where.look().data["pair"] else where.look()).data["pair"]
        where.accept("consumer", pair)
        where.accept("producer", pair)
    assert [v["version"] for v in json.loads(where.file.read_text())["history"]] == [1, 2]
    where.file.unlink()
    assert where.look().data["agreed"]
    assert where.file.exists()


def test_a_side_with_a_token_is_nobody_elses(tmp_path: Path) -> None:
    """And a second one that takes it is told."""
    where = opened(tmp_path)
    assert where.take("producer", "secret").ok
    assert "seated already" in where.take("producer", "other").refused
    assert "Give --seat FILE" in where.table("producer", SENDS).refused
    assert where.table("producer", SENDS, token="secret").ok
    assert "secret" not in where.log.read_text()


def test_no_agreement_has_one_side(tmp_path: Path) -> None:
    """Random moves of a consumer that tries everything: nothing is agreed that the producer did not accept."""
    for seed in range(GAMES // 15):
        chance = random.Random(seed)
        where = opened(tmp_path / str(seed))
        accepted: set[str] = set()
        for _ in range(20):
            data = where.look().data
            side = chance.choice(("producer", "consumer"))
            if chance.random() < 0.4:
                where.table(side, chance.choice((SENDS, TAKES, WANTS, {"type": "object"})))
            else:
                pair = chance.choice((data["pair"], "0" * 16))
                if where.accept(side, pair).ok and side == "producer":
                    accepted.add(pair)
        done = where.look().data
        versions = json.loads(where.file.read_text())["history"] if done["version"] else []
        assert all(v["hash"] in accepted for v in versions)


def test_as_a_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two agents, two files, one folder; 1 until it is agreed."""
    (tmp_path / "sends.json").write_text(json.dumps(SENDS))
    (tmp_path / "api.json").write_text(json.dumps({"paths": {"/orders": {"post": {"schema": TAKES}}}}))
    at = ["--at", str(tmp_path / "shared"), "--json"]
    sides = {s: ["--as", s, "--seat", str(tmp_path / f"{s}.seat")] for s in ("producer", "consumer")}
    both = ["--producer", "orders", "--consumer", "billing"]
    assert main(["agree", "orders", *both, *at, *sides["producer"], "--table", str(tmp_path / "sends.json")]) == 1
    pointer = f"{tmp_path / 'api.json'}#/paths/~1orders/post/schema"
    capsys.readouterr()
    assert main(["agree", "orders", *at, *sides["consumer"], "--table", pointer]) == 1
    pair = json.loads(capsys.readouterr().out)["pair"]
    assert main(["agree", "orders", *at, "--as", "producer", "--accept", pair]) == 1  # without its token
    assert "--seat FILE" in capsys.readouterr().out
    assert main(["agree", "orders", *at, *sides["producer"], "--accept", pair]) == 1
    assert main(["agree", "orders", *at, *sides["consumer"], "--accept", pair]) == 0
    assert main(["agree", "nothing", *at]) == 1
    assert main(["agree", "orders", *at, "--as", "nobody"]) == 2


def test_a_name_that_is_no_file_is_refused(tmp_path: Path) -> None:
    """It becomes one."""
    with pytest.raises(UsageError):
        InterfaceDirectory(tmp_path, "../x")
    with pytest.raises(UsageError):
        InterfaceDirectory(tmp_path, "a\nb")


OPENAPI = """\
openapi: 3.1.0
info: {title: Shop, version: "1"}
paths:
  /orders:
    post:
      requestBody:
        content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}
      responses: {"200": {description: ok, content: {application/json: {schema: {type: boolean}}}}}
components:
  schemas:
    Order: {type: object, properties: {id: {type: integer}}, required: [id]}
"""
MODEL = """\
from pydantic import BaseModel


class Placed(BaseModel):
    id: int
    note: str = ""
"""


def test_a_class_and_an_operation_are_contracts_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A pydantic class against an OpenAPI operation; a name that is not one, or several, is said."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop.yaml").write_text(OPENAPI)
    (tmp_path / "placed_orders.py").write_text(MODEL)
    at = ["agree", "orders", "--at", "shared", "--trust", "names"]
    both = ["--producer", "shop", "--consumer", "billing"]
    assert main([*at, *both, "--as", "producer", "--table", "placed_orders:Placed"]) == 1
    assert main([*at, "--as", "consumer", "--table", "shop.yaml#PUT /orders"]) == 2
    assert "POST /orders body" in capsys.readouterr().err
    assert main([*at, "--as", "consumer", "--table", "shop.yaml#POST /orders"]) == 2  # its body, and its answer
    assert main([*at, "--as", "consumer", "--table", "shop.yaml#POST /orders body", "--json"]) == 1
    data = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert data["verdict"]["compatible"] is True, data["says"]
    for side in ("producer", "consumer"):
        main([*at, "--as", side, "--accept", data["pair"]])
    assert json.loads((tmp_path / "shared" / "orders.contract.json").read_text())["version"] == 1


def test_each_side_tests_what_it_has_against_the_agreement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two repositories that checked in the contract file alone; a no comes with its payload."""
    where = opened(tmp_path / "shared")
    for schema in (TAKES, {**SENDS, "title": "Order"}):  # two versions: the first promises no note
        where.table("producer", schema)
        pair = (where.look() if where.look().data["pair"] else where.table("consumer", TAKES)).data["pair"]
        assert all(where.accept(side, pair).ok for side in ("producer", "consumer"))
    shop = tmp_path / "shop"
    shop.mkdir()
    monkeypatch.chdir(shop)
    (shop / "orders.contract.json").write_bytes(where.file.read_bytes())
    (shop / "shop_models.py").write_text(MODEL)
    (shop / "text.json").write_text(json.dumps({**TAKES, "properties": {"id": {"type": "string"}}}))
    (shop / "takes.json").write_text(json.dumps(TAKES))

    def asked(consumer: str, producer: str) -> int:
        return main(["contracts", "can-i-use", consumer, producer])

    assert asked("takes.json", "orders.contract.json") == 0
    assert asked("takes.json", "orders.contract.json@1") == 0
    assert asked("orders.contract.json", "shop_models:Placed") == 0
    assert asked("text.json", "orders.contract.json") == 1
    assert '{"id": 0}' in capsys.readouterr().out
    assert asked("orders.contract.json", "text.json") == 1
    assert asked("takes.json", "orders.contract.json@3") == 2
    assert "has versions 1, 2" in capsys.readouterr().err
    text = (shop / "orders.contract.json").read_text()
    (shop / "orders.contract.json").write_text(text.replace('"integer"', '"string"'))
    for file in ("orders.contract.json", "orders.contract.json@1"):
        assert asked("text.json", file) == 2
        assert "its digest does not fit" in capsys.readouterr().err


def test_one_agent_does_not_accept_for_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first move takes the side; from then on its seat file is needed. A wrong path takes no side."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sends.json").write_text(json.dumps(SENDS))
    (tmp_path / "takes.json").write_text(json.dumps(TAKES))
    at = ["agree", "orders", "--at", "shared"]
    both = ["--producer", "shop", "--consumer", "billing"]
    assert main([*at, *both, "--as", "producer", "--table", "nothing.json"]) == 2
    assert main([*at, *both, "--as", "producer", "--table", "sends.json"]) == 1
    seat = capsys.readouterr().out.rpartition("--seat ")[2].split()[0]
    assert Path(seat).is_relative_to(tmp_path / "state")
    assert main([*at, "--as", "consumer", "--table", "takes.json", "--seat", "billing.seat"]) == 1
    pair = InterfaceDirectory(tmp_path / "shared", "orders").look().data["pair"]
    consumer = ["--as", "consumer", "--seat", "billing.seat"]
    assert main([*at, *consumer, "--accept", pair]) == 1
    for cheat in (["--seat", "billing.seat"], ["--seat", "mine.seat"], ["--trust", "names"], []):
        capsys.readouterr()
        assert main([*at, "--as", "producer", *cheat, "--accept", pair]) == 1
        assert "--seat FILE" in capsys.readouterr().err
    assert main([*at, "--as", "producer", "--seat", seat, "--accept", pair]) == 0
    assert main([*at, "--trust", "me"]) == 2


@pytest.mark.parametrize("place", [".graphbus", "contracts-history", "contracts-history/orders"])
def test_a_link_is_refused_and_not_followed(place: str, tmp_path: Path) -> None:
    """As in a document's directory: nothing is written where it leads."""
    (tmp_path / "outside").mkdir()
    link = tmp_path / "shared" / place
    link.parent.mkdir(parents=True)
    link.symlink_to(tmp_path / "outside")
    with pytest.raises(UsageError, match="symbolic link"):
        InterfaceDirectory(tmp_path / "shared", "orders").open("shop", "billing")
    assert list((tmp_path / "outside").iterdir()) == []


def test_the_side_that_sits_down_second_keeps_its_seat(tmp_path: Path) -> None:
    """The contract file is there by then, and it counts: a seat that it did not know was lost."""
    where = opened(tmp_path)
    assert where.take("producer", "one").ok
    assert where.table("producer", SENDS, token="one").ok
    assert where.take("consumer", "two").ok
    assert "sits here with a token" in where.table("consumer", TAKES).refused
    assert where.table("consumer", TAKES, token="two").ok


def test_after_a_move_it_is_the_turn_of_the_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whose turn it is is named with that side's command; who waits is told how."""
    for name, schema in (("sends", SENDS), ("wants", WANTS), ("takes", TAKES)):
        (tmp_path / f"{name}.json").write_text(json.dumps(schema))
    call = f"graphbus agree orders --at {tmp_path / 'shared'} --as"

    def move(side: str, *words: str) -> str:
        main(["agree", "orders", "--at", str(tmp_path / "shared"), "--as", side, "--trust", "names", *words])
        return capsys.readouterr().out

    said = move("producer", "--producer", "shop", "--consumer", "billing", "--table", str(tmp_path / "sends.json"))
    assert f"Next it is the turn of consumer (billing): {call} consumer --table FILE\n" in said
    assert f"To wait for that: {call} producer --wait 60" in said
    assert f"Next: {call} consumer --table FILE, or --wait 60" in move("consumer")
    assert f"Next: {call} consumer --table FILE, or" in move("consumer", "--table", str(tmp_path / "wants.json"))
    said = move("consumer", "--table", str(tmp_path / "takes.json"))
    pair = InterfaceDirectory(tmp_path / "shared", "orders").look().data["pair"]
    assert f"Next: {call} consumer --accept {pair}\n" in said
    said = move("consumer", "--accept", pair)
    assert f"Next it is the turn of producer (shop): {call} producer --accept {pair}\n" in said
    assert f"Next (consumer accepted): {call} producer --accept {pair}" in move("producer")
