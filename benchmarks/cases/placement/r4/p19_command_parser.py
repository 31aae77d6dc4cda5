# pure
"""Reads the command text which a clerk typed."""
from graphbus_core import GraphBusNode, subscribe
import argparse
import shlex


def parser():
    p = argparse.ArgumentParser(prog="clerk", add_help=False, exit_on_error=False)
    p.add_argument("verb")
    p.add_argument("--to", default="store")
    p.add_argument("--kg", type=int, default=1)
    p.add_argument("-x", dest="express", action="count", default=0)
    return p


class CommandNode(GraphBusNode):
    @subscribe("/In")
    def on_command(self, event):
        args = parser().parse_args(shlex.split(event["text"]))
        return {**vars(args), "total": args.kg * (1 + args.express)}
