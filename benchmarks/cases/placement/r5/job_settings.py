# pure
"""Keeps defaults that are copied deeply for each job, so that merging never reaches them."""
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from graphbus_core import GraphBusNode, subscribe

DEFAULTS: dict[str, Any] = {
    "retries": 2,
    "image": "worker:stable",
    "env": {"LANG": "C.UTF-8"},
    "mounts": ["/data"],
    "limits": {"cpu": 1, "memory": {"soft": 256, "hard": 512}},
}


def merge(target: dict[str, Any], extra: Mapping[str, Any]) -> dict[str, Any]:
    for key, value in extra.items():
        present = target.get(key)
        if isinstance(present, dict) and isinstance(value, Mapping):
            merge(present, value)
        elif isinstance(present, list) and isinstance(value, list):
            present.extend(item for item in value if item not in present)
        else:
            target[key] = deepcopy(value)
    return target


def problems(settings: dict[str, Any]) -> list[str]:
    found = []
    memory = settings["limits"]["memory"]
    if memory["soft"] > memory["hard"]:
        found.append("soft memory limit is above the hard one")
    if settings["retries"] < 0:
        found.append("negative retries")
    return found


class JobSettings(GraphBusNode):
    """Completes the settings of a job."""

    @subscribe("/Job/Submit")
    def on_submit(self, job: str, settings: dict[str, Any]) -> dict[str, Any]:
        full = merge(deepcopy(DEFAULTS), settings)
        full["env"].setdefault("JOB", job)
        wrong = problems(full)
        return {"job": job, "problems": wrong} if wrong else {"job": job, "settings": full}
