"""Every row of the reference's fault table, tried with many processes at once. Each row gives (tried, violations).

`crowd` forks real processes that begin at the same instant; each runs one command of `graphbus negotiate` and its exit
code is what counts, as for any agent. Used by `benchmarks/directory.py` at full length and by the tests in small.
"""

from __future__ import annotations

import io
import os
import re
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from graphbus_core.cli.negotiate import operations
from graphbus_core.negotiation.document.model import Settings
from graphbus_core.sessions.document.directory import NegotiationDirectory

Row = Callable[[Path, int], tuple[int, int]]
NAMES = ("agent-alpha", "agent-beta")


def quiet(work: Callable[[], int]) -> int:
    """Run a command without its output."""
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        return work()


def spawn(work: Callable[[], int], gate: int | None = None) -> int:
    """A process that runs `work` and exits with its code; with `gate`, when that pipe closes. Returns its id."""
    pid = os.fork()
    if pid:
        return pid
    code = 99
    try:
        if gate is not None:
            os.read(gate, 1)
        sys.stdout, sys.stderr = io.StringIO(), io.StringIO()
        code = work()
    finally:
        os._exit(code)


def crowd(works: list[Callable[[], int]]) -> list[int]:
    """Run all at the same instant, each in a process of its own; their exit codes."""
    gate, release = os.pipe()
    pids = []
    for work in works:
        pid = os.fork()
        if pid == 0:
            code = 99
            try:
                os.close(release)
                os.read(gate, 1)
                sys.stdout, sys.stderr = io.StringIO(), io.StringIO()
                code = work()
            finally:
                os._exit(code)
        pids.append(pid)
    os.close(gate)
    os.close(release)
    return [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids]


def opened(root: Path, agents: int = 2, register: bool = True, **settings: float) -> Path:
    """A negotiation with its agents registered."""
    where = NegotiationDirectory(root)
    where.init(Settings(expected_agents=agents, **settings))  # type: ignore[arg-type]
    if register:
        for number in range(agents):
            where.register(NAMES[number] if number < 2 else f"agent-{number + 1}")
    return root


def turn(root: Path) -> str:
    """The word in turn.md."""
    return (root / "turn.md").read_text().strip()


def say(root: Path, stem: str, *entries: tuple[str, str], status: str = "OPEN", decision: str = "") -> None:
    """Write a position file by hand."""
    text = "# Positions\n\n" + "".join(f"## {who}'s position (round 1)\n{said}\n\n" for who, said in entries)
    (root / "positions" / f"{stem}.md").write_text(text + f"## Status: {status}\n{decision}\n")


def begun(root: Path, offer: bool = False, **settings: float) -> tuple[Path, str]:
    """Two agents, one issue, the first agent's position given, the second agent's turn."""
    where = NegotiationDirectory(root)
    where.init(Settings(**settings))  # type: ignore[arg-type]
    stem = where.add_issue("storage").data["file"][:-3]
    for name in NAMES:
        where.register(name)
    where.write(NAMES[0], stem, "Files.", "offer" if offer else "position")
    assert where.hand_off(NAMES[0]).ok
    return root, stem


def initializers(root: Path, n: int) -> tuple[int, int]:
    """Two initializers."""
    codes = Counter(crowd([lambda: operations.init(root / "d", Settings())] * n))
    return n, abs(codes[0] - 1) + (n - codes[0] - codes[3])


def missing_parent(root: Path, n: int) -> tuple[int, int]:
    """`init` on a missing parent, or after a crash right after `mkdir`."""
    bad = 0
    for name in ("a/b/c", "bare"):
        if name == "bare":
            (root / name).mkdir()
        codes = Counter(crowd([lambda name=name: operations.init(root / name, Settings())] * n))  # type: ignore[misc]
        bad += abs(codes[0] - 1) + (n - codes[0] - codes[3])
        bad += quiet(lambda name=name: operations.register(root / name, "agent-alpha")) != 0  # type: ignore[misc]
    return 2 * n, bad


