"""What a run shows: a line of JSON for programs, a line of text for people; and where its log goes."""

from __future__ import annotations

import json
import logging
import sys
import threading
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TextIO

from graphbus_core.text import escape_line, format_count

if TYPE_CHECKING:
    from graphbus_core.model.message import Event
    from graphbus_core.services.run_command import TracedCall


class JsonView:
    """For programs: one JSON object a line."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._lock = threading.Lock()

    def _write_line(self, **data: Any) -> None:
        from graphbus_core.services.run_command import dump_one_line

        with self._lock:
            # One write: workers share this output, and unbuffered (`python -u`) `print` makes two of a line.
            self._out.write(f"{dump_one_line(data)}\n")
            self._out.flush()

    def ready(self, nodes: list[str]) -> None:
        self._write_line(ready=nodes)

    def event(self, event: Event, handlers: list[str]) -> None:
        self._write_line(event=event.to_dict(), handlers=handlers)

    def result(self, call: str, value: Any) -> None:
        self._write_line(call=call, result=value)

    def problem(self, what: str) -> None:
        self._write_line(problem=what)

    def show_reload(self, what: str) -> None:
        self._write_line(reloaded=what)

    def show_trace(self, trace: TracedCall) -> None:
        self._write_line(traced=asdict(trace))

    def summary(self, stats: dict[str, Any]) -> None:
        self._write_line(stats=stats)


class LineView:
    """For people: a line an event, with who hears it, and a table at the end."""

    def __init__(self, out: TextIO, *, quiet: bool) -> None:
        from rich.console import Console

        self._console = Console(file=out, highlight=False, emoji=False, soft_wrap=True)
        self._quiet = quiet

    def ready(self, nodes: list[str]) -> None:
        run = "is" if len(nodes) == 1 else "are"
        some = f"{', '.join(nodes[:8])}{', …' if len(nodes) > 8 else ''}"
        print(f"{format_count(len(nodes), 'node')} {run} running: {some}.", end=" ")
        print("Every event is shown; Ctrl-C stops.", flush=True)

    def event(self, event: Event, handlers: list[str]) -> None:
        from rich.text import Text

        from graphbus_core.services.run_command import dump_one_line

        line = Text.assemble(
            (f"{format_time(event.timestamp)} ", "dim"),
            ("↳ " if event.cause else "", "dim"),
            (event.topic, "bold cyan"),
            (f"  {event.src} → {', '.join(handlers) or 'nobody'}  ", "dim"),
            escape_line(dump_one_line(event.payload, ensure_ascii=False)[:300]),
        )
        self._console.print(line)

    def result(self, call: str, value: Any) -> None:
        from graphbus_core.services.run_command import convert_to_json

        text = value if isinstance(value, str) else json.dumps(convert_to_json(value), indent=2, ensure_ascii=False)
        self._console.print(text, markup=False)

    def problem(self, what: str) -> None:
        print(f"graphbus: {what}", file=sys.stderr)

    def show_trace(self, trace: TracedCall) -> None:
        from rich.text import Text

        from graphbus_core.services.run_command import dump_one_line

        where = {"handler": f"on {trace.topic}", "asked": "in another process", "answered": "for another process"}
        line = Text.assemble(
            (f"{format_time(trace.at)} ", "dim"),
            ("  " * trace.depth, ""),
            (trace.name, "bold"),
            escape_line(dump_one_line(trace.arguments, ensure_ascii=False)[:200]),
            (f"  {where.get(trace.kind, '')}  from {trace.inside or trace.src}  {1000 * trace.took_s:.1f} ms", "dim"),
            (f"  raised {trace.error}" if trace.error else "", "bold red"),
        )
        self._console.print(line)

    def show_reload(self, what: str) -> None:
        self._console.print(f"{format_time(None)} reloaded  {what}", style="bold", markup=False)

    def summary(self, stats: dict[str, Any]) -> None:
        bus = stats["message_bus"]
        if bus is None or (self._quiet and not bus["messages_published"]):
            return
        for topic, row in bus["topics"].items():
            delivery_text = "for other processes" if row.get("elsewhere") else f"{row['delivered']} delivered"
            parts = [f"{row['published']} published", delivery_text]
            parts += [f"{row[k]} {k}" for k in ("failed", "dropped", "in_flight") if row[k]]
            self._console.print(f"{topic}: {', '.join(parts)}", style="dim")


def allow_any_text(out: TextIO) -> None:
    """What the encoding of the terminal or pipe cannot say is written out (`\\u2603`), and no failure."""
    reconfigure = getattr(out, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")


def format_time(timestamp: float | None) -> str:
    return time.strftime("%H:%M:%S", time.localtime(timestamp if timestamp is not None else time.time()))


def log_to_stderr(verbose: bool) -> None:
    """Failures are shown by the views; the log says more for who asks."""
    logger = logging.getLogger("graphbus")
    if verbose:
        logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    else:
        logger.addHandler(logging.NullHandler())
        logger.propagate = False
