"""Arguments for a function that no test calls: what the tests hand to others, by name and by type, and its borders.

Drawn with a seed. Whether they make sense shows when the function takes them: what it cannot work on does not count.
"""

from __future__ import annotations

import ast
import inspect
import random
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .values import Recipe

GENERIC: list[Recipe] = [
    *(["v", value] for value in (0, 1, 2, -1, 7, 100, 0.5, "", "a", "b c", " x ", True, False, None)),
    ["l", []], ["l", [["v", 1], ["v", 2], ["v", 3]]], ["l", [["v", 3], ["v", 1], ["v", 3]]],
    ["l", [["v", "b"], ["v", " a "], ["v", "A"]]], ["l", [["v", "x"]]], ["d", []],
    ["d", [[["v", "a"], ["v", 1]]]], ["c", 1],
]  # fmt: skip
MAX_POOL = 120
_WORD = re.compile(r"[A-Za-z0-9_./-]+")


def _spell(name: str) -> str:
    return name.replace("_", "").lower()


class Pools:
    """What may be given to a parameter. `values`: what the recorder saw; `literals`: of the texts that matter here."""

    def __init__(self, values: Mapping[str, Any], literals: list[Any], classes: list[type], function: ast.AST) -> None:
        self.classes = classes
        self.wildness = 0.35  # how often a value is changed before it is given
        seed = ast.unparse(function)
        self.own_words = [
            n.value for n in ast.walk(function) if isinstance(n, ast.Constant) and isinstance(n.value, str) and n.value
        ]
        self.chance = random.Random(seed)
        self.literals: list[Recipe] = [["v", value] for value in literals]
        self.words = [value for value in literals if isinstance(value, str) and value]
        self.by_name: dict[str, list[Recipe]] = {}
        for calls in values.values():
            for call in calls:
                for name, recipe in call:
                    known = self.by_name.setdefault(_spell(name), [])
                    if recipe not in known and len(known) < MAX_POOL:
                        known.append(recipe)

    def draw(self, name: str, hint: Any, keys: list[str], depth: int = 0) -> Recipe:
        """A recipe for a parameter."""
        recipe = self._draw_plain(name, hint, keys, depth)
        return self.mutate(recipe) if self.chance.random() < self.wildness else recipe

    def _draw_plain(self, name: str, hint: Any, keys: list[str], depth: int) -> Recipe:
        chance, spelt = self.chance, _spell(name)
        known = self.by_name.get(spelt, [])
        if known and chance.random() < 0.6:
            return chance.choice(known)
        of_hint = self._draw_hinted(hint, depth)
        if of_hint is not None and chance.random() < 0.9:
            return of_hint
        named = [kind for kind in self.classes if _spell(kind.__name__) == spelt]
        if named and depth < 3 and chance.random() < 0.9:
            return self.draw_object(chance.choice(named), depth)
        if keys and chance.random() < 0.4:
            return ["d", [[["v", key], self.draw(key, None, [], depth + 1)] for key in keys]]
        roads: list[Callable[[], Recipe]] = [lambda: chance.choice(GENERIC)]
        if self.literals:
            roads.append(lambda: chance.choice(self.literals))
        if self.by_name:
            roads.append(lambda: chance.choice(self.by_name[chance.choice(sorted(self.by_name))]))
        if self.classes and depth < 3:
            roads.append(lambda: self._draw_objects(name, depth))
        return chance.choice(roads)()

    def _draw_hinted(self, hint: Any, depth: int) -> Recipe | None:
        """Of an annotation, as text or as what it names."""
        text = hint if isinstance(hint, str) else getattr(hint, "__name__", str(hint)) if hint is not None else ""
        inner = re.match(r"(?:list|List|Sequence|Iterable|Collection|tuple)\[(.+?)(?:, *\.\.\.)?\]$", text)
        if inner and depth < 3:
            count = self.chance.randrange(4)
            items = [self._draw_hinted(inner[1], depth + 1) for _ in range(count)]
            return ["l", [item for item in items if item is not None]]
        text = text.split("|")[0].strip()
        plain = {"int": int, "str": str, "float": float, "bool": bool, "list": list, "dict": dict, "bytes": bytes}.get(
            text
        )
        if plain is not None:
            fitting = [r for r in (*self.literals, *GENERIC) if type(_peek(r)) is plain]
            return self.chance.choice(fitting) if fitting else None
        named = [kind for kind in self.classes if kind.__name__ == text.rpartition(".")[2]]
        return self.draw_object(named[0], depth) if named and depth < 3 else None

    def _draw_objects(self, name: str, depth: int) -> Recipe:
        """An object of the project, or a list of such."""
        kind = self.chance.choice(self.classes)
        if self.chance.random() < (0.8 if name.endswith("s") else 0.2):
            return ["l", [self.draw_object(kind, depth + 1) for _ in range(self.chance.randrange(1, 4))]]
        return self.draw_object(kind, depth)

    def draw_object(self, kind: type, depth: int) -> Recipe:
        """One that the tests made, or one made here; some of its methods were called."""
        made = [r for known in self.by_name.values() for r in known if r[0] == "n" and r[2] == kind.__qualname__]
        if made and self.chance.random() < 0.6:
            recipe = self.chance.choice(made)
            recipe = [*recipe[:-1], [*recipe[-1]]]
        else:
            recipe = ["n", kind.__module__, kind.__qualname__, [], self._draw_named(kind, depth), []]
        methods = [n for n, m in vars(kind).items() if inspect.isfunction(m) and not n.startswith("_")]
        for _ in range(self.chance.choice((0, 0, 1, 2, 3)) if methods else 0):
            method = self.chance.choice(methods)
            recipe[-1].append([method, [], self._draw_named(getattr(kind, method), depth, skip=1)])
        return recipe

    def _draw_named(self, function: Any, depth: int, skip: int = 0) -> dict[str, Recipe]:
        try:
            parameters = list(inspect.signature(function).parameters.values())[skip:]
        except (ValueError, TypeError):
            return {}
        return {p.name: self.draw(p.name, _hint(p), [], depth + 1) for p in parameters if needs(p)}

    def _choose_words(self) -> list[str]:
        return self.own_words if self.own_words and self.chance.random() < 0.6 else self.words

    def mutate(self, recipe: Recipe) -> Recipe:
        """A neighbour of a value: its borders, and what it is with one part changed."""
        kind, *rest = recipe
        chance = self.chance
        if kind == "v":
            options = list(_neighbours(rest[0], self._choose_words(), chance))
            return ["v", chance.choice(options)] if options else recipe
        if kind == "l" and rest[0]:
            i = chance.randrange(len(rest[0]))
            changed = [*rest[0][:i], self.mutate(rest[0][i]), *rest[0][i + 1 :]]
            return ["l", chance.choice([[], rest[0][:1], rest[0][::-1], [*rest[0], rest[0][0]], *[changed] * 4])]
        if kind == "d" and rest[0]:
            i = chance.randrange(len(rest[0]))
            key, value = rest[0][i]
            changed = [*rest[0][:i], [key, self.mutate(value)], *rest[0][i + 1 :]]
            return ["d", chance.choice([changed, changed, [*rest[0][:i], *rest[0][i + 1 :]]])]
        if kind == "n" and rest[3] and chance.random() < 0.7:
            name = chance.choice(sorted(rest[3]))
            return ["n", *rest[:3], {**rest[3], name: self.mutate(rest[3][name])}, rest[4]]
        return recipe


