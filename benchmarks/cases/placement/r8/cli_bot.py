# stateful
"""Keeps the options of earlier commands, because one argparse namespace is parsed into again and again."""
import argparse
import shlex

from graphbus_core import GraphBusNode, subscribe


class _Silent(argparse.ArgumentParser):
    def error(self, message: str) -> None:
        raise ValueError(message)


def build_parser() -> _Silent:
    parser = _Silent(prog="deploy", add_help=False)
    parser.add_argument("service")
    parser.add_argument("--region", default="eu-west")
    parser.add_argument("--replicas", type=int, default=1)
    parser.add_argument("--dry-run", action="store_true")
    return parser


def render(ns: argparse.Namespace) -> str:
    text = f"deploy {ns.service} to {ns.region} x{ns.replicas}"
    if ns.dry_run:
        text += " (dry run)"
    return text


class CliBot(GraphBusNode):
    """Turns chat commands into deployment requests."""

    PREFIX = "!deploy "

    def __init__(self) -> None:
        super().__init__()
        self.parser = build_parser()
        self.options = argparse.Namespace()

    @subscribe("/Chat/Message")
    def on_message(self, user: str, text: str) -> dict[str, str]:
        if not text.startswith(self.PREFIX):
            return {"user": user, "reply": ""}
        try:
            words = shlex.split(text[len(self.PREFIX):])
            self.parser.parse_args(words, namespace=self.options)
        except ValueError as problem:
            return {"user": user, "reply": f"sorry: {problem}"}
        return {"user": user, "reply": render(self.options)}
