"""The project: its picture, its nodes, its contracts, and what a change would do."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from graphbus_core.http.v1.common import Json, JsonObject, RequestBody, ResponseBody


class Health(ResponseBody):
    """Whether the server answers, and what it is."""

    ok: bool
    version: str


class Port(ResponseBody):
    """A field of a contract, with its type in the words of an annotation. `whole`: the type where `type` is cut."""

    name: str
    type: str
    required: bool
    whole: str | None = None


class MethodRow(ResponseBody):
    """A method with its fields. `declared` is false where it has no contract."""

    name: str
    inputs: list[Port]
    outputs: list[Port]
    declared: bool


class TopicRow(ResponseBody):
    """A topic that is published, with the fields of its payload."""

    topic: str
    ports: list[Port]


class HearRow(ResponseBody):
    """A topic that is heard, and the handler."""

    topic: str
    handler: str


class Component(ResponseBody):
    """A card of the picture. Places and sizes are in points at its natural size. `needs`: the components that it calls
    or waits for, as `@depends_on` says, where no link of data says so already."""

    name: str
    module: str
    source_file: str
    is_arbiter: bool
    methods: list[MethodRow]
    publishes: list[TopicRow]
    hears: list[HearRow]
    needs: list[str] = []
    x: int
    y: int
    width: int
    height: int


class Endpoint(ResponseBody):
    """One end of a link: a method's output or input, or a topic's payload."""

    node: str
    method: str | None = None
    topic: str | None = None


class FieldLink(ResponseBody):
    """A field that feeds another. `source` is null where nobody sends what the consumer requires."""

    source: str | None
    target: str
    fits: bool
    lacks: list[Literal["missing", "optional", "type"]] = Field(default=[], description="Why the field does not fit.")
    alike: list[str] = Field(default=[], description="Fields that are sent, taken by nobody here, and would fit it.")


class Proof(ResponseBody):
    """One reason why a link does not fit, the field that it is about, and a payload that is refused for it."""

    reason: str
    path: str
    payload: Json = None


class DataLink(ResponseBody):
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
    places: list[str] = Field(default=[], description="File and line of its source and of its target.")
    counterexample: Json = Field(default=None, description="A payload that may be sent and is not accepted.")
    proofs: list[Proof] = Field(default=[], description="For each reason that a field has, a payload that proves it.")


class Picture(ResponseBody):
    """The whole project for drawing: cards with ports, and links from field to field."""

    components: list[Component]
    links: list[DataLink]
    mismatches: int
    order: list[str]


class NodeShort(ResponseBody):
    """A node in a list."""

    name: str
    module: str
    class_name: str
    source_file: str
    is_arbiter: bool
    methods: list[str]


class SystemPrompt(ResponseBody):
    """What a node's author wrote of it."""

    text: str
    role: str | None = None
    capabilities: list[str] = []


class Contract(ResponseBody):
    """A declared contract: as JSON Schema, and as it stands in the source."""

    json_schema: Json
    source: str | None = None
    description: str | None = None


class Parameter(ResponseBody):
    """A parameter of a method."""

    name: str
    kind: str
    annotation: str | None = None
    default: str | None = None


class Method(ResponseBody):
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


class SubscriptionTold(ResponseBody):
    """A topic that a node hears."""

    topic: str
    handler: str


class PublicationTold(ResponseBody):
    """A topic that a node publishes."""

    topic: str
    payload: Contract | None = Field(default=None, validation_alias="schema")
    method: str | None = None


class LinkEnd(ResponseBody):
    """A link that a node is an end of."""

    producer: Endpoint
    consumer: Endpoint
    origin: str


class Node(ResponseBody):
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


class MismatchTold(ResponseBody):
    """A link that does not fit, with the payload that proves it. `compatible` is null where it is undecided."""

    id: str
    producer: str
    consumer: str
    compatible: bool | None
    reasons: list[str]
    paths: list[str]
    counterexample: Json = None


class CheckRequest(RequestBody):
    """Two contracts: JSON Schemas, or names as `Node.method`."""

    producer: JsonObject | bool | str = Field(examples=[{"type": "integer"}])
    consumer: JsonObject | bool | str = Field(examples=[{"type": "number"}])


class Reason(ResponseBody):
    """Why not, and where."""

    kind: str
    path: str
    message: str


class Verdict(ResponseBody):
    """Whether everything the producer may send is taken; null: it could not be decided, `reasons` say why."""

    compatible: bool | None
    reasons: list[Reason]
    counterexample: Json = None


