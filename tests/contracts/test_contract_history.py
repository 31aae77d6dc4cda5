"""The history of published contracts as files: names, versions, digests, and what is refused of an altered one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.contracts.front import registry
from graphbus_core.contracts.front.registry import Version
from graphbus_core.errors import ContractError

TEXT, NUMBER = {"type": "string"}, {"type": "integer"}


def put(history: Path, name: str, number: int, **changed: Any) -> Path:
    file = registry.file_of(history, name, number)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({**json.loads(Version(name, number, TEXT).text()), **changed}))
    return file


def test_a_version_says_itself_readably_and_in_order() -> None:
    """For git: one key a line, the name first, letters as they are; the consumer's side only where there is one."""
    plain = Version("größe", 1, {"b": 1, "a": 2})
    assert list(json.loads(plain.text())) == ["name", "version", "digest", "side", "schema"]
    assert '"größe"' in plain.text()
    assert plain.text().index('"b"') < plain.text().index('"a"')
    assert plain.consumer == plain.schema
    both = Version("größe", 1, {"b": 1, "a": 2}, None, NUMBER, ("x", "y"))
    assert both.consumer == NUMBER
    assert both.digest != plain.digest
    assert json.loads(both.text())["consumer_schema"] == NUMBER


def test_a_digest_is_of_what_is_said() -> None:
    assert registry.digest({"a": 1, "b": "ü"}) == registry.digest({"b": "ü", "a": 1})
    assert registry.digest({"a": 1}) != registry.digest({"a": 2})
    assert registry.digest("ü").endswith("118c5605ccf670c17944c6f")  # as it stands in published files


@pytest.mark.parametrize(
    ("name", "folder"), [("a b/c", "a-b-c"), ("orders_v.1-x", "orders_v.1-x"), ("../x", "x"), ("..", "contract")]
)
def test_a_folder_is_named_as_its_contract(name: str, folder: str) -> None:
    assert registry.folder_name(name) == folder


def test_what_there_is_is_told(tmp_path: Path) -> None:
    history = tmp_path / "history"
    assert registry.names(history) == []
    with pytest.raises(ContractError, match="it has nothing"):
        registry.wanted(history, "orders")
    for number in (1, 2, 10):
        put(history, "orders", number)
    (history / "notes.txt").write_text("")
    assert registry.names(history) == ["orders"]
    assert [v.number for v in registry.versions(history, "orders")] == [1, 2, 10]
    assert [registry.wanted(history, text).number for text in ("orders", "orders@2", "orders@v1")] == [10, 2, 1]
    with pytest.raises(ContractError, match="orders has versions 1, 2, 10, not '3'"):
        registry.wanted(history, "orders@3")
    with pytest.raises(ContractError, match="it has orders"):
        registry.wanted(history, "prices")


def test_two_names_of_one_folder_are_told_apart(tmp_path: Path) -> None:
    put(tmp_path, "a b", 1)
    assert registry.versions(tmp_path, "a b")
    assert registry.versions(tmp_path, "a-b")  # as the folder is called
    with pytest.raises(ContractError, match="holds a b, not a/b"):
        registry.versions(tmp_path, "a/b")


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"version": 2}, "says that it is version 2"),
        ({"schema": NUMBER}, "not as it was published"),
        ({"digest": None}, "not as it was published"),
    ],
)
def test_an_altered_version_is_refused(tmp_path: Path, changed: dict[str, Any], why: str) -> None:
    put(tmp_path, "orders", 1, **changed)
    with pytest.raises(ContractError, match=why):
        registry.versions(tmp_path, "orders")


@pytest.mark.parametrize("text", ["[]", "{", '{"name": "orders"}'])
def test_a_file_that_is_no_version_is_refused(tmp_path: Path, text: str) -> None:
    put(tmp_path, "orders", 1).write_text(text)
    with pytest.raises(ContractError, match="is not a published version"):
        registry.versions(tmp_path, "orders")


def test_an_agreement_is_a_version_as_well() -> None:
    """Its file has no more than these keys in 0.1. One with a digest is held to it."""
    agreed = {"contract": "prices", "version": 1, "hash": "x", "schema": TEXT, "consumer_schema": NUMBER}
    assert registry.is_version(agreed)
    assert registry.of_document(agreed, "a.json").consumer == NUMBER
    with pytest.raises(ContractError, match="not as it was agreed"):
        registry.of_document({**agreed, "digest": "sha256:0"}, "a.json")
    published = json.loads(Version("orders", 1, TEXT).text())
    assert registry.is_version(published)
    assert not registry.is_version({**published, "$schema": "x"})
    assert not registry.is_version([published])
