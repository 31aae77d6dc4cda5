"""What an intent is here: a project, a wish in a user's words, and a program that says whether it came true."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

TEST_S = 60  # one hidden test may take so long
HEAD = "import sys\nsys.path.insert(0, '.')\n"


@dataclass(frozen=True)
class Project:
    """A small program. `holds`: what must be so before and after every intent, as Python that asserts."""

    name: str
    files: Mapping[str, str]
    holds: str


@dataclass(frozen=True)
class Intent:
    """One wish. `test`: Python that fails on the project as it is, and passes once the wish came true.

    `holds`: in the place of the project's own, where the wish itself changes what held before.
    """

    name: str
    project: Project
    wish: str
    test: str
    holds: str | None = None

    def missing(self, root: Path) -> str:
        """What is not as it should be in the project at `root`; empty where all is."""
        for what, program in (("what held before", self.holds or self.project.holds), ("the wish", self.test)):
            ran = subprocess.run(
                [sys.executable, "-B", "-c", HEAD + program],
                cwd=root,
                capture_output=True,
                text=True,
                timeout=TEST_S,
                check=False,
            )
            if ran.returncode:
                last = (ran.stderr.strip().splitlines() or ["it failed without a word"])[-1]
                return f"{what}: {last}"
        return ""
