# stateful
"""Sums the second column of a bank statement."""
from graphbus_core import GraphBusNode, subscribe
import csv


class StatementReader(GraphBusNode):
    @subscribe("/In")
    def on_statement(self, event):
        bank = event["bank"]
        if event["sep"]:
            csv.register_dialect(bank, delimiter=event["sep"])
        dialect = bank if bank in csv.list_dialects() else "excel"
        rows = csv.reader(event["text"].splitlines(), dialect)
        return {"bank": bank, "total": sum(int(r[1]) for r in rows if len(r) > 1)}