def same_name(root: Path, n: int) -> tuple[int, int]:
    """One name registered more than once."""
    opened(root / "d", register=False)
    codes = Counter(crowd([lambda: operations.register(root / "d", "agent-alpha")] * n))
    lines = (root / "d" / "agents.md").read_text().count("- agent-alpha ")
    return n, abs(codes[0] - 1) + (n - codes[0] - codes[1]) + abs(lines - 1)


def prefixes(root: Path, n: int) -> tuple[int, int]:
    """A distinct participant refused because its id is a prefix of another's."""
    opened(root / "d", max(2, n), register=False)

    def join(number: int) -> int:
        for variable in operations.SESSION_VARIABLES:
            os.environ.pop(variable, None)
        os.environ["NEGOTIATE_PARTICIPANT_ID"] = "team" + "1" * number
        return operations.register(root / "d", f"agent-{number}")

    codes = crowd([lambda k=k: join(k) for k in range(n)])  # type: ignore[misc]
    again = crowd([lambda k=k: 0 if join(k) == 1 else 1 for k in range(n)])  # type: ignore[misc]
    return 2 * n, sum(map(bool, codes)) + sum(again)


def deadline(root: Path, n: int) -> tuple[int, int]:
    """The registration deadline never written."""
    opened(root / "d", max(2, n + 1), register=False)
    crowd([lambda k=k: operations.register(root / "d", f"agent-{k}") for k in range(n)])  # type: ignore[misc]
    found = re.findall(
        r"^- \*\*registration_deadline:\*\* \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$", (root / "d/meta.md").read_text(), re.M
    )
    return n, abs(len(found) - 1)


def issue_numbers(root: Path, n: int) -> tuple[int, int]:
    """Duplicate issue numbers, and files lost with one topic."""
    bad = 0
    for place, topic in (("many", "topic {}"), ("one", "the topic")):
        opened(root / place, register=False)
        works = [lambda k=k, p=place, t=topic: operations.create_issue(root / p, t.format(k)) for k in range(n)]  # type: ignore[misc]
        bad += sum(map(bool, crowd(works)))
        found = [path.name.partition("-")[0] for path in (root / place / "issues").iterdir()]
        bad += n - len(set(found))
    return 2 * n, bad


def octal(root: Path, n: int) -> tuple[int, int]:
    """Numbering stuck after issue 07."""
    where = NegotiationDirectory(opened(root / "d", register=False))
    found = [where.add_issue(f"t{k}").data["number"] for k in range(12)]
    return 12, sum(a != b for a, b in zip(found, range(1, 13), strict=True))


def stolen(root: Path, n: int) -> tuple[int, int]:
    """Hand-off by someone who does not hold the turn."""
    where = opened(root / "d", 3)
    codes = crowd(
        [lambda k=k: operations.hand_off(where, ("agent-beta", "agent-3", "nobody")[k % 3]) for k in range(n)]
    )  # type: ignore[misc]
    return n, sum(code != 1 for code in codes) + (turn(where) != "agent-alpha")


def late_start(root: Path, n: int) -> tuple[int, int]:
    """A late `wait-for-start` resets the turn; a hand-off revives `done`."""
    where, stem = begun(root / "d", offer=True)
    codes = crowd([lambda k=k: operations.wait_for_start(where, NAMES[k % 2]) for k in range(n)])  # type: ignore[misc]
    bad = sum(map(bool, codes)) + (turn(where) != "agent-beta")
    one = NegotiationDirectory(where)
    one.write("agent-beta", stem, "Files.")
    one.write("agent-beta", stem, "Files.", status="AGREED")
    (where / "final.md").write_text("Files.\n")
    bad += quiet(lambda: operations.finish(where)) != 1  # it waits for the other's acceptance
    one.hand_off("agent-beta")
    bad += quiet(lambda: operations.finish(where)) != 0
    crowd([lambda k=k: operations.wait_for_start(where, NAMES[k % 2]) for k in range(n)])  # type: ignore[misc]
    codes = crowd([lambda k=k: operations.hand_off(where, NAMES[k % 2]) for k in range(n)])  # type: ignore[misc]
    polls = crowd([lambda k=k: operations.poll(where, NAMES[k % 2]) for k in range(n)])  # type: ignore[misc]
    return 4 * n, bad + sum(c != 1 for c in codes) + sum(c != 2 for c in polls) + (turn(where) != "done")


