"""The history of published contracts as files: names, versions, digests, and what is refused of an altered one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.contracts.loaders import registry
from graphbus_core.contracts.loaders.registry import PublishedVersion
from graphbus_core.errors import ContractError

TEXT, NUMBER = {"type": "string"}, {"type": "integer"}


def put(history: Path, name: str, number: int, **changed: Any) -> Path:
    file = registry.locate_file(history, name, number)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({**json.loads(PublishedVersion(name, number, TEXT).render()), **changed}))
    return file


def test_a_version_says_itself_readably_and_in_order() -> None:
    """For git: one key a line, the name first, letters as they are; the consumer's side only where there is one."""
    plain = PublishedVersion("größe", 1, {"b": 1, "a": 2})
    assert list(json.loads(plain.render())) == ["name", "version", "digest", "side", "schema"]
    assert '"größe"' in plain.render()
    assert plain.render().index('"b"') < plain.render().index('"a"')
    assert plain.consumer == plain.schema
    both = PublishedVersion("größe", 1, {"b": 1, "a": 2}, None, NUMBER, ("x", "y"))
    assert both.consumer == NUMBER
    assert both.digest != plain.digest
    assert json.loads(both.render())["consumer_schema"] == NUMBER


def test_a_digest_is_of_what_is_said() -> None:
    assert registry.compute_digest({"a": 1, "b": "ü"}) == registry.compute_digest({"b": "ü", "a": 1})
    assert registry.compute_digest({"a": 1}) != registry.compute_digest({"a": 2})
    assert registry.compute_digest("ü").endswith("118c5605ccf670c17944c6f")  # as it stands in published files


@pytest.mark.parametrize(
    ("name", "folder"), [("a b/c", "a-b-c"), ("orders_v.1-x", "orders_v.1-x"), ("../x", "x"), ("..", "contract")]
)
def test_a_folder_is_named_as_its_contract(name: str, folder: str) -> None:
    assert registry.make_folder_name(name) == folder


def test_what_there_is_is_told(tmp_path: Path) -> None:
    history = tmp_path / "history"
    assert registry.list_names(history) == []
    with pytest.raises(ContractError, match="it has nothing"):
        registry.find_version(history, "orders")
    for number in (1, 2, 10):
        put(history, "orders", number)
    (history / "notes.txt").write_text("")
    assert registry.list_names(history) == ["orders"]
    assert [v.number for v in registry.read_versions(history, "orders")] == [1, 2, 10]
    assert [registry.find_version(history, text).number for text in ("orders", "orders@2", "orders@v1")] == [10, 2, 1]
    with pytest.raises(ContractError, match="orders has versions 1, 2, 10, not '3'"):
        registry.find_version(history, "orders@3")
    with pytest.raises(ContractError, match="it has orders"):
        registry.find_version(history, "prices")


def test_two_names_of_one_folder_are_told_apart(tmp_path: Path) -> None:
    put(tmp_path, "a b", 1)
    assert registry.read_versions(tmp_path, "a b")
    assert registry.read_versions(tmp_path, "a-b")  # as the folder is called
    with pytest.raises(ContractError, match="holds a b, not a/b"):
        registry.read_versions(tmp_path, "a/b")


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
        registry.read_versions(tmp_path, "orders")


@pytest.mark.parametrize("text", ["[]", "{", '{"name": "orders"}'])
def test_a_file_that_is_no_version_is_refused(tmp_path: Path, text: str) -> None:
    put(tmp_path, "orders", 1).write_text(text)
    with pytest.raises(ContractError, match="is not a published version"):
        registry.read_versions(tmp_path, "orders")


def test_an_agreement_is_a_version_as_well() -> None:
    """Its file has no more than these keys in 0.1. One with a digest is held to it."""
    agreed = {"contract": "prices", "version": 1, "hash": "x", "schema": TEXT, "consumer_schema": NUMBER}
    assert registry.is_version(agreed)
    assert registry.parse_version(agreed, "a.json").consumer == NUMBER
    with pytest.raises(ContractError, match="not as it was agreed"):
        registry.parse_version({**agreed, "digest": "sha256:0"}, "a.json")
    published = json.loads(PublishedVersion("orders", 1, TEXT).render())
    assert registry.is_version(published)
    assert not registry.is_version({**published, "$schema": "x"})
    assert not registry.is_version([published])
