"""A rehearsal of a method that some legal payload never lets end: others are tried all the same."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from graphbus_core.commit.gates import rehearsal_child

SAW = """
class Saw:
    def cut(self, length, piece):
        while length >= piece:
            length -= piece
        return {"rest": length}
"""


def test_a_payload_that_never_ends_is_told_and_the_next_is_tried(tmp_path: Path) -> None:
    """A piece of nothing is cut off for ever; a piece of three is not."""
    (tmp_path / "saw.py").write_text(SAW)
    payloads = [{"length": 7, "piece": 3}, {"length": 7, "piece": 0}, {"length": 7, "piece": "x"}]
    call = {"module": "saw", "class": "Saw", "method": "cut", "payloads": payloads, "topics": {}}
    command = [sys.executable, "-m", rehearsal_child.__name__]
    root = Path(rehearsal_child.__file__).parents[3]
    ran = subprocess.run(
        command,
        cwd=tmp_path,
        env={"PYTHONPATH": f"{tmp_path}:{root}"},
        input=json.dumps([call]),
        capture_output=True,
        text=True,
        timeout=120,
    )
    ((plain, endless, wrong),) = json.loads(ran.stdout)
    assert (plain, endless) == (None, "TooLong: it does not come back")
    assert wrong.startswith("TypeError")
