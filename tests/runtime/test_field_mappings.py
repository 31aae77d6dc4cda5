"""A mapping where data is delivered: checked on links, frozen with the build, carried out at every delivery."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from graphbus_core import GraphBusNode, subscribe
from graphbus_core.analysis.links import LinkResult, link_project
from graphbus_core.analysis.scan import scan
from graphbus_core.artifacts import ArtifactFolder
from graphbus_core.build.builder import build_project
from graphbus_core.config import BuildConfig, RuntimeConfig
from graphbus_core.errors import ScanError
from graphbus_core.export.api_documents import build_asyncapi
from graphbus_core.model.graph import Link
from graphbus_core.runtime.executor import RuntimeExecutor
from graphbus_core.testing import running, write_files

MONEY = """
from decimal import Decimal

def to_cents(price: float) -> int:
    return round(price * 100)

def fails(price: float) -> int:
    raise ValueError("no such currency")

def unhinted(price):
    return price

async def later(price: float) -> int:
    return 1

def two(a: int, b: int) -> int:
    return a
"""
NODES = """
from typing import NotRequired, TypedDict
from graphbus_core import GraphBusNode, publishes, subscribe
from shop import money
from shop.money import to_cents, fails, unhinted, later, two

class Plate(TypedDict):
    plate_no: str
    cents: NotRequired[int]

class Camera(GraphBusNode):
    @publishes("/Plates", {{"plateNo": str, "price": float, "lane": int}})
    def see(self, plate: str): ...

class Gate(GraphBusNode):
    {subscribe}
    def on_plate(self, payload: {payload}):
        Gate.seen = payload
"""
MAPPED = '@subscribe("/Plates", map={"plate_no": "plateNo", "cents": "price"}, convert={"cents": to_cents})'
SENT = {"plateNo": "B-1", "price": 1.5, "lane": 3}


def write_project(folder: Path, subscription: str, payload: str = "Plate") -> Path:
    nodes = NODES.format(subscribe=subscription, payload=payload)
    files = {"pyproject.toml": "", "shop/__init__.py": "", "shop/money.py": MONEY, "shop/nodes.py": nodes}
    write_files(folder, files)
    return folder / "shop"


def link_of(folder: Path, subscription: str, payload: str = "Plate") -> LinkResult:
    return link_project(scan(write_project(folder, subscription, payload)))


def run_build(shop: Path, payload: dict[str, Any], **config: Any) -> tuple[Any, list[Any]]:
    """What the gate saw of one event, and the dead letters."""
    output = shop.parent / ".graphbus"
    build_project(BuildConfig(root_package=str(shop), output_dir=str(output)))
    with RuntimeExecutor(RuntimeConfig(artifacts_dir=str(output), payload_checks="enforce", **config)) as executor:
        executor.publish("/Plates", payload)
        return getattr(type(executor.nodes["Gate"]), "seen", None), list(executor.bus.dead_letters)


def test_a_mapped_link_fits_and_the_handler_gets_its_own_names(tmp_path: Path) -> None:
    """`validate` and a run with enforced checks agree; what is not mapped arrives as it was sent."""
    linked = link_of(tmp_path, MAPPED)
    assert linked.mismatches == ()
    seen, letters = run_build(tmp_path / "shop", SENT)
    assert (seen, letters) == ({"plate_no": "B-1", "cents": 150, "lane": 3}, [])


def test_without_the_mapping_it_is_a_mismatch(tmp_path: Path) -> None:
    """The same two ends: the mapping alone closes it."""
    (mismatch,) = link_of(tmp_path, '@subscribe("/Plates")').mismatches
    assert mismatch.paths == ("plate_no",)


@pytest.mark.parametrize(
    ("subscription", "reason"),
    [
        ('map={"plate_no": "plateNr"}', "plate_no is mapped from plateNr, which the producer does not send"),
        ('map={"plate_no": "lane"}', "plate_no"),
        (
            'map={"plate_nr": "plateNo"}',
            "plate_nr is mapped, and is not a field of Gate.on_plate (did you mean plate_no?)",
        ),
        (
            'map={"plate_no": "plateNo", "cents": "plateNo"}, convert={"cents": to_cents}',
            "cents is made by shop.money:to_cents, which takes float; the producer sends plateNo as str",
        ),
        ('map={"plate_no": "plateNo", "cents": "price"}', "cents"),
    ],
)
def test_a_mapping_that_does_not_stand_is_a_finding_at_both_lines(
    tmp_path: Path, subscription: str, reason: str
) -> None:
    """A field that nobody sends or takes, or a type that does not fit."""
    from graphbus_core.analysis.links.findings import collect_findings

    linked = link_of(tmp_path, f'@subscribe("/Plates", {subscription})')
    (finding,) = [f for f in collect_findings(scan(tmp_path / "shop"), linked) if f.code == "GB101"]
    assert any(reason in text for text in finding.reasons)
    lines = (tmp_path / "shop/nodes.py").read_text("utf-8").splitlines()
    assert "def on_plate" in lines[finding.line - 1]
    assert "@publishes" in lines[finding.related[0].line - 1]


def test_a_mapping_is_held_against_what_is_sent_though_the_handler_declares_nothing(tmp_path: Path) -> None:
    """A misspelt field would only never arrive."""
    (mismatch,) = link_of(tmp_path, '@subscribe("/Plates", map={"x": "number"})', "dict").mismatches
    assert mismatch.reasons == ("x is mapped from number, which the producer does not send",)


@pytest.mark.parametrize(
    ("subscription", "why"),
    [
        ("map={'plate_no': NAME}", "write the mapping out"),
        ("map={'plate_no': 3}", "write the mapping out"),
        ("convert=money.TABLE", "write the conversions out"),
        ("convert={'cents': float}", "is not a function of a module of this project"),
        ("convert={'cents': lambda price: 1}", "is not a function of a module of this project"),
        ("convert={'cents': later}", "is not a function of a module of this project"),
        ("convert={'cents': unhinted}", "must say what it takes"),
        ("convert={'cents': two}", "must be a plain function of a module, with one parameter"),
    ],
)
def test_a_mapping_that_cannot_be_read_is_refused_with_its_line(tmp_path: Path, subscription: str, why: str) -> None:
    """Half of a mapping would deliver half a payload."""
    shop = write_project(tmp_path, f'@subscribe("/Plates", {subscription})')
    with pytest.raises(ScanError, match=rf"shop/nodes\.py:16: .*{why}"):
        scan(shop)


def test_a_conversion_that_raises_is_a_dead_letter_that_names_the_mapping(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The letter keeps the event as it was published."""
    caplog.set_level(logging.CRITICAL, "graphbus")
    shop = write_project(tmp_path, MAPPED.replace("to_cents", "fails"))
    seen, (letter,) = run_build(shop, SENT)
    assert seen is None
    assert letter.reason == "mapping"
    assert letter.event["payload"] == SENT
    assert "Gate.on_plate on /Plates: the mapping of cents from price: fails(1.5) raised ValueError" in letter.error


