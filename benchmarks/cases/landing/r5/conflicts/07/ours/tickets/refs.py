import re

TICKET = re.compile(r"\b[A-Z]{2,5}-\d+(#c\d+)?")


def link(text, host="https://bugs.example"):
    return TICKET.sub(lambda m: f"[{m.group(0)}]({host}/{m.group(0)})", text)
