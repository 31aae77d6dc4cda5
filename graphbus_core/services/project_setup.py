"""What holds for a project: each setting with where it comes from, the policy, and what `init` proposes."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import subprocess
import tomllib
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from graphbus_core.analysis.files import ProjectFiles, find_root
from graphbus_core.analysis.scan import scan
from graphbus_core.config import LLMConfig
from graphbus_core.errors import Unavailable, UsageError
from graphbus_core.participants.llm.models import PROVIDERS, choose_model
from graphbus_core.runtime.injection.policy import Policy
from graphbus_core.runtime.transports.nats.servers import explain_refused_server as explain_refused_server
from graphbus_core.sandbox.runner import describe
from graphbus_core.settings import KNOWN, load_settings
from graphbus_core.storage.atomic_files import write_atomic

# What of this machine and this project a build rests on, for `graphbus doctor`.


# A doctor that hangs at a server that does not answer says nothing at all.
CONNECT_TIMEOUT_S, PROGRAM_TIMEOUT_S, LOOK_TIMEOUT_S = 1.0, 5.0, 3.0
MAX_HELLO_BYTES = 65_536
MODEL_SERVERS = ("OPENAI_BASE_URL", "OLLAMA_BASE_URL")


def describe_sandbox() -> tuple[bool, str]:
    """Whether unreviewed code is confined here, and by what."""
    confinement = describe()
    return confinement.kind != "limits", str(confinement).partition(". ")[0]


def list_set_keys() -> list[str]:
    """The names of the models' keys that stand in the environment; never their values."""
    # Names alone. A value in the output would end in a bug report.
    return [key for provider in PROVIDERS for key in provider.keys if os.environ.get(key, "").strip()]


def describe_participants(model: str | None = None) -> str:
    """Who answers in a negotiation, in a sentence; by default, or with a model. Raises UsageError: it cannot here."""
    return choose_model(os.environ, LLMConfig(model=model)).why


def find_model_servers() -> list[tuple[str, str, bool]]:
    """Servers of one's own for models: the variable, the host and port that it names, and whether somebody answers."""
    servers = []
    for variable in MODEL_SERVERS:
        if address := os.environ.get(variable, "").strip():
            # Host and port alone. A key may stand in the rest of an address.
            host, port = _parse_address(address)
            servers.append((variable, f"{host}:{port}", is_listening(host, port)))
    return servers


def _parse_address(address: str) -> tuple[str, int]:
    try:
        parts = urlsplit(address if "//" in address else f"//{address}")
        return parts.hostname or "?", parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        return "?", 0


def is_listening(host: str, port: int) -> bool:
    """Whether a server takes connections there. Nothing is sent to it."""
    try:
        with socket.create_connection((host, port), timeout=CONNECT_TIMEOUT_S):
            return True
    except (OSError, ValueError):
        return False


def read_bus_version(host: str, port: int) -> str:
    """The version that a NATS server says there, before anybody signs in; nothing where it says none."""
    try:
        with socket.create_connection((host, port), timeout=CONNECT_TIMEOUT_S) as connection:
            connection.settimeout(CONNECT_TIMEOUT_S)
            hello = b""
            while not hello.endswith(b"\n") and len(hello) < MAX_HELLO_BYTES and (part := connection.recv(4096)):
                hello += part
        server_version = json.loads(hello.removeprefix(b"INFO "))["version"]
        return server_version if isinstance(server_version, str) else ""
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def find_left_over_consumers(host: str, port: int) -> list[str]:
    """Consumers that no build of their bus has a handler for, a sentence each; nothing where nobody may ask."""
    try:
        from graphbus_core.runtime.transports.nats.connection import BusSettings
        from graphbus_core.runtime.transports.nats.retirement import describe_left_over, find_left_over

        settings = BusSettings(f"nats://{host}:{port}", connect_s=CONNECT_TIMEOUT_S)
        left_over = asyncio.run(asyncio.wait_for(find_left_over(settings), LOOK_TIMEOUT_S))
    except Exception:  # without the extra, without rights, or it is away meanwhile: then it is none of ours
        return []
    return [describe_left_over(consumer, f"nats://{host}:{port}/{space}") for space, consumer in left_over]


