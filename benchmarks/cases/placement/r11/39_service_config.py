# pure
"""Merges overrides into a deep copy of the defaults; the defaults themselves are never touched."""
from copy import deepcopy
from types import MappingProxyType
from typing import Any

from graphbus_core import GraphBusNode, subscribe

DEFAULTS = MappingProxyType({
    "http": {"port": 8080, "hosts": ["localhost"], "tls": {"enabled": False, "ciphers": ["AES128", "CHACHA20"]}},
    "log": {"level": "info", "sinks": ["stdout"]},
    "workers": 4,
})
LEVELS = ("debug", "info", "warning", "error")


def _merge(target: dict[str, Any], changes: dict[str, Any], path: str = "") -> list[str]:
    touched = []
    for key, value in changes.items():
        where = f"{path}{key}"
        current = target.get(key)
        if isinstance(current, dict) and isinstance(value, dict):
            touched += _merge(current, value, where + ".")
            continue
        if isinstance(current, list) and isinstance(value, list):
            current.extend(v for v in value if v not in current)
        else:
            target[key] = value
        touched.append(where)
    return touched


def _nested(flat: dict[str, str]) -> dict[str, Any]:
    root: dict[str, Any] = {}
    for dotted, text in flat.items():
        *parents, last = dotted.split(".")
        here = root
        for parent in parents:
            here = here.setdefault(parent, {})
        if "," in text or last in ("hosts", "sinks", "ciphers"):
            here[last] = [part.strip() for part in text.split(",") if part.strip()]
        else:
            here[last] = int(text) if text.isdigit() else {"true": True, "false": False}.get(text, text)
    return root


class ServiceConfig(GraphBusNode):
    @subscribe("/Deploy/Overrides")
    def on_overrides(self, service: str, overrides: dict[str, str]) -> dict:
        config = deepcopy(dict(DEFAULTS))
        touched = _merge(config, _nested(overrides))
        problems = [] if config["log"]["level"] in LEVELS else ["log.level"]
        return {"service": service, "config": config, "touched": sorted(touched), "problems": problems}
