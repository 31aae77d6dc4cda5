"""`serve`: the API and the page over one project, on loopback, behind a token (seed 002 §6.2, `http/server.py`)."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import secrets
import socket
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h11
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from uvicorn.protocols.http.h11_impl import H11Protocol

from graphbus_core.errors import GraphBusError, UsageError
from graphbus_core.http.app import create_app
from graphbus_core.http.security import (
    AllowedHosts,
    Guard,
    Scope,
    SecurityHeadersMiddleware,
    build_url,
    check_binding,
    format_address,
    is_loopback,
    read_own_token,
    strip_brackets,
)
from graphbus_core.http.stream import Stream
from graphbus_core.services import Conflict, Workspace
from graphbus_core.services.decisions.records import LinkedSeats
from graphbus_core.services.questions.seats import Seat

# Connections that ask for nothing: bounded in time and in number, so that whoever holds them shuts nobody out.
#
# Uvicorn waits for ever for a request that is never sent whole, and its `limit_concurrency` refuses the owner with the
# rest. Here such a connection is closed after `REQUEST_S`, and the oldest one makes room where there are `MAX_WAITING`.


# A slow phone sends a request in a second or two.
REQUEST_S = 15.0  # from the first byte of a request to its last
MAX_WAITING = 256


class BoundedProtocol(H11Protocol):
    """uvicorn's HTTP/1.1 with these two bounds."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._due: asyncio.TimerHandle | None = None
        self._is_upgraded = False
        self._since = self.loop.time()

    @property
    def is_waiting(self) -> bool:
        """Whether we wait for the client to send the rest of a request, or its next one."""
        # Once it is whole we work on it, and the time is ours: no client is cut off for our slowness.
        return not self._is_upgraded and self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait; let the one go that waits longest where too many do."""
        super().connection_made(transport)
        waiting = [c for c in self.connections if isinstance(c, BoundedProtocol) and c.is_waiting]
        if len(waiting) > MAX_WAITING:
            # The oldest waits longest for what it may never send. Refusing the newest would shut out the owner.
            min(waiting, key=lambda c: c._since).transport.abort()
        self._watch()

    def data_received(self, data: bytes) -> None:
        """As uvicorn; the time runs until the request is whole."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """The end."""
        self._stop_timer()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """From here on it is a listener of the stream, who may be silent."""
        self._is_upgraded = True
        self._stop_timer()
        super().handle_websocket_upgrade(event)

    def _watch(self) -> None:
        if not self.is_waiting:
            self._stop_timer()
        elif self._due is None:
            # Not set anew with each byte: one byte every fourteen seconds would hold a place for ever.
            self._due = self.loop.call_later(REQUEST_S, self._abort_waiting)

    def _stop_timer(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None

    def _abort_waiting(self) -> None:
        self._due = None
        if self.is_waiting and not self.transport.is_closing():
            self.transport.abort()


PORT = 8420


def serve(
    path: Path,
    output_dir: Path,
    host: str = "127.0.0.1",
    port: int = PORT,
    allow_hosts: tuple[str, ...] = (),
    directories: tuple[Path, ...] = (),
    say: Callable[[str], None] = print,
    as_json: bool = False,
    include: tuple[str, ...] = (),
) -> None:
    """Serve until Ctrl-C. The address, with a token where the user set none, is printed; with `as_json` as an object.

    `include` are globs of what is read, where several folders are served as one project.
    Raises ConfigError for an address beyond loopback without GRAPHBUS_TOKEN, UsageError for an address that is taken or
    none of this machine's.
    """
    own = read_own_token(os.environ)
    # Beyond this machine only with a token that somebody chose: one that we print would be copied into a chat.
    check_binding(host, own)
    token = own or secrets.token_urlsafe(24)
    stream = Stream()
    workspace = Workspace(path, output_dir, stream.publish, directories, include)
    listening = _listen(host, port)
    port = listening.getsockname()[1]
    url = build_url(host, port)
    # Behind `#`: a fragment is never sent, so the token stands in no log of any server or proxy.
    address = url if own else f"{url}#token={token}"
    if as_json:
        # With a token of the user's own it is not printed, not even here.
        say(json.dumps({"url": url, "token": None if own else token, "pid": os.getpid()}))
    else:
        hint = "\n\nIn a browser add #token= and your GRAPHBUS_TOKEN to it." if own else ""
        # Said, since a misspelled folder may be meant; and no error, since documents and decisions need no agents.
        nobody = (
            "" if workspace.project.look().agents else "\n\nThere are no agents in it: nothing can be built or run."
        )
        say(f"GraphBus serves {path} at\n\n  {address}{hint}{nobody}\n\nCtrl-C stops it.")
    config = uvicorn.Config(
        SecurityHeadersMiddleware(
            Guard(
                create_app(workspace, stream),
                token,
                AllowedHosts(host, port, allow_hosts),
                find_seat=workspace.seats.find,
                explain_key=workspace.explain_key,
                find_spent=workspace.seats.find_spent,
            )
        ),
        http=BoundedProtocol,
        log_level="warning",
        # Listeners only send "I am here"; a larger frame is somebody trying what happens.
        ws_max_size=65_536,
        timeout_graceful_shutdown=3,
    )
    ApiServer(config, workspace).run(sockets=[listening])


class ApiServer(uvicorn.Server):
    """A server that stops the workspace before it waits for its connections: who waits for a node is let go."""

    def __init__(self, config: uvicorn.Config, workspace: Workspace) -> None:
        super().__init__(config)
        self.workspace = workspace

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End in order."""
        # Before the connections are waited for: each of them may be waiting for a node that only this lets go.
        await asyncio.to_thread(self.workspace.close)
        await super().shutdown(sockets)


