"""What holds: flags over environment over file over default, each value with where it comes from."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphbus_core.errors import ConfigError
from graphbus_core.settings.definitions import GROUPS, KNOWN, NUMBER, TABLES, TEXT, TEXTS, WHOLE, YES_NO, Setting
from graphbus_core.suggestions import suggest_names

# A project's `pyproject.toml` -> the settings in it, each with its line. A wrong one is an error that names it.


NAME = "pyproject.toml"
MARK = b"graphbus"


@dataclass(frozen=True)
class SettingValue:
    """One value, and where it stands (`pyproject.toml:12`, `GRAPHBUS_MODEL`, `--model`)."""

    value: Any
    source: str


def find_pyproject(folder: Path) -> Path | None:
    """The nearest `pyproject.toml` at or above a folder; a repository's root is not left."""
    for ancestor in (folder, *folder.parents):
        if (path := ancestor / NAME).is_file():
            return path
        # A parent folder beyond the repository belongs to somebody else. Its settings would change a build without a
        # trace in git.
        if (ancestor / ".git").exists():
            return None
    return None


def read_pyproject(path: Path) -> dict[str, SettingValue]:
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
        name: SettingValue(check_value(KNOWN[name], value, f"{path.name}:{line}"), f"{path.name}:{line}")
        for name, value in _flatten_table(table, path.name, lines)
        for line in (_find_line(lines, name),)
    }


def _flatten_table(table: Mapping[str, Any], file: str, lines: list[str]) -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        name = key.replace("-", "_")
        if name == "policy" and isinstance(value, list):
            # Written by projects of before 0.2, and still read: what stands on disk stays readable.
            yield "policy.rules", value  # the older form of the rules of a run
        elif name in GROUPS:
            if not isinstance(value, dict):
                raise ConfigError(f"{file}:{_find_line(lines, key)}: `{key}` is a table; write [tool.graphbus.{key}].")
            for inner, inner_value in value.items():
                yield (
                    _check_known(f"{name}.{inner.replace('-', '_')}", f"{file}:{_find_line(lines, f'{key}.{inner}')}"),
                    inner_value,
                )
        else:
            yield _check_known(name, f"{file}:{_find_line(lines, key)}"), value


def _check_known(name: str, place: str) -> str:
    if name in KNOWN:
        return name
    # A setting that is known under a group is the usual slip: `arbiters` for `policy.arbiters`.
    near = suggest_names(name, KNOWN, sure=True) or [k for k in KNOWN if k.endswith(f".{name}")][:1]
    hint = f" Did you mean `{near[0]}`?" if near else ""
    raise ConfigError(
        f"{place}: there is no setting `{name}` in [tool.graphbus].{hint} `graphbus config` lists them all."
    )


def check_value(setting: Setting, value: Any, place: str) -> Any:
    """A value as the setting wants it. Raises ConfigError."""
    right = {
        TEXT: lambda v: isinstance(v, str) and bool(v.strip()),
        TEXTS: lambda v: isinstance(v, list | tuple) and all(isinstance(item, str) and item for item in v),
        # `True` is an int in Python. A budget of `true` dollars would be one dollar.
        NUMBER: lambda v: isinstance(v, int | float) and not isinstance(v, bool) and v > 0,
        WHOLE: lambda v: isinstance(v, int) and not isinstance(v, bool) and v > 0,
        YES_NO: lambda v: isinstance(v, bool),
        TABLES: lambda v: isinstance(v, list) and all(isinstance(item, dict) for item in v),
    }
    if setting.kind == TEXTS and isinstance(value, str) and value:
        value = [value]  # one is written without brackets by everybody now and then
    if not right[setting.kind](value):
        raise ConfigError(f"{place}: `{setting.name}` is {value!r}; it is a {setting.kind}.")
    if setting.choices and value not in setting.choices:
        near = suggest_names(value, setting.choices, sure=True)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise ConfigError(f"{place}: `{setting.name}` is {value!r}; use {', '.join(setting.choices)}.{hint}")
    # A tuple: settings are shared by everything of a command, and nobody may change them for the others.
    return tuple(value) if isinstance(value, list) else value


def _find_line(lines: list[str], name: str) -> int:
    """The line where a key stands, as near as plain text tells; tomllib keeps none."""
    group, _, key = name.rpartition(".")
    wanted_table = f"tool.graphbus.{group}" if group else "tool.graphbus"
    inside, table_line = False, 0
    for number, line in enumerate(lines, 1):
        head = re.match(r"\s*\[+\s*([\w.\"'-]+)\s*\]+", line)
        if head:
            table = head[1].replace('"', "").replace("'", "")
            inside = table == wanted_table
            if inside:
                table_line = table_line or number
            if table == f"{wanted_table}.{key}":
                return number
        elif inside and re.match(rf"\s*[\"']?{re.escape(key).replace('_', '[_-]')}[\"']?\s*=", line):
            return number
    return table_line or 1


