"""Two repositories hold one interface: pinned by hash, code held to it, changes seen before a merge."""

from __future__ import annotations

import json
import shutil
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.cli.main import main
from graphbus_core.errors import ContractError
from graphbus_core.services.contract_sharing.evidence import ServiceEndedError, ask_in_turn, ask_service
from graphbus_core.sessions.interface import InterfaceDirectory

SENDS = {
    "type": "object",
    "properties": {
        "id": {"type": "integer", "minimum": 1},
        "state": {"enum": ["new", "paid"]},
        "note": {"type": "string"},
    },
    "required": ["id", "state"],
}
TAKES = {
    "type": "object",
    "properties": {"id": {"type": "integer"}, "state": {"enum": ["new", "paid"]}},
    "required": ["id", "state"],
}
RECORDS = [{"id": 1, "state": "new", "note": "x"}, {"id": 2, "state": "paid"}]


def git(folder: Path, *words: str) -> None:
    """Run git as somebody."""
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *who, "-C", str(folder), *words], check=True, capture_output=True)


def commit(folder: Path, branch: str = "") -> None:
    """Commit all that is there, on a branch."""
    if branch:
        git(folder, "checkout", "-q", "-B", branch)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", "what is true now")


def table(shop: Path) -> InterfaceDirectory:
    """The table in the shop's repository."""
    return InterfaceDirectory(shop / "contracts", "orders", "2026-11-24")


def agree(shop: Path, sent: Any, taken: Any, *, by_rule: bool = False) -> None:
    """Both table and both sign."""
    where = table(shop)
    where.open("shop", "billing")
    if by_rule:
        assert where.allow("producer", True).ok
        assert where.allow("consumer", True).ok
    for side, schema in (("producer", sent), ("consumer", taken)):
        where.table(side, schema)
    pair = where.look().data["pair"]
    assert all(where.accept(side, pair).ok for side in ("producer", "consumer"))