def never_polled(root: Path, n: int) -> tuple[int, int]:
    """A holder that never polled is skipped, and once."""
    timeout = 0.3 + 0.02 * n  # the crowd itself must be done within the next holder's six times of it
    where = opened(root / "d", turn_timeout_s=timeout)
    time.sleep(timeout + 0.05)
    crowd([lambda: operations.poll(where, "agent-beta")] * n)
    facts = [e.event.kind for e in NegotiationDirectory(where).list_facts()]
    return n, abs(facts.count("turn_skipped") - 1)


def slow_but_alive(root: Path, n: int) -> tuple[int, int]:
    """A slow holder that keeps polling is not skipped."""
    timeout = 3.0 + 0.02 * n  # so many processes on few cores, beside others: the holder must get its share
    where = opened(root / "d", turn_timeout_s=timeout)

    def alive() -> int:
        ends = time.monotonic() + 2.2 * timeout
        while time.monotonic() < ends:
            if operations.poll(where, "agent-alpha") != 0:
                return 1
            time.sleep(timeout / 10)
        return 0

    def other() -> int:
        for _ in range(3):
            operations.poll(where, "agent-beta")
            time.sleep(0.7 * timeout)
        return 0

    codes = crowd([alive] + [other] * (n - 1))
    return n, sum(map(bool, codes))


def nobody(root: Path, n: int) -> tuple[int, int]:
    """Nobody registers: nobody waits for ever. One registers: it is told that they were too few."""
    where = opened(root / "d", register=False, registration_window_s=0.3)
    codes = crowd([lambda: operations.wait_for_start(where, "agent-alpha")] * n)
    bad = sum(code != 1 for code in codes)
    quiet(lambda: operations.register(where, "agent-alpha"))
    codes = crowd([lambda: operations.wait_for_start(where, "agent-alpha")] * n)
    return 2 * n, bad + sum(code != 2 for code in codes)


def empty_finish(root: Path, n: int) -> tuple[int, int]:
    """`finish` with no issues and no agents; with self-agreement; with `AGREED to disagree`."""
    bare = opened(root / "bare", register=False)
    none = opened(root / "none")
    alone = opened(root / "alone")
    stem = NegotiationDirectory(alone).add_issue("storage").data["file"][:-3]
    say(alone, stem, ("agent-alpha", "Files."), status="AGREED", decision="Files.")
    odd, stem = begun(root / "odd")
    say(odd, stem, ("agent-alpha", "Files."), ("agent-beta", "No."), status="AGREED to disagree")
    places = (bare, none, alone, odd)
    for where in places:
        (where / "final.md").write_text("Files.\n")
    codes = crowd([lambda k=k: operations.finish(places[k % 4]) for k in range(n)])  # type: ignore[misc]
    return n, sum(code != 1 for code in codes) + sum(turn(w) == "done" for w in places)


def escalated(root: Path, n: int) -> tuple[int, int]:
    """One escalated issue can never finish: it can, ruled on or named as unresolved."""
    bad = 0
    for place in ("named", "ruled"):
        where, stem = begun(root / place, offer=True, max_rounds=1)
        one = NegotiationDirectory(where)
        one.write("agent-beta", stem, "No files.")
        one.write("agent-beta", stem, "Files or not.", status="ESCALATE")
        if place == "ruled":
            bad += not one.rule(stem, "Files it is.").ok
        (where / "final.md").write_text("Files it is.\n" if place == "ruled" else "Unresolved: storage.\n")
        one.finish()
        one.hand_off(one.read_state().holder)
        codes = Counter(crowd([lambda w=where: operations.finish(w)] * n))  # type: ignore[misc]
        bad += n - codes[0]
    return 2 * n, bad


