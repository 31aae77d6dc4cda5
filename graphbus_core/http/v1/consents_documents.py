"""Consent and document negotiations: started, answered and read over the API."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import FastAPI, Query
from pydantic import Field

from graphbus_core.http.v1.common import (
    Caller,
    Cursor,
    JsonObject,
    Limit,
    Page,
    RequestBody,
    ResponseBody,
    Tags,
    build_page,
    make_json_object,
)
from graphbus_core.http.v1.models import NegotiationShort
from graphbus_core.services import Workspace
from graphbus_core.services.decisions.records import describe_decision, explain_decision
from graphbus_core.services.questions.seats import Seat


class ConsentRequest(RequestBody):
    """A decision: `prompt` in words, or `scenario`, the text of a scenario file. `humans` answer at the desk."""

    prompt: str = Field(default="", max_length=100_000)
    scenario: str = Field(default="", max_length=900_000)
    advocates: dict[str, str] = Field(default_factory=dict, description="Name and priority of each advocate.")
    humans: list[str] = Field(default_factory=list, max_length=100)
    model: str | None = Field(default=None, max_length=200)
    max_turns: int | None = Field(default=None, ge=1, le=10_000)
    seed: int | None = Field(default=None, ge=0, le=2**53)
    preferences: Literal["disclosed", "private", "sealed"] | None = None
    opener: str = Field(
        default="", max_length=200, description="Who of its people opens it: the others are told to ask them."
    )
    whole_ballots: bool = Field(
        default=False, description="Where it is sealed: each person may answer with one ballot in place of questions."
    )
    open_by_proposal: bool = Field(
        default=False,
        description="Where it is disclosed: no person is asked for a position. The first advocate, where it is a "
        "person, opens the table with what it proposes, which everybody is asked about at once; with their vote the "
        "others may say what matters to them.",
    )


class SeatKey(ResponseBody):
    """The key of a seat, told this once. Its link is the server's address with `#seat=` and the key."""

    name: str
    key: str


class Started(ResponseBody):
    """What was started. `seats`: the keys of the people of a decision; each answers with its own alone."""

    id: str
    seats: list[SeatKey] = []


class Advocate(ResponseBody):
    """A seat. `person`: its questions lie at the desk."""

    name: str
    priority: str
    person: bool


class ConsentIssue(ResponseBody):
    """What is to be decided, and between what."""

    name: str
    title: str
    options: list[str]


class Said(ResponseBody):
    """A block of the ledger."""

    who: str
    kind: str
    text: str


class Term(ResponseBody):
    """What holds on an issue; `issue` is null for a line of words."""

    issue: str | None
    says: str


class Standing(ResponseBody):
    """The proposal on the table."""

    number: int
    terms: list[Term]
    objections: dict[str, str]


class FrontierPoint(ResponseBody):
    """An efficient outcome by the mean and the least satisfaction, from 0 to 1; one of them may be the agreement."""

    mean: float
    least: float
    agreed: bool
    terms: list[Term]


class Trade(ResponseBody):
    """What an option of an issue is worth to a seat. `liked`: what it would have had instead."""

    issue: str
    option: str
    points: float
    liked: str | None = None


class SeatReason(ResponseBody):
    """What a seat got and gave. `share`: its gain, of the most that it could gain."""

    name: str
    share: float
    score: float
    gave: list[Trade]
    got: list[Trade]


class ConsentReasons(ResponseBody):
    """Why that deal. `change`: what would make the other deal win that was asked about."""

    words: str
    change: str | None
    seats: list[SeatReason]


class Mark(ResponseBody):
    """What a ballot says of an option, in points and in words."""

    issue: str
    option: str
    points: int
    says: str


class Ballot(ResponseBody):
    """A ballot that was handed in. `lines`: its red lines; `share`: what a deal must be worth, in percent."""

    marks: list[Mark]
    lines: list[str]
    share: float


class Consent(ResponseBody):
    """A consent negotiation. `record`: the certificate of the agreement, or the proof that there is none, with what
    would change it. `waiting_for`: who is asked now; what they are asked is told to them alone. `course`: how it came
    to its end, in a sentence or two. `ballot`: what whoever asks has handed in; nobody is told another's."""

    id: str
    topic: str
    waiting_for: list[str] = []
    state: Literal["running", "ended", "stopped", "failed", "unfinished"]
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
    record: JsonObject | None = None
    course: str = ""
    ballot: Ballot | None = None


class Source(RequestBody):
    """A document to reconcile."""

    name: str = Field(min_length=1, max_length=200)
    text: str = Field(min_length=1, max_length=400_000)