@pytest.fixture
def repositories(signed_pair: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A shop with the contract, a billing that pins it; each shows a schema."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    shutil.copytree(signed_pair, tmp_path, symlinks=True, dirs_exist_ok=True)
    shop, billing = tmp_path / "shop", tmp_path / "billing"
    lock = billing / "contracts.lock"  # names the shop's folder
    lock.write_text(lock.read_text().replace(str(signed_pair), str(tmp_path)))
    commit(billing)
    return shop, billing


def verify(folder: Path, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, str]:
    """What CI says."""
    capsys.readouterr()
    code = main(["contracts", "verify", "--project", str(folder), *more])
    said = capsys.readouterr()
    return code, said.out + said.err


def test_both_sides_hold_to_what_was_signed(
    repositories: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """The file has both signatures, and each side's CI is green."""
    shop, _ = repositories
    version = json.loads((shop / "contracts" / "orders.contract.json").read_text())["history"][0]
    assert [(s["side"], s["who"], s["date"]) for s in version["signatures"]] == [
        ("producer", "shop", "2026-11-24"),
        ("consumer", "billing", "2026-11-24"),
    ]
    assert {s["hash"] for s in version["signatures"]} == {version["hash"]}
    for folder in repositories:
        code, said = verify(folder, capsys)
        assert code == 0, said


@pytest.mark.parametrize(
    ("who", "schema", "payload"),
    [
        (0, {**SENDS, "required": ["id"]}, '{"id": 1}'),
        (0, {**SENDS, "properties": {**SENDS["properties"], "id": {"type": "string"}}}, '"id": ""'),
        (1, {**TAKES, "required": ["id", "state", "note"]}, '{"id": 1, "state": "new"}'),
        (1, {**TAKES, "additionalProperties": False}, '"note": ""'),
        (1, {**TAKES, "properties": {**TAKES["properties"], "id": {"type": "integer", "maximum": 9}}}, '"id": 10'),
    ],
)
def test_code_that_no_longer_holds_is_red_with_the_payload(
    who: int,
    schema: Any,
    payload: str,
    repositories: tuple[Path, Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """On the side that changed, before anything is proposed."""
    (repositories[who] / "order.json").write_text(json.dumps(schema))
    code, said = verify(repositories[who], capsys)
    assert (code, payload in said) == (1, True), said


def test_a_recorded_payload_that_is_refused_is_red(
    repositories: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """The producer sends what the consumer does not take."""
    with (repositories[0] / "records.jsonl").open("a") as out:
        out.write('{"id": 3, "state": "gone"}\n')
    code, said = verify(repositories[0], capsys)
    assert (code, "line 3" in said, '"gone"' in said) == (1, True, True), said


def test_a_recorded_payload_that_breaks_nothing_is_named(
    repositories: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """A producer departs from what it said in a part that nobody reads; a consumer's tests feed more than is sent."""
    shop, billing = repositories
    for folder, line in ((shop, '{"id": 3, "state": "new", "note": null}'), (billing, '{"id": 3, "state": "gone"}')):
        with (folder / "records.jsonl").open("a") as out:
            out.write(line + "\n")
    code, said = verify(shop, capsys)
    assert (code, "line 3, is not as orders@1 says, and billing takes it" in said) == (0, True), said
    code, said = verify(billing, capsys)
    assert (code, "line 3, is never sent by shop" in said) == (0, True), said
    (billing / "records.jsonl").write_text('{"id": 3, "state": "gone"}\n')
    lock = billing / "contracts.lock"
    lock.write_text(lock.read_text().replace('["order.json", "records.jsonl"]', '["records.jsonl"]'))
    code, said = verify(billing, capsys)
    assert (code, "No payload in it shows" in said) == (3, True), said  # and what is never sent shows nothing


def test_recordings_alone_must_show_each_part(
    repositories: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """What no test ever did is not known: exit 3, and never a yes. Nothing at all shows nothing."""
    shop, _ = repositories
    lock = shop / "contracts.lock"
    lock.write_text(lock.read_text().replace('["order.json", "records.jsonl"]', '["records.jsonl"]'))
    assert verify(shop, capsys)[0] == 0
    (shop / "records.jsonl").write_text('{"id": 1, "state": "new", "note": "x"}\n')
    code, said = verify(shop, capsys)
    assert code == 3
    assert "note left out" in said
    assert 'state is "paid"' in said
    lock.write_text(lock.read_text().replace('["records.jsonl"]', "[]"))
    assert verify(shop, capsys)[0] == 3
    (shop / "empty.json").write_text('{"type": "object"}')
    assert verify(shop, capsys, "--show", "empty.json")[0] == 1  # it sends whatever it likes
    assert verify(repositories[1], capsys, "--show", str(shop / "empty.json"))[0] == 3  # it says nothing of the fields


def test_a_change_that_fits_is_signed_by_rule_where_both_allowed_it(
    repositories: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """And the signature says so. Without the rule it waits."""
    shop, billing = repositories
    more = {**SENDS, "properties": {**SENDS["properties"], "tax": {"type": "number"}}}
    (shop / "order.json").write_text(json.dumps(more))
    assert table(shop).table("producer", more).data["version"] == 2
    history = json.loads((shop / "contracts" / "orders.contract.json").read_text())["history"]
    assert [s.get("by") for s in history[1]["signatures"]] == ["rule", "rule"]
    commit(shop)
    code, said = verify(billing, capsys)
    assert (code, "orders v2 is signed and fits you" in said) == (0, True), said
    assert main(["contracts", "pin", f"{shop}#orders", "--as", "consumer", "--project", str(billing)]) == 0
    assert main(["contracts", "pin", "contracts#orders", "--as", "producer", "--project", str(shop)]) == 0
    assert verify(shop, capsys)[0] == verify(billing, capsys)[0] == 0
    assert table(shop).allow("consumer", False).ok
    assert table(shop).table("producer", {**more, "title": "Order"}).data["agreed"] is False
    assert "Nothing is merged before both signed" in verify(shop, capsys)[1]


def test_a_proposal_on_a_branch_is_told_to_whom_it_breaks(
    repositories: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything is merged: the other side's CI is red, and so is the branch's own."""
    shop, billing = repositories
    wider = {**SENDS, "properties": {**SENDS["properties"], "state": {"enum": ["new", "paid", "gone"]}}}
    git(shop, "checkout", "-q", "-b", "third-state")
    assert table(shop).table("producer", wider).data["agreed"] is False
    code, said = verify(shop, capsys)
    assert code == 1
    assert "waits for" in said
    assert '"gone"' in said
    commit(shop, "third-state")
    git(shop, "checkout", "-q", "main")
    assert verify(shop, capsys)[0] == 0
    code, said = verify(billing, capsys)
    assert code == 1
    assert "orders v2 is proposed on branch third-state and breaks you here" in said
    assert '"gone"' in said
    assert verify(billing, capsys, "--offline")[0] == 1  # what was fetched is still known


def test_the_other_side_proposes_in_a_clone(
    tmp_path: Path, repositories: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the log, the file alone says how the table stands; the producer's CI on that branch is red."""
    shop, _ = repositories
    git(tmp_path, "clone", "-q", str(shop), "clone")
    wants = {**TAKES, "required": ["id", "state", "note"]}
    assert table(tmp_path / "clone").table("consumer", wants).ok
    code, said = verify(tmp_path / "clone", capsys)
    assert code == 1
    assert "orders v2 is proposed and breaks you here" in said
    assert '"state": "new"}' in said
    assert table(tmp_path / "clone").table("consumer", {**TAKES, "title": "Order"}).data["version"] == 2


def damage(document: dict[str, Any], how: str) -> None:
    """Do to a contract file what should pass nowhere."""
    entry = document["history"][0]
    if how == "schema":
        document["schema"] = entry["producer"] = {**SENDS, "required": ["id"]}
    elif how == "twice":
        document["history"].append(json.loads(json.dumps(entry)))
        document["version"] = 2
    elif how == "unsigned":
        entry["signatures"].pop()
    elif how == "other pair":
        entry["signatures"][0]["hash"] = "0" * 16
    elif how == "none":
        document["history"], document["version"] = [], 0
    elif how == "date":
        entry["signatures"][0]["date"] = "2020-01-01"


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ("schema", "digest does not fit"),
        ("twice", "is signed twice"),
        ("unsigned", "did not sign version 1"),
        ("other pair", "is of another pair"),
        ("none", "history was rewritten"),
        ("date", "was rewritten since"),
    ],
)
def test_a_file_that_is_not_as_it_was_signed_passes_nowhere(
    how: str, sentence: str, repositories: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """A sentence on both sides."""
    shop, _ = repositories
    file = shop / "contracts" / "orders.contract.json"
    document = json.loads(file.read_text())
    damage(document, how)
    file.write_text(json.dumps(document))
    commit(shop)
    for folder in repositories:
        code, said = verify(folder, capsys)
        assert code == 1
        assert sentence in said


def test_two_branches_that_sign_one_version_are_told(
    repositories: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Each is whole by itself; together they are two contracts of one name."""
    shop, billing = repositories
    for branch, title in (("left", "one"), ("right", "other")):
        git(shop, "checkout", "-q", "main")
        git(shop, "checkout", "-q", "-b", branch)
        assert table(shop).table("producer", {**SENDS, "title": title}).data["version"] == 2
        commit(shop)
    git(shop, "checkout", "-q", "main")
    git(shop, "merge", "-q", "left")
    code, said = verify(billing, capsys)
    assert code == 1
    assert "two versions 2 of orders are signed" in said


@pytest.mark.parametrize(
    "target",
    [
        "orders",
        "#orders",
        "-u#orders",
        "../nowhere#orders",
        "https://a:b@example.org/x#orders",
        "contracts#a/b",
        "a#b\n",
    ],
)
def test_what_names_no_contract_is_refused(
    target: str, repositories: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """With a sentence; the lock stays."""
    before = (repositories[0] / "contracts.lock").read_bytes()
    assert main(["contracts", "pin", target, "--as", "producer", "--project", str(repositories[0])]) == 2
    assert (repositories[0] / "contracts.lock").read_bytes() == before
    assert main(["contracts", "pin", "contracts#orders@7", "--as", "producer", "--project", str(repositories[0])]) == 2
    assert "has versions 1 to 1" in capsys.readouterr().err


def test_no_program_of_a_repository_is_run(tmp_path: Path, repositories: tuple[Path, Path]) -> None:
    """git's own way to run one is an address."""
    made = tmp_path / "made"
    target = f"ext::sh -c touch% {made}#orders"
    assert main(["contracts", "pin", target, "--as", "consumer", "--project", str(repositories[1])]) == 2
    assert not made.exists()


class Service(BaseHTTPRequestHandler):
    """A billing that refuses what its test says, and answers twice the number, and how many it was asked before."""

    refused = ""
    factor = 2
    count = 0

    def do_POST(self) -> None:
        """Take an order."""
        text = self.rfile.read(int(self.headers["content-length"])).decode()
        Service.count += 1
        self.send_response(422 if self.refused and self.refused in text else 200)
        self.end_headers()
        answer = {"double": json.loads(text)["id"] * self.factor, "asked": Service.count}
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, *_args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def service() -> Iterator[str]:
    """Its address."""
    server = HTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/orders"
    server.shutdown()
    server.server_close()


def test_a_running_service_is_sent_the_examples(
    service: str, repositories: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What it refuses is shown; another machine is sent nothing."""
    _, billing = repositories
    code, said = verify(billing, capsys, "--against", service)
    assert (code, "examples of orders@1" in said) == (0, True), said
    monkeypatch.setattr(Service, "refused", '"paid"')
    code, said = verify(billing, capsys, "--against", service)
    assert code == 1
    assert "answered 422" in said
    assert '"state": "paid"' in said
    code, said = verify(billing, capsys, "--against", "http://example.org/orders")
    assert (code, "is not this machine" in said) == (2, True)


@pytest.mark.parametrize("last", [1, 2, 3])
def test_a_service_that_ends_is_red_with_what_it_was_sent_last(last: int) -> None:
    """Be that the last of all; of one that never listened, nothing is known."""
    server = HTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/orders"

    def ask(payload: Any) -> int:
        status = ask_service(url, payload, frozenset())[0]
        if payload["id"] == last:
            server.shutdown()
            server.server_close()
        return status

    payloads = [{"id": number, "state": "new"} for number in (1, 2, 3)]
    with pytest.raises(ServiceEndedError, match="listens no more") as caught:
        list(ask_in_turn(url, payloads, ask))
    assert caught.value.payload == payloads[last - 1]
    with pytest.raises(ContractError, match="does not answer"):
        list(ask_in_turn(url, payloads, ask))


def test_a_service_that_reads_something_else_is_red(
    service: str, repositories: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What it answered is kept in git, as far as two answers agree; nothing kept is named."""
    billing = repositories[1]
    code, said = verify(billing, capsys, "--against", service)
    assert (code, "a change of meaning would not be seen" in said) == (0, True), said
    record = ["contracts", "record-answers", "orders", "--against", service, "--project", str(billing)]
    assert main(record) == 0
    kept = [json.loads(line) for line in (billing / "contracts.answers.jsonl").read_text().splitlines()]
    assert all(entry["answer"] == {"double": 2 * entry["payload"]["id"]} for entry in kept)
    code, said = verify(billing, capsys, "--against", service)
    assert (code, f"answers {len(kept)} payloads" in said) == (0, True), said
    monkeypatch.setattr(Service, "factor", 3)
    code, said = verify(billing, capsys, "--against", service)
    assert (code, "the answer.double was 2 and is 3" in said, "payload" in said) == (1, True, True), said
    (billing / "contracts.answers.jsonl").write_text("{}\n")
    code, said = verify(billing, capsys, "--against", service)
    assert (code, "holds no answer" in said) == (1, True), said
    assert main(record) == 2
    assert main(["contracts", "record-answers", "other", "--against", service, "--project", str(billing)]) == 2


def test_a_schema_that_says_less_than_the_code_takes_breaks_nothing(
    service: str, repositories: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The service is sent what the schema refuses, far beyond its bound; what it takes is a note, else it is red."""
    billing = repositories[1]
    narrow = {**TAKES, "properties": {**TAKES["properties"], "id": {"type": "integer", "maximum": 5000}}}
    (billing / "order.json").write_text(json.dumps(narrow))
    assert verify(billing, capsys)[0] == 1
    code, said = verify(billing, capsys, "--against", service)
    assert (code, "order.json says less than the code takes" in said) == (0, True), said
    monkeypatch.setattr(Service, "refused", "50001")  # ten times the bound and one: 5001 is taken
    code, said = verify(billing, capsys, "--against", service)
    assert (code, '"id": 50001' in said) == (1, True), said


def test_lines_that_no_test_ran_are_named(repositories: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    """Beside types and recordings it is said; coverage that tells nothing is no yes."""
    shop = repositories[0]
    report = shop / "coverage.lcov"
    code, said = verify(shop, capsys, "--show", "coverage.lcov")
    assert (code, "Run the tests that write it" in said) == (1, True), said
    report.write_text("SF:shop/orders.py\nDA:1,1,x\nDA:2,0,x\nDA:3,0\nend_of_record\n")
    code, said = verify(shop, capsys, "--show", "coverage.lcov")
    assert (code, "no test ran all of shop/orders.py, line 2, 3: what they send is not known" in said) == (0, True), (
        said
    )
    report.write_text("SF:shop/orders.py\nDA:1,4\n")
    code, said = verify(shop, capsys, "--show", "coverage.lcov")
    assert (code, "tests ran each of 1 line" in said) == (0, True), said
    lock = shop / "contracts.lock"
    lock.write_text(lock.read_text().replace('["order.json", "records.jsonl"]', '["coverage.lcov"]'))
    code, said = verify(shop, capsys)
    assert (code, "nothing shows what the code does" in said) == (3, True), said
    report.write_text("")
    code, said = verify(shop, capsys, "--show", "records.jsonl")
    assert (code, "tells of no line that ran" in said) == (3, True), said
