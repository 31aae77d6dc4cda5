"""Nested dictionaries."""
from copy import deepcopy


def flatten(tree: dict, prefix: str = "") -> dict:
    flat = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            flat.update(flatten(value, f"{prefix}{key}."))
        else:
            flat[prefix + key] = value
    return flat


def _into(target: dict, changes: dict) -> dict:
    for key, value in changes.items():
        if isinstance(value, dict) and isinstance(target.get(key), dict):
            _into(target[key], value)
        else:
            target[key] = value
    return target


def overlay(base: dict, changes: dict) -> dict:
    """The base with the changes on top."""
    return _into(dict(base), changes)


def union(first: dict, second: dict) -> dict:
    return _into(deepcopy(first), second)


def unflatten(flat: dict) -> dict:
    tree: dict = {}
    for path, value in flat.items():
        *parents, last = path.split(".")
        here = tree
        for name in parents:
            here = here.setdefault(name, {})
        here[last] = value
    return tree