def test_a_field_that_is_left_out_is_left_out_and_names_may_be_exchanged(tmp_path: Path) -> None:
    """A mapping invents nothing."""
    shop = write_project(tmp_path, '@subscribe("/Plates", map={"lane": "price", "price": "lane"})', "dict")
    seen, _ = run_build(shop, {"plateNo": "B", "price": 2.0, "lane": 1})
    assert seen == {"plateNo": "B", "price": 1, "lane": 2.0}


def test_only_a_build_with_a_mapping_has_the_new_format(tmp_path: Path) -> None:
    """Else its bytes are those of before: no key of a mapping stands anywhere."""
    for name, subscription, version in (("plain", '@subscribe("/Plates")', 1), ("mapped", MAPPED, 2)):
        shop = write_project(tmp_path / name, subscription, "dict")
        output = tmp_path / name / "out"
        build_project(BuildConfig(root_package=str(shop), output_dir=str(output)))
        folder = ArtifactFolder(output)
        assert folder.manifest.version == version
        (heard,) = json.loads((output / "topics.json").read_text("utf-8"))["subscriptions"]
        assert ("map" in heard) == (version == 2)
        assert folder.subscriptions == scan(shop).find_agent("Gate").subscriptions
        assert [Link.from_dict(link.to_dict()) for link in folder.graph.links] == list(folder.graph.links)


def test_exports_have_both_schemas_and_the_map(tmp_path: Path) -> None:
    """The channel has what is published; the operation says how it becomes what the handler takes."""
    shop = write_project(tmp_path, MAPPED)
    build_project(BuildConfig(root_package=str(shop), output_dir=str(tmp_path / "out")))
    document = build_asyncapi(ArtifactFolder(tmp_path / "out"))
    (mapping,) = [op["x-graphbus-mapping"] for op in document["operations"].values() if "x-graphbus-mapping" in op]
    assert mapping["map"] == {"plate_no": "plateNo", "cents": "price"}
    assert mapping["convert"] == {"cents": "shop.money:to_cents"}
    schemas = document["components"]["schemas"]
    assert list(schemas[mapping["takes"]["$ref"].rpartition("/")[2]]["properties"]) == ["plate_no", "cents"]
    assert ["plateNo", "price", "lane"] in [list(s.get("properties", ())) for s in schemas.values()]


def double(n: int) -> int:
    return 2 * n


class Hears(GraphBusNode):
    @subscribe("/N", map={"n": "number"}, convert={"n": double}, retries=1)
    def on(self, payload: dict[str, Any]) -> None:
        self.got = payload


def test_a_test_of_classes_delivers_through_the_mapping_too() -> None:
    """`running` reads the live decorator."""
    with running([Hears]) as app:
        app.publish("/N", {"number": 4})
        assert app.nodes["Hears"].got == {"n": 8}
