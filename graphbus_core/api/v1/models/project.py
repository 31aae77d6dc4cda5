"""The project: its picture, its nodes, its contracts, and what a change would do."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from graphbus_core.api.v1.models.common import Json, JsonObject, Strict, Told


class Health(Told):
    """Whether the server answers, and what it is."""

    ok: bool
    version: str


class Port(Told):
    """A field of a contract, with its type in the words of an annotation. `whole`: the type where `type` is cut."""

    name: str
    type: str
    required: bool
    whole: str | None = None


class MethodRow(Told):
    """A method with its fields. `declared` is false where it has no contract."""

    name: str
    inputs: list[Port]
    outputs: list[Port]
    declared: bool


class TopicRow(Told):
    """A topic that is published, with the fields of its payload."""

    topic: str
    ports: list[Port]


class HearRow(Told):
    """A topic that is heard, and the handler."""

    topic: str
    handler: str


class Component(Told):
    """A card of the picture. Places and sizes are in points at its natural size."""

    name: str
    module: str
    source_file: str
    is_arbiter: bool
    methods: list[MethodRow]
    publishes: list[TopicRow]
    hears: list[HearRow]
    x: int
    y: int
    width: int
    height: int


class Endpoint(Told):
    """One end of a link: a method's output or input, or a topic's payload."""

    node: str
    method: str | None = None
    topic: str | None = None


class FieldLink(Told):
    """A field that feeds another. `source` is null where nobody sends what the consumer requires."""

    source: str | None
    target: str
    fits: bool


class DataLink(Told):
    """Data that flows. `state` is `undecided` where inclusion could not be decided; that counts as a no."""

    id: str
    source: Endpoint
    target: Endpoint
    origin: str
    evidence: list[str] = []
    guessed: bool
    state: Literal["fits", "broken", "undecided", "guessed"]
    fields: list[FieldLink]
    reasons: list[str]
    paths: list[str]
    counterexample: Json = Field(default=None, description="A payload that may be sent and is not accepted.")


class Picture(Told):
    """The whole project for drawing: cards with ports, and links from field to field."""

    components: list[Component]
    links: list[DataLink]
    mismatches: int
    order: list[str]


class NodeShort(Told):
    """A node in a list."""

    name: str
    module: str
    class_name: str
    source_file: str
    is_arbiter: bool
    methods: list[str]


class SystemPrompt(Told):
    """What a node's author wrote of it."""

    text: str
    role: str | None = None
    capabilities: list[str] = []


class Contract(Told):
    """A declared contract: as JSON Schema, and as it stands in the source."""

    json_schema: Json
    source: str | None = None
    description: str | None = None


class Parameter(Told):
    """A parameter of a method."""

    name: str
    kind: str
    annotation: str | None = None
    default: str | None = None


class Method(Told):
    """A method of a node."""

    name: str
    input_schema: Contract | None = None
    output_schema: Contract | None = None
    description: str | None = None
    parameters: list[Parameter] = []
    depends_on: list[str] = []
    lineno: int = 0
    end_lineno: int = 0
    is_async: bool = False


class SubscriptionTold(Told):
    """A topic that a node hears."""

    topic: str
    handler: str


class PublicationTold(Told):
    """A topic that a node publishes."""

    topic: str
    payload: Contract | None = Field(default=None, validation_alias="schema")
    method: str | None = None


class LinkEnd(Told):
    """A link that a node is an end of."""

    producer: Endpoint
    consumer: Endpoint
    origin: str


class Node(Told):
    """A node, whole."""

    name: str
    module: str
    class_name: str
    source_file: str
    source_code: str
    system_prompt: SystemPrompt
    methods: list[Method]
    subscriptions: list[SubscriptionTold]
    publications: list[PublicationTold]
    depends_on: list[str]
    links: list[LinkEnd]


class MismatchTold(Told):
    """A link that does not fit, with the payload that proves it. `compatible` is null where it is undecided."""

    id: str
    producer: str
    consumer: str
    compatible: bool | None
    reasons: list[str]
    paths: list[str]
    counterexample: Json = None


class CheckRequest(Strict):
    """Two contracts: JSON Schemas, or names as `Node.method`."""

    producer: JsonObject | bool | str = Field(examples=[{"type": "integer"}])
    consumer: JsonObject | bool | str = Field(examples=[{"type": "number"}])


class Reason(Told):
    """Why not, and where."""

    kind: str
    path: str
    message: str


class Verdict(Told):
    """Whether everything the producer may send is taken; null: it could not be decided, `reasons` say why."""

    compatible: bool | None
    reasons: list[Reason]
    counterexample: Json = None


class Gate(Told):
    """How a gate ended: `proved`, `tested`, `not run`, `refused`, with the reason."""

    gate: str
    end: str
    why: str = ""


class TryRequest(Strict):
    """A structured diff: a list of operations (docs/commit.md)."""

    diff: list[JsonObject] = Field(
        min_length=1,
        max_length=100,
        examples=[
            [
                {
                    "op": "rename_field",
                    "node": "Cleaner",
                    "method": "clean",
                    "side": "input",
                    "field": "items",
                    "to": "headlines",
                }
            ]
        ],
    )


class Trial(Told):
    """What would become of a diff. `asks` are the nodes that must agree; `breaks` and `mends` are links."""

    passes: bool
    gate: str | None
    reason: str
    gates: list[Gate]
    files: list[str]
    unified_diff: str
    mends: list[str]
    breaks: list[str]
    asks: list[str]
    notes: list[str]


class UndoRequest(Strict):
    """How to take a commit back. `allow_mismatches`: also where a link no longer fits then."""

    dry_run: bool = False
    allow_mismatches: bool = False


class Undone(Told):
    """What became of it. `done` is false after a dry run, and where a gate said no."""

    proposal_id: str
    done: bool
    passes: bool
    gate: str | None
    reason: str
    gates: list[Gate]
    files: list[str]
    unified_diff: str
    notes: list[str]