def _listen(host: str, port: int) -> socket.socket:
    where = f"{format_address(host)}:{port}"
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    # A server that was just stopped leaves its port in TIME_WAIT, and the next start must not wait a minute.
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        if not strip_brackets(host):
            raise UsageError("--host is empty: leave it out, or give an address of this machine.")
        listening.bind((strip_brackets(host), port))
        listening.listen(512)  # before the address is said: whoever comes at once waits, and is not refused
    except (OSError, UnicodeError) as e:
        listening.close()
        if isinstance(e, OSError) and e.errno in (errno.EADDRINUSE, errno.EACCES):
            raise UsageError(f"Cannot listen on {where}: {e.strerror}. Give another port with --port.") from e
        why = (e.strerror if isinstance(e, OSError) else None) or e
        raise UsageError(f"Cannot listen on {where}: {why}. --host takes an address of this machine.") from e
    return listening


# `consent serve`: the seat pages of a project, and nothing else of it. Each link opens one seat.


PAGE = Path(__file__).parent / "page"
SEATS_PORT = 8421
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
class ListenAddress:
    """Where to listen. `certificate`, `key`: files for TLS; both or none."""

    host: str = "127.0.0.1"
    port: int = SEATS_PORT
    allowed: tuple[str, ...] = ()
    certificate: Path | None = None
    key: Path | None = None

    @property
    def is_secure(self) -> bool:
        """Whether it speaks TLS."""
        return self.certificate is not None


class SeatGuard(Guard):
    """The guard of the project's server without its token: each seat's key is looked at where the seat is."""

    def _find_refusal(
        self, scope: Scope, headers: dict[str, str], is_operator: bool, seat: Seat | None
    ) -> tuple[int, str, str] | None:
        # As if it were the page: the project's guard asks for the server's token, which no seat has.
        return super()._find_refusal({**scope, "path": "/page/seat"}, headers, is_operator, seat)


def create_seat_app(seats: LinkedSeats) -> Starlette:
    """The routes. The key comes as a bearer token: in the address it would stand in logs and histories."""

    async def serve_page(_: Request) -> Response:
        return FileResponse(PAGE / "seat.html", headers=HEADERS)

    def show_seat(request: Request) -> Response:
        seat_view = seats.describe_seat(_extract_key(request))
        return _refuse_key(seats, request) if seat_view is None else JSONResponse(seat_view, headers=HEADERS)

    async def take_answer(request: Request) -> Response:
        try:
            # Both are made what they must be here, before anything of ours is asked about them.
            request_body = json.loads(await request.body())
            question, body = str(request_body["question"]), dict(request_body["answer"])
        except (ValueError, KeyError, TypeError):
            return _render_failure(400, "malformed", 'Send {"question": ID, "answer": {…}}.')
        try:
            why = seats.answer(_extract_key(request), question, body)
        except KeyError:
            return _refuse_key(seats, request)
        except UsageError as e:
            return _render_failure(409, "conflict", str(e))
        except GraphBusError as e:
            return _render_failure(422, "invalid", str(e))
        return JSONResponse({"ok": True}, headers=HEADERS) if why is None else _render_failure(422, "invalid", why)

    def show_picture(request: Request) -> Response:
        svg = seats.render_picture(_extract_key(request))
        return (
            _refuse_key(seats, request) if svg is None else Response(svg, media_type="image/svg+xml", headers=HEADERS)
        )

    return Starlette(
        routes=[
            Route("/seat", serve_page),
            Route("/seats/me", show_seat),
            Route("/seats/picture", show_picture),
            Route("/seats/answer", take_answer, methods=["POST"]),
            *_list_key_routes(seats),
            Mount("/page", StaticFiles(directory=PAGE)),
        ]
    )


