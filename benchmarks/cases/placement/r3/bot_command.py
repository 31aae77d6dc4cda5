# stateful
import argparse
import shlex

from graphbus_core import GraphBusNode, subscribe


def build_parser():
    p = argparse.ArgumentParser(prog="/report", add_help=False)
    p.add_argument("--region", default="all")
    p.add_argument("--days", type=int, default=7)
    p.add_argument("--format", choices=["text", "csv"], default="text")
    p.add_argument("what", nargs="?", default="sales")
    return p


class ReportBot(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.parser = build_parser()
        self.defaults = argparse.Namespace()

    @subscribe("/Chat/Command")
    def on_command(self, payload):
        words = shlex.split(payload["text"])
        args = self.parser.parse_args(words, namespace=self.defaults)
        self.publish("/Report/Wanted", {
            "what": args.what,
            "region": args.region,
            "days": args.days,
            "format": args.format,
        })
