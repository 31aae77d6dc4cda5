"""`graphbus skill`: the folders that coding agents read, and the MCP server in their configuration."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Protocol

import typer

from graphbus_core.errors import UsageError
from graphbus_core.module_origin import is_installed
from graphbus_core.storage.atomic_files import write_atomic

app = typer.Typer(help="The skills that coding agents read.", no_args_is_help=True, add_completion=False)

USUAL_PLACE = Path(".claude") / "skills" / "negotiate"

Claude = Annotated[bool, typer.Option("--claude", help="For Claude Code.")]
Codex = Annotated[bool, typer.Option("--codex", help="For Codex.")]
Cursor = Annotated[bool, typer.Option("--cursor", help="For Cursor.")]
Gemini = Annotated[bool, typer.Option("--gemini", help="For Gemini CLI.")]
All = Annotated[bool, typer.Option("--all", help="For all of them.")]
User = Annotated[bool, typer.Option("--user/--project", help="For all your projects, or for this one.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only show what would be written.")]


def find_skill_folder() -> Path:
    """Where the skills are: in the installed package, or in the repository."""
    package = Path(__file__).resolve().parent.parent
    for place in (package / "skill", package.parent / "skill"):
        if (place / "SKILL.md").is_file():
            return place
    raise UsageError("The skill folder is missing from this installation; install graphbus-core again.")


@app.command("path")
def path() -> None:
    """Print where the skill folder is."""
    typer.echo(find_skill_folder())


@app.command("show")
def show(name: Annotated[str, typer.Argument(help="negotiate, consent, agree or build.")] = "negotiate") -> None:
    """Print a skill."""

    skills_by_name = list_skills(find_skill_folder())
    if name not in skills_by_name:
        raise UsageError(f"There is no skill {name!r}; there are {', '.join(skills_by_name)}.")
    typer.echo((skills_by_name[name] / "SKILL.md").read_text(encoding="utf-8").rstrip())


@app.command("install")
def install(
    directory: Annotated[Path | None, typer.Argument(metavar="[DIR]", help="Where to put `negotiate` alone.")] = None,
    claude: Claude = False,
    codex: Codex = False,
    cursor: Cursor = False,
    gemini: Gemini = False,
    everyone: All = False,
    user: User = False,
    force: Annotated[bool, typer.Option("--force", help="Write over what is there.")] = False,
    dry_run: DryRun = False,
) -> None:
    """Put the skills where your coding agent looks, and register the MCP server with it. Run again, it changes nothing.
    Without a client: `negotiate` alone, into DIR (.claude/skills/negotiate)."""

    chosen = _choose_clients(claude, codex, cursor, gemini, everyone)
    if not chosen:
        _copy_skill(directory or USUAL_PLACE, force)
        return
    if directory is not None:
        raise UsageError("Give DIR, or the clients to install for, not both.")
    plan = [step for client in chosen for step in plan_install(client, find_skill_folder(), user)]
    for line in dict.fromkeys(step.describe() for step in plan):
        typer.echo(line)
    if not dry_run:
        for step in plan:
            step.apply(force)
    for note in _list_obstacles():
        typer.echo(f"graphbus: {note}", err=True)


@app.command("uninstall")
def uninstall(
    claude: Claude = False,
    codex: Codex = False,
    cursor: Cursor = False,
    gemini: Gemini = False,
    everyone: All = False,
    user: User = False,
    dry_run: DryRun = False,
) -> None:
    """Take away what `install` wrote for these clients, and nothing else."""

    chosen = _choose_clients(claude, codex, cursor, gemini, everyone)
    if not chosen:
        raise UsageError("Say for which client: --claude, --codex, --cursor, --gemini or --all.")
    for client in chosen:
        shared = [] if dry_run else list_other_users(client, user)
        for step in plan_install(client, find_skill_folder(), user):
            if shared and isinstance(step, SkillFolder):
                typer.echo(f"kept for {' and '.join(shared)}: {step.describe()}")
            elif dry_run:
                typer.echo(f"would take back: {step.describe()}")
            elif step.undo():
                typer.echo(f"taken back: {step.describe()}")


def _list_obstacles() -> list[str]:
    """Why a coding agent could not start the server that was registered with it. It would only say that it failed."""
    import shutil

    notes = []
    if not is_installed("mcp"):
        notes.append("the MCP server needs its SDK: pip install 'graphbus-core[mcp]' (from a clone: '.[mcp]').")
    if shutil.which("graphbus") is None:
        notes.append("`graphbus` is not on the PATH, and coding agents start it by that name.")
    return [*notes, "The skills work without the MCP server."] if notes else []


def _choose_clients(claude: bool, codex: bool, cursor: bool, gemini: bool, everyone: bool) -> list[str]:
    flags = {"claude": claude, "codex": codex, "cursor": cursor, "gemini": gemini}
    return [client for client, is_wanted in flags.items() if is_wanted or everyone]


def _copy_skill(directory: Path, force: bool) -> None:
    import shutil

    if directory.exists() and not force and any(directory.iterdir()):
        raise UsageError(f"{directory} is there already; give another place, or --force to write over it.")
    try:
        ignored = shutil.ignore_patterns("__pycache__", "skills")
        shutil.copytree(find_skill_folder(), directory, dirs_exist_ok=True, ignore=ignored)
        for script in (directory / "scripts").glob("*.sh"):
            script.chmod(0o755)
    except OSError as e:
        raise UsageError(f"The skill could not be written to {directory}: {e.strerror}.") from None
    typer.echo(f"Installed {directory / 'SKILL.md'}")


# Where each coding agent looks for skills and MCP servers, and how ours are put there and taken back.
#
# A skill folder of ours has a manifest of what was written: what somebody changed since is not written over unasked. In
# a configuration only our own entry is touched; the rest stays as it was.


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

    def describe(self) -> str:
        """In a line, before it is done."""

    def apply(self, force: bool) -> None:
        """Write it. Raises UsageError where somebody else's stands there."""

    def undo(self) -> bool:
        """Take it back, if it is ours and as we wrote it."""


