"""The whole road: `graphbus build` in its own process, killed and resumed, searched for keys. Run by `models.py`."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from _scripted_table import ACCEPT, KEY, extend, row, slowly, sources

from graphbus_core.logs.jsonl import LogReader, read_answers
from graphbus_core.logs.negotiation_folder import NegotiationFolder
from graphbus_core.negotiation.proposal import EVENTS
from graphbus_core.testing import ModelServer, Script, Turn, chain, fenced, identity, write_files

BUILD_S = 120  # that a build of four agents may take, on a machine that is busy


def command(root: Path, server: ModelServer, *more: str) -> subprocess.Popen[str]:
    """`graphbus build agents --enable-agents` as a user would run it, with the key in its environment only."""
    environ = {k: v for k, v in os.environ.items() if not k.endswith(("_API_KEY", "_BASE_URL"))}
    environ |= {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": server.anthropic_url}
    environ["PYTHONPATH"] = os.pathsep.join(
        [str(Path(__file__).resolve().parent.parent), environ.get("PYTHONPATH", "")]
    )
    line = [
        sys.executable,
        "-m",
        "graphbus_core.cli.main",
        "build",
        "agents",
        "--enable-agents",
        "--rounds",
        "2",
        *more,
    ]
    return subprocess.Popen(line, cwd=root, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def asked_ids(server: ModelServer) -> list[str]:
    """The ids of the questions that reached the server, read from their prompts (no answer is refused here)."""
    found = []
    for r in server.received:
        number = re.findall(r"^## Round (\d+)$", r.prompt, re.MULTILINE)[-1]
        about = re.findall(r"^proposal_id: (\S+)$", r.prompt, re.MULTILINE)
        found.append(".".join([number, r.kind, *([about[-1]] if r.kind == "evaluate" else []), r.agent]))
    return found


def stored_ids(root: Path) -> set[str]:
    """The questions whose answers are on disk."""
    folder = root / ".graphbus" / "negotiations"
    ids: set[str] = set()
    for path in folder.glob("*.answers.jsonl"):
        ids |= set(read_answers(path)[0])
    return ids


def facts_of(root: Path) -> str:
    """The facts of the project's newest negotiation, byte for byte."""
    kept = NegotiationFolder(root / ".graphbus").find_newest()
    assert kept is not None
    return identity(entry.event for entry in LogReader(kept.path, EVENTS))


def done_with(root: Path) -> bool:
    """Whether the newest negotiation is in the artifacts: there is nothing left to resume."""
    newest, summary = NegotiationFolder(root / ".graphbus").find_newest(), root / ".graphbus" / "build_summary.json"
    return newest is not None and summary.exists() and json.loads(summary.read_text())["build_id"] == newest.build_id


KILLS_EACH = 3  # of one build, before it is left to end


def is_killed_asking(process: subprocess.Popen[str], server: ModelServer, asked: int) -> bool:
    """Kill a build in the moment in which the server has received so many questions; False where it ends before."""
    end = time.monotonic() + BUILD_S
    while process.poll() is None and time.monotonic() < end:
        if len(server.received) >= asked:
            process.kill()
            return True
        time.sleep(0.005)
    return False