def no_status(root: Path, n: int) -> tuple[int, int]:
    """A position file without a Status line: `status` gives its summary."""
    where, stem = begun(root / "d")
    path = where / "positions" / f"{stem}.md"
    path.write_text(path.read_text().replace("## Status: OPEN", ""))
    out = io.StringIO()
    with redirect_stdout(out):
        code = operations.show_status(where)
    codes = crowd([lambda: operations.show_status(where)] * n)
    return n + 1, sum(map(bool, codes)) + bool(code) + ("1 issue: 1 OPEN" not in out.getvalue())


def dead_owner(root: Path, n: int) -> tuple[int, int]:
    """A lock whose owner died: everybody goes on at once."""
    where = opened(root / "d")

    def hold() -> int:
        with NegotiationDirectory(where).hold():
            os.kill(os.getpid(), signal.SIGKILL)
        return 0

    crowd([hold])
    begin = time.monotonic()
    codes = crowd([lambda: operations.poll(where, "agent-alpha")] * n)
    return n, sum(map(bool, codes)) + (time.monotonic() - begin > 20)


def spaced_path(root: Path, n: int) -> tuple[int, int]:
    """A space in the path: drafted issues are merged."""
    where = root / "a plan, ein Plan, 計画"
    NegotiationDirectory(where).init(Settings(rigorous=True))
    for name in NAMES:
        NegotiationDirectory(where).register(name)
        (where / "analysis").mkdir(exist_ok=True)
        (where / "analysis" / f"{name}.md").write_text("They differ.\n")
        for k in range(3):
            path = where / "issues-draft" / name / f"{k + 1:02d}-t{k}.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"# Issue: {name} asks {k}\n\n## Question\nWhat of {name}{k} and {k}{name}?\n")
    crowd([lambda k=k: operations.submit_analysis(where, NAMES[k % 2]) for k in range(max(2, n))])  # type: ignore[misc]
    found = sorted(path.name[:2] for path in (where / "issues").iterdir())
    return n, abs(len(found) - 6) + (found != [f"{k:02d}" for k in range(1, 7)]) + (turn(where) != "agent-alpha")


def torn_turn(root: Path, n: int) -> tuple[int, int]:
    """`turn.md` read while being written: never empty."""
    where = opened(root / "d", max_rounds=1000)
    rounds, looks = 15, 200

    def hand(name: str) -> int:
        one = NegotiationDirectory(where)
        done = 0
        ends = time.monotonic() + 60
        while done < rounds and time.monotonic() < ends:
            done += one.hand_off(name).ok
            time.sleep(0.002)
        return 0 if done == rounds else 1

    def look() -> int:
        for _ in range(looks):
            if (where / "turn.md").read_text().strip() not in NAMES:
                return 1
            time.sleep(0.0005)
        return 0

    codes = crowd([lambda: hand("agent-alpha"), lambda: hand("agent-beta")] + [look] * (n - 2))
    return looks * (n - 2), sum(map(bool, codes))


ROWS: dict[str, Row] = {
    "two initializers": initializers,
    "init: missing parent, or a bare directory": missing_parent,
    "one name registered more than once": same_name,
    "an id that is a prefix of another's": prefixes,
    "registration deadline not written": deadline,
    "duplicate issue numbers, lost files": issue_numbers,
    "numbering stuck after 07": octal,
    "hand-off without the turn": stolen,
    "a late start, a revived `done`": late_start,
    "a holder that never polled": never_polled,
    "a slow holder that keeps polling": slow_but_alive,
    "nobody registers, or one": nobody,
    "finish of nothing, alone, `to disagree`": empty_finish,
    "an escalated issue": escalated,
    "no Status line": no_status,
    "a lock whose owner died": dead_owner,
    "a space in the path": spaced_path,
    "turn.md read while written": torn_turn,
}