class DocumentRequest(RequestBody):
    """A document negotiation to open, in a directory of its own below the project's build folder."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,63}$", examples=["storage-plan"])
    topic: str = Field(default="", max_length=100_000)
    sources: list[Source] = Field(default_factory=list, max_length=100)
    agents: int = Field(default=2, ge=2, le=256)
    max_rounds: int = Field(default=5, ge=1, le=1_000)


class SeatRequest(RequestBody):
    """The name under which to sit."""

    agent: str = Field(pattern=r"^[a-z][a-z0-9-]{0,63}$", examples=["ann"])


class SourceRequest(RequestBody):
    """A text that comes in later. `agent` brings it, and has a seat there."""

    agent: str = Field(pattern=r"^[a-z][a-z0-9-]{0,63}$", examples=["ann"])
    text: str = Field(min_length=1, max_length=400_000)


class DocumentAgent(ResponseBody):
    """Who sits there. `ours`: its turns are taken over this API. `called`: its person's name."""

    name: str
    called: str
    participant: str
    ours: bool


class SourceTold(ResponseBody):
    """A document that is to be reconciled."""

    name: str
    text: str


class DocumentEntry(ResponseBody):
    """A position, a challenge or an offer. `hash` names it where it can be accepted, and `accepted` who has done so."""

    by: str
    kind: str
    number: int
    text: str
    turn: int
    offer: bool
    hash: str | None
    accepted: list[str]


class DocumentIssue(ResponseBody):
    """A point, with all that was said on it."""

    stem: str
    title: str
    text: str
    status: Literal["OPEN", "AGREED", "ESCALATE"]
    decision: str
    settled: bool
    ruled: bool
    accepted: list[str]
    entries: list[DocumentEntry]


class StatementFate(ResponseBody):
    """What became of one statement of a source. `by`: the issue that decided or dropped it, `final.md` where the
    document leaves it out; `against`: the places of what it is in conflict with."""

    place: str
    fate: Literal["kept", "decided", "in conflict", "dropped"]
    by: str
    against: list[str]
    text: str


class DocumentSigning(ResponseBody):
    """The document that every seat accepts, by its `hash`: a turn that accepts the issue `final.md`. `altered`: the
    decisions that do not stand in it word for word."""

    hash: str
    accepted: list[str]
    missing: list[str]
    altered: list[str]
    fates: list[StatementFate]


class DocumentForeseen(ResponseBody):
    """A document that a turn would make, and the hash by which it is accepted with that turn. `left_out`: statements of
    the sources that it leaves out although nobody decided that; `undecided`: how many it has side by side."""

    text: str
    hash: str
    left_out: list[str]
    undecided: int


class DocumentTold(ResponseBody):
    """A document negotiation, whole. `final` is the document as far as it is; `is_final` says whether it stands.
    `signing`: what is to be accepted, once every issue is settled. `foreseen`: the document that comes of it when
    whoever has the turn accepts, on each open issue, the only words that others offer; none where that settles less."""

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
    signing: DocumentSigning | None = None
    foreseen: DocumentForeseen | None = None


class Accept(RequestBody):
    """The acceptance of an offer; without `hash` of the newest."""

    issue: str
    hash: str = ""


class Words(RequestBody):
    """Words on an issue."""

    issue: str
    text: str = Field(min_length=1)


class NewIssue(RequestBody):
    """A new point."""

    title: str = Field(min_length=1)
    question: str = ""


class TurnRequest(RequestBody):
    """A whole turn: all of it is taken, or nothing. `accepts_final`: the hash of `foreseen`; with it the document that
    this turn makes is accepted at once, and no other one."""

    agent: str
    accepts: list[Accept] = []
    offers: list[Words] = []
    positions: list[Words] = []
    challenges: list[Words] = []
    escalations: list[Words] = []
    issues: list[NewIssue] = []
    accepts_final: str = ""


class TurnTaken(ResponseBody):
    """How it ended: `handed` to the next, or `finished`, where every seat has accepted the document."""

    end: str
    left_out: list[str] = []


# Operations on consent and document negotiations: start, answer, take a turn, read whole.


ToWin = Annotated[
    str | None, Query(max_length=1_000, description="Another deal: `issue=option, …`; the rest as agreed.")
]


def add(app: FastAPI, workspace: Workspace) -> None:
    """Add them to the application."""
    _add_consent_routes(app, workspace)
    _add_document_routes(app, workspace)


