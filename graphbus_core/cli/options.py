"""The options that several commands take, each declared once. One that is a setting has the setting's words.

setting  the option of a setting: what it does and its choices stand in `settings.known`, and nowhere else
output   the build's folder, where a command was given none
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

import typer

from graphbus_core.settings.definitions import KNOWN

Many = list[str] | None


def build_setting_option(key: str, *flags: str, **how: Any) -> Any:
    """An option whose value `[tool.graphbus]` or a variable may say too."""
    known_setting = KNOWN[key]
    return typer.Option(
        *flags, help=" ".join(filter(None, [known_setting.does, ", ".join(known_setting.choices)])), **how
    )


def resolve_output_dir(given_dir: str | Path | None) -> Path:
    """The folder of the build: as given, else `output_dir` of the settings around the working directory."""
    if given_dir is not None:
        return Path(given_dir)
    from graphbus_core.settings import load_settings

    return Path(load_settings(".").output)


AsJson = Annotated[bool, typer.Option("--json", help="For programs: one JSON object on stdout.")]
JsonLines = Annotated[bool, typer.Option("--json", help="For programs: one JSON object a line.")]
Include = Annotated[Many, build_setting_option("include")]
Exclude = Annotated[Many, build_setting_option("exclude")]
Format = Annotated[str | None, build_setting_option("format", "--format", show_default="text")]
Baseline = Annotated[str | None, build_setting_option("baseline")]
Root = Annotated[
    str | None, typer.Option(help="The project's folder, where it is not the nearest with a pyproject.toml or .git.")
]
AllowHost = Annotated[Many, typer.Option(help="A name under which others reach this server, as behind a proxy.")]
Port = Annotated[int, typer.Option(help="The port; 0 takes any that is free.", min=0, max=65535)]
Human = Annotated[bool, typer.Option("--human", help="A person rules on what is escalated.")]


# Command-line values without pydantic, whose import costs 90 ms at each command.
#
# typer 0.29 builds a validator for every parameter. Text, whole numbers, numbers and lists of text need none.


PLAIN = (str, int, float, bool)  # a flag's value comes as a bool already


class PlainParam:
    """Coerces one parameter's value (the interface of typer's own runtime parameters)."""

    def __init__(self, kind: type) -> None:
        self.kind = kind

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value as the command wants it; typer's own error where it is something else."""
        many = param.multiple or param.nargs == -1
        if value is None:
            return () if many else None
        try:
            return [self.kind(part) for part in value] if many else self.kind(value)
        except ValueError:
            from typer import BadParameter

            expected_kind = {int: "a whole number", float: "a number"}.get(self.kind, "a text")
            raise BadParameter(f"{value!r} is not {expected_kind}.", ctx=ctx, param=param) from None


def simplify_params(command: Any) -> Any:
    """Give each plain parameter of a command, and of its subcommands, a plain coercion."""
    params = list(getattr(command, "params", ()))
    if hasattr(command, "get_help_option"):
        from typer import Context

        params.append(command.get_help_option(Context(command)))
    for param in params:
        descriptor = getattr(param, "type_descriptor", None)
        if descriptor is None or getattr(param, "_runtime_param", True) is not None:
            continue  # another typer than the one this was written for: leave it alone
        kind = _find_plain_type(descriptor)
        if kind is not None:
            param._runtime_param = PlainParam(kind)
    for sub in getattr(command, "commands", {}).values():
        simplify_params(sub)
    return command


def _find_plain_type(descriptor: Any) -> type | None:
    annotation = descriptor.annotation
    if get_origin(annotation) is list:
        annotation = next(iter(get_args(annotation)), None)
    special = descriptor.is_file or descriptor.is_choice or descriptor.is_ranged
    info = descriptor.parameter_info
    if special or getattr(info, "parser", None) or getattr(info, "click_type", None):
        return None
    return annotation if annotation in PLAIN else None
