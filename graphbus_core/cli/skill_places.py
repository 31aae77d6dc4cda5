"""Where each coding agent looks for skills and MCP servers, and how ours are put there and taken back.

A skill folder of ours has a manifest of what was written: what somebody changed since is not written over unasked. In a
configuration only our own entry is touched; the rest stays as it was.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from graphbus_core.errors import UsageError
from graphbus_core.files.whole import put_whole

MANIFEST = ".graphbus-skill.json"
SERVER: dict[str, Any] = {"command": "graphbus", "args": ["mcp"]}
# client -> (skills in a project, skills of a user, MCP configuration in a project, of a user).
# As the vendors' references have it in November 2026. Gemini reads `.gemini/skills` and `.agents/skills`, and warns of
# a conflict at every start where a skill is in both. Codex reads the second alone. So these two share one place.
PLACES: Mapping[str, tuple[str, str, str, str]] = {
    "claude": (".claude/skills", "~/.claude/skills", ".mcp.json", "~/.claude.json"),
    "codex": (".agents/skills", "~/.agents/skills", ".codex/config.toml", "~/.codex/config.toml"),
    "cursor": (".cursor/skills", "~/.cursor/skills", ".cursor/mcp.json", "~/.cursor/mcp.json"),
    "gemini": (".agents/skills", "~/.agents/skills", ".gemini/settings.json", "~/.gemini/settings.json"),
}
_BLOCK = '# graphbus: begin\n[mcp_servers.graphbus]\ncommand = "graphbus"\nargs = ["mcp"]\n# graphbus: end\n'


class InstallStep(Protocol):
    """One thing that is written."""

    def said(self) -> str:
        """In a line, before it is done."""

    def do(self, force: bool) -> None:
        """Write it. Raises UsageError where somebody else's stands there."""

    def undo(self) -> bool:
        """Take it back, if it is ours and as we wrote it."""


def skills(folder: Path) -> dict[str, Path]:
    """The skills by name."""
    found = {"negotiate": folder}
    return found | {path.name: path for path in sorted((folder / "skills").iterdir()) if (path / "SKILL.md").is_file()}


def planned(client: str, folder: Path, user: bool) -> list[InstallStep]:
    """What is written for a client."""
    place, config = Path(PLACES[client][user]).expanduser(), Path(PLACES[client][2 + user]).expanduser()
    steps: list[InstallStep] = [SkillFolder(source, place / name) for name, source in skills(folder).items()]
    return [*steps, _entry(config)]


def still_needed(client: str, user: bool) -> list[str]:
    """Other clients that look for skills in the same place and have our server registered: they go on using them."""
    others = [o for o in PLACES if o != client and PLACES[o][user] == PLACES[client][user]]
    return [o for o in others if _entry(Path(PLACES[o][2 + user]).expanduser()).there()]


def _entry(config: Path) -> TomlEntry | JsonEntry:
    return TomlEntry(config) if config.suffix == ".toml" else JsonEntry(config)


@dataclass(frozen=True)
class SkillFolder:
    """One skill, copied."""

    source: Path
    target: Path

    def said(self) -> str:
        """In a line."""
        return f"{self.target / 'SKILL.md'}"

    def _files(self) -> dict[str, bytes]:
        inner = [p for p in sorted(self.source.rglob("*")) if p.is_file() and "__pycache__" not in p.parts]
        names = {p.relative_to(self.source).as_posix(): p for p in inner}
        return {n: p.read_bytes() for n, p in names.items() if not n.startswith("skills/")}

    def _written(self) -> dict[str, str]:
        try:
            return dict(json.loads((self.target / MANIFEST).read_text(encoding="utf-8")))
        except (OSError, ValueError):
            return {}

    def _changed(self) -> list[str]:
        """Files of ours that somebody changed since."""
        return [n for n, mark in self._written().items() if _mark(self.target / n) not in (mark, "")]

    def do(self, force: bool) -> None:
        """Copy it; a file that somebody changed stays unless `force`."""
        there = self.target.exists() and any(self.target.iterdir())
        if there and not force and (not self._written() or self._changed()):
            whose = ", ".join(self._changed()) or "it was not installed by this command"
            raise UsageError(f"{self.target} is there already ({whose}). Give --force to write over it.")
        content = self._files()
        try:
            for name, data in content.items():
                path = self.target / name
                path.parent.mkdir(parents=True, exist_ok=True)
                put_whole(path, data)
                if path.suffix == ".sh":
                    path.chmod(0o755)
            marks = {name: hashlib.sha256(data).hexdigest() for name, data in content.items()}
            put_whole(self.target / MANIFEST, json.dumps(marks, indent=1).encode())
        except OSError as e:
            raise UsageError(f"The skill could not be written to {self.target}: {e.strerror}.") from None

    def undo(self) -> bool:
        """Take the folder away, unless somebody changed something in it."""
        if not self._written():
            return False
        if changed := self._changed():
            raise UsageError(f"{self.target} was changed since ({', '.join(changed)}): it stays. Delete it by hand.")
        shutil.rmtree(self.target)
        return True


