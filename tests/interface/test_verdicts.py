"""What one side's CI found is told to the other's: published under a ref of git, and tried on its own code there."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from graphbus_core.cli.main import main
from graphbus_core.services.contract_sharing.evidence import Row
from graphbus_core.services.contract_sharing.pins import read_lock
from graphbus_core.services.contract_sharing.verdicts import name_verdict, publish_verdict
from tests.interface.test_sharing import SENDS, Service, commit, git, service, table, verify

__all__ = ["service"]


def push(folder: Path, branch: str = "main") -> None:
    """Commit all, and push it to a branch."""
    commit(folder, branch)
    git(folder, "push", "-q", "origin", f"HEAD:{branch}")


def test_the_producer_hears_what_the_consumers_service_refuses(
    service: str, clones: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A change of code that nobody declared: red on both sides with the payload, until the branch is mended or gone."""
    shop, billing = clones
    push(billing, "stricter")
    assert verify(shop, capsys)[0] == 0
    monkeypatch.setattr(Service, "refused", '"paid"')
    assert verify(billing, capsys, "--against", service, "--publish", "stricter")[0] == 1
    code, said = verify(shop, capsys, "--publish", "main")
    assert code == 1
    assert "billing.git, branch stricter" in said
    assert "It breaks you here: orders@1 says that it is sent" in said
    assert '"state": "paid"' in said
    monkeypatch.setattr(Service, "refused", "")
    assert verify(billing, capsys, "--against", service, "--publish", "stricter")[0] == 0
    assert verify(shop, capsys)[0] == 0
    monkeypatch.setattr(Service, "refused", '"paid"')
    assert verify(billing, capsys, "--against", service, "--publish", "stricter")[0] == 1
    git(billing, "push", "-q", "origin", ":stricter")
    assert verify(shop, capsys)[0] == 0


def test_the_consumer_tries_what_the_producer_sends_on_its_code(
    service: str, clones: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A departure that the declared contract takes is a note at home; code that reads more than it declares says so."""
    shop, billing = clones
    with (shop / "records.jsonl").open("a") as out:
        out.write('{"id": 3, "state": "new", "note": null}\n')
    push(shop, "nulls")
    assert verify(shop, capsys, "--publish", "nulls")[0] == 0
    code, said = verify(billing, capsys, "--against", service)
    assert (code, "It does not break you" in said) == (0, True), said
    monkeypatch.setattr(Service, "refused", "null")
    code, said = verify(billing, capsys, "--against", service)
    assert (code, "branch nulls" in said, '"note": null' in said) == (1, True, True), said


def test_what_a_signed_version_breaks_is_said_to_its_branch_alone(
    service: str, clones: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The rule signed for billing by its declaration; its code takes less, and the shop's branch hears that."""
    shop, billing = clones
    git(shop, "checkout", "-q", "-b", "numbers")
    wider = {**SENDS, "properties": {**SENDS["properties"], "id": {"type": "integer", "minimum": 0}}}
    (shop / "order.json").write_text(json.dumps(wider))
    assert table(shop).table("producer", wider).data["version"] == 2
    assert main(["contracts", "pin", "contracts#orders", "--as", "producer", "--project", str(shop)]) == 0
    push(shop, "numbers")
    monkeypatch.setattr(Service, "refused", '"id": 0')
    code, said = verify(billing, capsys, "--against", service, "--publish", "main")
    assert (code, "orders v2 is signed on branch numbers and breaks you here" in said) == (1, True), said
    code, said = verify(shop, capsys, "--publish", "numbers")
    assert (code, '"id": 0' in said) == (1, True), said
    git(shop, "checkout", "-q", "main")
    assert verify(shop, capsys, "--publish", "main")[0] == 0


def test_a_producer_that_means_something_else_is_not_known(
    service: str, clones: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """The same test sends another payload, which is taken and read as something else. New tests below are no change."""
    shop, billing = clones
    assert verify(shop, capsys, "--publish", "main")[0] == 0
    records = shop / "records.jsonl"
    records.write_text(records.read_text() + '{"id": 9, "state": "new"}\n')
    push(shop, "more-tests")
    assert verify(shop, capsys, "--publish", "more-tests")[0] == 0
    code, said = verify(billing, capsys, "--against", service)
    assert code == 0, said
    records.write_text(records.read_text().replace('"id": 1', '"id": 7'))
    push(shop, "sevens")
    assert verify(shop, capsys, "--publish", "sevens")[0] == 0
    code, said = verify(billing, capsys, "--against", service)
    assert (code, "the answer.double was 2 and is 14. Is that meant?" in said) == (3, True), said


@pytest.mark.parametrize("text", ["", "[]", '{"verdict": 2}', '{"verdict": 1, "contract": "orders", "rows": [{}]}'])
def test_a_verdict_of_another_form_is_not_known(
    text: str, clones: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever may push to a repository may push anything: a sentence, and no yes."""
    put_verdict(clones[1], text)
    code, said = verify(clones[0], capsys)
    assert (code, "holds a verdict of another form" in said) == (3, True), said


def test_no_verdict_commands_the_runner_of_ci(clones: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    """A line that begins with `::` is a command to it; what another repository says stays in its line."""
    row = {"state": "breaks", "message": "x\n::add-mask::x\r\x1b[2J", "about": ""}
    text = json.dumps({"verdict": 1, "commit": "1\n::stop", "held_to": "orders@1", "rows": [row], "recorded": []})
    put_verdict(clones[1], text)
    code, said = verify(clones[0], capsys)
    assert code == 1
    assert "x ::add-mask::x" in said
    assert not any(line.startswith("::") or "\x1b" in line for line in said.splitlines())


def put_verdict(billing: Path, text: str) -> None:
    """Push a verdict of billing's main branch, as anybody could."""
    (billing / "v.json").write_text(text)
    blob = subprocess.run(
        ["git", "-C", str(billing), "hash-object", "-w", "v.json"], capture_output=True, text=True, check=True
    ).stdout.strip()
    git(billing, "push", "-q", "origin", f"{blob}:refs/graphbus/verdicts/{name_verdict('orders', 'consumer', 'main')}")


def test_a_verdict_that_cannot_be_pushed_is_said(clones: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    """What was found is printed all the same."""
    git(clones[0], "remote", "set-url", "origin", "../nowhere.git")
    code, said = verify(clones[0], capsys, "--publish", "main")
    assert (code, "order.json sends what orders@1 says" in said, "was not published" in said) == (2, True, True), said


def test_a_payload_that_is_too_long_to_be_told_is_said(
    clones: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """However much was found: the other side can read the verdict, is red, and is told where the payload is."""
    shop, billing = clones
    pin = read_lock(shop)[0]
    rows = [Row("breaks", "a size", {"note": "x" * size}) for size in (90_000, 100_000, 900_000)]
    publish_verdict(shop, "main", pin, rows, [({"id": n, "note": "y" * 30_000}, {"id": n}) for n in range(90)])
    code, said = verify(billing, capsys)
    assert (code, said.count("a size"), said.count("too long to be told")) == (1, 3, 1), said
