"""The service as it was before a branch, beside the one that is shown: both are sent the same, and must answer alike.

A recorded answer tells of one payload. Here no answer is recorded: the code as it was gives it, so any payload may be
asked about, in sizes that no file in git would hold, in each form that JSON may have, and several at once. The code
before comes by its address, or by the command that starts it in a worktree of the commit that this branch is a change
of. It did not promise what it refused, nor what differs between two of its own answers.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

from graphbus_core.contracts import NOTHING
from graphbus_core.contracts.examples import generate_beside
from graphbus_core.contracts.parsing.contract import Contract
from graphbus_core.errors import ContractError
from graphbus_core.services.contract_sharing.answers import (
    find_beyond_doubles,
    find_change,
    keep_common,
    tell_beyond_doubles,
)
from graphbus_core.services.contract_sharing.changed_lines import find_base, find_changes, find_meant, read_before
from graphbus_core.services.contract_sharing.evidence import (
    Row,
    Surroundings,
    Terms,
    generate_sent,
    is_service,
    list_landmarks,
    send_body,
    wait_for_service,
)
from graphbus_core.services.contract_sharing.pins import LOCK, Pin
from graphbus_core.storage.git import run_git
from graphbus_core.text import format_count, shorten

START_S = 600.0  # to install, build and start what was there before
DETACHED_S = 60.0  # for what a command started that has ended well, as `docker compose up -d` does
AT_ONCE = 8
_LAST_CHARS = 600
_REFUSED = "it was refused"


class ServiceBefore:
    """Where the code as it was listens; started when it is first asked for, and stopped on leaving."""

    def __init__(self, before: str, folder: Path, stop: threading.Event | None = None) -> None:
        self._before = before  # an address, or a command
        self._folder = folder
        self._stop = stop  # set by another thread, where that hears Ctrl-C
        self._open = ExitStack()
        self._url = before if is_service(before) else ""
        self.name = "the code before this branch"

    def __enter__(self) -> ServiceBefore:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def find_url(self, beside: str, hosts: frozenset[str]) -> str:
        """Its address. `beside`: that of the service now; what is started has another port. Raises ContractError."""
        if not self._url:
            self._url = self._start(beside)
        elif _read_place(self._url) == _read_place(beside):
            raise ContractError(f"{self._url} is the service as it is now.")
        else:
            wait_for_service(self._url, hosts)
        return self._url

    def check_stop(self) -> None:
        """Raise KeyboardInterrupt once it was asked for."""
        if self._stop is not None and self._stop.is_set():
            raise KeyboardInterrupt

    def _start(self, beside: str) -> str:
        commit = find_base(self._folder, fetch=False)
        if commit is None:
            raise ContractError("git knows no commit before this one.")
        self.name = f"the code of {commit[:9]}"
        place = Path(self._open.enter_context(tempfile.TemporaryDirectory())) / "before"
        prefix = _ask_git(self._folder, "rev-parse", "--show-prefix")
        self._open.callback(run_git, self._folder, "worktree", "remove", "--force", str(place))
        _ask_git(self._folder, "worktree", "add", "--quiet", "--detach", str(place), commit)
        said = self._open.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - closed with the rest
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = int(free.getsockname()[1])
        with _hold_signals():
            process = subprocess.Popen(
                ["sh", "-c", self._before],
                cwd=place / prefix,
                env={**os.environ, "PORT": str(port)},
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                start_new_session=True,
            )
            self._open.callback(_end_group, process)
        self._wait(process, port, said)
        return urlsplit(beside)._replace(netloc=f"127.0.0.1:{port}").geturl()

    def _wait(self, process: subprocess.Popen[bytes], port: int, said: IO[bytes]) -> None:
        ends, has_ended = time.monotonic() + START_S, False
        while time.monotonic() < ends:
            self.check_stop()
            with suppress(OSError):
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                return
            if process.poll():
                break
            if process.returncode == 0 and not has_ended:
                ends, has_ended = min(ends, time.monotonic() + DETACHED_S), True
            time.sleep(0.05)
        said.seek(0)
        words = " ".join(said.read().decode("utf-8", "replace")[-_LAST_CHARS:].split()) or "It said nothing."
        if process.returncode:
            raise ContractError(f"{self.name}: `{self._before}` ended with code {process.returncode}: {words}")
        how = "ended well, and nothing listens" if has_ended else f"does not listen within {START_S:.0f} s"
        raise ContractError(f"{self.name}: `{self._before}` {how} on the port of its variable PORT: {words}")


@contextmanager
def _hold_signals() -> Iterator[None]:
    """What ends us waits for the end of a block: a process that was started is then known, and ended as well."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    kept = {
        number: signal.signal(number, lambda got, _: came.append(got)) for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in kept.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        if came:
            signal.raise_signal(came[0])


