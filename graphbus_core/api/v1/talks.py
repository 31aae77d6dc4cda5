"""Operations on consent and document negotiations: start, answer, take a turn, read whole."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import FastAPI, Query

from graphbus_core.api.v1.answers import Cursor, Limit, Tags, page, plain
from graphbus_core.api.v1.models import talks as m
from graphbus_core.api.v1.models.common import Page
from graphbus_core.api.v1.models.negotiations import NegotiationShort
from graphbus_core.workspace import Workspace
from graphbus_core.workspace.consents.shown import told_consent, told_reasons

ToWin = Annotated[
    str | None, Query(max_length=1_000, description="Another deal: `issue=option, …`; the rest as agreed.")
]


def add(app: FastAPI, workspace: Workspace) -> None:
    """Add them to the application."""
    _consents(app, workspace)
    _documents(app, workspace)


def _consents(app: FastAPI, workspace: Workspace) -> None:
    consents = workspace.consents
    tags: Tags = ["consents"]

    @app.post("/consents", status_code=202, operation_id="startConsent", tags=tags, response_model=m.Started)
    def start(body: m.ConsentRequest) -> dict[str, Any]:
        """Begin a decision. Questions to people lie at the desk (`/questions`)."""
        return {"id": consents.start(**body.model_dump())}

    @app.get("/consents/{consent_id}", operation_id="getConsent", tags=tags, response_model=m.Consent)
    def one(consent_id: str) -> dict[str, Any]:
        """What stands, what was said, the frontier, and the certificate or the proof."""
        return plain(told_consent(consents.find(consent_id), *consents.state(consent_id)))

    @app.get(
        "/consents/{consent_id}/reasons",
        operation_id="getConsentReasons",
        tags=tags,
        response_model=m.ConsentReasons,
    )
    def reasons(consent_id: str, to_win: ToWin = None) -> dict[str, Any]:
        """Why that deal and no other, how firm the choice is, and with `to_win` what would make another deal win."""
        return plain(told_reasons(consents.find(consent_id), to_win))

    @app.post(
        "/consents/{consent_id}/resume",
        status_code=202,
        operation_id="resumeConsent",
        tags=tags,
        response_model=m.Started,
    )
    def resume(consent_id: str) -> dict[str, Any]:
        """Go on with one that was cut off; what was answered is not asked again."""
        return {"id": consents.resume(consent_id)}

    @app.post("/consents/{consent_id}/cancel", operation_id="cancelConsent", tags=tags, response_model=m.Started)
    def cancel(consent_id: str) -> dict[str, Any]:
        """Stop one; it can be resumed."""
        consents.cancel(consent_id)
        return {"id": consent_id}


def _documents(app: FastAPI, workspace: Workspace) -> None:
    documents = workspace.documents
    tags: Tags = ["documents"]

    @app.get("/documents", operation_id="listDocuments", tags=tags, response_model=Page[NegotiationShort])
    def listed(limit: Limit = 100, cursor: Cursor = None) -> dict[str, Any]:
        """The document negotiations that this server shows."""
        found = [one for one in workspace.negotiations.shelved() if one.kind == "document"]
        told = page(found, limit, cursor)
        return {**told, "items": [one.short() for one in told["items"]]}

    @app.post("/documents", status_code=201, operation_id="startDocument", tags=tags, response_model=m.Started)
    def start(body: m.DocumentRequest) -> dict[str, Any]:
        """Open a document negotiation in a directory of its own."""
        sources = [one.model_dump() for one in body.sources]
        return {"id": workspace.open_document(body.name, body.topic, sources, body.agents, body.max_rounds)}

    @app.get("/documents/{name}", operation_id="getDocument", tags=tags, response_model=m.DocumentTold)
    def one(name: str) -> dict[str, Any]:
        """The sources, what everybody said on each issue, the final document as far as it is."""
        return plain(documents.get(name))

    @app.post(
        "/documents/{name}/seats", status_code=201, operation_id="takeSeat", tags=tags, response_model=m.DocumentTold
    )
    def seat(name: str, body: m.SeatRequest) -> dict[str, Any]:
        """Take a seat, whose turns are taken over this API."""
        documents.join(name, body.agent)
        return plain(documents.get(name))

    @app.post("/documents/{name}/turns", operation_id="takeTurn", tags=tags, response_model=m.TurnTaken)
    def turn(name: str, body: m.TurnRequest) -> dict[str, Any]:
        """A whole turn at once: all of it is taken, or nothing, with every reason why."""
        said = body.model_dump(exclude_defaults=True)
        return documents.turn(name, str(said.pop("agent")), said)
