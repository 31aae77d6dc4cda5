"""One agent that uses only the formats of the reference, in shell commands that write files by hand, and one of ours.

They go through two issues, a disagreement, an agreement each, to `final.md`. Ours is killed and started again all the
while. Used by `benchmarks/directory.py` and by the tests.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from graphbus_core.sessions.document.directory import NegotiationDirectory

# Nothing of ours is called in here: cat, printf, sed and grep, as somebody would who has the reference and no code.
SHELL = r"""
set -u
D="$1"; ME=agent-beta; OTHER=agent-alpha
until [ -f "$D/meta.md" ] && grep -q "$OTHER" "$D/agents.md"; do sleep 0.05; done
printf -- '- %s (registered: %s)\n' "$ME" "$(date -u +%Y-%m-%dT%H:%M:%SZ)" >> "$D/agents.md"
TURN=0; TRIES=0
while [ "$TRIES" -lt 1200 ]; do
    TRIES=$((TRIES + 1))
    NOW=$(cat "$D/turn.md" 2>/dev/null)
    [ "$NOW" = done ] && exit 0
    if [ "$NOW" != "$ME" ]; then sleep 0.05; continue; fi
    TURN=$((TURN + 1))
    if [ ! -f "$D/issues/02-format.md" ]; then
        printf '# Issue: Format\n\n## Question\nYAML or JSON?\n\n## Context\nSettings.\n' > "$D/issues/02-format.md"
        printf '# Positions: Format\n\n## %s'"'"'s position (round 1)\nYAML reads better.\n\n## Status: OPEN\n' "$ME" \
            > "$D/positions/02-format.md"
    elif ! grep -q '^## Status: AGREED' "$D/positions/02-format.md"; then
        sed -i '/^## Status:/,$d' "$D/positions/02-format.md"
        printf '## %s'"'"'s position (round %s)\nJSON then.\n\n' "$ME" "$TURN" >> "$D/positions/02-format.md"
        printf '## Status: AGREED\nSettings are written in JSON.\n' >> "$D/positions/02-format.md"
    fi
    P="$D/positions/01-storage.md"
    if grep -q 'We keep everything in a database' "$P" && ! grep -q '^## Status: AGREED' "$P"; then
        printf '\n## Status: AGREED\nWe keep everything in a database.\n' >> "$P"
    elif ! grep -q '^## Status: AGREED' "$P"; then
        printf '\n## %s'"'"'s position (round %s)\n' "$ME" "$TURN" >> "$P"
        printf 'A database: two writers are safe in it.\n\n## Status: OPEN\n' >> "$P"
    fi
    if grep -q '^## Status: AGREED' "$P" && grep -q '^## Status: AGREED' "$D/positions/02-format.md"; then
        H=$(grep -o 'fates.md has the hash [0-9a-f]*' "$P" | tail -1 | grep -o '[0-9a-f]*$')
        if [ "$2" = shell ]; then
            echo '# Final' > "$D/final.md"
            for F in "$D"/positions/*.md; do sed -n '/^## Status: AGREED/,$p' "$F" | sed 1d >> "$D/final.md"; done
            echo done > "$D/turn.md"; sleep 3; continue  # it may come back: too early, or not yet everybody's
        elif [ -n "$H" ] && ! grep -q "^ACCEPTS $H" "$P"; then
            sed -i "s/^## Status: AGREED/## $ME's position (round $TURN)\\nACCEPTS $H\\n\\n&/" "$P"
        fi
    fi
    echo "$OTHER" > "$D/turn.md"
done
exit 1
"""


def ours(root: Path, finisher: str) -> int:
    """Our agent: it can be killed anywhere and be started again with the same words."""
    where = NegotiationDirectory(root)
    me, other = "agent-alpha", "agent-beta"
    ends = time.monotonic() + 90
    while time.monotonic() < ends:
        told = where.poll(me)
        if told.data["turn"] == "done":
            return 0
        if told.data["turn"] == "wait":
            time.sleep(0.02)
            continue
        state = where.read_state(working=True)
        for stem, issue in state.issues.items():
            if not issue.is_open:
                continue
            if any(e.by == me and e.offer for e in issue.entries[-2:]):
                continue  # our offer waits for an answer
            if not state.has_written_now(issue, me):
                first = not any(e.by == me for e in issue.entries)
                mine = {"01-storage": "Files are simple.", "02-format": "JSON is unambiguous."}[stem]
                where.write(me, stem, mine if first else "Your point is better than mine.")
            time.sleep(0.01)
            theirs = [e for e in issue.entries if e.by == other and e.offer]
            if theirs:
                where.write(me, stem, "", accept="")
            elif stem == "01-storage" and sum(e.by == other for e in issue.entries) >= 1:
                where.write(me, stem, "We keep everything in a database.", status="AGREED")
        state = where.read_state(working=True)
        if finisher == "ours" and state.issues and all(not i.is_open for i in state.issues.values()):
            text = "# Final\n\n" + "\n\n".join(i.decision for i in state.issues.values()) + "\n"
            (root / "final.md").write_text(text)
            if where.finish().ok:
                continue
        elif state.draft_hash and state.are_all_settled() and where.finish().ok:
            continue
        where.hand_off(me)
    return 1


def negotiate(root: Path, kills: int, seed: int = 0, finisher: str = "shell") -> dict[str, object]:
    """One negotiation. Kills ours `kills` times at random instants. Returns what came of it, with `violations`."""
    chance = random.Random(seed)
    where = NegotiationDirectory(root)
    from graphbus_core.negotiation.document.model import Settings

    where.init(Settings())
    (root / "topic.md").write_text("# Topic\n\nHow the settings are kept.\n")
    where.add_issue("storage")
    where.register("agent-alpha")
    shell = subprocess.Popen([shutil.which("bash") or "bash", "-c", SHELL, "bash", str(root), finisher])
    killed = 0
    begin = time.monotonic()
    code: int | None = None
    while code is None and time.monotonic() - begin < 100:
        pid = os.fork()
        if pid == 0:
            result = 98
            try:
                result = ours(root, finisher)
            finally:
                os._exit(result)
        if killed < kills:
            time.sleep(chance.uniform(0.002, 0.06))
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                code = os.waitstatus_to_exitcode(status)
            else:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                killed += 1
        else:
            code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    shell_code = shell.wait(timeout=30)
    state = where.read_state()
    wanted = {"01-storage": "We keep everything in a database.", "02-format": "Settings are written in JSON."}
    found = {stem: issue.decision for stem, issue in state.issues.items()}
    said = [(e.by, e.text) for issue in state.issues.values() for e in issue.entries]
    problems = []
    if code != 0 or shell_code != 0:
        problems.append(f"exit codes {code}, {shell_code}")
    if found != wanted:
        problems.append(f"decisions {found}")
    if not state.final or not (root / "final.md").exists():
        problems.append("no final document")
    if ("agent-beta", "A database: two writers are safe in it.") not in said or (
        "agent-beta",
        "YAML reads better.",
    ) not in said:
        problems.append("a text of the other side is lost")
    problems += [str(reason) for reason in where.find_problems()]
    return {
        "killed": killed,
        "turns": state.turn,
        "seconds": time.monotonic() - begin,
        "violations": problems,
        "notices": [n.what for n in state.notices],
    }


if __name__ == "__main__":
    import tempfile

    for number in range(int(sys.argv[1]) if len(sys.argv) > 1 else 4):
        with tempfile.TemporaryDirectory() as folder:
            print(negotiate(Path(folder) / "a b" / "c", 5, number, ("shell", "ours")[number % 2]), flush=True)
