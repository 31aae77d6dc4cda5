from graphbus_core import GraphBusNode, subscribe

import codons


class CodeTableSwitch(GraphBusNode):
    @subscribe("/Gene/UseTable")
    def on_use(self, table: int) -> str:
        if table not in codons.TABLES:
            return "unknown table"
        codons.active = table
        return "ok"
