# stateful
"""The namespace is handed to every parse, and argparse sets a default only where the namespace has no value yet."""
import argparse
import shlex

from graphbus_core import GraphBusNode, subscribe


class UsageProblem(Exception):
    pass


class JobParser(argparse.ArgumentParser):
    def error(self, message: str) -> None:
        raise UsageProblem(message)


def build_parser(into: argparse.Namespace):
    parser = JobParser(prog="job", add_help=False)
    parser.add_argument("name")
    parser.add_argument("--cores", type=int, default=1)
    parser.add_argument("--queue", choices=["short", "long"], default="short")
    parser.add_argument("--gpu", action="store_true")

    def parse(line: str) -> argparse.Namespace:
        return parser.parse_args(shlex.split(line), namespace=into)

    return parse


class JobArguments(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._parse = build_parser(argparse.Namespace())

    @subscribe("/job/submit")
    def on_submit(self, user: str, line: str) -> dict[str, object]:
        try:
            job = self._parse(line)
        except UsageProblem as problem:
            return {"user": user, "error": str(problem)}
        price = job.cores * (4 if job.gpu else 1) * (2 if job.queue == "long" else 1)
        return {"user": user, "name": job.name, "cores": job.cores, "gpu": job.gpu, "price": price}
