"""What holds: flags over environment over file over default, each value with where it comes from."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphbus_core.errors import ConfigError
from graphbus_core.settings.known import KNOWN, NUMBER, TEXTS, WHOLE, YES_NO, Setting
from graphbus_core.settings.read import NAME, Given, find, read, typed

DEFAULT = "default"
TRUE, FALSE = {"1", "true", "yes", "on"}, {"0", "false", "no", "off"}


@dataclass(frozen=True)
class Settings:
    """The settings of a project. `file` is its `pyproject.toml`, where there is one; `root` is the folder of that."""

    given: Mapping[str, Given]
    root: Path
    file: Path | None = None

    def __getitem__(self, name: str) -> Any:
        """The value that holds."""
        found = self.given.get(name)
        return KNOWN[name].default if found is None else found.value

    def source(self, name: str) -> str:
        """Where it comes from: `pyproject.toml:12`, a variable, a flag, or `default`."""
        found = self.given.get(name)
        return DEFAULT if found is None else found.source

    def stated(self, name: str) -> bool:
        """Whether anybody set it."""
        # What was stated can be told apart from a default with the same value: a person who wrote it is asked nothing
        # about it.
        return name in self.given

    @property
    def output(self) -> str:
        """The folder of the build, as it is reached from the working directory."""
        if not self.source("output_dir").startswith(f"{NAME}:"):
            return str(self["output_dir"])
        return os.path.relpath(self.root / str(self["output_dir"]))

    @property
    def among(self) -> dict[str, tuple[str, ...]]:
        """Which files are meant: globs on paths and dotted modules."""
        return {"include": self["include"], "exclude": self["exclude"]}

    def start(self, path: str | None) -> tuple[str | None, Settings]:
        """The folder to read where a command names none; several roots are read as one project, by its `include`."""
        roots = self["roots"]
        if path is not None or not roots:
            return path, self
        if len(roots) == 1:
            return os.path.relpath(self.root / roots[0]), self
        if self["include"]:
            raise ConfigError(
                f"{self.source('roots')}: several roots and `include` ({self.source('include')}) do not go together. "
                "Say all of it in `include`."
            )
        for one in roots:
            if not (self.root / one).is_dir():
                raise ConfigError(f"{self.source('roots')}: there is no folder {one} in {self.root}.")
        among = Given(tuple(f"{one.strip('/')}/*" for one in roots), self.source("roots"))
        return os.path.relpath(self.root), Settings({**self.given, "include": among}, self.root, self.file)

    def over(self, flags: Mapping[str, Any]) -> Settings:
        """With what was said on the command line; None and empty lists say nothing."""
        said = {
            name: Given(typed(KNOWN[name], value, f"--{name}"), "--" + name.rpartition(".")[2].replace("_", "-"))
            for name, value in flags.items()
            # An option of the command line that was not given arrives as None, a repeated one as an empty list.
            # Neither says "nothing".
            if value is not None and value != [] and value != ()
        }
        return Settings({**self.given, **said}, self.root, self.file)


def effective(folder: str | os.PathLike[str] = ".", environment: Mapping[str, str] | None = None) -> Settings:
    """What holds for the project around a folder. Raises ConfigError."""
    # A command may name a file, a dotted module or a place that is to be made. The project around it is meant.
    at = Path(folder).absolute()
    while not at.is_dir() and at != at.parent:  # a dotted package, a file, what is not there yet
        at = at.parent
    file = find(at)
    given = read(file) if file is not None else {}
    # Last, so that the environment goes over the file: a build server sets it for one run without an edit.
    given |= _from(os.environ if environment is None else environment)
    return Settings(given, file.parent if file is not None else at, file)


def _from(environment: Mapping[str, str]) -> dict[str, Given]:
    found = {}
    for setting in KNOWN.values():
        text = environment.get(setting.variable, "") if setting.variable else ""
        # A variable set to nothing is how shells unset one for a command.
        if text.strip():
            found[setting.name] = Given(
                typed(setting, _parsed(setting, text.strip()), setting.variable), setting.variable
            )
    return found


def _parsed(setting: Setting, text: str) -> Any:
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