def list_skills(folder: Path) -> dict[str, Path]:
    """The skills by name."""
    skills_by_name = {"negotiate": folder}
    return skills_by_name | {
        path.name: path for path in sorted((folder / "skills").iterdir()) if (path / "SKILL.md").is_file()
    }


def plan_install(client: str, folder: Path, user: bool) -> list[InstallStep]:
    """What is written for a client."""
    place, config = Path(PLACES[client][user]).expanduser(), Path(PLACES[client][2 + user]).expanduser()
    steps: list[InstallStep] = [SkillFolder(source, place / name) for name, source in list_skills(folder).items()]
    return [*steps, _build_entry(config)]


def list_other_users(client: str, user: bool) -> list[str]:
    """Other clients that look for skills in the same place and have our server registered: they go on using them."""
    others = [o for o in PLACES if o != client and PLACES[o][user] == PLACES[client][user]]
    return [o for o in others if _build_entry(Path(PLACES[o][2 + user]).expanduser()).exists()]


def _build_entry(config: Path) -> TomlEntry | JsonEntry:
    return TomlEntry(config) if config.suffix == ".toml" else JsonEntry(config)


@dataclass(frozen=True)
class SkillFolder:
    """One skill, copied."""

    source: Path
    target: Path

    def describe(self) -> str:
        """In a line."""
        return f"{self.target / 'SKILL.md'}"

    def _read_files(self) -> dict[str, bytes]:
        inner = [p for p in sorted(self.source.rglob("*")) if p.is_file() and "__pycache__" not in p.parts]
        names = {p.relative_to(self.source).as_posix(): p for p in inner}
        return {n: p.read_bytes() for n, p in names.items() if not n.startswith("skills/")}

    def _read_manifest(self) -> dict[str, str]:
        try:
            return dict(json.loads((self.target / MANIFEST).read_text(encoding="utf-8")))
        except (OSError, ValueError):
            return {}

    def _list_changed_files(self) -> list[str]:
        """Files of ours that somebody changed since."""
        return [n for n, mark in self._read_manifest().items() if _hash_file(self.target / n) not in (mark, "")]

    def apply(self, force: bool) -> None:
        """Copy it; a file that somebody changed stays unless `force`."""
        has_files = self.target.exists() and any(self.target.iterdir())
        if has_files and not force and (not self._read_manifest() or self._list_changed_files()):
            whose = ", ".join(self._list_changed_files()) or "it was not installed by this command"
            raise UsageError(f"{self.target} is there already ({whose}). Give --force to write over it.")
        content = self._read_files()
        try:
            for name, data in content.items():
                path = self.target / name
                path.parent.mkdir(parents=True, exist_ok=True)
                write_atomic(path, data)
                if path.suffix == ".sh":
                    path.chmod(0o755)
            marks = {name: hashlib.sha256(data).hexdigest() for name, data in content.items()}
            write_atomic(self.target / MANIFEST, json.dumps(marks, indent=1).encode())
        except OSError as e:
            raise UsageError(f"The skill could not be written to {self.target}: {e.strerror}.") from None

    def undo(self) -> bool:
        """Take the folder away, unless somebody changed something in it."""
        if not self._read_manifest():
            return False
        if changed := self._list_changed_files():
            raise UsageError(f"{self.target} was changed since ({', '.join(changed)}): it stays. Delete it by hand.")
        shutil.rmtree(self.target)
        return True


