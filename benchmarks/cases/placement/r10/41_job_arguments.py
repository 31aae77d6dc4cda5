# pure
"""Keeps only a parser that is set up once; every line gets a namespace of its own."""
import argparse
import shlex
from typing import Any, NoReturn

from graphbus_core import GraphBusNode, subscribe


class UsageError(Exception):
    pass


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def key_value(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise argparse.ArgumentTypeError(f"{text!r} is not name=value")
    return name, value


def build_parser() -> Parser:
    parser = Parser(prog="job", add_help=False, allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True, parser_class=Parser)

    submit = commands.add_parser("submit", add_help=False)
    submit.add_argument("image")
    submit.add_argument("-e", "--env", action="append", type=key_value, default=[], metavar="NAME=VALUE")
    submit.add_argument("-p", "--priority", type=int, choices=range(0, 10), default=5)
    submit.add_argument("-v", "--verbose", action="count", default=0)
    submit.add_argument("--tag", action="append")
    submit.add_argument("args", nargs="*")

    cancel = commands.add_parser("cancel", add_help=False)
    cancel.add_argument("job", type=int, nargs="+")
    cancel.add_argument("--force", action="store_true")
    return parser


class JobArguments(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.parser = build_parser()

    @subscribe("/job/line")
    def on_line(self, line: str) -> dict[str, Any]:
        try:
            options = vars(self.parser.parse_args(shlex.split(line)))
        except (UsageError, ValueError) as error:
            return {"error": str(error)}
        if options["command"] == "submit":
            options["env"] = dict(options["env"])
            options["tag"] = sorted(set(options["tag"] or ["untagged"]))
        return options
