"""A project's `pyproject.toml` -> the settings in it, each with its line. A wrong one is an error that names it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphbus_core.errors import ConfigError
from graphbus_core.nearest import near_names
from graphbus_core.settings.known import GROUPS, KNOWN, NUMBER, TABLES, TEXT, TEXTS, WHOLE, YES_NO, Setting

NAME = "pyproject.toml"
MARK = b"graphbus"


@dataclass(frozen=True)
class Given:
    """One value, and where it stands (`pyproject.toml:12`, `GRAPHBUS_MODEL`, `--model`)."""

    value: Any
    source: str


def find(folder: Path) -> Path | None:
    """The nearest `pyproject.toml` at or above a folder; a repository's root is not left."""
    for at in (folder, *folder.parents):
        if (path := at / NAME).is_file():
            return path
        # A parent folder beyond the repository belongs to somebody else. Its settings would change a build without a
        # trace in git.
        if (at / ".git").exists():
            return None
    return None


def read(path: Path) -> dict[str, Given]:
    """The settings in the file. Raises ConfigError: not TOML, an unknown key (with the nearest), a wrong type."""
    try:
        data = path.read_bytes()
    except OSError as e:
        raise ConfigError(f"{path} cannot be read: {e.strerror}.") from e
    # Nearly every project has a `pyproject.toml` without a word of us. Looking for one word costs less than parsing
    # it all.
    if MARK not in data:
        return {}
    import tomllib  # late: most projects have no settings, and its patterns take a while to compile

    try:
        text = data.decode()
        table = tomllib.loads(text).get("tool", {}).get("graphbus", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as e:
        raise ConfigError(f"{path} is not TOML: {e}. Mend that line.") from e
    except AttributeError as e:
        raise ConfigError(f"{path}: `tool` is not a table.") from e
    if not isinstance(table, dict):
        raise ConfigError(f"{path}: `tool.graphbus` is {table!r}; write a table, [tool.graphbus].")
    lines = text.splitlines()
    return {
        name: Given(typed(KNOWN[name], value, f"{path.name}:{line}"), f"{path.name}:{line}")
        for name, value in _flat(table, path.name, lines)
        for line in (_line(lines, name),)
    }


def _flat(table: Mapping[str, Any], file: str, lines: list[str]) -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        name = key.replace("-", "_")
        if name == "policy" and isinstance(value, list):
            # Written by projects of before 0.2, and still read: what stands on disk stays readable.
            yield "policy.rules", value  # the older form of the rules of a run
        elif name in GROUPS:
            if not isinstance(value, dict):
                raise ConfigError(f"{file}:{_line(lines, key)}: `{key}` is a table; write [tool.graphbus.{key}].")
            for inner, one in value.items():
                yield _known(f"{name}.{inner.replace('-', '_')}", f"{file}:{_line(lines, f'{key}.{inner}')}"), one
        else:
            yield _known(name, f"{file}:{_line(lines, key)}"), value


def _known(name: str, place: str) -> str:
    if name in KNOWN:
        return name
    # A setting that is known under a group is the usual slip: `arbiters` for `policy.arbiters`.
    near = near_names(name, KNOWN, sure=True) or [k for k in KNOWN if k.endswith(f".{name}")][:1]
    hint = f" Did you mean `{near[0]}`?" if near else ""
    raise ConfigError(
        f"{place}: there is no setting `{name}` in [tool.graphbus].{hint} `graphbus config` lists them all."
    )


def typed(setting: Setting, value: Any, place: str) -> Any:
    """A value as the setting wants it. Raises ConfigError."""
    right = {
        TEXT: lambda v: isinstance(v, str) and bool(v.strip()),
        TEXTS: lambda v: isinstance(v, list | tuple) and all(isinstance(one, str) and one for one in v),
        # `True` is an int in Python. A budget of `true` dollars would be one dollar.
        NUMBER: lambda v: isinstance(v, int | float) and not isinstance(v, bool) and v > 0,
        WHOLE: lambda v: isinstance(v, int) and not isinstance(v, bool) and v > 0,
        YES_NO: lambda v: isinstance(v, bool),
        TABLES: lambda v: isinstance(v, list) and all(isinstance(one, dict) for one in v),
    }
    if setting.kind == TEXTS and isinstance(value, str) and value:
        value = [value]  # one is written without brackets by everybody now and then
    if not right[setting.kind](value):
        raise ConfigError(f"{place}: `{setting.name}` is {value!r}; it is a {setting.kind}.")
    if setting.choices and value not in setting.choices:
        near = near_names(value, setting.choices, sure=True)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise ConfigError(f"{place}: `{setting.name}` is {value!r}; use {', '.join(setting.choices)}.{hint}")
    # A tuple: settings are shared by everything of a command, and nobody may change them for the others.
    return tuple(value) if isinstance(value, list) else value


def _line(lines: list[str], name: str) -> int:
    """The line where a key stands, as near as plain text tells; tomllib keeps none."""
    group, _, key = name.rpartition(".")
    wanted = f"tool.graphbus.{group}" if group else "tool.graphbus"
    inside, at = False, 0
    for number, line in enumerate(lines, 1):
        head = re.match(r"\s*\[+\s*([\w.\"'-]+)\s*\]+", line)
        if head:
            table = head[1].replace('"', "").replace("'", "")
            inside = table == wanted
            if inside:
                at = at or number
            if table == f"{wanted}.{key}":
                return number
        elif inside and re.match(rf"\s*[\"']?{re.escape(key).replace('_', '[_-]')}[\"']?\s*=", line):
            return number
    return at or 1
