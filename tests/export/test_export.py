"""`graphbus export`: each document is valid by its specification's own judge, and says what the build says."""

import copy
import json
import shutil
import warnings
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator, validate

from graphbus_core.artifacts import ArtifactFolder
from graphbus_core.cli.main import main
from graphbus_core.export import build_asyncapi, build_openapi, render_dot, render_mermaid
from graphbus_core.export.api_documents import ComponentNames, needs_2020_12, place_schema

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # a field of a model there is called `schema`
    from asyncapi3 import AsyncAPI3

EXAMPLES = Path(__file__).parents[2] / "examples"
ODD = '''
from typing import TypedDict
from graphbus_core import GraphBusNode, publishes, schema_method, subscribe


class Node(TypedDict, total=False):
    name: str
    children: list["Node"]


class Tree(GraphBusNode):
    """A "quoted" node."""

    @schema_method(input_schema={"root": Node}, output_schema={"depth": int})
    def depth(self, root):
        return {"depth": 1}

    def undeclared(self):
        return None

    @publishes("/Tree/Grown", {"root": Node})
    def grow(self):
        self.publish("/Tree/Grown", {"root": {}})


class Watcher(GraphBusNode):
    @subscribe("/Tree/*")
    def on_any(self, topic, payload):
        pass

    @subscribe("/Elsewhere/*/**")
    def on_far(self, topic, payload):
        pass
'''


@pytest.fixture(scope="module", params=["hello", "news_pipeline", "seed_negotiation", "odd"])
def build(request: Any, tmp_path_factory: pytest.TempPathFactory) -> ArtifactFolder:
    """A build of an example, or of a project with patterns, a recursive type and a method without contract."""
    folder = tmp_path_factory.mktemp("export")
    source = folder / "agents"
    if request.param == "odd":
        source.mkdir()
        (source / "tree.py").write_text(ODD)
    else:  # a copy: in its place all of this repository would be searched for calls
        shutil.copytree(EXAMPLES / request.param / "agents", source)
    assert main(["build", str(source), "--output-dir", str(folder / ".graphbus")]) == 0
    return ArtifactFolder(folder / ".graphbus")


def test_the_asyncapi_document_is_valid_and_whole(build: ArtifactFolder) -> None:
    """Every topic and every method is a channel, every publication a send, every subscription a receive."""
    document = build_asyncapi(build)
    AsyncAPI3.model_validate(document)
    addresses = {channel["address"] for channel in document["channels"].values()}
    assert {t["name"] for t in build.topics if "*" not in t["name"]} <= addresses
    assert {f"{a.name}.{m.name}" for a in build.agents for m in a.methods} <= addresses
    sent = [o["summary"] for o in document["operations"].values() if o["action"] == "send"]
    assert len(sent) == len({(p.node_name, p.method, p.topic) for p in build.publications})
    heard = [o for o in document["operations"].values() if o["action"] == "receive" and "reply" not in o]
    assert len(heard) >= len(build.subscriptions)
    _every_reference_is_found(document)


def test_the_judge_of_asyncapi_sees_a_fault(build: ArtifactFolder) -> None:
    """The judge is strict: a document with a field too many, or an action that does not exist, is refused."""
    for spoil in ({"colour": "red"}, {"asyncapi": "9"}):
        with pytest.raises(ValueError):
            AsyncAPI3.model_validate({**build_asyncapi(build), **spoil})


def test_the_openapi_document_is_valid_and_whole(build: ArtifactFolder) -> None:
    """Every node with methods is a path, and every body names one method."""
    document = build_openapi(build)
    validate(document, cls=OpenAPIV31SpecValidator)
    assert {f"/nodes/{a.name}/call" for a in build.agents if a.methods} <= set(document["paths"])
    _every_reference_is_found(document)
    broken = copy.deepcopy(document)
    broken["paths"]["no slash"] = {}
    with pytest.raises(Exception, match="no slash"):
        validate(broken, cls=OpenAPIV31SpecValidator)


def test_the_openapi_document_describes_what_the_server_takes(build: ArtifactFolder) -> None:
    """Paths and fields are those of `graphbus serve`, so a client made from the document reaches it."""
    pytest.importorskip("fastapi")
    from graphbus_core.http.schemas import CallBody, PublishBody

    document = build_openapi(build)
    for path, item in document["paths"].items():
        body = PublishBody if path == "/publish" else CallBody
        for one in item["post"]["requestBody"]["content"]["application/json"]["schema"]["oneOf"]:
            assert set(one["properties"]) == set(body.model_fields)


