"""What of this machine and this project a build rests on, for `graphbus doctor`."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

from graphbus_core.build.confine.sandbox import describe
from graphbus_core.build.scan import scan
from graphbus_core.build.understand.text.files import Texts, find_root
from graphbus_core.config import LLMConfig
from graphbus_core.participants.llm.wire.model_names import PROVIDERS, choose_model

# A doctor that hangs at a server that does not answer says nothing at all.
ANSWERS_S, PROGRAM_S = 1.0, 5.0
MODEL_SERVERS = ("OPENAI_BASE_URL", "OLLAMA_BASE_URL")


def sandbox() -> tuple[bool, str]:
    """Whether unreviewed code is confined here, and by what."""
    found = describe()
    return found.kind != "limits", str(found).partition(". ")[0]


def keys_set() -> list[str]:
    """The names of the models' keys that stand in the environment; never their values."""
    # Names alone. A value in the output would end in a bug report.
    return [key for provider in PROVIDERS for key in provider.keys if os.environ.get(key, "").strip()]


def seated(model: str | None = None) -> str:
    """Who answers in a negotiation, in a sentence; by default, or with a model. Raises UsageError: it cannot here."""
    return choose_model(os.environ, LLMConfig(model=model)).why


def model_servers() -> list[tuple[str, str, bool]]:
    """Servers of one's own for models: the variable, the host and port that it names, and whether somebody answers."""
    found = []
    for variable in MODEL_SERVERS:
        if address := os.environ.get(variable, "").strip():
            # Host and port alone. A key may stand in the rest of an address.
            host, port = _place(address)
            found.append((variable, f"{host}:{port}", listens(host, port)))
    return found


def _place(address: str) -> tuple[str, int]:
    try:
        parts = urlsplit(address if "//" in address else f"//{address}")
        return parts.hostname or "?", parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        return "?", 0


def listens(host: str, port: int) -> bool:
    """Whether a server takes connections there. Nothing is sent to it."""
    try:
        with socket.create_connection((host, port), timeout=ANSWERS_S):
            return True
    except (OSError, ValueError):
        return False


def version_of(program: str) -> str | None:
    """The first line that a program says of its version; None where it is not there or does not say."""
    if (path := shutil.which(program)) is None:
        return None
    try:
        told = subprocess.run(
            [path, "--version"],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PROGRAM_S,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return next(iter(told.stdout.splitlines()), "") or None


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