def _add_consent_routes(app: FastAPI, workspace: Workspace) -> None:
    consents = workspace.consents
    tags: Tags = ["consents"]

    @app.post("/consents", status_code=202, operation_id="startConsent", tags=tags, response_model=Started)
    def start(body: ConsentRequest) -> dict[str, Any]:
        """Begin a decision. Each person of `humans` gets a seat of its own, whose questions are answered with its key
        alone."""
        run_id, keys = workspace.start_consent(**body.model_dump())
        return {"id": run_id, "seats": [{"name": name, "key": key} for name, key in keys.items()]}

    @app.get("/consents/{consent_id}", operation_id="getConsent", tags=tags, response_model=Consent)
    def one(consent_id: str, caller: Caller) -> dict[str, Any]:
        """What stands, what was said, the frontier, and the certificate or the proof. Where preferences are not
        disclosed, a red line that was stated is shown to its owner alone."""
        reader = caller.name if caller is not None else None
        state, detail = consents.state(consent_id)
        decision = describe_decision(consents.find(consent_id), state, detail, reader)
        return make_json_object({**decision, "waiting_for": workspace.list_asked(f"consent/{consent_id}")})

    @app.get(
        "/consents/{consent_id}/reasons",
        operation_id="getConsentReasons",
        tags=tags,
        response_model=ConsentReasons,
    )
    def reasons(consent_id: str, to_win: ToWin = None) -> dict[str, Any]:
        """Why that deal and no other, how firm the choice is, and with `to_win` what would make another deal win."""
        return make_json_object(explain_decision(consents.find(consent_id), to_win))

    @app.post(
        "/consents/{consent_id}/resume",
        status_code=202,
        operation_id="resumeConsent",
        tags=tags,
        response_model=Started,
    )
    def resume(consent_id: str) -> dict[str, Any]:
        """Go on with one that was cut off; what was answered is not asked again."""
        return {"id": consents.resume(consent_id)}

    @app.post("/consents/{consent_id}/cancel", operation_id="cancelConsent", tags=tags, response_model=Started)
    def cancel(consent_id: str) -> dict[str, Any]:
        """Stop one; it can be resumed."""
        consents.cancel(consent_id)
        return {"id": consent_id}


def _add_document_routes(app: FastAPI, workspace: Workspace) -> None:
    documents = workspace.documents
    tags: Tags = ["documents"]

    def describe(name: str) -> dict[str, Any]:
        document = documents.get(name)
        for agent in document["agents"]:
            agent["called"] = workspace.seats.call(Seat(f"document/{name}", agent["name"]))
        return make_json_object(document)

    @app.get("/documents", operation_id="listDocuments", tags=tags, response_model=Page[NegotiationShort])
    def listed(limit: Limit = 100, cursor: Cursor = None) -> dict[str, Any]:
        """The document negotiations that this server shows."""
        document_entries = [entry for entry in workspace.negotiations.list_entries() if entry.kind == "document"]
        entries_page = build_page(document_entries, limit, cursor)
        return {**entries_page, "items": [entry.short() for entry in entries_page["items"]]}

    @app.post("/documents", status_code=201, operation_id="startDocument", tags=tags, response_model=Started)
    def start(body: DocumentRequest) -> dict[str, Any]:
        """Open a document negotiation in a directory of its own."""
        sources = [source.model_dump() for source in body.sources]
        return {"id": workspace.open_document(body.name, body.topic, sources, body.agents, body.max_rounds)}

    @app.get("/documents/{name}", operation_id="getDocument", tags=tags, response_model=DocumentTold)
    def one(name: str) -> dict[str, Any]:
        """The sources, what everybody said on each issue, the final document as far as it is."""
        return describe(name)

    @app.post(
        "/documents/{name}/seats", status_code=201, operation_id="takeSeat", tags=tags, response_model=DocumentTold
    )
    def seat(name: str, body: SeatRequest) -> dict[str, Any]:
        """Take a seat, whose turns are taken over this API. One for which a link was made is its person's: 409, and
        nothing is changed."""
        workspace.seats.check_free(f"document/{name}", body.agent)
        documents.join(name, body.agent)
        return describe(name)

    @app.post(
        "/documents/{name}/sources", status_code=201, operation_id="bringSource", tags=tags, response_model=DocumentTold
    )
    def source(name: str, body: SourceRequest, caller: Caller) -> dict[str, Any]:
        """Bring a text to the table, as long as nothing was said there; it is named after who brings it."""
        workspace.seats.check_own(caller, f"document/{name}", body.agent)
        documents.bring_source(name, body.agent, body.text)
        return describe(name)

    @app.post("/documents/{name}/turns", operation_id="takeTurn", tags=tags, response_model=TurnTaken)
    def turn(name: str, body: TurnRequest, caller: Caller) -> dict[str, Any]:
        """A whole turn at once: all of it is taken, or nothing, with every reason why."""
        workspace.seats.check_own(caller, f"document/{name}", body.agent)
        turn_body = body.model_dump(exclude_defaults=True)
        agent, accepts_final = str(turn_body.pop("agent")), str(turn_body.pop("accepts_final", ""))
        return documents.take_turn(name, agent, turn_body, accepts_final)
