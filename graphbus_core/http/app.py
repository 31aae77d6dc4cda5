"""The routes: each reads its body, calls the workspace, returns what it says (seed 002 §6.2, design §12)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request, WebSocket
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.responses import FileResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.routing import Route

from graphbus_core import __version__
from graphbus_core.http import schemas as told
from graphbus_core.http.errors import add_definitions, describe_failures, install_error_handlers, render_failure
from graphbus_core.http.schemas import CallBody, CheckBody, Failure, PublishBody, StartBody, StreamPage, Verdict
from graphbus_core.http.stream import Stream, serve_stream
from graphbus_core.http.v1.app import create_v1
from graphbus_core.http.v1.common import make_json_object
from graphbus_core.http.v1.models import BuildBody
from graphbus_core.http.v1.stream import Many, Place
from graphbus_core.mcp.http_mount import HttpMount
from graphbus_core.services import Workspace
from graphbus_core.services.json_values import dump_json, make_jsonable
from graphbus_core.services.questions.seats import OPERATOR

log = logging.getLogger("graphbus.api")
PAGE = Path(__file__).parent / "page"
FAILURES = describe_failures(Failure, "application/json")
READY: dict[int | str, dict[str, Any]] = {
    200: {"model": told.Loose},
    503: {"model": Failure, "description": "Not ready; why."},
}
# Numbers in JavaScript are exact up to 2**53: a larger one would come back as another.
After = Annotated[int, Query(ge=0, le=2**53)]


def _document_answer(model: Any, status: int = 200) -> dict[str, Any]:
    """The form of an answer, for the document alone: the seed's paths keep their bodies to the byte."""
    return {"response_model": None, "responses": {status: {"model": model}}}


def create_app(workspace: Workspace, stream: Stream) -> FastAPI:
    """The API over one opened project. The guard (`security`) goes around it."""

    door = HttpMount(workspace.output_dir, workspace.project, workspace.negotiations)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        workspace.watch.start()
        yield
        await door.close()
        # In a thread: closing waits for nodes, and the loop must go on serving those who are told so.
        await asyncio.to_thread(workspace.close)

    app = FastAPI(
        title="GraphBus", version=__version__, lifespan=lifespan, responses=FAILURES, docs_url=None, redoc_url=None
    )
    # Errors first, so that what any route below raises has the one form.
    install_error_handlers(app, render_failure)
    _add_graph_routes(app, workspace)
    _add_runtime_routes(app, workspace)
    _add_build_routes(app, workspace)
    _add_negotiation_routes(app, workspace)
    _add_contract_routes(app, workspace)
    _add_stream_routes(app, stream)
    # The address itself too: a mount alone would send whoever leaves out the last slash elsewhere, and not every client
    # follows with its body.
    app.router.routes.append(Route("/mcp", endpoint=door, include_in_schema=False))
    app.mount("/mcp", door)
    # Level 6 is where zlib stops to win much: above it mostly the processor time grows.
    app.add_middleware(GZipMiddleware, minimum_size=1_000, compresslevel=6)
    app.mount("/api/v1", create_v1(workspace, stream))
    app.mount("/page", StaticFiles(directory=PAGE), name="page")

    @app.get("/", include_in_schema=False)
    async def page() -> FileResponse:
        return FileResponse(PAGE / "index.html")

    # Kept before it is replaced: FastAPI makes the document on the first call, and ours wraps that.
    described = app.openapi

    def build_openapi() -> dict[str, Any]:
        """The document, with the token that every call wants."""
        document = described()
        add_definitions(document, Failure)
        schemes = {
            "token": {"type": "http", "scheme": "bearer", "description": "Printed at the start, or GRAPHBUS_TOKEN."}
        }
        document["components"]["securitySchemes"] = schemes
        document["security"] = [{"token": []}]
        return document

    app.openapi = build_openapi  # type: ignore[method-assign]
    return app


