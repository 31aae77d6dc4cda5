"""A client of GraphBus 0.2.0, generated from its OpenAPI document by `python -m clients`. Do not edit."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any, Literal, NotRequired, TypedDict
from urllib.parse import quote, urlencode



class Accept(TypedDict):
    """The acceptance of an offer; without `hash` of the newest."""

    issue: str
    hash: NotRequired[str]


class Advocate(TypedDict):
    """A seat. `person`: its questions lie at the desk."""

    name: str
    priority: str
    person: bool


class Approval(TypedDict):
    """The person who approved a commit, and why."""

    by: str
    reason: str


class Arbitration(TypedDict):
    """What an arbiter ruled."""

    arbiter: str | None
    decision: str
    ruling: str


class Ballot(TypedDict):
    """A ballot that was handed in. `lines`: its red lines; `share`: what a deal must be worth, in percent."""

    marks: list[Mark]
    lines: list[str]
    share: float


class Build(TypedDict):
    """A build that this server started. `started_at` is in epoch seconds."""

    id: str
    state: Literal['running', 'done', 'failed', 'cancelled']
    detail: str
    started_at: float
    build_id: str | None
    committed: int
    outcomes: dict[str, int]
    dry_run: bool


class BuildRef(TypedDict):
    """A build on disk."""

    build_id: str
    built_at: str


class BuildRequest(TypedDict):
    """A build to start. With `approve`, every commit waits for an answer to a question; with `verify`, for tests. What is left out or null is as `[tool.graphbus]` of the project says, as on the command line."""

    enable_agents: NotRequired[bool]
    approve: NotRequired[bool | None]
    dry_run: NotRequired[bool]
    rounds: NotRequired[int | None]
    intent: NotRequired[str | None]
    model: NotRequired[str | None]
    humans: NotRequired[list[str]]
    resume: NotRequired[bool]
    verify: NotRequired[Literal['auto'] | None]
    proposal: NotRequired[ProposalRequest | None]


class BusStats(TypedDict):
    """Counters of the bus since its start. `errors`: deliveries that failed for good, each once."""

    messages_published: int
    messages_delivered: int
    messages_rejected: int
    errors: int
    payload_violations: int
    dead_letters: int
    dead_letters_lost: int
    total_subscriptions: int


class CallRequest(TypedDict):
    """A direct call: `method` with `payload` as keyword arguments. Without `timeout_s` the deadline is 60 s."""

    method: str
    payload: NotRequired[dict[str, Any]]
    timeout_s: NotRequired[float | None]


class CallResult(TypedDict):
    """What the method returned."""

    result: Any


class CheckRequest(TypedDict):
    """Two contracts: JSON Schemas, or names as `Node.method`."""

    producer: dict[str, Any] | bool | str
    consumer: dict[str, Any] | bool | str


class Claim(TypedDict):
    """A question that is yours for `lease_s` seconds. `lease` is the token to answer, renew or give it back with."""

    question: Question | None
    lease: str | None
    lease_s: float | None


class ClaimRequest(TypedDict):
    """`to`: the agent to speak for; without it, whoever is asked."""

    to: NotRequired[str | None]
    lease_s: NotRequired[float]


class Component(TypedDict):
    """A card of the picture. Places and sizes are in points at its natural size. `needs`: the components that it calls or waits for, as `@depends_on` says, where no link of data says so already."""

    name: str
    module: str
    source_file: str
    is_arbiter: bool
    methods: list[MethodRow]
    publishes: list[TopicRow]
    hears: list[HearRow]
    needs: list[str]
    x: int
    y: int
    width: int
    height: int


class Consent(TypedDict):
    """A consent negotiation. `record`: the certificate of the agreement, or the proof that there is none, with what would change it. `waiting_for`: who is asked now; what they are asked is told to them alone. `course`: how it came to its end, in a sentence or two. `ballot`: what whoever asks has handed in; nobody is told another's."""

    id: str
    topic: str
    waiting_for: list[str]
    state: Literal['running', 'ended', 'stopped', 'failed', 'unfinished']
    status: str
    detail: str
    preferences: str
    turns: int
    max_turns: int
    advocates: list[Advocate]
    issues: list[ConsentIssue]
    said: list[Said]
    standing: Standing | None
    agreement: list[Term] | None
    frontier: list[FrontierPoint]
    record: dict[str, Any] | None
    course: str
    ballot: Ballot | None


class ConsentIssue(TypedDict):
    """What is to be decided, and between what."""

    name: str
    title: str
    options: list[str]


class ConsentReasons(TypedDict):
    """Why that deal. `change`: what would make the other deal win that was asked about."""

    words: str
    change: str | None
    seats: list[SeatReason]


class ConsentRequest(TypedDict):
    """A decision: `prompt` in words, or `scenario`, the text of a scenario file. `humans` answer at the desk."""

    prompt: NotRequired[str]
    scenario: NotRequired[str]
    advocates: NotRequired[dict[str, str]]
    humans: NotRequired[list[str]]
    model: NotRequired[str | None]
    max_turns: NotRequired[int | None]
    seed: NotRequired[int | None]
    preferences: NotRequired[Literal['disclosed', 'private', 'sealed'] | None]
    opener: NotRequired[str]
    whole_ballots: NotRequired[bool]
    open_by_proposal: NotRequired[bool]


class Contract(TypedDict):
    """A declared contract: as JSON Schema, and as it stands in the source."""

    json_schema: Any
    source: str | None
    description: str | None


class DataLink(TypedDict):
    """Data that flows. `state` is `undecided` where inclusion could not be decided; that counts as a no."""

    id: str
    source: Endpoint
    target: Endpoint
    origin: str
    evidence: list[str]
    guessed: bool
    state: Literal['fits', 'broken', 'undecided', 'guessed']
    fields: list[FieldLink]
    reasons: list[str]
    paths: list[str]
    places: list[str]
    counterexample: Any
    proofs: list[Proof]


class DeadLetterTold(TypedDict):
    """An event that a handler did not take, and why it failed at the last try. Times are in epoch seconds."""

    id: str
    topic: str
    subscriber: str
    error: str
    error_type: str
    attempts: int
    first_at: float
    last_at: float
    event: EventTold | None


class DisputeRequest(TypedDict):
    """With a link nothing is said. With an invitation: `name`, who one is."""

    name: NotRequired[str]


class DocumentAgent(TypedDict):
    """Who sits there. `ours`: its turns are taken over this API. `called`: its person's name."""

    name: str
    called: str
    participant: str
    ours: bool


class DocumentEntry(TypedDict):
    """A position, a challenge or an offer. `hash` names it where it can be accepted, and `accepted` who has done so."""

    by: str
    kind: str
    number: int
    text: str
    turn: int
    offer: bool
    hash: str | None
    accepted: list[str]


class DocumentForeseen(TypedDict):
    """A document that a turn would make, and the hash by which it is accepted with that turn. `left_out`: statements of the sources that it leaves out although nobody decided that; `undecided`: how many it has side by side."""

    text: str
    hash: str
    left_out: list[str]
    undecided: int


class DocumentIssue(TypedDict):
    """A point, with all that was said on it."""

    stem: str
    title: str
    text: str
    status: Literal['OPEN', 'AGREED', 'ESCALATE']
    decision: str
    settled: bool
    ruled: bool
    accepted: list[str]
    entries: list[DocumentEntry]


