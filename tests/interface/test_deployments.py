"""What is deployed where is a file in git; who is not there yet has a stub, examples and types."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from graphbus_core.cli.main import main
from graphbus_core.contracts.examples import generate_examples
from graphbus_core.contracts.parsing.contract import Contract
from graphbus_core.services.contract_sharing.stand_ins import build_stub, find_version
from tests.interface.test_sharing import SENDS, commit, repositories, table

__all__ = ["repositories"]


def ask(folder: Path, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, str]:
    """`can-i-deploy production`."""
    capsys.readouterr()
    code = main(["contracts", "can-i-deploy", "production", "--project", str(folder), *more])
    said = capsys.readouterr()
    return code, said.out + said.err


def test_each_side_records_in_its_own_repository(
    repositories: tuple[Path, Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the command as the page has it, committed: the other side reads it there."""
    shop, billing = repositories
    monkeypatch.chdir(shop)
    assert main(["contracts", "record-deployment", "production"]) == 0
    assert ask(billing, capsys)[0] == 3  # not committed
    commit(shop)
    code, said = ask(billing, capsys)
    assert code == 0, said
    monkeypatch.chdir(billing)
    assert main(["contracts", "record-deployment", "production"]) == 0
    commit(billing)
    assert ask(shop, capsys)[0] == 3  # it does not know where billing is
    assert (
        main(
            ["contracts", "pin", "contracts#orders", "--as", "producer", "--project", str(shop), "--peer", str(billing)]
        )
        == 0
    )
    code, said = ask(shop, capsys)
    assert code == 0, said
    # Who cannot look there does not go by what was once said here.
    assert (
        main(["contracts", "record-deployment", "production", "--absent", "orders:consumer", "--project", str(shop)])
        == 0
    )
    billing.rename(billing.with_name("gone"))
    code, said = ask(shop, capsys)
    assert (code, "billing" in said) == (1, True), said


def test_deployments_answer_for_versions_side_by_side(
    repositories: tuple[Path, Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing recorded is not a yes; an absence may be recorded; a newer producer is held against what runs."""
    shop, billing = repositories
    record = shop / "contracts" / "deployments.jsonl"
    code, said = ask(shop, capsys)
    assert (code, "nobody recorded" in said) == (3, True)
    put = ["contracts", "record-deployment", "production", "--file", str(record)]
    assert main([*put, "--absent", "orders:consumer"]) == 0
    assert ask(shop, capsys)[0] == 0
    assert main([*put, "--project", str(billing)]) == 0
    assert ask(shop, capsys)[0] == 0
    assert ask(billing, capsys)[0] == 3  # the shop is not recorded, and the record is not committed
    # A second version that both sign by hand: a third state. Billing still runs the first.
    where = table(shop)
    wider = {**SENDS, "properties": {**SENDS["properties"], "state": {"enum": ["new", "paid", "gone"]}}}
    where.table("producer", wider)
    where.table("consumer", {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]})
    pair = where.look().data["pair"]
    assert all(where.accept(side, pair).ok for side in ("producer", "consumer")) or where.look().data["agreed"]
    assert main(["contracts", "pin", "contracts#orders", "--as", "producer", "--project", str(shop)]) == 0
    code, said = ask(shop, capsys)
    assert (code, '"gone"' in said) == (1, True), said
    assert main([*put, "--project", str(shop)]) == 0
    commit(shop)
    code, said = ask(billing, capsys)
    assert (code, '"gone"' in said) == (1, True), said
    record.write_text(record.read_text().replace("sha256:", "sha256:0"))
    assert "its hash does not fit" in ask(shop, capsys)[1]
    record.write_text("[]\n")
    code, said = ask(shop, capsys)
    assert (code, "records no deployment" in said) == (1, True)
    assert main([*put, "--project", str(shop)]) == 2
    assert record.read_text() == "[]\n"


def test_a_stub_sends_examples_and_says_what_is_wrong(repositories: tuple[Path, Path]) -> None:
    """On this machine, from the contract alone."""
    server = build_stub(find_version("orders", repositories[1]), 0, lambda line: None)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_address[1]}/"
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        sent = json.loads(opener.open(address, timeout=10).read())
        assert sent["state"] in ("new", "paid")
        assert opener.open(urllib.request.Request(address, json.dumps(sent).encode()), timeout=10).status == 200
        with pytest.raises(urllib.error.HTTPError) as refused:
            opener.open(urllib.request.Request(address, b'{"id": 1, "state": "gone"}'), timeout=10)
        assert refused.value.code == 422
        assert b"state" in refused.value.read()
    finally:
        server.shutdown()
        server.server_close()


def test_types_are_written_by_a_tool_that_is_there(
    repositories: tuple[Path, Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there is none, the message says which one to get."""
    billing = repositories[1]
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    words = ["contracts", "types", "orders", "--project", str(billing)]
    assert main([*words, "--language", "cobol"]) == 2
    tool = billing / "node_modules" / ".bin" / "json2ts"
    assert main(words) == 2
    assert "json-schema-to-typescript" in capsys.readouterr().err
    tool.parent.mkdir(parents=True)
    tool.write_text('#!/bin/sh\necho "// from $1"; cat "$2"\n')
    tool.chmod(0o755)
    assert main(words) == 0
    assert '"paid"' in capsys.readouterr().out
    assert main(["contracts", "examples", "orders", "--project", str(billing)]) == 0
    assert '"state": "paid"' in capsys.readouterr().out


def test_a_contract_of_many_fields_has_examples() -> None:
    """Each field varies, many of them at once: one payload a variant of 2,000 fields would not fit into memory."""
    fields = {f"f{i}": {"enum": [i, "x", None]} for i in range(2_000)}
    schema = {"type": "object", "properties": fields, "required": ["f0"]}
    examples = generate_examples(Contract.from_json_schema(schema))
    assert 3 <= len(examples) <= 50
    for name in ("f0", "f1000", "f1999"):
        assert {example[name] for example in examples if name in example} == set(fields[name]["enum"])
    assert {"f0": 0} in examples or any(len(example) == 1 for example in examples)
