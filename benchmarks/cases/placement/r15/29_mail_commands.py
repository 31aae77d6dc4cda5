# stateful
"""Keeps options of earlier command lines in the name space that the argument parser fills."""
import argparse
import shlex

from graphbus_core import GraphBusNode, subscribe


class Quiet(argparse.ArgumentParser):
    def error(self, message: str) -> None:
        raise ValueError(message)


def make_parser() -> argparse.ArgumentParser:
    parser = Quiet(prog="post", add_help=False)
    parser.add_argument("weight", type=int)
    parser.add_argument("-x", "--express", action="store_true")
    parser.add_argument("-z", "--zone", choices=["home", "europe", "world"], default="home")
    parser.add_argument("-i", "--insure", type=int, default=0)
    return parser


BASE = {"home": 85, "europe": 110, "world": 170}


def postage(options: argparse.Namespace) -> int:
    cents = BASE[options.zone] * (1 + options.weight // 50)
    if options.express:
        cents += 900
    return cents + options.insure // 100


class MailCommands(GraphBusNode):
    """Answers the short commands that counter clerks type."""

    def __init__(self) -> None:
        super().__init__()
        self._parser = make_parser()
        self._options = argparse.Namespace()

    @subscribe("/Post/Command")
    def on_command(self, line: str) -> dict[str, object]:
        try:
            options = self._parser.parse_args(shlex.split(line), self._options)
        except ValueError as error:
            return {"error": str(error)}
        return {"zone": options.zone, "express": options.express, "cents": postage(options)}
