# stateful
"""Keeps a generator of blocked domains at module level, which every membership test eats further."""
import re
from typing import Any

from graphbus_core import GraphBusNode, subscribe

_RAW = """
# throw-away mail
mailinator.test
tempbox.test
Trash-Mail.test
# competitors
acme.test
"""

ADDRESS = re.compile(r"^(?P<local>[A-Za-z0-9._+-]+)@(?P<domain>[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)$")
BLOCKED = (line.strip().lower() for line in _RAW.splitlines() if line.strip() and not line.startswith("#"))
ROLE_ACCOUNTS = ("admin", "info", "postmaster", "root")


def split(address: str) -> tuple[str, str] | None:
    if (found := ADDRESS.match(address.strip())) is None:
        return None
    return found["local"].lower(), found["domain"].lower()


def canonical(local: str) -> str:
    return local.split("+", 1)[0].replace(".", "")


class SignupScreen(GraphBusNode):
    @subscribe("/signup/attempt")
    def on_signup(self, address: str, plan: str = "free") -> dict[str, Any]:
        parts = split(address)
        if parts is None:
            return {"address": address, "ok": False, "why": "syntax"}
        local, domain = parts
        if domain in BLOCKED:
            return {"address": address, "ok": False, "why": "domain"}
        if canonical(local) in ROLE_ACCOUNTS and plan == "free":
            return {"address": address, "ok": False, "why": "role"}
        return {"address": address, "ok": True, "user": f"{canonical(local)}@{domain}"}
