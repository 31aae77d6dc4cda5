# stateful
"""Keeps the last command, which cmd.Cmd repeats when an empty line comes."""
import cmd
import shlex

from graphbus_core import GraphBusNode, subscribe


class Console(cmd.Cmd):
    def do_sum(self, rest: str) -> str:
        return str(sum(int(part) for part in shlex.split(rest)))

    def do_upper(self, rest: str) -> str:
        return rest.upper()

    def default(self, line: str) -> str:
        return f"unknown command: {line.split()[0]}"


class RemoteConsole(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._console = Console()

    @subscribe("/Console/Line")
    def on_event(self, line: str) -> dict[str, str]:
        try:
            reply = self._console.onecmd(line.strip())
        except ValueError as error:
            reply = f"error: {error}"
        return {"reply": str(reply or "")}
