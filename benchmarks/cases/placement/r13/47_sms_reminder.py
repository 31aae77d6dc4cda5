# pure
"""The shared wrapper's width is set at the start of each event, whatever it was before."""
import textwrap

from graphbus_core import GraphBusNode, subscribe

WIDTHS = {"sms": 30, "letter": 64, "fax": 50}
_wrapper = textwrap.TextWrapper(break_long_words=False)

TEXTS = {
    1: "Perhaps you overlooked our bill of {amount}.",
    2: "Our bill of {amount} is still open, please pay it within seven days.",
    3: "As you did not pay {amount}, your cover ends with the present month.",
}


def money(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02d} EUR"


class PaymentReminder(GraphBusNode):
    @subscribe("/Billing/Reminder")
    def remind(self, name: str, channel: str, level: int, cents: int) -> dict[str, object]:
        _wrapper.width = WIDTHS.get(channel, 64)
        _wrapper.initial_indent = "" if channel == "sms" else "  "
        level = min(max(level, 1), len(TEXTS))
        sentence = TEXTS[level].format(amount=money(cents))
        lines = _wrapper.wrap(f"Dear {name}. {sentence}")
        fee = 0 if level == 1 else 500 * (level - 1)
        return {"lines": lines, "fee": fee, "messages": -(-len(lines) // 5)}