@dataclass(frozen=True)
class JsonEntry:
    """The MCP server in a JSON configuration, under `mcpServers`."""

    path: Path

    def said(self) -> str:
        """In a line."""
        return f"{self.path}: mcpServers.graphbus = {json.dumps(SERVER)}"

    def _read(self) -> dict[str, Any]:
        try:
            data = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as e:
            raise UsageError(
                f"{self.path} cannot be read as JSON ({e}); add the server by hand: {self.said()}"
            ) from None
        if not isinstance(data, dict) or not isinstance(data.get("mcpServers", {}), dict):
            raise UsageError(f"{self.path} is not a configuration of MCP servers; add it by hand: {self.said()}")
        return data

    def there(self) -> bool:
        """Whether our entry is in it."""
        with suppress(UsageError):
            return bool(self._read().get("mcpServers", {}).get("graphbus") == SERVER)
        return False

    def do(self, force: bool) -> None:
        """Add our entry; another one of our name stays unless `force`."""
        data = self._read()
        there = data.get("mcpServers", {}).get("graphbus")
        if there == SERVER:
            return
        if there is not None and not force:
            raise UsageError(f"{self.path} has another server named graphbus. Give --force to replace it.")
        data.setdefault("mcpServers", {})["graphbus"] = SERVER
        self._write(data)

    def undo(self) -> bool:
        """Take our entry out, if it is as we wrote it."""
        data = self._read()
        if data.get("mcpServers", {}).get("graphbus") != SERVER:
            return False
        del data["mcpServers"]["graphbus"]
        if not data["mcpServers"]:
            del data["mcpServers"]
        if data:
            self._write(data)
        else:
            with suppress(OSError):
                self.path.unlink()
        return True

    def _write(self, data: Mapping[str, Any]) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            put_whole(self.path, (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode())
        except OSError as e:
            raise UsageError(f"{self.path} cannot be written: {e.strerror}.") from None


@dataclass(frozen=True)
class TomlEntry:
    """The MCP server in a TOML configuration, in a block of our own: the rest keeps its comments."""

    path: Path

    def said(self) -> str:
        """In a line."""
        return f'{self.path}: [mcp_servers.graphbus] command = "graphbus", args = ["mcp"]'

    def _text(self) -> str:
        try:
            return self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return ""
        except (OSError, ValueError) as e:
            raise UsageError(f"{self.path} cannot be read ({e}); add the server by hand: {self.said()}") from None

    def there(self) -> bool:
        """Whether our block is in it."""
        with suppress(UsageError):
            return _BLOCK in self._text()
        return False

    def do(self, force: bool) -> None:
        """Add our block."""
        text = self._text()
        if _BLOCK in text:
            return
        if re.search(r"^\s*\[mcp_servers\.\"?graphbus\"?\]", text, re.MULTILINE):
            raise UsageError(f"{self.path} has a server named graphbus already; change it by hand: {self.said()}")
        gap = "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
        self._write(text + gap + _BLOCK)

    def undo(self) -> bool:
        """Take our block out."""
        text = self._text()
        if _BLOCK not in text:
            return False
        rest = text.replace(_BLOCK, "").rstrip("\n")
        if rest:
            self._write(rest + "\n")
        else:
            with suppress(OSError):
                self.path.unlink()
        return True

    def _write(self, text: str) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            put_whole(self.path, text.encode())
        except OSError as e:
            raise UsageError(f"{self.path} cannot be written: {e.strerror}.") from None


def _mark(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""