class DocumentRequest(TypedDict):
    """A document negotiation to open, in a directory of its own below the project's build folder."""

    name: str
    topic: NotRequired[str]
    sources: NotRequired[list[Source]]
    agents: NotRequired[int]
    max_rounds: NotRequired[int]


class DocumentSigning(TypedDict):
    """The document that every seat accepts, by its `hash`: a turn that accepts the issue `final.md`. `altered`: the decisions that do not stand in it word for word."""

    hash: str
    accepted: list[str]
    missing: list[str]
    altered: list[str]
    fates: list[StatementFate]


class DocumentTold(TypedDict):
    """A document negotiation, whole. `final` is the document as far as it is; `is_final` says whether it stands. `signing`: what is to be accepted, once every issue is settled. `foreseen`: the document that comes of it when whoever has the turn accepts, on each open issue, the only words that others offer; none where that settles less."""

    name: str
    topic: str
    phase: str
    holder: str | None
    turn: int
    expected_agents: int
    max_rounds: int
    agents: list[DocumentAgent]
    sources: list[SourceTold]
    issues: list[DocumentIssue]
    final: str
    is_final: bool
    ended: str
    signing: DocumentSigning | None
    foreseen: DocumentForeseen | None


class Done(TypedDict):
    """It was done."""

    ok: bool


class Ended(TypedDict):
    """How it ended."""

    reason: str
    why: str


class Endpoint(TypedDict):
    """One end of a link: a method's output or input, or a topic's payload."""

    node: str
    method: str | None
    topic: str | None


class Evaluation(TypedDict):
    """What one seat said of a proposal."""

    agent: str
    decision: str
    reasoning: str
    confidence: float | None


class EventTold(TypedDict):
    """An event of the bus. `timestamp` is in epoch seconds; `cause` is the event whose handler published it."""

    event_id: str
    topic: str
    src: str
    payload: Any
    timestamp: float | None
    cause: str | None


class Exported(TypedDict):
    """A build in a form that other tools read. `file` is a name for it."""

    format: str
    media_type: str
    file: str
    text: str


class Fact(TypedDict):
    """One fact of a log. Its `data` is as the log has it."""

    seq: int
    kind: str
    at: float | None
    data: dict[str, Any]


class FailedGate(TypedDict):
    """The gate that said no."""

    gate: str
    reason: str


class FieldLink(TypedDict):
    """A field that feeds another. `source` is null where nobody sends what the consumer requires."""

    source: str | None
    target: str
    fits: bool
    lacks: list[Literal['missing', 'optional', 'type']]
    alike: list[str]


class File(TypedDict):
    """A file that may be read. `id` is its path."""

    id: str
    path: str
    bytes: int


class FindingTold(TypedDict):
    """What cannot be as it stands there, and what to do."""

    code: str
    level: str
    message: str
    file: str
    line: int
    subject: str
    fingerprint: str
    reasons: list[str]
    fix: str | None


class ForkRequest(TypedDict):
    """Where a dry run starts: with the sources as they stood after this fact. Without `model` the settings say."""

    at: int
    model: NotRequired[str | None]


class FrontierPoint(TypedDict):
    """An efficient outcome by the mean and the least satisfaction, from 0 to 1; one of them may be the agreement."""

    mean: float
    least: float
    agreed: bool
    terms: list[Term]


class Gate(TypedDict):
    """How a gate ended: `proved`, `tested`, `not run`, `refused`, with the reason."""

    gate: str
    end: str
    why: str


class Gates(TypedDict):
    """What the gates came to."""

    passed: list[str]
    failed: FailedGate | None
    ends: list[Gate]


class Health(TypedDict):
    """Whether the server answers, and what it is."""

    ok: bool
    version: str


class HearRow(TypedDict):
    """A topic that is heard, and the handler."""

    topic: str
    handler: str


class Inferred(TypedDict):
    """A project as it is read, without agents. `levels`: how many contracts are how sure."""

    files: int
    components: list[InferredComponent]
    links: list[InferredLink]
    findings: list[FindingTold]
    levels: dict[str, int]
    left_out: list[str]


class InferredComponent(TypedDict):
    """A class, or a module whose functions are called from another one."""

    name: str
    kind: str
    file: str
    line: int
    methods: list[InferredMethod]


class InferredInput(TypedDict):
    """What a method takes."""

    type: str
    level: str
    source: str
    name: str
    required: bool


class InferredLink(TypedDict):
    """What one gives reaches what the other takes, as the places show."""

    producer: str
    consumer: str
    places: list[str]


class InferredMethod(TypedDict):
    """A method as its code shows it."""

    name: str
    file: str
    line: int
    level: str
    takes: list[InferredInput]
    gives: InferredType


class InferredType(TypedDict):
    """A type, how sure it is, and what shows it."""

    type: str
    level: str
    source: str


class Invitation(TypedDict):
    """An invitation: the server's address with `#seat=` and the key. It is told this once; a new one ends it."""

    table: str
    key: str


class InvitationRequest(TypedDict):
    """The table to invite to. Whoever has the invitation takes one of its seats, in which nobody has sat."""

    table: str


class JournalRecord(TypedDict):
    """An event or a call of a run. `depth`: under how many others it came about."""

    id: str
    kind: Literal['event', 'call']
    what: str
    src: str
    payload: Any
    at: float | None
    cause: str | None
    depth: int
    refused: bool


class JournalTold(TypedDict):
    """A journal of a run. `checks`: the payload checks of the run that began it."""

    id: str
    bytes: int
    at: float
    checks: str


class LeftLink(TypedDict):
    """A link that does not fit, before a change and after it: `mended` are its fields that fit then, `fields` those that do not, `reasons` what is wrong with it then."""

    link: str
    agents: list[str]
    mended: list[str]
    fields: list[str]
    reasons: list[str]


class LinkEnd(TypedDict):
    """A link that a node is an end of."""

    producer: Endpoint
    consumer: Endpoint
    origin: str


class LogVerified(TypedDict):
    """A log held against its checksums, its head and its answers."""

    id: str
    facts: int
    hash: str
    is_sound: bool
    damage: str | None
    answers: int


class Mark(TypedDict):
    """What a ballot says of an option, in points and in words."""

    issue: str
    option: str
    points: int
    says: str


class MayTold(TypedDict):
    """Whether the policy allows it; `why` names the rule that does not."""

    allowed: bool
    why: str | None


class Me(TypedDict):
    """Who asks. The operator opened the server; a seat has a `name` at a `table`; who has an invitation has no name yet. `seated`: this key is held by who sat down with it alone; a link that was not opened yet is not."""

    role: Literal['operator', 'seat', 'invited']
    table: str | None
    name: str | None
    seated: bool
    called: str | None


class Method(TypedDict):
    """A method of a node."""

    name: str
    input_schema: Contract | None
    output_schema: Contract | None
    description: str | None
    parameters: list[Parameter]
    depends_on: list[str]
    lineno: int
    end_lineno: int
    is_async: bool


class MethodRow(TypedDict):
    """A method with its fields. `declared` is false where it has no contract."""

    name: str
    inputs: list[Port]
    outputs: list[Port]
    declared: bool