class Gate(ResponseBody):
    """How a gate ended: `proved`, `tested`, `not run`, `refused`, with the reason."""

    gate: str
    end: str
    why: str = ""


class TryRequest(RequestBody):
    """A structured diff: a list of operations (docs/commit.md). `agent`: who proposes it; else the first one's node.
    `call_methods`: the changed methods are called, as before a commit; false: a verdict at once that leaves it open.
    `after`: diffs that are agreed on and not in the files yet: it is tried on top of them.
    """

    call_methods: bool = True
    after: list[list[JsonObject]] = Field(default=[], max_length=20)
    agent: str | None = Field(default=None, max_length=200)
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


class LeftLink(ResponseBody):
    """A link that does not fit, before a change and after it: `mended` are its fields that fit then, `fields` those
    that do not, `reasons` what is wrong with it then."""

    link: str
    agents: list[str] = []
    mended: list[str] = []
    fields: list[str] = []
    reasons: list[str] = []


class Trial(ResponseBody):
    """What would become of a diff. `asks` are the nodes that must agree, `why` says for each why; `breaks` and `mends`
    are links, `left` those that it is about and that do not fit afterwards either. `verdict` says it in a line; `open`
    are the gates that a proposal meets and this trial did not ask."""

    passes: bool
    verdict: str = ""
    open: list[Gate] = []
    gate: str | None
    reason: str
    gates: list[Gate]
    files: list[str]
    unified_diff: str
    mends: list[str]
    breaks: list[str]
    left: list[LeftLink] = []
    unsent: list[str] = Field(default=[], description="What a consumer gets no more, though no link breaks.")
    never_sent: list[str] = Field(
        default=[], description="What is no longer required and nobody sent before either: nothing is lost by it."
    )
    asks: list[str]
    why: dict[str, str]
    notes: list[str]


class UndoRequest(RequestBody):
    """How to take a commit back. `allow_mismatches`: also where a link no longer fits then."""

    dry_run: bool = False
    allow_mismatches: bool = False


class Undone(ResponseBody):
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


# Builds, negotiations of all kinds, what is asked, and who agreed to what.


class ProposalRequest(RequestBody):
    """A change that a person asks for. It is put to the others as `agent`'s; nobody proposes anything beside it."""

    agent: str = Field(max_length=500)
    diff: list[JsonObject] = Field(min_length=1, max_length=100)
    summary: str = Field(default="", max_length=1_000)
    rationale: str = Field(default="", max_length=4_000)


class BuildBody(RequestBody):
    """A build to start. With `approve`, every commit waits for an answer to a question.

    What is left out or null is as `[tool.graphbus]` of the project says, as on the command line.
    """

    enable_agents: bool = True
    approve: bool | None = None
    dry_run: bool = False
    rounds: int | None = Field(default=None, ge=1, le=100)
    intent: str | None = Field(default=None, max_length=4_000)
    model: str | None = Field(default=None, max_length=200)
    humans: list[str] = Field(default_factory=list, max_length=100, description="Agents that people answer for.")
    resume: bool = Field(default=False, description="Go on with the unfinished negotiation, as it was asked for.")

    @model_validator(mode="after")
    def _refuse_other_options(self) -> BuildBody:
        # A build that goes on was asked for once. Another option beside it would make it another build.
        fields = type(self).model_fields
        plain = {name: field.get_default(call_default_factory=True) for name, field in fields.items()}
        others = sorted(name for name, value in self if name != "resume" and value != plain[name])
        if self.resume and others:
            raise ValueError(f"`resume` takes all options from the build that began; leave out {', '.join(others)}")
        return self


class BuildRequest(BuildBody):
    """A build to start. With `approve`, every commit waits for an answer to a question; with `verify`, for tests.

    What is left out or null is as `[tool.graphbus]` of the project says, as on the command line.
    """

    verify: Literal["auto"] | None = Field(default=None, description="The project's own tests must pass first.")
    proposal: ProposalRequest | None = None


class ForkRequest(RequestBody):
    """Where a dry run starts: with the sources as they stood after this fact. Without `model` the settings say."""

    at: int = Field(ge=1, le=2**53)
    model: str | None = Field(default=None, max_length=200)


class Build(ResponseBody):
    """A build that this server started. `started_at` is in epoch seconds."""

    id: str
    state: Literal["running", "done", "failed", "cancelled"]
    detail: str
    started_at: float
    build_id: str | None
    committed: int
    outcomes: dict[str, int] = Field(default={}, description="What became of its proposals, by outcome.")
    dry_run: bool