def kill() -> None:
    """`graphbus build` killed while questions are out, and resumed until it is done.

    Killed after a time, it was nearly always found between two rounds or not yet started: nothing was in flight.
    """
    kills = int(os.environ.get("GRAPHBUS_KILLS", "2"))
    dice = random.Random(7)
    lines = {("*", "propose"): slowly(extend, 0.5), ("*", "evaluate"): slowly(ACCEPT, 0.5)}
    files = chain(4, arbiter=True)

    def fresh(folder: str) -> Path:
        root = Path(folder).resolve()
        write_files(root, files)
        return root

    with tempfile.TemporaryDirectory() as folder, ModelServer(Script(lines)) as server:
        root = fresh(folder)
        done = command(root, server)
        out, err = done.communicate(timeout=BUILD_S)
        if done.returncode:
            row("kill and --resume", f"the build itself ends with {done.returncode}: {(err or out)[-300:]}", "0", False)
            return
        want, want_sources, calls_made = facts_of(root), sources(root), len(server.received)
    bad: list[str] = []
    repeats = in_flight = hit = 0
    for number in range(kills):
        with tempfile.TemporaryDirectory() as folder, ModelServer(Script(lines)) as server:
            root = fresh(folder)
            known: set[str] = set()  # stored when it was killed last
            seen = 0  # questions that the server had received by then
            for attempt in range(KILLS_EACH + 1):
                left = NegotiationFolder(root / ".graphbus").find_newest()
                more = ("--resume",) if left is not None and left.facts else ()  # before the first fact: start over
                process = command(root, server, *more)
                asked = seen + dice.randint(1, max(1, calls_made - len(known)))
                if attempt < KILLS_EACH and is_killed_asking(process, server, asked):
                    hit += 1
                out, err = process.communicate(timeout=BUILD_S)
                ids = asked_ids(server)
                bad.extend(
                    f"kill {number}: {i} was asked again though its answer is stored" for i in ids[seen:] if i in known
                )
                if process.returncode >= 0:
                    break
                before, known, seen = seen, stored_ids(root), len(ids)
                if done_with(root):  # killed between its last file and its exit
                    break
                in_flight += len(set(ids[before:]) - known)
            repeats += len(ids) - len(set(ids))
            if process.returncode and not done_with(root):
                bad.append(f"kill {number}: resumed, it ends with {process.returncode}: {(err or out)[-200:]}")
            elif sources(root) != want_sources or facts_of(root) != want:
                bad.append(f"kill {number}: other facts or sources than without a kill")
    row(
        f"{hit} kills of a build of {calls_made} calls, resumed",
        f"{len(bad)} stored answers asked again or other outcomes; {repeats} repeats of {in_flight} calls in flight",
        "0; repeats <= in flight; some in flight at each kill",
        not bad and repeats <= in_flight and in_flight >= hit > 0,
    )
    for line in bad[:10]:
        print("     ", line)


def keys() -> None:
    """A build that works, and one whose provider spits the key back; then look for the key everywhere."""
    found: list[str] = []
    looked = 0
    scripts = {
        "works": Script({("*", "propose"): slowly(extend, 0.2), ("*", "evaluate"): ACCEPT}),
        "refused": Script({("*", "*"): Turn(status=401, message="the key {key} is not valid, Bearer {key}")}),
        "echoes": Script({("*", "*"): Turn(fenced({"proposals": [], "note": f"your key is {KEY}"}))}),
    }
    for name, script in scripts.items():
        with tempfile.TemporaryDirectory() as folder, ModelServer(script) as server:
            root = Path(folder).resolve()
            write_files(root, chain(3, arbiter=True))
            process, end = command(root, server), time.monotonic() + BUILD_S
            while process.poll() is None:
                if time.monotonic() > end:
                    process.kill()
                for proc in Path("/proc").glob("[0-9]*"):
                    try:
                        text = (proc / "cmdline").read_bytes()
                    except OSError:
                        continue
                    looked += 1
                    if KEY.encode() in text:
                        found.append(f"{name}: process list")
                time.sleep(0.05)
            out, err = process.communicate()
            found += [f"{name}: {where}" for where, text in (("stdout", out), ("stderr", err)) if KEY in text]
            for path in root.rglob("*"):
                if path.is_file():
                    looked += 1
                    if KEY.encode() in path.read_bytes():
                        found.append(f"{name}: {path.relative_to(root)}")
            if not any(r.key == KEY for r in server.received):
                found.append(f"{name}: the key did not even reach the provider; nothing was shown")
            if name == "refused" and not re.search(r"Agent\d+.*claude-sonnet-5-5.*401", err + out, re.DOTALL):
                found.append(f"refused: agent, model and cause are not named: {(err or out)[-300:]}")
    row("the key in logs, artifacts, errors, process list", f"{len(found)} in {looked:,} places", "0", not found)
    for line in dict.fromkeys(found):
        print("     ", line)