class MismatchTold(TypedDict):
    """A link that does not fit, with the payload that proves it. `compatible` is null where it is undecided."""

    id: str
    producer: str
    consumer: str
    compatible: bool | None
    reasons: list[str]
    paths: list[str]
    counterexample: Any


class Negotiation(TypedDict):
    """A negotiation as it stands, or as it stood after fact number `at`. `log` is null for the other two kinds: these are told whole under /consents and /documents."""

    id: str
    kind: Literal['proposal', 'consent', 'document']
    state: Literal['running', 'unfinished', 'ended', 'damaged']
    damage: str | None
    dry_run: bool
    events: int
    started_at: float | None
    question: str
    outcome: str
    at: int
    log: ProposalLog | None


class NegotiationShort(TypedDict):
    """A negotiation in a list. `state` is `running` where this server drives it now. `question`: what it is about, in a line; "" where that is not known. `outcome`: what became of a build's proposals, in words."""

    id: str
    kind: Literal['proposal', 'consent', 'document']
    state: Literal['running', 'unfinished', 'ended', 'damaged']
    damage: str | None
    dry_run: bool
    events: int
    started_at: float | None
    question: str
    outcome: str


class NewIssue(TypedDict):
    """A new point."""

    title: str
    question: NotRequired[str]


class Node(TypedDict):
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


class NodeShort(TypedDict):
    """A node in a list."""

    name: str
    module: str
    class_name: str
    source_file: str
    is_arbiter: bool
    methods: list[str]


class PageBuild(TypedDict):
    """PageBuild"""

    items: list[Build]
    next: str | None


class PageDeadLetterTold(TypedDict):
    """PageDeadLetterTold"""

    items: list[DeadLetterTold]
    next: str | None


class PageEventTold(TypedDict):
    """PageEventTold"""

    items: list[EventTold]
    next: str | None


class PageFact(TypedDict):
    """PageFact"""

    items: list[Fact]
    next: str | None


class PageFile(TypedDict):
    """PageFile"""

    items: list[File]
    next: str | None


class PageFindingTold(TypedDict):
    """PageFindingTold"""

    items: list[FindingTold]
    next: str | None


class PageJournalRecord(TypedDict):
    """PageJournalRecord"""

    items: list[JournalRecord]
    next: str | None


class PageJournalTold(TypedDict):
    """PageJournalTold"""

    items: list[JournalTold]
    next: str | None


class PageMismatchTold(TypedDict):
    """PageMismatchTold"""

    items: list[MismatchTold]
    next: str | None


class PageNegotiationShort(TypedDict):
    """PageNegotiationShort"""

    items: list[NegotiationShort]
    next: str | None


class PageNodeShort(TypedDict):
    """PageNodeShort"""

    items: list[NodeShort]
    next: str | None


class PageQuestion(TypedDict):
    """PageQuestion"""

    items: list[Question]
    next: str | None


class PageSeatTold(TypedDict):
    """PageSeatTold"""

    items: list[SeatTold]
    next: str | None


class PageSettingTold(TypedDict):
    """PageSettingTold"""

    items: list[SettingTold]
    next: str | None


class PageSpanTold(TypedDict):
    """PageSpanTold"""

    items: list[SpanTold]
    next: str | None


class PageTeamShort(TypedDict):
    """PageTeamShort"""

    items: list[TeamShort]
    next: str | None


class Parameter(TypedDict):
    """A parameter of a method."""

    name: str
    kind: str
    annotation: str | None
    default: str | None


class Picture(TypedDict):
    """The whole project for drawing: cards with ports, and links from field to field."""

    components: list[Component]
    links: list[DataLink]
    mismatches: int
    order: list[str]


class PolicyTold(TypedDict):
    """Who may call, publish and hear what in a run. Nodes that no rule is about may do anything."""

    file: str | None
    rules: list[RuleTold]


class Port(TypedDict):
    """A field of a contract, with its type in the words of an annotation. `whole`: the type where `type` is cut."""

    name: str
    type: str
    required: bool
    whole: str | None


class Problem(TypedDict):
    """What went wrong, and what to do next (RFC 9457, `application/problem+json`). `path` says where in the body."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    path: NotRequired[str | None]


class Proof(TypedDict):
    """One reason why a link does not fit, the field that it is about, and a payload that is refused for it."""

    reason: str
    path: str
    payload: Any


class ProposalLog(TypedDict):
    """A negotiation of proposals, read back."""

    agents: list[str]
    arbiters: list[str]
    intent: str | None
    ended: Ended | None
    rounds_completed: int
    total_proposals: int
    committed: int
    rejected: int
    deferred: int
    superseded: int
    commit_failed: int
    withdrawn: int
    dropped: int
    unheard: int
    rounds: list[Round]


class ProposalRequest(TypedDict):
    """A change that a person asks for. It is put to the others as `agent`'s; nobody proposes anything beside it."""

    agent: str
    diff: list[dict[str, Any]]
    summary: NotRequired[str]
    rationale: NotRequired[str]


class ProposalTold(TypedDict):
    """A proposal, from what was said to what became of it."""

    id: str
    proposer: str
    type: str | None
    summary: str
    rationale: str
    confidence: float | None
    affected_agents: list[str]
    evaluations: list[Evaluation]
    outcome: str
    files_changed: list[str]
    diff: list[dict[str, Any]]
    decided_by: str
    why: str
    gates: Gates | None
    arbitration: Arbitration | None
    answers_to: str | None
    changes: list[SchemaChange]
    breaks: list[str]
    fixes: list[str]
    left: list[LeftLink]
    unsent: list[str]
    never_sent: list[str]
    proposed_by: str
    approved: Approval | None
    commit_id: str | None
    committed_at: str | None
    unified_diff: str
    undone: TakenBack | None
    build_id: str | None


class ProposedSettings(TypedDict):
    """The settings that a project may begin with, as a diff of its `pyproject.toml`."""

    file: str
    written: bool
    diff: str


class PublicationTold(TypedDict):
    """A topic that a node publishes."""

    topic: str
    payload: Contract | None
    method: str | None


class PublishRequest(TypedDict):
    """An event to publish."""

    topic: str
    payload: NotRequired[dict[str, Any]]
    source: NotRequired[str]


class Published(TypedDict):
    """The event's id."""

    event_id: str


class Purged(TypedDict):
    """How many were forgotten."""

    purged: int


class Question(TypedDict):
    """What waits for a person or a program. `about` is all that is known; `answer_schema` what is taken."""

    id: str
    to: str
    kind: str
    about: dict[str, Any]
    answer_schema: dict[str, Any]
    refused: list[str]


class Reason(TypedDict):
    """Why not, and where."""

    kind: str
    path: str
    message: str


class Reloaded(TypedDict):
    """Nodes that are others now. `paused_s`: how long those took nothing in; what came meanwhile waited."""

    changed: list[str]
    added: list[str]
    removed: list[str]
    broken_contracts: list[str]
    problems: list[str]
    paused_s: float
    running: BuildRef | None
    newest: BuildRef | None
    edited: list[str]


class ReplayRequest(TypedDict):
    """What to play: everything, or events of these topics. Without `payload_checks` those of the run are taken."""

    topics: NotRequired[list[str]]
    payload_checks: NotRequired[Literal['off', 'warn', 'enforce'] | None]
    timeout_s: NotRequired[float]


