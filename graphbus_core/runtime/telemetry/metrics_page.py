"""`graphbus run --metrics`: `GET /metrics` in Prometheus' text and `GET /health`, on a port of their own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from graphbus_core.errors import ConfigError
from graphbus_core.runtime.telemetry.prometheus import (
    CONTENT_TYPE,
    OPENMETRICS_TYPE,
    convert_to_openmetrics,
    wants_openmetrics,
)


class MetricsPage:
    """`GET /metrics` in Prometheus' text, `GET /health`, on a port of their own, in a thread. `reasons`: why it is not
    ready, a sentence each; none where it is.
    """

    def __init__(self, where: str, text: Callable[[], str], reasons: Callable[[], Sequence[str]]) -> None:
        host, _, port = where.rpartition(":")
        try:
            number = int(port)
            self._server = ThreadingHTTPServer((host or "127.0.0.1", number), _build_handler(text, reasons))
        except (ValueError, OverflowError):
            raise ConfigError(f"--metrics {where!r} is not an address; use PORT or HOST:PORT.") from None
        except OSError as error:
            raise ConfigError(f"--metrics {where}: {error.strerror or error}; use a port that is free.") from None
        self.port: int = self._server.server_address[1]
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, name="graphbus-metrics", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Answer no more."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5.0)


def _build_handler(text: Callable[[], str], reasons: Callable[[], Sequence[str]]) -> type[BaseHTTPRequestHandler]:
    class MetricsHandler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            """The two pages that there are."""
            path = self.path.partition("?")[0]
            if path == "/metrics" and wants_openmetrics(self.headers.get("Accept", "")):
                self._answer(200, OPENMETRICS_TYPE, convert_to_openmetrics(text()))
            elif path == "/metrics":
                self._answer(200, CONTENT_TYPE, text())
            elif path in ("/health", "/health/ready"):
                why = "".join(f"{reason}\n" for reason in reasons())
                body = f"not ready\n{why}" if why else "ready\n"
                self._answer(503 if why else 200, "text/plain; charset=utf-8", body)
            else:
                self._answer(404, "text/plain; charset=utf-8", "There is /metrics, /health and /health/ready.\n")

        def _answer(self, status: int, kind: str, body: str) -> None:
            data = body.encode()
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            """A scrape every few seconds is not news."""

    return MetricsHandler
