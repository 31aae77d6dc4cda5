# stateful
"""cmd.Cmd runs the last command once more when it is given an empty line."""
import cmd
import io

from graphbus_core import GraphBusNode, subscribe


class BenchShell(cmd.Cmd):
    """Commands an operator may send to the test bench."""

    def __init__(self) -> None:
        super().__init__(stdout=io.StringIO())
        self.use_rawinput = False

    def say(self, text: str) -> None:
        self.stdout.write(text + "\n")

    def do_volts(self, arg: str) -> None:
        try:
            self.say(f"VOLT {float(arg):.3f}")
        except ValueError:
            self.say("ERR volts")

    def do_relay(self, arg: str) -> None:
        name, _, on = arg.partition(" ")
        self.say(f"RELAY {name.upper()} {'CLOSE' if on == 'on' else 'OPEN'}")

    def do_idn(self, arg: str) -> None:
        self.say("*IDN?")

    def default(self, line: str) -> None:
        self.say(f"ERR {line.split()[0]}")


class BenchConsole(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._shell = BenchShell()

    @subscribe("/bench/line")
    def on_line(self, line: str) -> dict[str, list[str]]:
        self._shell.stdout = io.StringIO()
        self._shell.onecmd(line.strip())
        return {"scpi": self._shell.stdout.getvalue().splitlines()}
