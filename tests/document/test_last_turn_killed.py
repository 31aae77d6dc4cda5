"""The last acceptance ends a negotiation; killed in the middle, log and files say one thing (issue 33, part 5)."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from benchmarks.document_huge import kill_last_turn, play_to_last_turn
from graphbus_core.negotiation.document.model import FINAL

KILLS = int(os.environ.get("GRAPHBUS_KILLS", "4"))


@pytest.mark.timeout(300)  # processes: a slow machine takes its time
def test_a_kill_in_the_last_turn_leaves_log_and_files_of_one_mind(tmp_path: Path) -> None:
    """In the middle of the work, and just after the log has grown. The benchmark does it to a huge table."""
    words = tmp_path / "words"
    words.write_text(f"@accept {FINAL}\n")
    where = play_to_last_turn(tmp_path / "d", 3, 2_000)
    shutil.copytree(where.root, tmp_path / "saved", symlinks=True)
    ends = [kill_last_turn(where, tmp_path / "saved", words, 0.01 * n, bool(n % 2)) for n in range(KILLS)]
    assert [fault for _, fault in ends if fault] == []
    assert {how for how, _ in ends} == {"had ended", "had not ended"}
