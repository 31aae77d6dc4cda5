# pure
"""Keeps nothing: overrides go into a fresh child map, never into the defaults."""
from collections import ChainMap
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from graphbus_core import GraphBusNode, subscribe

DEFAULTS: Mapping[str, Any] = MappingProxyType({"checkout_v2": False, "page_size": 20, "theme": "light", "beta": False})
BY_PLAN: dict[str, dict[str, Any]] = {"free": {}, "pro": {"page_size": 50}, "enterprise": {"page_size": 200, "checkout_v2": True}}
BY_REGION: dict[str, dict[str, Any]] = {"eu": {"cookie_banner": True}, "us": {"cookie_banner": False}}
LOCKED = frozenset({"cookie_banner"})


def layered(plan: str, region: str) -> ChainMap[str, Any]:
    return ChainMap(BY_REGION.get(region, {}), BY_PLAN.get(plan, {}), dict(DEFAULTS)).new_child()


def coerce(current: Any, raw: Any) -> Any:
    match current, raw:
        case bool(), str():
            return raw.lower() in ("1", "true", "yes", "on")
        case int(), str() if raw.lstrip("-").isdigit():
            return int(raw)
        case None, _:
            return raw
        case _ if type(current) is type(raw):
            return raw
    raise TypeError(f"{raw!r} for {current!r}")


def apply(config: ChainMap[str, Any], overrides: dict[str, Any]) -> list[str]:
    problems = []
    for name, raw in overrides.items():
        if name in LOCKED:
            problems.append(f"{name}: locked")
            continue
        try:
            config[name] = coerce(config.get(name), raw)
        except TypeError as error:
            problems.append(f"{name}: {error}")
    if config["beta"]:
        config.setdefault("theme", "dark")
        config["checkout_v2"] = True
    return problems


class FeatureConfig(GraphBusNode):
    @subscribe("/features/resolve")
    def on_resolve(self, plan: str, region: str, overrides: dict[str, Any]) -> dict[str, Any]:
        config = layered(plan, region)
        problems = apply(config, overrides)
        changed = sorted(name for name in config.maps[0] if config.parents.get(name) != config[name])
        return {"config": dict(sorted(config.items())), "changed": changed, "problems": problems}