def _add_graph_routes(app: FastAPI, workspace: Workspace) -> None:
    @app.get("/health", name="health", **_document_answer(told.Health), tags=["graph"])
    async def health() -> dict[str, Any]:
        """Whether the server answers."""
        return {"ok": True, "version": __version__, "runtime": workspace.runtime.health()}

    # Apart from /health: an orchestrator restarts what does not answer, and must not restart what is only not ready
    # yet.
    @app.get("/health/ready", name="ready", response_model=None, tags=["graph"], responses=READY)
    async def ready() -> dict[str, Any]:
        """Whether the running program may be given work; 503 with the reasons where it may not."""
        health = workspace.runtime.health()
        if not health["ready"]:
            raise HTTPException(503, f"Not ready: {'; '.join(health['reasons'])}.")
        return health

    @app.get("/graph", name="graph", **_document_answer(told.GraphTold), tags=["graph"])
    # Written by us: FastAPI would walk a thousand nodes twice to check a form that is ours.
    def graph() -> Response:
        """Nodes with positions, typed links, and for each that does not fit the payload that proves it."""
        return Response(dump_json(workspace.project.draw_graph()), media_type="application/json")

    @app.get("/nodes", name="nodes", **_document_answer(list[told.NodeShort]), tags=["graph"])
    def nodes() -> list[dict[str, Any]]:
        """Every node, in short."""
        return workspace.project.list_nodes()

    @app.get("/nodes/{name}", name="node", **_document_answer(told.NodeTold), tags=["graph"])
    def node(name: str) -> dict[str, Any]:
        """One node: prompt, contracts, topics, subscriptions, source."""
        return workspace.project.describe_node(name)

    @app.post("/nodes/{name}/call", name="call", **_document_answer(told.Result), tags=["runtime"])
    async def call(name: str, body: CallBody) -> dict[str, Any]:
        """Call a method of a running node. Without `timeout_s` the deadline is 60 s."""
        return {"result": await workspace.runtime.acall(name, body.method, body.payload, body.timeout_s)}


def _add_runtime_routes(app: FastAPI, workspace: Workspace) -> None:
    @app.post("/runtime/start", name="start", **_document_answer(told.RuntimeState), tags=["runtime"])
    def start(body: StartBody | None = None) -> dict[str, Any]:
        """Start the runtime on the last build."""
        # Anything may stand in statistics that a node keeps. It becomes JSON first, or the answer would fail halfway.
        return make_json_object(workspace.runtime.start((body or StartBody()).payload_checks))

    @app.post("/runtime/stop", name="stop", **_document_answer(told.RuntimeState), tags=["runtime"])
    def stop() -> dict[str, Any]:
        """Stop the runtime; what is under way may finish within its deadline."""
        return make_json_object(workspace.runtime.stop())

    @app.get("/runtime", name="runtime", **_document_answer(told.RuntimeState), tags=["runtime"])
    def runtime() -> dict[str, Any]:
        """State and statistics."""
        return make_json_object(workspace.runtime.stats())

    @app.get("/runtime/history", name="history", **_document_answer(told.Events), tags=["runtime"])
    def history(limit: Many = 100) -> dict[str, Any]:
        """The newest events, newest first."""
        return {"events": make_jsonable(workspace.runtime.history(limit))}

    @app.get("/metrics", name="metrics", **_document_answer(told.Loose), tags=["runtime"])
    def metrics(request: Request) -> Any:
        """Counters of bus, builds, questions and stream. Prometheus gets its own text, by what it accepts."""
        if (text := workspace.render_metrics(request.headers.get("accept", ""))) is not None:
            return Response(text, media_type="text/plain; version=0.0.4")
        return make_json_object(workspace.metrics())

    @app.post("/publish", name="publish", **_document_answer(told.Published), tags=["runtime"])
    async def publish(body: PublishBody) -> dict[str, Any]:
        """Publish an event."""
        return {"event_id": await workspace.runtime.apublish(body.topic, body.payload, body.source)}

    @app.get("/dead-letters", name="dead_letters", **_document_answer(told.Letters), tags=["runtime"])
    def dead_letters() -> dict[str, Any]:
        """What could not be delivered, and why."""
        return {"dead_letters": make_jsonable(workspace.runtime.dead_letters())}

    @app.post("/dead-letters/{letter_id}/retry", name="retry", **_document_answer(told.Delivered), tags=["runtime"])
    async def retry(letter_id: str) -> dict[str, Any]:
        """Deliver one again."""
        return {"delivered": await workspace.runtime.aretry(letter_id)}

    @app.delete("/dead-letters", name="purge", **_document_answer(told.Purged), tags=["runtime"])
    def purge() -> dict[str, Any]:
        """Forget them all."""
        return {"purged": workspace.runtime.purge()}


