"""Stands in for a coding agent in `teamwork.py --stand-in`: applies the published patches of its features, and commits.

It proves that the benchmark's modes work from end to end, and nothing about coding agents. At the table it plans what
its patches change, accepts the first choice of every question, syncs and lands.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

MAX_TRIES = 60
HERE = Path.cwd()


def call(*words: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, input=text, capture_output=True, text=True, check=False)


def commit() -> None:
    for patch in sorted(Path(os.environ["TEAMWORK_PATCHES"]).iterdir()):
        for three_way in ([], ["--3way"]):
            done = call("git", "apply", "--ignore-whitespace", *three_way, str(patch))
            if done.returncode == 0:
                break
        else:
            sys.exit(f"the published patch {patch.name} does not fit: {done.stderr.strip()[:200]}")
    call("git", "add", "-A")
    call("git", "commit", "-q", "-m", "the published patches")


def settle() -> None:
    told = json.loads(call("graphbus", "team", "turn", "--json").stdout)
    me = told["seat"]
    words = [f"@accept {question['id']} {choices[0]['hash']}" for question in told["asked"]
             if (choices := [c for c in question["choices"] if not c["impossible"]])
             and question["accepted"].get(me) != choices[0]["hash"]]  # fmt: skip
    if words:
        call("graphbus", "team", "say", text="\n".join(words))


def land() -> None:
    last = ""
    for _ in range(MAX_TRIES):
        settle()
        done = call("graphbus", "team", "land", "--verify", "none")
        if done.returncode == 0:
            return
        last = (done.stderr or done.stdout).strip()
        synced = call("graphbus", "team", "sync")
        if synced.returncode:
            sys.exit(f"sync: {(synced.stdout or synced.stderr).strip()[:200]}")
        time.sleep(1)
    sys.exit(f"it could not land: {last[:200]}")


def main() -> None:
    mode = os.environ["TEAMWORK_MODE"]
    if mode == "free messages":
        call("say", f"{os.environ['TEAMWORK_SEAT']} begins")
        call("read")
    commit()
    if mode == "this table":
        land()


if __name__ == "__main__":
    main()
