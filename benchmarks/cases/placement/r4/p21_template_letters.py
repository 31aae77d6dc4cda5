# pure
"""Writes reminders."""
from graphbus_core import GraphBusNode, subscribe
import textwrap
from string import Template

LETTER = Template("Dear ${name}, your payment is late by ${days} days. Please pay ${fee} EUR. $$ is not accepted.")
WRAP = textwrap.TextWrapper(width=30, subsequent_indent="  ")


class LetterNode(GraphBusNode):
    @subscribe("/In")
    def on_letter(self, event):
        fee = f"{event['fee'] / 100:,.2f}"
        lines = WRAP.wrap(LETTER.safe_substitute(event, fee=fee))
        return {"lines": lines, "total": len(lines)}