def test_pictures_hold_every_node_topic_and_arrow(build: ArtifactFolder) -> None:
    """Both languages draw the same things, and no name of the project breaks a line of either."""
    for text, arrow in ((render_mermaid(build), " -->"), (render_dot(build), " -> n")):
        for name in [*(a.name for a in build.agents), *(t["name"] for t in build.topics if "*" not in t["name"])]:
            assert name in text
        assert text.count(arrow) >= len({(s.node_name, s.topic) for s in build.subscriptions})
        assert all(line.count('"') % 2 == 0 for line in text.splitlines())


def test_a_pattern_without_a_topic_is_a_channel_with_parameters(build: ArtifactFolder) -> None:
    """What nobody of the build publishes to still shows what is heard."""
    document = build_asyncapi(build)
    for channel in document["channels"].values():
        assert "*" not in channel["address"]
        assert ("{" in channel["address"]) == ("parameters" in channel)


def test_the_command_writes_a_file_and_refuses_an_unknown_format(
    build: ArtifactFolder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same bytes each time; a wrong format is bad usage, and names those that exist."""
    target = tmp_path / "out.json"
    assert main(["export", "asyncapi", str(build.path), "-o", str(target)]) == 0
    assert main(["export", "asyncapi", str(build.path)]) == 0
    assert capsys.readouterr().out == target.read_text(encoding="utf-8")
    assert json.loads(target.read_text(encoding="utf-8"))["asyncapi"] == "3.0.0"
    assert main(["export", "raml", str(build.path)]) == 2
    assert "asyncapi, openapi, mermaid, dot" in capsys.readouterr().err
    assert main(["export", "dot", str(tmp_path / "nowhere")]) == 2


def test_names_are_plain_and_never_meet() -> None:
    """Two topics that look alike as keys stay two."""
    names = ComponentNames()
    assert names.assign("/a/b") == "a-b"
    assert names.assign("/a.b") == "a-b-2"
    assert names.assign("/a/b") == "a-b"
    assert names.assign("/日本") == "any"


def test_references_move_with_their_contract_and_values_stay() -> None:
    """`#/$defs/X` is found from the new place; a value that looks like a reference is none."""
    fields = {"a": {"$ref": "#/$defs/X"}, "default": {"$ref": "#/$defs/X"}}  # a field may have a keyword's name
    moved = place_schema({"$defs": {"X": {"const": {"$ref": "#/no"}}}, "properties": fields}, "#/c/N")
    assert moved["properties"] == {key: {"$ref": "#/c/N/$defs/X"} for key in fields}
    assert moved["$defs"]["X"] == {"const": {"$ref": "#/no"}}
    assert needs_2020_12({"properties": {"a": {"prefixItems": []}}})
    assert not needs_2020_12({"type": "object"})


def _every_reference_is_found(document: Any) -> None:
    def references(value: Any) -> list[str]:
        if isinstance(value, dict):
            own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
            return own + [one for inner in value.values() for one in references(inner)]
        return [one for inner in value for one in references(inner)] if isinstance(value, list) else []

    for reference in references(document):
        at = document
        for part in reference.removeprefix("#/").split("/"):
            at = at[part.replace("~1", "/").replace("~0", "~")]


def test_the_documents_are_called_as_the_project_is(tmp_path: Path) -> None:
    """As pyproject.toml says; else as its folder."""
    shutil.copytree(EXAMPLES / "hello", tmp_path / "greetings", ignore=shutil.ignore_patterns(".graphbus"))
    assert main(["build", str(tmp_path / "greetings" / "agents"), "-o", str(tmp_path / "greetings" / "built")]) == 0
    build = ArtifactFolder(tmp_path / "greetings" / "built")
    assert build_asyncapi(build)["info"]["title"] == "greetings"
    (tmp_path / "greetings" / "pyproject.toml").write_text('[project]\nname = "hello-world"\n')
    assert build_asyncapi(build)["info"]["title"] == "hello-world"
    assert build_openapi(build, "http://localhost")["info"]["title"] == "hello-world"
