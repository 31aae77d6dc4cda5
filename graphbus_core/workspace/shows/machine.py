"""What of this machine and this project a build rests on, for `graphbus doctor`."""

from __future__ import annotations

import os
from pathlib import Path

from graphbus_core.build.confine.sandbox import describe
from graphbus_core.build.scan import scan
from graphbus_core.build.understand.text.files import Texts, find_root
from graphbus_core.participants.llm.wire.names import PROVIDERS


def sandbox() -> tuple[bool, str]:
    """Whether unreviewed code is confined here, and by what."""
    found = describe()
    return found.kind != "limits", str(found).partition(". ")[0]


def keys_set() -> list[str]:
    """The names of the models' keys that stand in the environment; never their values."""
    # Names alone. A value in the output would end in a bug report.
    return [key for provider in PROVIDERS for key in provider.keys if os.environ.get(key, "").strip()]


def agents_in(folder: Path) -> int:
    """How many agents a folder holds. Raises ScanError."""
    return len(scan(folder).agents)


def project_root(path: Path) -> Path:
    """The root of the project around a folder."""
    return find_root(path)


def agent_folders(root: Path) -> list[str]:
    """The folders whose files name GraphBusNode as a base, outermost only."""
    texts = Texts(root)
    found = {
        path.rpartition("/")[0] or "."
        for path in texts.paths
        # As text: to find where agents might be must not need files that parse.
        if path.endswith(".py") and not texts.is_test(path) and b"(GraphBusNode" in texts.content(path)
    }
    # Outermost: a build of the upper folder has those below in it.
    return sorted(one for one in found if not any(one.startswith(f"{other}/") for other in found))
