"""Operations on the project: its picture, its nodes, its contracts, a change that is only tried, and undo."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.responses import Response

from graphbus_core import __version__
from graphbus_core.http.v1 import models as m
from graphbus_core.http.v1.common import Cursor, Limit, Page, build_page, make_json_object
from graphbus_core.http.v1.models import WhyTold
from graphbus_core.services import Workspace


def add(app: FastAPI, workspace: Workspace) -> None:
    """Add them to the application."""

    @app.get("/health", operation_id="getHealth", tags=["project"], response_model=m.Health)
    async def health() -> dict[str, Any]:
        """Whether the server answers."""
        return {"ok": True, "version": __version__}

    @app.get("/picture", operation_id="getPicture", tags=["project"], response_model=m.Picture)
    def picture() -> Response:
        """The whole project for drawing, laid out: cards with ports, and links from field to field."""
        return Response(workspace.project.render_picture(), media_type="application/json")

    @app.get("/nodes", operation_id="listNodes", tags=["project"], response_model=Page[m.NodeShort])
    def nodes(limit: Limit = 100, cursor: Cursor = None) -> dict[str, Any]:
        """Every node, in short."""
        return build_page(workspace.project.list_nodes(), limit, cursor)

    @app.get("/nodes/{name}", operation_id="getNode", tags=["project"], response_model=m.Node)
    def node(name: str) -> dict[str, Any]:
        """One node: prompt, contracts, topics, subscriptions, source."""
        return make_json_object(workspace.project.describe_node(name))

    @app.get("/mismatches", operation_id="listMismatches", tags=["contracts"], response_model=Page[m.MismatchTold])
    def mismatches(limit: Limit = 100, cursor: Cursor = None) -> dict[str, Any]:
        """Every link that does not fit, with the payload that proves it."""
        mismatch_rows = [
            {**mismatch, "id": f"{mismatch['producer']} => {mismatch['consumer']}"}
            for mismatch in workspace.project.list_mismatches()
        ]
        return build_page(mismatch_rows, limit, cursor)

    @app.post("/contracts/check", operation_id="checkContracts", tags=["contracts"], response_model=m.Verdict)
    def check(body: m.CheckRequest) -> dict[str, Any]:
        """Whether everything that the producer may send is taken by the consumer."""
        return make_json_object(workspace.project.check(body.producer, body.consumer))

    @app.get("/why/{symbol:path}", operation_id="getWhy", tags=["contracts"], response_model=WhyTold)
    def why(symbol: str) -> dict[str, Any]:
        """Every proposal that made `Node`, `Node.method` or `Node.method.field` what it is, newest first."""
        proposals = [
            {**proposal, "id": proposal["proposal_id"]} for proposal in workspace.negotiations.find_proposals(symbol)
        ]
        return make_json_object({"entries": proposals, "damaged": workspace.negotiations.list_damaged()})

    @app.post("/try", operation_id="tryChange", tags=["contracts"], response_model=m.Trial)
    def try_change(body: m.TryRequest) -> dict[str, Any]:
        """What would become of a change: its diff, the gates, the links that break and mend, who must agree and why.
        Nothing is written, and nobody is asked."""
        # Rules answer for whoever proposes over HTTP (services/builds.py), so that their gates are asked there.
        changes = workspace.changes
        return make_json_object(changes.try_diff(body.diff, body.agent or "", True, body.call_methods, body.after))

    @app.post("/proposals/{proposal_id}/undo", operation_id="undoProposal", tags=["builds"], response_model=m.Undone)
    def undo(proposal_id: str, body: m.UndoRequest | None = None) -> dict[str, Any]:
        """Take a committed proposal back: its own change and no other, proved like any commit."""
        how = body or m.UndoRequest()
        return make_json_object(workspace.changes.undo(proposal_id, how.dry_run, how.allow_mismatches))