def _list_key_routes(seats: LinkedSeats) -> list[Route]:
    """What is done with a key itself: sit down, go on elsewhere, say that it was somebody else."""

    def sit_down(request: Request) -> Response:
        try:
            name, key = seats.sit_down(_extract_key(request))
        except KeyError:
            return _refuse_key(seats, request)
        except Conflict as e:  # somebody was faster, or it is one's own key already
            return _render_failure(409, "conflict", str(e))
        return JSONResponse({"name": name, "key": key}, 201, headers=HEADERS)

    def move(request: Request) -> Response:
        try:
            return JSONResponse({"key": seats.move(_extract_key(request))}, 201, headers=HEADERS)
        except KeyError:
            return _refuse_key(seats, request)

    def dispute(request: Request) -> Response:
        try:
            return JSONResponse({"name": seats.dispute(_extract_key(request))}, headers=HEADERS)
        except Conflict as e:
            return _render_failure(409, "conflict", str(e))

    return [
        Route("/seats/sessions", sit_down, methods=["POST"]),
        Route("/seats/links", move, methods=["POST"]),
        Route("/seats/disputes", dispute, methods=["POST"]),
    ]


def serve_seats(
    seats: LinkedSeats,
    links: Callable[[str], Sequence[str]],
    address: ListenAddress,
    say: Callable[[str], None] = print,
) -> None:
    """Serve until Ctrl-C. `links`: the lines to print for an address. Raises UsageError where it cannot listen."""
    if (address.certificate is None) != (address.key is None):
        raise UsageError("TLS takes both --tls-cert and --tls-key.")
    for file in (address.certificate, address.key):
        # Looked at before listening: uvicorn would fail with a trace of its own after the links were printed.
        if file is not None and not file.is_file():
            raise UsageError(f"{file}: there is no such file. --tls-cert and --tls-key take PEM files.")
    # Said and not refused. On a home network people know who listens, and the link still opens one seat alone.
    if not is_loopback(address.host) and not address.is_secure and not address.allowed:
        print(
            f"graphbus: without TLS anybody on the way to {address.host} can read links and answers. "
            "Give --tls-cert and --tls-key, or put a proxy with TLS before it (--allow-host NAME).",
            file=sys.stderr,
        )
    listening = _listen(address.host, address.port)
    port = listening.getsockname()[1]
    url = build_url(address.host, port)
    # Printed once it listens: whoever clicks at once must not find a closed door.
    for line in links(url.replace("http://", "https://") if address.is_secure else url):
        say(line)
    config = uvicorn.Config(
        SeatGuard(create_seat_app(seats), "-", AllowedHosts(address.host, port, address.allowed)),
        http=BoundedProtocol,
        log_level="warning",
        timeout_graceful_shutdown=3,
        ssl_certfile=str(address.certificate) if address.certificate else None,
        ssl_keyfile=str(address.key) if address.key else None,
    )
    uvicorn.Server(config).run(sockets=[listening])


def _extract_key(request: Request) -> str:
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    return key.strip() if scheme.lower() == "bearer" else ""


def _refuse_key(seats: LinkedSeats, request: Request) -> Response:
    """The same answer for a wrong key and for none: a stranger learns nothing by trying. Whoever has a link that was
    sent is told what became of it."""
    code, sentence = seats.links.explain(_extract_key(request))
    return _render_failure(
        401, code or "no_seat", sentence or "This link opens no seat. Ask whoever sent it for a new one."
    )


def _render_failure(status: int, code: str, message: str) -> Response:
    error_body: dict[str, Any] = {"error": {"code": code, "message": message, "path": None}}
    return JSONResponse(error_body, status, headers=HEADERS)