def read_version(program: str) -> str | None:
    """The first line that a program says of its version; None where it is not there or does not say."""
    if (path := shutil.which(program)) is None:
        return None
    try:
        process = subprocess.run(
            [path, "--version"],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PROGRAM_TIMEOUT_S,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return next(iter(process.stdout.splitlines()), "") or None


def count_agents(folder: Path) -> int:
    """How many agents a folder holds. Raises ScanError."""
    return len(scan(folder).agents)


def find_project_root(path: Path) -> Path:
    """The root of the project around a folder."""
    return find_root(path)


def find_agent_folders(root: Path) -> list[str]:
    """The folders whose files name GraphBusNode as a base, outermost only."""
    texts = ProjectFiles(root)
    folders = {
        path.rpartition("/")[0] or "."
        for path in texts.paths
        # As text: to find where agents might be must not need files that parse.
        if path.endswith(".py") and not texts.is_test(path) and b"(GraphBusNode" in texts.read_content(path)
    }
    # Outermost: a build of the upper folder has those below in it.
    return sorted(folder for folder in folders if not any(folder.startswith(f"{other}/") for other in folders))


def list_settings(folder: Path) -> list[dict[str, Any]]:
    """Every setting, what it is, where that comes from, and what it does. Raises ConfigError."""
    settings = load_settings(folder)
    rows = []
    for name, known_setting in KNOWN.items():
        value = settings[name]
        value = list(value) if isinstance(value, tuple) else value
        source = _cut_source(settings.find_source(name), settings.root)
        rows.append(
            {
                "name": name,
                "value": value,
                "source": source,
                "stated": settings.is_stated(name),
                "does": known_setting.does,
            }
        )
    return rows


def describe_policy(folder: Path) -> dict[str, Any]:
    """Who may do what in a run, and where that stands. Raises ConfigError."""
    settings = load_settings(folder)
    rules = _read_policy(folder).rules
    rule_rows = [
        {
            "name": rule.name,
            "who": rule.who,
            **{verb: _list_patterns(getattr(rule, verb)) for verb in ("call", "publish", "hear")},
        }
        for rule in rules
    ]
    return {"file": settings.file.name if settings.file else None, "rules": rule_rows}


def may(folder: Path, who: str, verb: str, what: str) -> dict[str, Any]:
    """Whether the policy lets a node do that, and if not, which rule says so."""
    why = _read_policy(folder).explain_refusal(who, verb, what)
    return {"allowed": why is None, "why": why}


@dataclass(frozen=True)
class ProposedSettings:
    """The settings that `init` would write: the file, what stands there and what would."""

    file: Path
    old: str
    new: str

    @property
    def diff(self) -> str:
        """As a unified diff."""
        name = self.file.name
        return "".join(unified_diff(self.old.splitlines(True), self.new.splitlines(True), f"a/{name}", f"b/{name}"))

    def write(self) -> None:
        """Write it, whole or not at all."""
        write_atomic(self.file, self.new.encode(), durable=True)


def propose_settings(folder: Path) -> ProposedSettings:
    """`[tool.graphbus]` for a project that has none. Raises Unavailable where it has, UsageError for bad TOML."""
    settings = load_settings(folder)
    root = find_project_root(folder)
    file = settings.file or root / "pyproject.toml"
    old = file.read_bytes().decode() if file.exists() else ""
    try:
        tables = tomllib.loads(old).get("tool", {})
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{file} cannot be read as TOML: {error}. Mend it first; nothing was changed.") from None
    # An empty table counts: two of one name are no TOML.
    if settings.given or "graphbus" in tables:
        raise Unavailable(f"{file} has [tool.graphbus] already. `graphbus config` prints what holds.")
    return ProposedSettings(file, old, old + render_table(root, old))


def render_table(root: Path, old: str) -> str:
    """The table for this project, to be put at the end of its `pyproject.toml`."""
    lines = ["[tool.graphbus]"]
    roots = find_agent_folders(root)
    if roots:
        lines.append("roots = [" + ", ".join(f'"{root_folder}"' for root_folder in roots) + "]")
    if (root / "tests").is_dir() or (root / "test").is_dir():
        lines.append('verify = "auto"  # pytest must pass before a commit')
    text = "\n".join(lines) + "\n"
    newline = "\r\n" if "\r\n" in old else "\n"
    text = ("" if not old or old.endswith("\n\n") else "\n" if old.endswith("\n") else "\n\n") + text
    tomllib.loads(old.replace("\r\n", "\n") + text)  # what is proposed can be read, or nothing is proposed
    return text.replace("\n", newline)


def _read_policy(folder: Path) -> Policy:
    file = load_settings(folder).file
    return Policy() if file is None else Policy.from_pyproject(file)


def _list_patterns(patterns: tuple[str, ...] | None) -> list[str] | None:
    return None if patterns is None else list(patterns)


def _cut_source(source: str, root: Path) -> str:
    """Without the path of this machine: a front end may be somewhere else."""
    return source.removeprefix(f"{root}/")
