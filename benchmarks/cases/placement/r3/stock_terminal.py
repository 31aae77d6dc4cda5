# stateful
import cmd

from graphbus_core import GraphBusNode, subscribe

STOCK = {"bolt": 120, "nut": 80, "gear": 4}


class Terminal(cmd.Cmd):
    def do_stock(self, arg):
        return f"{arg}: {STOCK.get(arg, 'unknown')}"

    def do_low(self, arg):
        limit = int(arg or 10)
        return ", ".join(k for k, v in STOCK.items() if v < limit)

    def default(self, line):
        return f"? {line}"


class StockTerminal(GraphBusNode):
    terminal = Terminal()

    @subscribe("/Terminal/Line")
    def on_line(self, payload):
        answer = self.terminal.onecmd(payload["line"].strip())
        self.publish("/Terminal/Answer", {"answer": answer})