def _peek(recipe: Recipe) -> Any:
    return recipe[1] if recipe[0] == "v" else [] if recipe[0] == "l" else {} if recipe[0] == "d" else None


def _neighbours(value: Any, words: list[str], chance: random.Random) -> Iterator[Any]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield from (value + 1, value - 1, -value, 0, value * 10, value * 1000)
    elif isinstance(value, str):
        yield from ("", value.upper(), value.lower(), f" {value} ", value + value, value[:1], value.title())
        found = list(_WORD.finditer(value))
        if found and words:
            for _ in range(5):
                at, word = chance.choice(found), chance.choice(words)
                yield value[: at.start()] + word + value[at.end() :]
                yield _WORD.sub(lambda old: chance.choice([old[0], *words]), value)


def needs(parameter: inspect.Parameter) -> bool:
    """Whether a call must give it."""
    plain = parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY, parameter.POSITIONAL_ONLY)
    return plain and parameter.default is parameter.empty


def _hint(parameter: inspect.Parameter) -> Any:
    return None if parameter.annotation is parameter.empty else parameter.annotation


def draw_call(
    pools: Pools, function: Any, own: list[dict[str, Recipe]], keys: Mapping[str, list[str]], skip: int
) -> dict[str, Recipe]:
    """Arguments by name for a function. `own`: those that it was seen to be called with, or that it took before."""
    chance = pools.chance
    parameters = list(inspect.signature(function).parameters.values())[skip:]
    if own and chance.random() < 0.5:
        call = dict(chance.choice(own))
        if call:
            name = chance.choice(sorted(call))
            call[name] = pools.mutate(call[name])
        return call
    call = {}
    for p in parameters:
        if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) and (needs(p) or chance.random() < 0.4):
            call[p.name] = pools.draw(p.name, _hint(p), keys.get(p.name, []))
    return call


def read_keys(node: ast.AST) -> dict[str, list[str]]:
    """The keys that a function asks its parameters for, by parameter."""
    found: dict[str, list[str]] = {}
    for part in ast.walk(node):
        match part:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str() as key)):
                found.setdefault(name, []).append(key)
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="get"), args=[ast.Constant(value=str() as key), *_]
            ):
                found.setdefault(name, []).append(key)
    return {name: sorted(set(keys)) for name, keys in found.items()}
