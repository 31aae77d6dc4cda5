# stateful
"""Parses command lines with optparse, whose append action adds to the default list itself, so options pile up."""
import optparse
import shlex

from graphbus_core import GraphBusNode, subscribe


class _Parser(optparse.OptionParser):
    def error(self, msg):
        raise ValueError(msg)


def _build() -> optparse.OptionParser:
    parser = _Parser(usage="job [options] target", add_help_option=False)
    parser.add_option("-e", "--exclude", action="append", default=[".git"])
    parser.add_option("-j", "--jobs", type="int", default=2)
    parser.add_option("-n", "--dry-run", action="store_true", default=False)
    parser.add_option("--mode", type="choice", choices=["full", "delta"], default="delta")
    return parser


class JobOptions(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._parser = _build()

    @subscribe("/Backup/Job")
    def on_job(self, job: str, command: str) -> dict:
        try:
            options, targets = self._parser.parse_args(shlex.split(command))
        except ValueError as error:
            return {"job": job, "error": str(error)}
        return {
            "job": job,
            "targets": targets,
            "exclude": list(options.exclude),
            "workers": 1 if options.dry_run else options.jobs,
            "mode": options.mode,
        }
