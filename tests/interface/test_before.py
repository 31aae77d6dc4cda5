"""The service as it was before a branch, beside the one that is shown: what no recorded answer tells is seen."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from graphbus_core.services.contract_sharing.answers import find_beyond_doubles, find_change, tell_beyond_doubles
from graphbus_core.services.contract_sharing.service_before import write_body
from tests.interface.test_sharing import git, verify
from tests.interface.test_verdicts import push

SERVICE = '''"""Takes an order."""

import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SEEN = {}


def read(text):
    order = json.loads(text)
    note = order.get("note", "")
    return {"order": order["id"], "size": len(note)}


class Service(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.reply({})

    def do_POST(self):
        self.reply(read(self.rfile.read(int(self.headers["content-length"])).decode()))

    def reply(self, answer):
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Service).serve_forever()
'''
BEFORE = ("--before", f"{sys.executable} serve.py")


@contextmanager
def running(folder: Path, port: int) -> Iterator[str]:
    """The service of a working copy, as it stands there now."""
    url = f"http://127.0.0.1:{port}/orders"
    process = subprocess.Popen([sys.executable, "serve.py"], cwd=folder, env={**os.environ, "PORT": str(port)})
    try:
        for _ in range(200):
            try:
                urlopen(url, timeout=5).close()
                break
            except OSError:
                time.sleep(0.05)
        yield url
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@pytest.fixture
def billing(clones: tuple[Path, Path]) -> Path:
    """The consumer, with a service on its main branch."""
    (clones[1] / "serve.py").write_text(SERVICE)
    push(clones[1])
    return clones[1]


def change(billing: Path, old: str, new: str, message: str = "change") -> None:
    """Edit the service on a branch."""
    assert SERVICE.count(old) == 1
    (billing / "serve.py").write_text(SERVICE.replace(old, new))
    git(billing, "checkout", "-q", "-B", "change")
    git(billing, "commit", "-qam", message)
    git(billing, "push", "-q", "origin", "change")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('order.get("note", "")', 'order.get("note", "")[:3000]', " and is 3000."),
        ('order.get("note", "")', 'order.get("note", "")[: 2**14]', " and is 16384."),
        ("len(note)}", 'len(note) + note.count("gift!")}', "the answer.size was"),
        ('order["id"]', "next(iter(order.values()))", "the answer.order was"),
        ('order["id"]', 'SEEN.setdefault(order["id"], order)["id"] + len(SEEN) // 99', "the answer.order was"),
        ('order["id"]', 'order["id"] + (order["id"] % 97 == 50)', "the answer.order was"),
    ],
)
def test_what_is_answered_otherwise_than_before_is_red_on_both_sides(
    old: str, new: str, said: str, billing: Path, free_port: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """A size beyond what is recorded, a text that the code names, keys in another order, what requests leave behind, a
    number that nobody thought of: no answer is recorded to any of them."""
    change(billing, old, new)
    with running(billing, free_port) as url:
        code, told = verify(billing, capsys, "--against", url, *BEFORE, "--publish", "change")
    assert (code, said in told, "payload   " in told) == (1, True, True), told
    code, told = verify(billing.parent / "shop", capsys)
    assert (code, said in told, "payload   " in told) == (1, True, True), told


@pytest.mark.parametrize(
    ("old", "new", "message", "said"),
    [
        ("len(note)}", 'len(note), "at": os.getpid()}', "more is said", "as the code of"),
        ("len(note)}", "sum(1 for _ in note)}", "other words", "as the code of"),
        ("len(note)}", "2 * len(note)}", "sizes in bytes\n\nMeant: orders", "is meant: commit"),
        ("len(note)}", "2 * len(note)}", "sizes in bytes\n\nMeant: others", "answers another thing"),
    ],
)
def test_what_is_answered_alike_or_meant_is_green(
    old: str, new: str, message: str, said: str, billing: Path, free_port: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is added to an answer is free, and a commit may say that another one is meant."""
    change(billing, old, new, message)
    with running(billing, free_port) as url:
        code, told = verify(billing, capsys, "--against", url, *BEFORE)
    assert (code, said in told) == (int("others" in message), True), told
    assert git_worktrees(billing) == 1


