# pure
"""Keeps nothing: a command is matched, answered and forgotten."""
from typing import Any, TypeAlias

from graphbus_core import GraphBusNode, subscribe

Reply: TypeAlias = dict[str, Any]
HELP = {
    "deploy": "deploy <service> [to <stage>]",
    "scale": "scale <service> <replicas>",
    "mute": "mute <service> for <n> (minutes|hours)",
}
STAGES = ("dev", "staging", "prod")
UNITS = {"minute": 60, "minutes": 60, "hour": 3600, "hours": 3600}


def reply(text: str, *, ok: bool = True, **extra: Any) -> Reply:
    return {"ok": ok, "text": text, **extra}


def dispatch(words: list[str], admin: bool) -> Reply:
    match words:
        case []:
            return reply("say something", ok=False)
        case ["help"]:
            return reply("; ".join(HELP.values()))
        case ["help", topic] if topic in HELP:
            return reply(HELP[topic])
        case ["deploy", service]:
            return reply(f"deploying {service}", stage="dev")
        case ["deploy", service, "to", ("dev" | "staging") as stage]:
            return reply(f"deploying {service}", stage=stage)
        case ["deploy", service, "to", "prod"] if admin:
            return reply(f"deploying {service}", stage="prod")
        case ["deploy", _, "to", stage]:
            return reply("not allowed" if stage in STAGES else f"no stage {stage}", ok=False)
        case ["scale", service, replicas] if replicas.isdigit():
            count = int(replicas)
            return reply(f"{service} x{count}", ok=0 < count <= 20)
        case ["mute", *services, "for", amount, unit] if services and amount.isdigit() and unit in UNITS:
            return reply(f"muted {', '.join(sorted(services))}", seconds=int(amount) * UNITS[unit])
        case [verb, *_] if verb in HELP:
            return reply(f"usage: {HELP[verb]}", ok=False)
        case [verb, *rest]:
            return reply(f"unknown: {verb} with {len(rest)} words", ok=False)
        case _:
            return reply("?", ok=False)


class ChatOps(GraphBusNode):
    admins = frozenset({"root", "olga"})

    @subscribe("/chat/command")
    def on_command(self, user: str, line: str) -> Reply:
        words = line.lower().removeprefix("!").split()
        return {"user": user, **dispatch(words, user in self.admins)}
