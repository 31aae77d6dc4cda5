"""The source diff: a bare `@contract`, a TypedDict for certain keys; written whole, and taken back to the byte."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphbus_core.cli.main import main
from graphbus_core.errors import UsageError
from graphbus_core.inference import infer
from graphbus_core.inference.landing import land
from graphbus_core.inference.writing import decorate_sources

SHOP = '''\
"""A shop."""

from __future__ import annotations

import os


class Shop:
    """Sells."""

    def get_order(self, sku: str):
        return {"sku": sku, "qty": 1, "place": os.getcwd()}

    def total(self, order: dict) -> float: return 1.5


class Silent:
    def nothing(self, x):
        return x


def price(sku: str) -> dict:
    made = {"amount": 1.5}
    if sku:
        made["rate"] = [1]
    return made
'''

USER = "import shop\n\ndef run():\n    return shop.price('a')['amount']\n"


def project(root: Path, source: bytes = SHOP.encode()) -> Path:
    """Two modules."""
    (root / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    (root / "shop.py").write_bytes(source)
    (root / "user.py").write_text(USER)
    return root


def test_the_diff_is_a_decorator_and_a_record_beside_the_class(tmp_path: Path) -> None:
    """Whole lines and hints; what says nothing stays as it is."""
    made = decorate_sources(infer(project(tmp_path)))
    assert list(made.after) == ["shop.py"]
    added = [line for line in made.diff.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    assert [line for line in added if line != "+"] == [
        "+from typing import NotRequired, TypedDict",
        "+from graphbus_core import contract",
        "+class OrderRecord(TypedDict):",
        "+    sku: str",
        "+    qty: int",
        "+    place: str",
        "+@contract",
        "-    def get_order(self, sku: str):",
        "+    def get_order(self, sku: str) -> OrderRecord:",
        "-def price(sku: str) -> dict:",
        "+class PriceRecord(TypedDict):",
        "+    amount: float",
        "+    rate: NotRequired[list[int]]",
        "+@contract",
        "+def price(sku: str) -> PriceRecord:",
    ]
    assert (made.components, made.records) == (2, 2)
    made_again = decorate_sources(infer(tmp_path)).after
    assert made_again == made.after
    (tmp_path / "shop.py").write_bytes(made.after["shop.py"])
    assert decorate_sources(infer(tmp_path)).after == {}, "twice changes nothing"
    scope: dict[str, object] = {}
    exec(compile(made.after["shop.py"], "shop.py", "exec"), scope)
    assert scope["Shop"]().get_order("a")["qty"] == 1  # type: ignore[operator]


@pytest.mark.parametrize(
    "source",
    [
        SHOP.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + SHOP.encode(),
        b"# -*- coding: latin-1 -*-\n" + SHOP.replace("Sells.", "S\xe4lls.").encode("latin-1"),
        SHOP.encode().rstrip(b"\n"),
        SHOP.replace("import os\n", "import os; import sys\n").encode(),
    ],
)
def test_written_and_taken_back_to_the_byte(
    tmp_path: Path, source: bytes, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the commands; other line ends, marks and encodings as they are."""
    monkeypatch.chdir(project(tmp_path, source))
    assert main(["infer", "--diff"]) == 0
    assert (tmp_path / "shop.py").read_bytes() == source
    shown = capsys.readouterr().out
    assert main(["init", "--decorators", "--write", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["diff"].splitlines()[:4] == shown.splitlines()[:4]
    assert b"@contract" in (tmp_path / "shop.py").read_bytes()
    links = {(one.producer, one.consumer) for one in infer(tmp_path).links}
    assert main(["undo", told["undo"], "--dry-run"]) == 0
    assert b"@contract" in (tmp_path / "shop.py").read_bytes()
    assert main(["undo", told["undo"]]) == 0
    assert (tmp_path / "shop.py").read_bytes() == source
    assert {(one.producer, one.consumer) for one in infer(tmp_path).links} == links
    assert main(["undo", told["undo"]]) == 2


def test_an_edit_since_then_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside what was written it is kept; in it, nothing is taken back."""
    monkeypatch.chdir(project(tmp_path))
    file = tmp_path / "shop.py"
    pid = land(decorate_sources(infer(tmp_path)), tmp_path, tmp_path / ".graphbus")
    file.write_text(file.read_text() + "\n\nLATER = 1\n")
    assert main(["undo", pid]) == 0
    assert file.read_text() == SHOP + "\n\nLATER = 1\n"
    pid = land(decorate_sources(infer(tmp_path)), tmp_path, tmp_path / ".graphbus")
    text = file.read_text().replace("class OrderRecord(TypedDict):\n    sku", "class OrderRecord(TypedDict):\n    code")
    file.write_text(text)
    assert main(["undo", pid]) == 1
    assert file.read_text() == text


def test_a_file_edited_between_diff_and_write_is_left(tmp_path: Path) -> None:
    """All files or none."""
    made = decorate_sources(infer(project(tmp_path)))
    (tmp_path / "shop.py").write_text(SHOP + "X = 1\n")
    with pytest.raises(UsageError, match="edited in the meantime"):
        land(made, tmp_path, tmp_path / ".graphbus")
    assert (tmp_path / "shop.py").read_text() == SHOP + "X = 1\n"


def test_names_of_the_files_own_are_not_shadowed(tmp_path: Path) -> None:
    """`contract` and `TypedDict` may mean something else there."""
    source = SHOP.replace("import os\n", "import os\n\nTypedDict = contract = 1\n")
    text = decorate_sources(infer(project(tmp_path, source.encode()))).after["shop.py"].decode()
    assert "from graphbus_core import contract as graphbus_contract" in text
    assert "(TypedDict)" not in text
    assert text.count("@graphbus_contract") == 2