def git_worktrees(folder: Path) -> int:
    """How many work trees git knows of a repository."""
    words = ["git", "-C", str(folder), "worktree", "list"]
    return len(subprocess.run(words, check=True, capture_output=True).stdout.splitlines())


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("echo no such package; exit 7", "ended with code 7: no such package"),
        ("http://127.0.0.1:9/orders", "does not answer"),
        ("echo it runs", "ended well, and nothing listens on the port of its variable PORT: it runs"),
        ("sleep 600", "does not listen within 2 s on the port of its variable PORT: It said nothing."),
        ("THE SERVICE", "is the service as it is now."),
    ],
)
def test_code_before_that_cannot_be_run_is_not_known(
    before: str,
    said: str,
    billing: Path,
    free_port: int,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It passes nothing, and says what to mend; the work tree is gone."""
    monkeypatch.setattr("graphbus_core.services.contract_sharing.evidence.START_S", 0.2)
    monkeypatch.setattr("graphbus_core.services.contract_sharing.service_before.START_S", 2.0)
    monkeypatch.setattr("graphbus_core.services.contract_sharing.service_before.DETACHED_S", 0.5)
    change(billing, "len(note)}", "len(note) * 1}")
    with running(billing, free_port) as url:
        before = url.replace("127.0.0.1", "localhost") if before == "THE SERVICE" else before
        code, told = verify(billing, capsys, "--against", url, "--before", before)
        assert (code, said in told, "Meant: orders" in told) == (3, True, True), told
        assert git_worktrees(billing) == 1
        # Nothing is compared where nothing was pinned before, or nothing is changed.
        git(billing, "checkout", "-q", "main")
        assert verify(billing, capsys, "--against", url, "--before", before)[0] == 3
        git(billing, "commit", "-q", "--allow-empty", "-m", "nothing")
        git(billing, "push", "-q", "origin", "main")
        assert verify(billing, capsys, "--against", url, "--before", before)[0] == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_ends_it_leaves_nothing_behind(number: int, billing: Path, free_port: int) -> None:
    """Ctrl-C, and the signal with which CI ends a step, while the code before is being started."""
    change(billing, "len(note)}", "len(note) * 1}")
    begun = billing.parent / "pid"
    ours = [sys.executable, "-c", "from graphbus_core.cli.main import entry; entry()", "contracts", "verify"]
    with running(billing, free_port) as url:
        words = [*ours, "--against", url, "--before", f"echo $$ > {begun}; exec sleep 600"]
        with subprocess.Popen(words, cwd=billing, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
            while process.poll() is None and not (begun.is_file() and begun.read_text().endswith("\n")):
                time.sleep(0.05)
            process.send_signal(number)
            told = process.communicate(timeout=60)[0]
    assert (process.returncode, b"Interrupted." in told, git_worktrees(billing)) == (130, True, 1), told
    with pytest.raises(ProcessLookupError):
        os.kill(int(begun.read_text()), 0)


def test_a_comparison_with_nothing_is_not_known(billing: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--before` alone passes nothing; who sends is told what there is in its place."""
    code, told = verify(billing, capsys, "--before", "true")
    assert (code, "--before has no service beside it" in told) == (3, True), told
    assert "--before is for who takes" in verify(billing.parent / "shop", capsys, "--before", "true")[1]


def test_code_before_that_takes_nothing_says_nothing(
    billing: Path, free_port: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a service without its database: what it refuses is no promise, so that would be a yes to any change."""
    (billing / "serve.py").write_text(SERVICE.replace("send_response(200)", "send_response(500)"))
    push(billing)
    (billing / "serve.py").write_text(SERVICE)
    push(billing, "change")
    with running(billing, free_port) as url:
        code, told = verify(billing, capsys, "--against", url, *BEFORE)
    assert (code, "payloads, or does not answer" in told) == (3, True), told


def test_a_body_has_each_form_that_json_may_have() -> None:
    """In ASCII, in UTF-8 with its keys in the other order, and in lines."""
    payload = {"a": "é", "b": [{"c": 1, "d": 2}]}
    assert [write_body(payload, number).decode() for number in range(3)] == [
        '{"a": "\\u00e9", "b": [{"c": 1, "d": 2}]}',
        '{"b": [{"d": 2, "c": 1}], "a": "é"}',
        '{\n "a": "\\u00e9",\n "b": [\n  {\n   "c": 1,\n   "d": 2\n  }\n ]\n}',
    ]


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        (2**60, 2.0**60 + 512, None),
        (0.1 + 0.2, 0.3, None),
        (2**53 - 1, 2**53 - 2, None),
        (4294963002333814, 4294963002333815, None),
        (4294963002333814, 4294963002333819, "the answer was 4294963002333814 and is 4294963002333819"),
        (2**49, 2**49 + 1, "the answer was 562949953421312 and is 562949953421313"),
        (3, 3.01, "the answer was 3 and is 3.01"),
        ([{"a": 1, "b": 2}], [{"a": 1, "b": 3}], "the answer[0].b was 2 and is 3"),
        ([1], [1, 2], "the answer was [1] and is [1, 2]"),
        (1, True, "the answer was 1 and is true"),
    ],
)
def test_numbers_that_no_double_holds_may_differ_in_their_last_digits(
    before: object, now: object, said: str | None
) -> None:
    """A sum in another order is no other sum; an integer that a double holds is exact, but where a step beyond 2**53 on
    the way loses something of it (totals in tenths of a cent)."""
    assert find_change(before, now, "the answer") == said


def test_last_digits_of_large_numbers_are_told_once() -> None:
    """What is added to an answer is free, and a fraction in another order of sums is nothing to tell."""
    before, now = {"a": [0.1 + 0.2, 2**53], "b": 2**52 + 1}, {"a": [0.3, 2**53 + 2], "b": 2**52, "c": 2**60}
    assert (find_change(before, now, "the answer"), find_beyond_doubles(before, now)) == (None, [2**53, 2**52 + 1])
    (row,) = tell_beyond_doubles("http://here", [(2**53, {"id": 1}), (2**52, {"id": 2})])
    assert (row.state, "answers 2 payloads" in row.message, '9007199254740992, of {"id": 1}' in row.message) == (
        "note",
        True,
        True,
    )
    assert not list(tell_beyond_doubles("http://here", []))