class NegotiationShort(ResponseBody):
    """A negotiation in a list. `state` is `running` where this server drives it now. `question`: what it is about, in a
    line; "" where that is not known. `outcome`: what became of a build's proposals, in words."""

    id: str
    kind: Literal["proposal", "consent", "document"]
    state: Literal["running", "unfinished", "ended", "damaged"]
    damage: str | None
    dry_run: bool
    events: int
    started_at: float | None
    question: str = ""
    outcome: str = ""


class Evaluation(ResponseBody):
    """What one seat said of a proposal."""

    agent: str
    decision: str
    reasoning: str = ""
    confidence: float | None = None


class FailedGate(ResponseBody):
    """The gate that said no."""

    gate: str
    reason: str


class Gates(ResponseBody):
    """What the gates came to."""

    passed: list[str] = []
    failed: FailedGate | None = None
    ends: list[Gate] = []


class Arbitration(ResponseBody):
    """What an arbiter ruled."""

    arbiter: str | None = None
    decision: str = ""
    ruling: str = ""


class SchemaChange(ResponseBody):
    """One change of a contract, in words."""

    symbol: str
    side: str
    kind: str
    path: str
    breaking: bool
    message: str


class TakenBack(ResponseBody):
    """When it was taken back."""

    at: str | None = None


class Approval(ResponseBody):
    """The person who approved a commit, and why."""

    by: str
    reason: str = ""


class ProposalTold(ResponseBody):
    """A proposal, from what was said to what became of it."""

    id: str
    proposer: str
    type: str | None = None
    summary: str = ""
    rationale: str = ""
    confidence: float | None = None
    affected_agents: list[str] = []
    evaluations: list[Evaluation] = []
    outcome: str
    files_changed: list[str] = []
    diff: list[JsonObject] = []
    decided_by: str = ""
    why: str = ""
    gates: Gates | None = None
    arbitration: Arbitration | None = None
    answers_to: str | None = None
    changes: list[SchemaChange] = []
    breaks: list[str] = []
    fixes: list[str] = []
    left: list[LeftLink] = []
    unsent: list[str] = []
    never_sent: list[str] = []
    proposed_by: str = Field(
        default="", description="The person whose proposal it is, where an agent tabled it for one."
    )
    approved: Approval | None = None
    commit_id: str | None = None
    committed_at: str | None = None
    unified_diff: str = ""
    undone: TakenBack | None = None
    build_id: str | None = Field(default=None, description="Set where proposals of several builds stand together.")


class Round(ResponseBody):
    """One round."""

    round: int
    proposals: list[ProposalTold] = []


class Ended(ResponseBody):
    """How it ended."""

    reason: str
    why: str = ""


class ProposalLog(ResponseBody):
    """A negotiation of proposals, read back."""

    agents: list[str] = []
    arbiters: list[str] = []
    intent: str | None = None
    ended: Ended | None = None
    rounds_completed: int = 0
    total_proposals: int = 0
    committed: int = 0
    rejected: int = 0
    deferred: int = 0
    superseded: int = 0
    commit_failed: int = 0
    withdrawn: int = 0
    dropped: int = 0
    unheard: int = 0
    rounds: list[Round] = []


class Negotiation(NegotiationShort):
    """A negotiation as it stands, or as it stood after fact number `at`. `log` is null for the other two kinds: these
    are told whole under /consents and /documents."""

    at: int
    log: ProposalLog | None = None


class Fact(ResponseBody):
    """One fact of a log. Its `data` is as the log has it."""

    seq: int
    kind: str
    at: float | None
    data: JsonObject


class Question(ResponseBody):
    """What waits for a person or a program. `about` is all that is known; `answer_schema` what is taken."""

    id: str = Field(examples=["1.approve.p-559e"])
    to: str
    kind: str = Field(examples=["approve"])
    about: JsonObject
    answer_schema: JsonObject
    refused: list[str] = []


class WhyTold(ResponseBody):
    """Every proposal that made a symbol what it is, newest first. `damaged`: logs that cannot be read to their end."""

    entries: list[ProposalTold]
    damaged: list[NegotiationShort]


class LogVerified(ResponseBody):
    """A log held against its checksums, its head and its answers."""

    id: str
    facts: int
    hash: str
    is_sound: bool
    damage: str | None
    answers: int


Answer = Json
