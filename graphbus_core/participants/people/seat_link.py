"""A seat whose questions wait for days: they lie in the run's folder until the person behind a link answers.

The answer stays there until the run is over. So a kill between an answer and its use loses nothing, and a question that
is asked again finds its answer: nobody is asked twice.
"""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from graphbus_core.negotiation.core import Ask, Reply, View
from graphbus_core.participants.people.lasting import PAUSE_S, Laid, LastingDesk

NOTIFY_S = 30.0  # how long a notification may take
Notify = Callable[[Mapping[str, Any]], None]


class SeatLink:
    """One seat of one run. `deadline_s`: after so long a question counts as not answered; the time goes on while
    nothing runs. `notify` is told once of each question."""

    def __init__(self, desk: LastingDesk, run_id: str, deadline_s: float | None = None, notify: Notify | None = None):
        self.desk, self.run_id, self.deadline_s, self.notify = desk, run_id, deadline_s, notify

    async def answer(self, ask: Ask, view: View) -> Reply:
        """Wait for the person. A refused answer is asked for again under another name, with the reason."""
        again = f"#{len(view.refused) + 1}" if view.refused else ""
        name = f"{self.run_id}/{ask.id}{again}"
        laid = self.desk.find(name)
        if laid is None:
            laid = Laid(name, ask.to, ask.kind, "consent", {**ask.about, "asked_at": time.time()}, view.refused)
            self.desk.lay(laid)
            if self.notify is not None:
                about = {"seat": ask.to, "kind": ask.kind, "run": self.run_id, "topic": ask.about.get("topic", "")}
                await asyncio.to_thread(self.notify, about)
        since = float(laid.about.get("asked_at", time.time()))
        while (body := self.desk.answered(name)) is None:
            if self.deadline_s is not None and time.time() > since + self.deadline_s:
                # Laid down as an answer, so that one that comes later changes nothing after a restart either.
                self.desk.answer(name, {LATE: True})
                continue
            await asyncio.sleep(PAUSE_S)
        if body.get(LATE):
            return Reply(None, f"no answer within {self.deadline_s or 0:g} s")
        return Reply(body)


LATE = "no_answer_in_time"


def notifier(target: str, links: Mapping[str, str], tell: Callable[[str], None]) -> Notify:
    """A command that is started, or an address that is posted to, once a question; a failure is told and no more.

    The command gets GRAPHBUS_SEAT, GRAPHBUS_KIND, GRAPHBUS_RUN and GRAPHBUS_KEY, and the same as JSON on its input.
    """

    def told(about: Mapping[str, Any]) -> None:
        data = {**about, "key": links.get(str(about["seat"]), "")}
        text = json.dumps(data, ensure_ascii=False)
        try:
            if target.startswith(("http://", "https://")):
                _post(target, text)
            else:
                names = {f"GRAPHBUS_{k.upper()}": str(v) for k, v in data.items()}
                subprocess.run(
                    shlex.split(target),
                    input=text.encode(),
                    env={**os.environ, **names},
                    timeout=NOTIFY_S,
                    check=True,
                    stdout=subprocess.DEVNULL,
                )
        except (OSError, ValueError, subprocess.SubprocessError) as e:
            tell(f"The notification for {about['seat']} failed ({e}). The question waits all the same.")

    return told


def _post(url: str, text: str) -> None:
    from urllib.request import Request, urlopen

    request = Request(url, text.encode(), {"Content-Type": "application/json"}, method="POST")
    with urlopen(request, timeout=NOTIFY_S):
        pass


def desk_of(folder: Path) -> LastingDesk:
    """The desk of a run, in a folder that its owner alone can read."""
    place = folder / "desk"
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    return LastingDesk(place)