class ReplayTold(TypedDict):
    """What a replay did. `followed` came about now from what was played, `consequences` did in the recorded run."""

    events: int
    calls: int
    consequences: int
    followed: int
    skipped: int
    refused: int
    failed_calls: int
    errors: int
    failures: list[str]
    failed_then: list[str]
    is_same: bool


class Retried(TypedDict):
    """Whether it was delivered this time."""

    delivered: bool


class RetryRequest(TypedDict):
    """How to deliver it. `payload`: in the place of the letter's own; it must fit the contract of its topic."""

    payload: NotRequired[dict[str, Any] | None]


class RetryTold(TypedDict):
    """A dead letter that was delivered again while this server ran. `changed`: the fields in which its payload then was another than its event's. `at` is in epoch seconds."""

    event_id: str
    subscriber: str
    at: float
    changed: list[str]
    delivered: bool


class Round(TypedDict):
    """One round."""

    round: int
    proposals: list[ProposalTold]


class RuleTold(TypedDict):
    """A rule of the policy. Null: it says nothing about that."""

    name: str
    who: str
    call: list[str] | None
    publish: list[str] | None
    hear: list[str] | None


class RuntimeReload(TypedDict):
    """How to take the newest build. With `force` also one that breaks a contract."""

    force: NotRequired[bool]


class RuntimeStart(TypedDict):
    """How to start the runtime."""

    payload_checks: NotRequired[Literal['off', 'warn', 'enforce']]
    journal: NotRequired[bool]


class RuntimeTold(TypedDict):
    """State and counters. Where `running` is not `newest`, a restart takes the newer build."""

    is_running: bool
    nodes_count: int
    nodes_active: list[str]
    nodes_broken: dict[str, str]
    calls: int
    calls_failed: int
    message_bus: BusStats | None
    running: BuildRef | None
    newest: BuildRef | None
    edited: list[str]
    unfinished: list[str]


class Said(TypedDict):
    """A block of the ledger."""

    who: str
    kind: str
    text: str


class SatDown(TypedDict):
    """Who sits there now. `key` is told this once, to whoever sat down; the key before opens nothing any more."""

    table: str
    name: str
    key: str


class SchemaChange(TypedDict):
    """One change of a contract, in words."""

    symbol: str
    side: str
    kind: str
    path: str
    breaking: bool
    message: str


class SeatAtTable(TypedDict):
    """A seat as everybody at its table sees it. `free`: nobody has sat there, so an invitation offers it."""

    name: str
    called: str
    seated: bool
    free: bool


class SeatDisputed(TypedDict):
    """Of which seat the table was told that somebody else sat down there."""

    table: str
    name: str


class SeatFreed(TypedDict):
    """The link opens nothing any more; the questions of that seat are the operator's."""

    table: str
    name: str


class SeatKey(TypedDict):
    """The key of a seat, told this once. Its link is the server's address with `#seat=` and the key."""

    name: str
    key: str


class SeatLine(TypedDict):
    """What became of a seat, and when (seconds since 1970)."""

    name: str
    news: Literal['sat_down', 'moved', 'renewed', 'disputed', 'claimed', 'settled', 'taken_back']
    says: str
    at: float


class SeatLinkMade(TypedDict):
    """A new link: the server's address with `#seat=` and the key. It is told this once; a new one ends it."""

    table: str
    name: str
    key: str


class SeatLinkRequest(TypedDict):
    """Whom to give a link. `table`: `build`, `consent/RUN`, `document/NAME` or `team/NAME`."""

    table: str
    name: str
    opener: NotRequired[bool]
    called: NotRequired[str]


class SeatReason(TypedDict):
    """What a seat got and gave. `share`: its gain, of the most that it could gain."""

    name: str
    share: float
    score: float
    gave: list[Trade]
    got: list[Trade]


class SeatRequest(TypedDict):
    """The name under which to sit."""

    agent: str


class SeatTold(TypedDict):
    """A seat that has a link, and how many questions wait for it. What they ask is told to the seat alone. `seated`: somebody has opened the link and sits there."""

    id: str
    table: str
    name: str
    called: str
    seated: bool
    waiting: int


class SettingTold(TypedDict):
    """A setting: its value, where that comes from, and what it does. `stated`: somebody set it."""

    name: str
    value: Any
    source: str
    stated: bool
    does: str


class SitDownRequest(TypedDict):
    """With a link nothing is said. With an invitation: `name`, who one is."""

    name: NotRequired[str]


class Source(TypedDict):
    """A document to reconcile."""

    name: str
    text: str


class SourceRequest(TypedDict):
    """A text that comes in later. `agent` brings it, and has a seat there."""

    agent: str
    text: str


class SourceTold(TypedDict):
    """A document that is to be reconciled."""

    name: str
    text: str


class SpanTold(TypedDict):
    """A call (with an `id` of its own) or one attempt of a handler, and the event or call behind it. `at` is in epoch seconds; `error` is the type of what was raised."""

    id: str | None
    kind: Literal['call', 'handler']
    name: str
    cause: str | None
    at: float
    took_ms: float
    error: str | None


class Standing(TypedDict):
    """The proposal on the table."""

    number: int
    terms: list[Term]
    objections: dict[str, str]


class Started(TypedDict):
    """What was started. `seats`: the keys of the people of a decision; each answers with its own alone."""

    id: str
    seats: list[SeatKey]


class StatementFate(TypedDict):
    """What became of one statement of a source. `by`: the issue that decided or dropped it, `final.md` where the document leaves it out; `against`: the places of what it is in conflict with."""

    place: str
    fate: Literal['kept', 'decided', 'in conflict', 'dropped']
    by: str
    against: list[str]
    text: str


class StreamMessage(TypedDict):
    """One thing that happened. `seq` counts from 1 without a hole; `at` is in epoch seconds; `data` is by `kind`, as the AsyncAPI document says."""

    seq: int
    kind: str
    at: float | None
    data: dict[str, Any]


class StreamPage(TypedDict):
    """Messages in order, and the number to go on from: `after=STREAM:LAST`."""

    stream: str
    messages: list[StreamMessage]
    last: int


class SubscriptionTold(TypedDict):
    """A topic that a node hears."""

    topic: str
    handler: str


class SystemPrompt(TypedDict):
    """What a node's author wrote of it."""

    text: str
    role: str | None
    capabilities: list[str]


class TableTold(TypedDict):
    """Who sits at a table, and what became of its seats, oldest first."""

    table: str
    topic: str
    seats: list[SeatAtTable]
    story: list[SeatLine]


class TakenBack(TypedDict):
    """When it was taken back."""

    at: str | None


class TeamAnswer(TypedDict):
    """What the seat is told, as text, and what it is asked."""

    seat: str
    status: Literal['active', 'lapsed', 'left']
    text: str
    asked: list[TeamOverlap]
    obstacles: list[str]


class TeamBroken(TypedDict):
    """What a seat had said, and did not do when it landed; `to`: who counted on it."""

    seat: str
    to: list[str]
    promise: str


class TeamChoice(TypedDict):
    """A way to settle an overlap, accepted by its hash. `impossible`: why it cannot be taken any more."""

    hash: str
    text: str
    impossible: str