def _read_place(url: str) -> tuple[str, int | None]:
    """The machine and the port of an address."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    return "127.0.0.1" if host in ("localhost", "::1") else host, parts.port


def _ask_git(folder: Path, *words: str) -> str:
    try:
        done = run_git(folder, *words, timeout_s=START_S)
    except OSError as e:
        raise ContractError(f"the code before this branch is not known: {e}") from None
    if done.returncode:
        raise ContractError(f"git {words[0]}: {shorten(done.stderr.decode('utf-8', 'replace'), 300)}")
    return done.stdout.decode("utf-8", "replace").strip()


def _end_group(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def judge_before(before: ServiceBefore, pin: Pin, terms: Terms, around: Surroundings) -> Iterator[Row]:
    """Send the same to the service as it was and as it is. Red with the payload where it was answered otherwise."""
    if not find_changes(around.folder, fetch=False):
        return
    if not _was_pinned(pin, around.folder):
        yield Row("note", f"{pin.name} was not pinned before this branch, so nothing is compared with the code before.")
        return
    if commit := find_meant(around.folder, pin.name):
        yield Row("note", f"what is answered otherwise than before is meant: commit {commit} says so.")
        return
    url = around.services[0]
    try:
        old = before.find_url(url, around.hosts)
        yield from _compare(old, before, pin, terms, around)
    except ContractError as e:
        why = f"what {url} answered before this branch is not known: {e}"
        yield Row("unknown", f"{why} Mend --before, or say `Meant: {pin.name}` at the end of a commit message.")


def _was_pinned(pin: Pin, folder: Path) -> bool:
    """Whether this side was held to the contract before this branch."""
    text = read_before(folder, [LOCK]).get(LOCK) or ""
    wanted = {"name": pin.name, "side": pin.side}
    with suppress(ValueError):
        return any(json.loads(line).items() >= wanted.items() for line in text.splitlines() if line.strip())
    return False


def _compare(old: str, before: ServiceBefore, pin: Pin, terms: Terms, around: Surroundings) -> Iterator[Row]:
    url, name = around.services[0], before.name
    sent = generate_sent(terms, around.landmarks)
    landmarks = list_landmarks(terms, around.landmarks)
    beside = generate_beside(Contract.from_json_schema(terms.schemas["producer"]), landmarks)
    count = refused = 0
    rounded: list[tuple[Any, Any]] = []

    def ask(one: tuple[int, Any]) -> tuple[str | None, list[Any]]:
        return _find_difference(old, url, write_body(one[1], one[0]), around.hosts)

    numbered = enumerate(chain(sent, beside))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        while some := list(islice(numbered, AT_ONCE * 8)):
            before.check_stop()
            for (_, payload), (why, numbers) in zip(some, pool.map(ask, some), strict=True):
                count += 1
                rounded += [(number, payload) for number in numbers[:1]]
                refused += why == _REFUSED
                if why not in (None, _REFUSED):
                    meant = f"If that is meant, say `Meant: {pin.name}` at the end of a commit message"
                    yield Row("breaks", f"POST {url} answers another thing than {name}: {why}. {meant}.", payload)
                    return
    if 2 * refused > count:  # a service that lacks its database takes nothing, and would say so of any change
        raise ContractError(f"{name} refuses {refused} of {count} payloads, or does not answer.")
    more = f", and {refused} that it refused are taken" if refused else ""
    yield from tell_beyond_doubles(url, rounded)
    yield Row(
        "holds", f"{url} answers {format_count(count - refused, 'payload')} of {terms.label} as {name} does{more}."
    )


def write_body(payload: Any, number: int) -> bytes:
    """A payload as JSON: by turns in ASCII, or in UTF-8 with its keys in the other order, or laid out in lines."""
    if number % 3 == 1:
        return json.dumps(_turn(payload), ensure_ascii=False).encode("utf-8", "replace")
    return json.dumps(payload, indent=1 if number % 3 else None).encode()


def _turn(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _turn(inner) for key, inner in reversed(value.items())}
    return [_turn(inner) for inner in value] if isinstance(value, list) else value


def _find_difference(old: str, url: str, body: bytes, hosts: frozenset[str]) -> tuple[str | None, list[Any]]:
    """In which a reply is another one now; _REFUSED where there is none before that it could be held against. And the
    numbers that differ as doubles round them. Raises ContractError where the service as it was listens no more."""
    reply = send_body(old, body, hosts)
    try:
        reply_now = send_body(url, body, hosts)
    except ContractError:
        reply_now = 0, ""  # it ended at this, or at another one that was sent beside it
    if reply == reply_now:
        return None, []
    was, now = _read_reply(reply), _read_reply(reply_now)
    if was is NOTHING:
        return _REFUSED if now is not NOTHING else None, []
    again = _read_reply(send_body(old, body, hosts))
    if again is NOTHING:
        return _REFUSED, []
    if now is NOTHING:
        return "it was taken, and is refused", []
    same = keep_common(was, again)
    return None if same is NOTHING else find_change(same, now, "the answer"), find_beyond_doubles(same, now)


def _read_reply(reply: tuple[int, str]) -> Any:
    """What is answered, as JSON or as it is written; NOTHING where the payload is refused."""
    status, text = reply
    if not 200 <= status < 300:
        return NOTHING
    try:
        return json.loads(text)
    except ValueError:
        return text
