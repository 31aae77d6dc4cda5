"""`consent serve`: the seat pages of a project, and nothing else of it. Each link opens one seat."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from graphbus_core.api.guard.connections import BoundedProtocol
from graphbus_core.api.guard.hosts import Hosts, is_loopback, reached_at
from graphbus_core.api.guard.security import Guard, Scope
from graphbus_core.api.server import _listen
from graphbus_core.errors import GraphBusError, UsageError
from graphbus_core.workspace.does.seats import LinkedSeats

PAGE = Path(__file__).parent / "page"
PORT = 8421
# Written out and not shared with the project's page: that one may load more, and a change there must not open this
# one.
HEADERS = {
    # `blob:` for images alone: the picture is fetched with the seat's key, which an address must not carry.
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data: blob:; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
}


@dataclass(frozen=True)
class Listening:
    """Where to listen. `certificate`, `key`: files for TLS; both or none."""

    host: str = "127.0.0.1"
    port: int = PORT
    allowed: tuple[str, ...] = ()
    certificate: Path | None = None
    key: Path | None = None

    @property
    def is_secure(self) -> bool:
        """Whether it speaks TLS."""
        return self.certificate is not None


class SeatGuard(Guard):
    """The guard of the project's server without its token: each seat's key is looked at where the seat is."""

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str, str] | None:
        # As if it were the page: the project's guard asks for the server's token, which no seat has.
        return super()._refusal({**scope, "path": "/page/seat"}, headers)


def create_seats(seats: LinkedSeats) -> Starlette:
    """The routes. The key comes as a bearer token: in the address it would stand in logs and histories."""

    async def page(_: Request) -> Response:
        return FileResponse(PAGE / "seat.html", headers=HEADERS)

    def me(request: Request) -> Response:
        shown = seats.seen(_key(request))
        return _unknown() if shown is None else JSONResponse(shown, headers=HEADERS)

    async def answer(request: Request) -> Response:
        try:
            # Both are made what they must be here, before anything of ours is asked about them.
            told = json.loads(await request.body())
            question, body = str(told["question"]), dict(told["answer"])
        except (ValueError, KeyError, TypeError):
            return _failed(400, "malformed", 'Send {"question": ID, "answer": {…}}.')
        try:
            why = seats.answer(_key(request), question, body)
        except KeyError:
            # The same answer for a wrong key and for none: a stranger learns nothing by trying.
            return _unknown()
        except UsageError as e:
            return _failed(409, "conflict", str(e))
        except GraphBusError as e:
            return _failed(422, "invalid", str(e))
        return JSONResponse({"ok": True}, headers=HEADERS) if why is None else _failed(422, "invalid", why)

    def picture(request: Request) -> Response:
        svg = seats.picture(_key(request))
        return _unknown() if svg is None else Response(svg, media_type="image/svg+xml", headers=HEADERS)

    return Starlette(
        routes=[
            Route("/seat", page),
            Route("/seats/me", me),
            Route("/seats/picture", picture),
            Route("/seats/answer", answer, methods=["POST"]),
            Mount("/page", StaticFiles(directory=PAGE)),
        ]
    )


def serve_seats(
    project: Path, links: Callable[[str], Sequence[str]], at: Listening, say: Callable[[str], None] = print
) -> None:
    """Serve until Ctrl-C. `links`: the lines to print for an address. Raises UsageError where it cannot listen."""
    if (at.certificate is None) != (at.key is None):
        raise UsageError("TLS takes both --tls-cert and --tls-key.")
    for file in (at.certificate, at.key):
        # Looked at before listening: uvicorn would fail with a trace of its own after the links were printed.
        if file is not None and not file.is_file():
            raise UsageError(f"{file}: there is no such file. --tls-cert and --tls-key take PEM files.")
    # Said and not refused. On a home network people know who listens, and the link still opens one seat alone.
    if not is_loopback(at.host) and not at.is_secure and not at.allowed:
        print(
            f"graphbus: without TLS anybody on the way to {at.host} can read links and answers. "
            "Give --tls-cert and --tls-key, or put a proxy with TLS before it (--allow-host NAME).",
            file=sys.stderr,
        )
    listening = _listen(at.host, at.port)
    port = listening.getsockname()[1]
    url = reached_at(at.host, port)
    # Printed once it listens: whoever clicks at once must not find a closed door.
    for line in links(url.replace("http://", "https://") if at.is_secure else url):
        say(line)
    config = uvicorn.Config(
        SeatGuard(create_seats(LinkedSeats(project)), "-", Hosts(at.host, port, at.allowed)),
        http=BoundedProtocol,
        log_level="warning",
        timeout_graceful_shutdown=3,
        ssl_certfile=str(at.certificate) if at.certificate else None,
        ssl_keyfile=str(at.key) if at.key else None,
    )
    uvicorn.Server(config).run(sockets=[listening])


def _key(request: Request) -> str:
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    return key.strip() if scheme.lower() == "bearer" else ""


def _unknown() -> Response:
    return _failed(401, "no_seat", "This link opens no seat. Ask whoever sent it for a new one.")


def _failed(status: int, code: str, message: str) -> Response:
    told: dict[str, Any] = {"error": {"code": code, "message": message, "path": None}}
    return JSONResponse(told, status, headers=HEADERS)