class TeamLandRequest(TypedDict):
    """Whose branch lands. `auto` runs pytest, `none` nothing."""

    seat: str
    verify: NotRequired[Literal['auto', 'none']]


class TeamLanded(TypedDict):
    """What landed."""

    seat: str
    commit: str
    changes: list[str]


class TeamLanding(TypedDict):
    """How a landing ended; `at work`: call again."""

    status: str
    commit: str
    why: str
    notes: list[str]


class TeamOverlap(TypedDict):
    """What two seats settle about one symbol. `accepted`: the hash that each of them accepted."""

    id: str
    seats: list[str]
    about: str
    topic: str
    text: str
    status: Literal['open', 'settled', 'closed']
    choices: list[TeamChoice]
    accepted: dict[str, str]
    settled: str
    why: str


class TeamPlanRequest(TypedDict):
    """A plan, one change of a symbol a line; it takes the place of the one before."""

    seat: str
    plan: str


class TeamRequest(TypedDict):
    """A team to begin. `onto`: the branch that all land on, the one that is checked out where it is not said."""

    tasks: NotRequired[list[TeamTask]]
    onto: NotRequired[str | None]
    lease_s: NotRequired[float]


class TeamSeatRequest(TypedDict):
    """The name of a seat; it gets a branch and a working tree of its own."""

    seat: str


class TeamSeatShort(TypedDict):
    """Who sits there: `active` with claims, `lapsed` without them, or `left`."""

    seat: str
    status: Literal['active', 'lapsed', 'left']


class TeamSeatTaken(TypedDict):
    """Where the seat works."""

    seat: str
    branch: str
    worktree: str


class TeamSeatTold(TypedDict):
    """A seat: what it claims, one change a line, and what stands before its landing."""

    seat: str
    status: Literal['active', 'lapsed', 'left']
    branch: str
    worktree: str
    note: str
    claims: list[str]
    obstacles: list[str]


class TeamSeatWork(TypedDict):
    """Whose branch is brought up to date."""

    seat: str


class TeamShort(TypedDict):
    """A team in a list. `open`: questions that are not settled."""

    id: str
    base: str
    seats: list[TeamSeatShort]
    open: int
    landings: int


class TeamStarted(TypedDict):
    """The team of this repository."""

    id: str


class TeamSynced(TypedDict):
    """How a sync ended: `text` says it in words."""

    seat: str
    status: str
    text: str
    conflicts: list[str]


class TeamTask(TypedDict):
    """What is to be done."""

    name: str
    text: str


class TeamTold(TypedDict):
    """A team: who works on what, what overlaps, what landed."""

    id: str
    base: str
    lease_s: float
    tasks: list[str]
    seats: list[TeamSeatTold]
    questions: list[TeamOverlap]
    landings: list[TeamLanded]
    broken: list[TeamBroken]


class TeamTurnRequest(TypedDict):
    """Whose turn; `everything`: all, and not only what is new."""

    seat: str
    everything: NotRequired[bool]


class TeamWords(TypedDict):
    """A whole turn: @plan, @accept, @offer, @tell, @leave. All of it is taken, or nothing."""

    seat: str
    say: str


class Term(TypedDict):
    """What holds on an issue; `issue` is null for a line of words."""

    issue: str | None
    says: str


class Text(TypedDict):
    """A part of a file, of so many `characters` in all. `next`: the offset to go on at."""

    path: str
    text: str
    characters: int
    next: int | None


class TopicRow(TypedDict):
    """A topic that is published, with the fields of its payload."""

    topic: str
    ports: list[Port]


class Trace(TypedDict):
    """An event or a call with what led to it and what followed, oldest first, as far as the history goes."""

    event_id: str
    events: list[EventTold]
    spans: list[SpanTold]
    dead_letters: list[DeadLetterTold]
    retries: list[RetryTold]


class Trade(TypedDict):
    """What an option of an issue is worth to a seat. `liked`: what it would have had instead."""

    issue: str
    option: str
    points: float
    liked: str | None


class Trial(TypedDict):
    """What would become of a diff. `asks` are the nodes that must agree, `why` says for each why; `breaks` and `mends` are links, `left` those that it is about and that do not fit afterwards either. `verdict` says it in a line; `open` are the gates that a proposal meets and this trial did not ask."""

    passes: bool
    verdict: str
    open: list[Gate]
    gate: str | None
    reason: str
    gates: list[Gate]
    files: list[str]
    unified_diff: str
    mends: list[str]
    breaks: list[str]
    left: list[LeftLink]
    unsent: list[str]
    never_sent: list[str]
    asks: list[str]
    why: dict[str, str]
    notes: list[str]


class TryRequest(TypedDict):
    """A structured diff: a list of operations (docs/commit.md). `agent`: who proposes it; else the first one's node. `call_methods`: the changed methods are called, as before a commit; false: a verdict at once that leaves it open. `after`: diffs that are agreed on and not in the files yet: it is tried on top of them."""

    call_methods: NotRequired[bool]
    after: NotRequired[list[list[dict[str, Any]]]]
    agent: NotRequired[str | None]
    diff: list[dict[str, Any]]


class TurnRequest(TypedDict):
    """A whole turn: all of it is taken, or nothing. `accepts_final`: the hash of `foreseen`; with it the document that this turn makes is accepted at once, and no other one."""

    agent: str
    accepts: NotRequired[list[Accept]]
    offers: NotRequired[list[Words]]
    positions: NotRequired[list[Words]]
    challenges: NotRequired[list[Words]]
    escalations: NotRequired[list[Words]]
    issues: NotRequired[list[NewIssue]]
    accepts_final: NotRequired[str]


class TurnTaken(TypedDict):
    """How it ended: `handed` to the next, or `finished`, where every seat has accepted the document."""

    end: str
    left_out: list[str]


class UndoRequest(TypedDict):
    """How to take a commit back. `allow_mismatches`: also where a link no longer fits then."""

    dry_run: NotRequired[bool]
    allow_mismatches: NotRequired[bool]


class Undone(TypedDict):
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


class Verdict(TypedDict):
    """Whether everything the producer may send is taken; null: it could not be decided, `reasons` say why."""

    compatible: bool | None
    reasons: list[Reason]
    counterexample: Any


class WhyTold(TypedDict):
    """Every proposal that made a symbol what it is, newest first. `damaged`: logs that cannot be read to their end."""

    entries: list[ProposalTold]
    damaged: list[NegotiationShort]


class Words(TypedDict):
    """Words on an issue."""

    issue: str
    text: str