DEFAULT = "default"
TRUE, FALSE = {"1", "true", "yes", "on"}, {"0", "false", "no", "off"}


@dataclass(frozen=True)
class Settings:
    """The settings of a project. `file` is its `pyproject.toml`, where there is one; `root` is the folder of that."""

    given: Mapping[str, SettingValue]
    root: Path
    file: Path | None = None

    def __getitem__(self, name: str) -> Any:
        """The value that holds."""
        stated = self.given.get(name)
        return KNOWN[name].default if stated is None else stated.value

    def find_source(self, name: str) -> str:
        """Where it comes from: `pyproject.toml:12`, a variable, a flag, or `default`."""
        stated = self.given.get(name)
        return DEFAULT if stated is None else stated.source

    def is_stated(self, name: str) -> bool:
        """Whether anybody set it."""
        # What was stated can be told apart from a default with the same value: a person who wrote it is asked nothing
        # about it.
        return name in self.given

    @property
    def output(self) -> str:
        """The folder of the build, as it is reached from the working directory."""
        if not self.find_source("output_dir").startswith(f"{NAME}:"):
            return str(self["output_dir"])
        return os.path.relpath(self.root / str(self["output_dir"]))

    @property
    def file_globs(self) -> dict[str, tuple[str, ...]]:
        """Which files are meant: globs on paths and dotted modules."""
        return {"include": self["include"], "exclude": self["exclude"]}

    def resolve_start(self, path: str | None) -> tuple[str | None, Settings]:
        """The folder to read where a command names none; several roots are read as one project, by its `include`."""
        roots = self["roots"]
        if path is not None or not roots:
            return path, self
        if len(roots) == 1:
            return os.path.relpath(self.root / roots[0]), self
        if self["include"]:
            raise ConfigError(
                f"{self.find_source('roots')}: several roots and `include` ({self.find_source('include')}) do "
                f"not go together. "
                "Say all of it in `include`."
            )
        for root in roots:
            if not (self.root / root).is_dir():
                raise ConfigError(f"{self.find_source('roots')}: there is no folder {root} in {self.root}.")
        among = SettingValue(tuple(f"{root.strip('/')}/*" for root in roots), self.find_source("roots"))
        return os.path.relpath(self.root), Settings({**self.given, "include": among}, self.root, self.file)

    def merge_flags(self, flags: Mapping[str, Any]) -> Settings:
        """With what was said on the command line; None and empty lists say nothing."""
        flag_values = {
            name: SettingValue(
                check_value(KNOWN[name], value, f"--{name}"), "--" + name.rpartition(".")[2].replace("_", "-")
            )
            for name, value in flags.items()
            # An option of the command line that was not given arrives as None, a repeated one as an empty list.
            # Neither says "nothing".
            if value is not None and value != [] and value != ()
        }
        return Settings({**self.given, **flag_values}, self.root, self.file)


def load_settings(folder: str | os.PathLike[str] = ".", environment: Mapping[str, str] | None = None) -> Settings:
    """What holds for the project around a folder. Raises ConfigError."""
    # A command may name a file, a dotted module or a place that is to be made. The project around it is meant.
    existing = Path(folder).absolute()
    while not existing.is_dir() and existing != existing.parent:  # a dotted package, a file, what is not there yet
        existing = existing.parent
    file = find_pyproject(existing)
    values = read_pyproject(file) if file is not None else {}
    # Last, so that the environment goes over the file: a build server sets it for one run without an edit.
    values |= _read_environment(os.environ if environment is None else environment)
    return Settings(values, file.parent if file is not None else existing, file)


def _read_environment(environment: Mapping[str, str]) -> dict[str, SettingValue]:
    values = {}
    for setting in KNOWN.values():
        text = environment.get(setting.variable, "") if setting.variable else ""
        # A variable set to nothing is how shells unset one for a command.
        if text.strip():
            values[setting.name] = SettingValue(
                check_value(setting, _parse_variable(setting, text.strip()), setting.variable), setting.variable
            )
    return values


def _parse_variable(setting: Setting, text: str) -> Any:
    """A variable's text as the setting wants it."""
    # Text that is not a number goes on as text: `typed` then refuses it with the sentence that names the setting.
    try:
        if setting.kind == TEXTS:
            return [part.strip() for part in text.split(",") if part.strip()]
        if setting.kind == WHOLE:
            return int(text)
        if setting.kind == NUMBER:
            return float(text)
    except ValueError:
        pass
    if setting.kind == YES_NO:
        # A word that is neither is refused: `GRAPHBUS_POLICY_APPROVE=nope` read as False would drop a safeguard.
        if text.lower() in TRUE | FALSE:
            return text.lower() in TRUE
        raise ConfigError(f"{setting.variable} is {text!r}; say 1 or 0.")
    return text
