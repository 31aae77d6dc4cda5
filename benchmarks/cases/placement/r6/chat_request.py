# pure
"""The default of an append option is a list, but argparse appends to a copy, and each parse has its own namespace."""
import argparse
import shlex

from graphbus_core import GraphBusNode, subscribe


class BadRequest(Exception):
    pass


class ChatParser(argparse.ArgumentParser):
    def error(self, message: str) -> None:
        raise BadRequest(message)


def build_parser() -> ChatParser:
    parser = ChatParser(prog="/remind", add_help=False)
    parser.add_argument("text", nargs="+")
    parser.add_argument("-t", "--tag", action="append", default=["chat"])
    parser.add_argument("-w", "--who", action="append", default=[])
    parser.add_argument("-v", action="count", default=0)
    return parser


class ChatRequest(GraphBusNode):
    PARSER = build_parser()

    def __init__(self) -> None:
        super().__init__()

    @subscribe("/chat/command")
    def on_command(self, sender: str, line: str) -> dict[str, object]:
        try:
            options = self.PARSER.parse_args(shlex.split(line))
        except (BadRequest, ValueError) as problem:
            return {"reply": f"@{sender} {problem}"}
        who = options.who or [sender]
        return {
            "text": " ".join(options.text),
            "tags": options.tag,
            "who": who,
            "detail": min(options.v, 3),
        }
