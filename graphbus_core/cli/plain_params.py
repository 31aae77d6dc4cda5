"""Command-line values without pydantic, whose import costs 90 ms at each command.

typer 0.29 builds a validator for every parameter. Text, whole numbers, numbers and lists of text need none."""

from __future__ import annotations

from typing import Any, get_args, get_origin

PLAIN = (str, int, float, bool)  # a flag's value comes as a bool already


class PlainParam:
    """Coerces one parameter's value (the interface of typer's own runtime parameters)."""

    def __init__(self, kind: type) -> None:
        self.kind = kind

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value as the command wants it; typer's own error where it is no such thing."""
        many = param.multiple or param.nargs == -1
        if value is None:
            return () if many else None
        try:
            return [self.kind(one) for one in value] if many else self.kind(value)
        except ValueError:
            from typer import BadParameter

            wanted = {int: "a whole number", float: "a number"}.get(self.kind, "a text")
            raise BadParameter(f"{value!r} is not {wanted}.", ctx=ctx, param=param) from None


def quicken(command: Any) -> Any:
    """Give each plain parameter of a command, and of its subcommands, a plain coercion."""
    params = list(getattr(command, "params", ()))
    if hasattr(command, "get_help_option"):
        from typer import Context

        params.append(command.get_help_option(Context(command)))
    for param in params:
        descriptor = getattr(param, "type_descriptor", None)
        if descriptor is None or getattr(param, "_runtime_param", True) is not None:
            continue  # another typer than the one this was written for: leave it alone
        kind = _kind(descriptor)
        if kind is not None:
            param._runtime_param = PlainParam(kind)
    for sub in getattr(command, "commands", {}).values():
        quicken(sub)
    return command


def _kind(descriptor: Any) -> type | None:
    annotation = descriptor.annotation
    if get_origin(annotation) is list:
        annotation = next(iter(get_args(annotation)), None)
    special = descriptor.is_file or descriptor.is_choice or descriptor.is_ranged
    info = descriptor.parameter_info
    if special or getattr(info, "parser", None) or getattr(info, "click_type", None):
        return None
    return annotation if annotation in PLAIN else None