def _add_build_routes(app: FastAPI, workspace: Workspace) -> None:
    @app.post("/builds", name="build", status_code=202, **_document_answer(told.BuildTold, 202), tags=["builds"])
    # All of the body's fields: what is None there, the workspace takes from the project's settings.
    def build(body: BuildBody | None = None) -> dict[str, Any]:
        """Start a build; progress comes over the stream. `resume` goes on with one that was cut off or cancelled."""
        return workspace.builds.start(**(body or BuildBody()).model_dump())

    @app.get("/builds", name="builds", **_document_answer(told.Builds), tags=["builds"])
    def builds() -> dict[str, Any]:
        """Builds of this server, newest first."""
        return {"builds": workspace.builds.list_builds()}

    @app.get("/builds/{build_id}", name="one", **_document_answer(told.BuildTold), tags=["builds"])
    def one(build_id: str) -> dict[str, Any]:
        """One build: state, detail, result."""
        return workspace.builds.get(build_id)

    @app.post("/builds/{build_id}/cancel", name="cancel", **_document_answer(told.BuildTold), tags=["builds"])
    def cancel(build_id: str) -> dict[str, Any]:
        """Stop a build cleanly; what was committed stays, what was answered is kept."""
        return workspace.builds.cancel(build_id)


def _add_negotiation_routes(app: FastAPI, workspace: Workspace) -> None:
    @app.get("/negotiations", name="negotiations", **_document_answer(told.Negotiations), tags=["negotiations"])
    def negotiations() -> dict[str, Any]:
        """Negotiations of all three kinds, newest first."""
        return {"negotiations": workspace.negotiations.list_negotiations()}

    @app.get(
        "/negotiations/{negotiation_id}", name="one", **_document_answer(told.NegotiationTold), tags=["negotiations"]
    )
    def one(negotiation_id: str, at: Annotated[int | None, Query(ge=0, le=2**53)] = None) -> dict[str, Any]:
        """One negotiation as it stands, or as it stood after fact number `at`."""
        return make_json_object(workspace.negotiations.get(negotiation_id, at))

    @app.get("/negotiations/{negotiation_id}/log", name="log", **_document_answer(told.Facts), tags=["negotiations"])
    def log(negotiation_id: str, after: After = 0, limit: Many = 1_000) -> dict[str, Any]:
        """Its facts after number `after`, oldest first."""
        return make_json_object(workspace.negotiations.log(negotiation_id, after, limit))

    @app.get("/questions", name="questions", **_document_answer(told.Questions), tags=["negotiations"])
    def questions() -> dict[str, Any]:
        """What waits for a person or a program, each with the JSON Schema of its answer."""
        return {"questions": make_jsonable(workspace.questions.list_own(OPERATOR))}

    @app.post(
        "/questions/{question_id:path}/answer", name="answer", **_document_answer(told.Taken), tags=["negotiations"]
    )
    def answer(question_id: str, body: dict[str, Any]) -> dict[str, Any]:
        """Answer one."""
        workspace.questions.answer(question_id, body)
        return {"ok": True}


def _add_contract_routes(app: FastAPI, workspace: Workspace) -> None:
    @app.get("/mismatches", name="mismatches", **_document_answer(told.Mismatches), tags=["contracts"])
    def mismatches() -> dict[str, Any]:
        """Every link that does not fit, with the payload that proves it."""
        return {"mismatches": workspace.project.list_mismatches()}

    @app.post("/contracts/check", name="check", tags=["contracts"])
    def check(body: CheckBody) -> Verdict:
        """Whether everything that the producer may send is taken by the consumer."""
        return Verdict(**workspace.project.check(body.producer, body.consumer))

    @app.get("/why/{symbol:path}", name="why", **_document_answer(told.Why), tags=["contracts"])
    def why(symbol: str) -> dict[str, Any]:
        """Every proposal that made `Node`, `Node.method` or `Node.method.field` what it is.

        `damaged` lists the logs that could not be read to their end: what stands behind the damage is missing.
        """
        entries, damaged = workspace.negotiations.find_proposals(symbol), workspace.negotiations.list_damaged()
        return {"entries": make_jsonable(entries), "damaged": make_jsonable(damaged)}


def _add_stream_routes(app: FastAPI, stream: Stream) -> None:
    @app.get("/events", name="messages", tags=["stream"], response_model=StreamPage)
    def messages(after: Place = "0", limit: Many = 1_000) -> Response:
        """Messages after number `after`, for those who would rather ask than listen; the same as on the WebSocket.

        `WS /events/stream?after=STREAM:N` sends each message as a frame of its own, with `&batch=1` as JSON arrays; the
        first is `hello`, which names the stream. It takes the token as a header, or as a subprotocol from a browser.
        Without `after` it starts with what happens next.
        """
        return Response(stream.render_page(after, limit), media_type="application/json")

    @app.websocket("/events/stream")
    async def events(socket: WebSocket) -> None:
        await serve_stream(socket, stream)