@dataclass(frozen=True)
class JsonEntry:
    """The MCP server in a JSON configuration, under `mcpServers`."""

    path: Path

    def describe(self) -> str:
        """In a line."""
        return f"{self.path}: mcpServers.graphbus = {json.dumps(SERVER)}"

    def _read_config(self) -> dict[str, Any]:
        try:
            data = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as e:
            raise UsageError(
                f"{self.path} cannot be read as JSON ({e}); add the server by hand: {self.describe()}"
            ) from None
        if not isinstance(data, dict) or not isinstance(data.get("mcpServers", {}), dict):
            raise UsageError(f"{self.path} is not a configuration of MCP servers; add it by hand: {self.describe()}")
        return data

    def exists(self) -> bool:
        """Whether our entry is in it."""
        with suppress(UsageError):
            return bool(self._read_config().get("mcpServers", {}).get("graphbus") == SERVER)
        return False

    def apply(self, force: bool) -> None:
        """Add our entry; another one of our name stays unless `force`."""
        data = self._read_config()
        existing = data.get("mcpServers", {}).get("graphbus")
        if existing == SERVER:
            return
        if existing is not None and not force:
            raise UsageError(f"{self.path} has another server named graphbus. Give --force to replace it.")
        data.setdefault("mcpServers", {})["graphbus"] = SERVER
        self._write(data)

    def undo(self) -> bool:
        """Take our entry out, if it is as we wrote it."""
        data = self._read_config()
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
            write_atomic(self.path, (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode())
        except OSError as e:
            raise UsageError(f"{self.path} cannot be written: {e.strerror}.") from None


@dataclass(frozen=True)
class TomlEntry:
    """The MCP server in a TOML configuration, in a block of our own: the rest keeps its comments."""

    path: Path

    def describe(self) -> str:
        """In a line."""
        return f'{self.path}: [mcp_servers.graphbus] command = "graphbus", args = ["mcp"]'

    def _read_text(self) -> str:
        try:
            return self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return ""
        except (OSError, ValueError) as e:
            raise UsageError(f"{self.path} cannot be read ({e}); add the server by hand: {self.describe()}") from None

    def exists(self) -> bool:
        """Whether our block is in it."""
        with suppress(UsageError):
            return _BLOCK in self._read_text()
        return False

    def apply(self, force: bool) -> None:
        """Add our block."""
        text = self._read_text()
        if _BLOCK in text:
            return
        if re.search(r"^\s*\[mcp_servers\.\"?graphbus\"?\]", text, re.MULTILINE):
            raise UsageError(f"{self.path} has a server named graphbus already; change it by hand: {self.describe()}")
        gap = "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
        self._write(text + gap + _BLOCK)

    def undo(self) -> bool:
        """Take our block out."""
        text = self._read_text()
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
            write_atomic(self.path, text.encode())
        except OSError as e:
            raise UsageError(f"{self.path} cannot be written: {e.strerror}.") from None


def _hash_file(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""