class Refused(Exception):
    """The server refused: problem details (RFC 9457)."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem["detail"])
        self.problem = problem


class GraphBus:
    """Every call. `address` is where the server is, as `http://127.0.0.1:8420`."""

    def __init__(self, address: str, token: str, timeout_s: float = 60.0) -> None:
        self.address, self.token, self.timeout_s = address.rstrip("/"), token, timeout_s

    def _send(self, method: str, path: str, query: dict[str, Any], body: Any = None) -> Any:
        said = urlencode({name: value for name, value in query.items() if value is not None})
        request = urllib.request.Request(
            f"{self.address}/api/v1{path}{'?' + said if said else ''}",
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
            method=method,
        )
        try:
            with urllib.request.urlopen(request, timeout=self.timeout_s) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as e:
            raise Refused(json.load(e)) from None


    def get_health(self) -> Health:
        """Whether the server answers."""
        return self._send("GET", "/health", {})  # type: ignore[no-any-return]

    def get_picture(self) -> Picture:
        """The whole project for drawing, laid out: cards with ports, and links from field to field."""
        return self._send("GET", "/picture", {})  # type: ignore[no-any-return]

    def list_nodes(self, limit: int | None = None, cursor: str | None = None) -> PageNodeShort:
        """Every node, in short."""
        return self._send("GET", "/nodes", {"limit": limit, "cursor": cursor})  # type: ignore[no-any-return]

    def get_node(self, name: str) -> Node:
        """One node: prompt, contracts, topics, subscriptions, source."""
        return self._send("GET", f"/nodes/{quote(name, safe='')}", {})  # type: ignore[no-any-return]

    def list_mismatches(self, limit: int | None = None, cursor: str | None = None) -> PageMismatchTold:
        """Every link that does not fit, with the payload that proves it."""
        return self._send("GET", "/mismatches", {"limit": limit, "cursor": cursor})  # type: ignore[no-any-return]

    def check_contracts(self, body: CheckRequest) -> Verdict:
        """Whether everything that the producer may send is taken by the consumer."""
        return self._send("POST", "/contracts/check", {}, body)  # type: ignore[no-any-return]

    def get_why(self, symbol: str) -> WhyTold:
        """Every proposal that made `Node`, `Node.method` or `Node.method.field` what it is, newest first."""
        return self._send("GET", f"/why/{quote(symbol, safe='')}", {})  # type: ignore[no-any-return]

    def try_change(self, body: TryRequest) -> Trial:
        """What would become of a change: its diff, the gates, the links that break and mend, who must agree and why. Nothing is written, and nobody is asked."""
        return self._send("POST", "/try", {}, body)  # type: ignore[no-any-return]

    def undo_proposal(self, proposal_id: str, body: UndoRequest | None | None = None) -> Undone:
        """Take a committed proposal back: its own change and no other, proved like any commit."""
        return self._send("POST", f"/proposals/{quote(proposal_id, safe='')}/undo", {}, body or {})  # type: ignore[no-any-return]

    def get_runtime(self) -> RuntimeTold:
        """State and counters; which build runs, which is the newest, and which sources were edited since."""
        return self._send("GET", "/runtime", {})  # type: ignore[no-any-return]

    def start_runtime(self, body: RuntimeStart | None | None = None) -> RuntimeTold:
        """Start the runtime on the last build. `edited` names the sources that it runs as they were before an edit."""
        return self._send("POST", "/runtime/start", {}, body or {})  # type: ignore[no-any-return]

    def reload_runtime(self, body: RuntimeReload | None | None = None) -> Reloaded:
        """Take the newest build while the program runs: nodes whose code changed are drained and swapped, with their state. Without `force` a build that breaks a contract is refused (409 `contract_changed`), with the proof."""
        return self._send("POST", "/runtime/reload", {}, body or {})  # type: ignore[no-any-return]

    def stop_runtime(self) -> RuntimeTold:
        """Stop the runtime; what is under way may finish within its deadline."""
        return self._send("POST", "/runtime/stop", {})  # type: ignore[no-any-return]

    def call_node(self, name: str, body: CallRequest) -> CallResult:
        """Call a method of a running node."""
        return self._send("POST", f"/nodes/{quote(name, safe='')}/call", {}, body)  # type: ignore[no-any-return]

    def publish_event(self, body: PublishRequest) -> Published:
        """Publish an event."""
        return self._send("POST", "/events", {}, body)  # type: ignore[no-any-return]

    def list_events(self, limit: int | None = None, cursor: str | None = None) -> PageEventTold:
        """Events of the bus, newest first, as many as are kept."""
        return self._send("GET", "/events", {"limit": limit, "cursor": cursor})  # type: ignore[no-any-return]

    def list_calls(self, limit: int | None = None, cursor: str | None = None) -> PageSpanTold:
        """Direct calls, newest first, as many as are kept. `/events/{id}/trace` says what followed from one."""
        return self._send("GET", "/calls", {"limit": limit, "cursor": cursor})  # type: ignore[no-any-return]

    def get_trace(self, event_id: str) -> Trace:
        """An event, or a call by its id, with what led to it and what followed from it: calls, events, handlers."""
        return self._send("GET", f"/events/{quote(event_id, safe='')}/trace", {})  # type: ignore[no-any-return]

    def list_dead_letters(self, limit: int | None = None, cursor: str | None = None) -> PageDeadLetterTold:
        """What could not be delivered, and why."""
        return self._send("GET", "/dead-letters", {"limit": limit, "cursor": cursor})  # type: ignore[no-any-return]

    def purge_dead_letters(self) -> Purged:
        """Forget them all."""
        return self._send("DELETE", "/dead-letters", {})  # type: ignore[no-any-return]

    def retry_dead_letter(self, letter_id: str, body: RetryRequest | None | None = None) -> Retried:
        """Deliver one again, to the handler that failed; with another payload where one is given."""
        return self._send("POST", f"/dead-letters/{quote(letter_id, safe='')}/retry", {}, body or {})  # type: ignore[no-any-return]

    def start_build(self, body: BuildRequest | None | None = None) -> Build:
        """Start a build; progress comes over the stream. `resume` goes on with one that was cut off or cancelled."""
        return self._send("POST", "/builds", {}, body or {})  # type: ignore[no-any-return]

    def list_builds(self, limit: int | None = None, cursor: str | None = None) -> PageBuild:
        """Builds of this server, newest first."""
        return self._send("GET", "/builds", {"limit": limit, "cursor": cursor})  # type: ignore[no-any-return]

    def get_build(self, build_id: str) -> Build:
        """One build: state, detail, result."""
        return self._send("GET", f"/builds/{quote(build_id, safe='')}", {})  # type: ignore[no-any-return]

    def cancel_build(self, build_id: str) -> Build:
        """Stop a build cleanly; what was committed stays, what was answered is kept."""
        return self._send("POST", f"/builds/{quote(build_id, safe='')}/cancel", {})  # type: ignore[no-any-return]

    def fork_negotiation(self, negotiation_id: str, body: ForkRequest) -> Build:
        """Start a dry run from a fact: the same intent, on the sources as they stood then. Nothing of yours changes."""
        return self._send("POST", f"/negotiations/{quote(negotiation_id, safe='')}/forks", {}, body)  # type: ignore[no-any-return]

    def list_negotiations(self, limit: int | None = None, cursor: str | None = None, kind: str | None = None) -> PageNegotiationShort:
        """Negotiations of all three kinds, newest first within each."""
        return self._send("GET", "/negotiations", {"limit": limit, "cursor": cursor, "kind": kind})  # type: ignore[no-any-return]

    def get_negotiation(self, negotiation_id: str, at: int | None = None) -> Negotiation:
        """One negotiation as it stands, or as it stood after fact number `at`."""
        return self._send("GET", f"/negotiations/{quote(negotiation_id, safe='')}", {"at": at})  # type: ignore[no-any-return]

    def get_past_picture(self, negotiation_id: str, at: int | None = None) -> Picture:
        """The project as a build left it, or as it stood after fact number `at`: the same account as `/picture` gives of the project today, from the build's log alone."""
        return self._send("GET", f"/negotiations/{quote(negotiation_id, safe='')}/picture", {"at": at})  # type: ignore[no-any-return]

    def list_facts(self, negotiation_id: str, after: int | None = None, limit: int | None = None) -> PageFact:
        """Its facts after number `after`, oldest first; `next` is the number to go on after."""
        return self._send("GET", f"/negotiations/{quote(negotiation_id, safe='')}/facts", {"after": after, "limit": limit})  # type: ignore[no-any-return]

    def verify_negotiation(self, negotiation_id: str) -> LogVerified:
        """Whether the log of a build is as it was written: checksums, head, answers."""
        return self._send("GET", f"/negotiations/{quote(negotiation_id, safe='')}/verification", {})  # type: ignore[no-any-return]

    def list_questions(self, limit: int | None = None, cursor: str | None = None) -> PageQuestion:
        """What waits for whoever asks, each with the JSON Schema of its answer: a seat is told its own questions, the operator those that belong to no seat."""
        return self._send("GET", "/questions", {"limit": limit, "cursor": cursor})  # type: ignore[no-any-return]

    def answer_question(self, question_id: str, body: dict[str, Any]) -> Done:
        """Answer one of your own. The first answer counts; another seat's question is refused (403 `not_your_seat`)."""
        return self._send("POST", f"/questions/{quote(question_id, safe='')}/answer", {}, body)  # type: ignore[no-any-return]

    def start_consent(self, body: ConsentRequest) -> Started:
        """Begin a decision. Each person of `humans` gets a seat of its own, whose questions are answered with its key alone."""
        return self._send("POST", "/consents", {}, body)  # type: ignore[no-any-return]

    def get_consent(self, consent_id: str) -> Consent:
        """What stands, what was said, the frontier, and the certificate or the proof. Where preferences are not disclosed, a red line that was stated is shown to its owner alone."""
        return self._send("GET", f"/consents/{quote(consent_id, safe='')}", {})  # type: ignore[no-any-return]

    def get_consent_reasons(self, consent_id: str, to_win: str | None = None) -> ConsentReasons:
        """Why that deal and no other, how firm the choice is, and with `to_win` what would make another deal win."""
        return self._send("GET", f"/consents/{quote(consent_id, safe='')}/reasons", {"to_win": to_win})  # type: ignore[no-any-return]

    def resume_consent(self, consent_id: str) -> Started:
        """Go on with one that was cut off; what was answered is not asked again."""
        return self._send("POST", f"/consents/{quote(consent_id, safe='')}/resume", {})  # type: ignore[no-any-return]

    def cancel_consent(self, consent_id: str) -> Started:
        """Stop one; it can be resumed."""
        return self._send("POST", f"/consents/{quote(consent_id, safe='')}/cancel", {})  # type: ignore[no-any-return]

    def list_documents(self, limit: int | None = None, cursor: str | None = None) -> PageNegotiationShort:
        """The document negotiations that this server shows."""
        return self._send("GET", "/documents", {"limit": limit, "cursor": cursor})  # type: ignore[no-any-return]

    def start_document(self, body: DocumentRequest) -> Started:
        """Open a document negotiation in a directory of its own."""
        return self._send("POST", "/documents", {}, body)  # type: ignore[no-any-return]

    def get_document(self, name: str) -> DocumentTold:
        """The sources, what everybody said on each issue, the final document as far as it is."""
        return self._send("GET", f"/documents/{quote(name, safe='')}", {})  # type: ignore[no-any-return]

    def take_seat(self, name: str, body: SeatRequest) -> DocumentTold:
        """Take a seat, whose turns are taken over this API. One for which a link was made is its person's: 409, and nothing is changed."""
        return self._send("POST", f"/documents/{quote(name, safe='')}/seats", {}, body)  # type: ignore[no-any-return]

    def bring_source(self, name: str, body: SourceRequest) -> DocumentTold:
        """Bring a text to the table, as long as nothing was said there; it is named after who brings it."""
        return self._send("POST", f"/documents/{quote(name, safe='')}/sources", {}, body)  # type: ignore[no-any-return]

    def take_turn(self, name: str, body: TurnRequest) -> TurnTaken:
        """A whole turn at once: all of it is taken, or nothing, with every reason why."""
        return self._send("POST", f"/documents/{quote(name, safe='')}/turns", {}, body)  # type: ignore[no-any-return]

    def list_teams(self, limit: int | None = None, cursor: str | None = None) -> PageTeamShort:
        """The team of this repository; an empty list where there is none."""
        return self._send("GET", "/teams", {"limit": limit, "cursor": cursor})  # type: ignore[no-any-return]

    def start_team(self, body: TeamRequest) -> TeamStarted:
        """Begin a team of coding agents in this repository."""
        return self._send("POST", "/teams", {}, body)  # type: ignore[no-any-return]

    def get_team(self, team_id: str) -> TeamTold:
        """Who works on what, what overlaps, what landed. A seat is shown its own questions."""
        return self._send("GET", f"/teams/{quote(team_id, safe='')}", {})  # type: ignore[no-any-return]

    def join_team(self, team_id: str, body: TeamSeatRequest) -> TeamSeatTaken:
        """Take a seat, with a branch and a working tree of its own."""
        return self._send("POST", f"/teams/{quote(team_id, safe='')}/seats", {}, body)  # type: ignore[no-any-return]

    def take_team_turn(self, team_id: str, body: TeamTurnRequest) -> TeamAnswer:
        """What is new for a seat, what it is asked, what comes next."""
        return self._send("POST", f"/teams/{quote(team_id, safe='')}/turns", {}, body)  # type: ignore[no-any-return]

    def plan_in_team(self, team_id: str, body: TeamPlanRequest) -> TeamAnswer:
        """Say what a seat will change; hear who uses it, what breaks, who else is there."""
        return self._send("POST", f"/teams/{quote(team_id, safe='')}/plans", {}, body)  # type: ignore[no-any-return]

    def say_in_team(self, team_id: str, body: TeamWords) -> TeamAnswer:
        """Say a whole turn: all of it is taken, or nothing."""
        return self._send("POST", f"/teams/{quote(team_id, safe='')}/words", {}, body)  # type: ignore[no-any-return]

    def sync_in_team(self, team_id: str, body: TeamSeatWork) -> TeamSynced:
        """Bring a seat's branch up to date; what is not committed is put back."""
        return self._send("POST", f"/teams/{quote(team_id, safe='')}/syncs", {}, body)  # type: ignore[no-any-return]

    def land_in_team(self, team_id: str, body: TeamLandRequest) -> TeamLanding:
        """Land a seat's branch. Refused while a question with another seat is open, or a gate refuses."""
        return self._send("POST", f"/teams/{quote(team_id, safe='')}/landings", {}, body)  # type: ignore[no-any-return]

    def map_project(self, limit: int | None = None, cursor: str | None = None) -> PageFile:
        """The files that may be read: what git tracks, and neither what it ignores nor `.env*` nor keys."""
        return self._send("GET", "/map", {"limit": limit, "cursor": cursor})  # type: ignore[no-any-return]

    def read_file(self, path: str, offset: int | None = None) -> Text:
        """The text of one of them, in parts. A provider's key in it is blotted out."""
        return self._send("GET", f"/files/{quote(path, safe='')}", {"offset": offset})  # type: ignore[no-any-return]

    def claim_question(self, body: ClaimRequest | None | None = None) -> Claim:
        """Claim the oldest open question that is yours, of one agent or of anybody. `question` is null where none is open."""
        return self._send("POST", "/claims", {}, body or {})  # type: ignore[no-any-return]

    def renew_claim(self, lease: str) -> Claim:
        """Ask for more time: the lease runs again from now, for as long as it was claimed for."""
        return self._send("POST", f"/claims/{quote(lease, safe='')}/renew", {})  # type: ignore[no-any-return]

    def answer_claim(self, lease: str, body: dict[str, Any]) -> Done:
        """Answer the claimed question. What is not an answer is refused with the reason, and the lease goes on."""
        return self._send("POST", f"/claims/{quote(lease, safe='')}/answer", {}, body)  # type: ignore[no-any-return]

    def release_claim(self, lease: str) -> Done:
        """Give the question back, for another to claim."""
        return self._send("DELETE", f"/claims/{quote(lease, safe='')}", {})  # type: ignore[no-any-return]

    def list_seats(self, limit: int | None = None, cursor: str | None = None) -> PageSeatTold:
        """The seats that have a link, and for how many questions each is waited."""
        return self._send("GET", "/seats", {"limit": limit, "cursor": cursor})  # type: ignore[no-any-return]

    def give_seat_link(self, body: SeatLinkRequest) -> SeatLinkMade:
        """Give out a link to a seat. From now on its questions are answered with this key alone. Where somebody sat there already, their session ends, and the table is told."""
        return self._send("POST", "/seats", {}, body)  # type: ignore[no-any-return]

    def invite_to_table(self, body: InvitationRequest) -> Invitation:
        """One link for a whole table: whoever opens it says who they are, among those who have not sat down yet."""
        return self._send("POST", "/invitations", {}, body)  # type: ignore[no-any-return]

    def settle_dispute(self, seat_id: str) -> SeatDisputed:
        """Tell the table that the right person sits there, after somebody said otherwise. `seat_id` is the seat's `id`."""
        return self._send("DELETE", f"/disputes/{quote(seat_id, safe='')}", {})  # type: ignore[no-any-return]

    def end_seat_link(self, seat_id: str) -> SeatFreed:
        """End a link. `seat_id` is the seat's `id`."""
        return self._send("DELETE", f"/seats/{quote(seat_id, safe='')}", {})  # type: ignore[no-any-return]

    def get_me(self) -> Me:
        """Who asks: the operator, a seat by its name, or somebody with an invitation."""
        return self._send("GET", "/me", {})  # type: ignore[no-any-return]

    def sit_down(self, body: SitDownRequest | None | None = None) -> SatDown:
        """Sit down with a link, or with an invitation and a name: its key is exchanged for one that only whoever asks has. Of two at once one sits down."""
        return self._send("POST", "/sessions", {}, body or {})  # type: ignore[no-any-return]

    def move_seat(self) -> SeatLinkMade:
        """A link to go on with elsewhere, for whoever sits there. This key goes on until that link is opened."""
        return self._send("POST", "/links", {})  # type: ignore[no-any-return]

    def dispute_seat(self, body: DisputeRequest | None | None = None) -> SeatDisputed:
        """Tell the table that somebody else sat down. It takes the link that is refused as `seat_taken`, or the invitation and one's name. It changes nothing of the seat: whoever opened the table makes a new link, or does not."""
        return self._send("POST", "/disputes", {}, body or {})  # type: ignore[no-any-return]

    def get_table(self, of: str | None = None) -> TableTold:
        """Who sits at a table, and what became of its seats. Everybody there is told the same."""
        return self._send("GET", "/table", {"of": of})  # type: ignore[no-any-return]

    def export_build(self, form: Literal['asyncapi', 'openapi', 'mermaid', 'dot']) -> Exported:
        """The last build as AsyncAPI 3, OpenAPI 3.1, Mermaid or DOT."""
        return self._send("GET", f"/exports/{quote(form, safe='')}", {})  # type: ignore[no-any-return]

    def infer_project(self) -> Inferred:
        """What the project's code says of itself, without agents: who gives what to whom, and what cannot fit. Nothing of it runs."""
        return self._send("GET", "/inferred", {})  # type: ignore[no-any-return]

    def list_findings(self, limit: int | None = None, cursor: str | None = None) -> PageFindingTold:
        """What `graphbus validate` counts in the project as it stands: links that do not fit, and all else."""
        return self._send("GET", "/findings", {"limit": limit, "cursor": cursor})  # type: ignore[no-any-return]

    def list_settings(self, limit: int | None = None, cursor: str | None = None) -> PageSettingTold:
        """Every setting of `[tool.graphbus]`: what holds, and where it comes from."""
        return self._send("GET", "/settings", {"limit": limit, "cursor": cursor})  # type: ignore[no-any-return]

    def propose_settings(self) -> ProposedSettings:
        """The settings that a project without any may begin with, as a diff. Nothing is written."""
        return self._send("GET", "/settings/proposed", {})  # type: ignore[no-any-return]

    def write_settings(self) -> ProposedSettings:
        """Write them. What stands there is not changed."""
        return self._send("POST", "/settings/proposed", {})  # type: ignore[no-any-return]

    def get_policy(self) -> PolicyTold:
        """Who may call, publish and hear what in a run."""
        return self._send("GET", "/policy", {})  # type: ignore[no-any-return]

    def check_policy(self, who: str | None = None, verb: Literal['call', 'publish', 'hear'] | None = None, what: str | None = None) -> MayTold:
        """Whether the policy lets a node do that: `what` is a `Node.method` or a topic."""
        return self._send("GET", "/policy/check", {"who": who, "verb": verb, "what": what})  # type: ignore[no-any-return]

    def list_journals(self, limit: int | None = None, cursor: str | None = None) -> PageJournalTold:
        """Journals of runs, newest first."""
        return self._send("GET", "/journals", {"limit": limit, "cursor": cursor})  # type: ignore[no-any-return]

    def list_journal_records(self, journal_id: str, limit: int | None = None, cursor: str | None = None, topic: str | None = None) -> PageJournalRecord:
        """What happened in that run, oldest first: events and calls, under what caused them."""
        return self._send("GET", f"/journals/{quote(journal_id, safe='')}", {"limit": limit, "cursor": cursor, "topic": topic})  # type: ignore[no-any-return]

    def replay_journal(self, journal_id: str, body: ReplayRequest | None | None = None) -> ReplayTold:
        """Do again, on the newest build and in a process of its own, what came from outside in that run. The program that runs here does not notice."""
        return self._send("POST", f"/journals/{quote(journal_id, safe='')}/replay", {}, body or {})  # type: ignore[no-any-return]

    def list_messages(self, after: str | None = None, limit: int | None = None) -> StreamPage:
        """Messages after number `after`, for those who would rather ask than listen. A WebSocket on this address sends the same as they happen; `asyncapi.json` describes it."""
        return self._send("GET", "/stream", {"after": after, "limit": limit})  # type: ignore[no-any-return]
