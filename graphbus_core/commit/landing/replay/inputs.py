"""Arguments for a function that no test calls: what the tests hand to others, by name and by type, and its borders.

Drawn with a seed. Whether they make sense shows when the function takes them: what it cannot work on does not count.
"""

from __future__ import annotations

import ast
import inspect
import random
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Set as AbstractSet
from typing import Any

from .values import Recipe

GENERIC: list[Recipe] = [
    *(["v", value] for value in (0, 1, 2, -1, 7, 100, 0.5, "", "a", "b c", " x ", True, False, None)),
    ["l", []], ["l", [["v", 1], ["v", 2], ["v", 3]]], ["l", [["v", 3], ["v", 1], ["v", 3]]],
    ["l", [["v", "b"], ["v", " a "], ["v", "A"]]], ["l", [["v", "x"]]], ["d", []],
    ["d", [[["v", "a"], ["v", 1]]]], ["c", 1],
]  # fmt: skip
MAX_POOL = 120
MIN_NAME = 3  # letters of a singular
_BUILT_IN = frozenset(name for kind in (str, bytes, list, dict, set, tuple) for name in dir(kind))
_WORD = re.compile(r"[A-Za-z0-9_./-]+")


def _spell(name: str) -> str:
    return name.replace("_", "").lower()


class Pools:
    """What may be given to a parameter. `values`: what the recorder saw; `literals`: of the texts that matter here."""

    def __init__(
        self, values: Mapping[str, Any], literals: list[Any], classes: list[type], function: ast.AST, more: int = 0
    ) -> None:
        self.classes = classes
        self.asked: dict[str, dict[str, set[str]]] = {}  # function or class -> parameter -> the methods called on it
        self.proven: list[Recipe] = []
        self.sizes: list[int] = []  # numbers that only one of the two trees has: a list may be held against them
        self.has_empty = "" in literals
        self.wildness = 0.35  # how often a value is changed before it is given
        seed = ast.unparse(function)
        remarks = {id(n.value) for n in ast.walk(function) if isinstance(n, ast.Expr)}  # to the reader
        self.own_words = [
            n.value for n in ast.walk(function)
            if isinstance(n, ast.Constant) and isinstance(n.value, str) and n.value and id(n) not in remarks
        ]  # fmt: skip
        self.chance = random.Random(f"{seed}{more or ''}")
        self.literals: list[Recipe] = [["v", value] for value in literals]
        self.words = [value for value in literals if isinstance(value, str) and value]
        self.by_name: dict[str, list[Recipe]] = {}
        for calls in values.values():
            for call in calls:
                for name, recipe in call:
                    known = self.by_name.setdefault(_spell(name), [])
                    if recipe not in known and len(known) < MAX_POOL:
                        known.append(recipe)

    def note_proven(self, owner: Recipe | None) -> None:
        """An object on which a call worked."""
        if owner is not None and owner not in self.proven and len(self.proven) < MAX_POOL:
            self.proven.append(owner)

    def draw_owner(self, kind: type) -> Recipe:
        """An object that a method is called on: one that a call worked on, or another."""
        return (
            self.chance.choice(self.proven) if self.proven and self.chance.random() < 0.4 else self.draw_object(kind, 0)
        )

    def _list_fitting(self, methods: set[str]) -> list[type]:
        """The classes that have what is called on a parameter."""
        wanted = methods - _BUILT_IN
        return [kind for kind in self.classes if wanted and all(hasattr(kind, name) for name in wanted)]

    def draw(
        self, name: str, hint: Any, keys: list[str], depth: int = 0, methods: AbstractSet[str] = frozenset()
    ) -> Recipe:
        """A recipe for a parameter. `methods`: what is called on it."""
        fitting = self._list_fitting(set(methods)) if depth < 3 else []
        if fitting and self.chance.random() < 0.8:
            return self.draw_object(self.chance.choice(fitting), depth)
        recipe = self._draw_plain(name, hint, keys, depth)
        return self.mutate(recipe) if self.chance.random() < self.wildness else recipe

    def _draw_plain(self, name: str, hint: Any, keys: list[str], depth: int) -> Recipe:
        chance, spelt = self.chance, _spell(name)
        known = self.by_name.get(spelt, [])
        singular = self._draw_singular(name, depth) if depth < 3 and chance.random() < 0.5 else None
        if singular is not None:
            return [
                "l",
                [singular, *(self._draw_singular(name, depth) or singular for _ in range(chance.randrange(3)))],
            ]
        if known:
            return chance.choice(known)
        of_hint = self._draw_hinted(hint, depth)
        if of_hint is not None and chance.random() < 0.9:
            return of_hint
        namesakes = [kind for kind in self.classes if _spell(kind.__name__) == spelt]
        if namesakes and depth < 3 and chance.random() < 0.9:
            return self.draw_object(chance.choice(namesakes), depth)
        if keys and chance.random() < 0.4:
            return ["d", [[["v", key], self.draw(key, None, [], depth + 1)] for key in keys]]
        generic = [recipe for recipe in GENERIC if self.has_empty or recipe != ["v", ""]]
        roads: list[Callable[[], Recipe]] = [lambda: chance.choice(generic)]
        if self.literals:
            roads.append(lambda: chance.choice(self.literals))
        if self.by_name:
            roads.append(lambda: chance.choice(self.by_name[chance.choice(sorted(self.by_name))]))
        if self.classes and depth < 3:
            roads.append(lambda: self._draw_objects(name, depth))
        return chance.choice(roads)()

    def _draw_singular(self, name: str, depth: int) -> Recipe | None:
        """One of what a name in the plural promises: what the tests called by the singular, or a class of that name."""
        singular = _spell(name).removesuffix("s")
        if singular == _spell(name) or len(singular) < MIN_NAME:
            return None
        if self.by_name.get(singular):
            return self.chance.choice(self.by_name[singular])
        namesakes = [kind for kind in self.classes if _spell(kind.__name__) == singular]
        return self.draw_object(namesakes[0], depth + 1) if namesakes else None

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
            fitting = [
                r for r in (*self.literals, *GENERIC)
                if type(_peek(r)) is plain and (self.has_empty or r != ["v", ""])
            ]  # fmt: skip
            return self.chance.choice(fitting) if fitting else None
        namesakes = [kind for kind in self.classes if kind.__name__ == text.rpartition(".")[2]]
        return self.draw_object(namesakes[0], depth) if namesakes and depth < 3 else None

    def _draw_objects(self, name: str, depth: int) -> Recipe:
        """An object of the project, or a list of such."""
        kind = self.chance.choice(self.classes)
        if self.chance.random() < (0.8 if name.endswith("s") else 0.2):
            return ["l", [self.draw_object(kind, depth + 1) for _ in range(self.chance.randrange(1, 4))]]
        return self.draw_object(kind, depth)

    def draw_object(self, kind: type, depth: int) -> Recipe:
        """One that the tests made, or one made here; some of its methods were called."""
        recorded = [r for known in self.by_name.values() for r in known if r[0] == "n" and r[2] == kind.__qualname__]
        if recorded and self.chance.random() < 0.6:
            recipe = self.chance.choice(recorded)
            recipe = [*recipe[:-1], [*recipe[-1]]]
        else:
            if kind.__qualname__ not in self.asked:
                self.asked[kind.__qualname__] = read_asked_of_class(kind)
            recipe = ["n", kind.__module__, kind.__qualname__, [], self._draw_named(kind, depth), []]
        methods = [n for n, m in vars(kind).items() if inspect.isfunction(m) and not n.startswith("_")]
        for _ in range(self.chance.choice((0, 0, 1, 2, 3)) if methods else 0):
            method = self.chance.choice(methods)
            recipe[-1].append([method, [], self._draw_named(getattr(kind, method), depth, skip=1)])
        return self._repeat_call(recipe) if recipe[-1] and self.chance.random() < 0.5 else recipe

    def _repeat_call(self, recipe: Recipe) -> Recipe:
        """An object on which one of its calls is made once more, with one argument changed."""
        method, given, named = self.chance.choice(recipe[-1])
        given, named = [*given], dict(named)
        places: list[tuple[Any, Any]] = [(given, i) for i in range(len(given))] + [(named, name) for name in named]
        if not places:
            return recipe
        arguments, place = self.chance.choice(places)
        arguments[place] = self.mutate(arguments[place])
        return [*recipe[:-1], [*recipe[-1], [method, given, named]]]

    def _draw_named(self, function: Any, depth: int, skip: int = 0) -> dict[str, Recipe]:
        try:
            parameters = list(inspect.signature(function).parameters.values())[skip:]
        except (ValueError, TypeError):
            return {}
        asked = self.asked.get(getattr(function, "__qualname__", ""), {})
        return {
            p.name: self.draw(p.name, _hint(p), [], depth + 1, asked.get(p.name, set())) for p in parameters if needs(p)
        }

    def _choose_words(self) -> list[str]:
        return self.own_words if self.own_words and self.chance.random() < 0.6 else self.words

    def mutate(self, recipe: Recipe) -> Recipe:
        """A neighbour of a value: its borders, and what it is with one part changed."""
        kind, *rest = recipe
        chance = self.chance
        if kind == "v":
            options = list(find_neighbours(rest[0], self._choose_words(), chance, self.has_empty))
            return ["v", chance.choice(options)] if options else recipe
        if kind == "w" and rest[2]:
            return ["w", *rest[:2], self._mutate_files(rest[2]), rest[3]]
        if kind == "l" and rest[0] and self.sizes and chance.random() < 0.3:
            return ["l", extend_beyond(rest[0], chance.choice(self.sizes))]
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

    def _mutate_files(self, files: dict[str, str]) -> dict[str, str]:
        """Files of which one has another text, or a line less or more."""
        name = self.chance.choice(sorted(files))
        lines = files[name].splitlines(keepends=True)
        i = self.chance.randrange(len(lines)) if lines else 0
        texts = list(find_neighbours(files[name], self._choose_words(), self.chance, self.has_empty))
        texts += ["".join([*lines[:i], *lines[i + 1 :]]), "".join([*lines, *lines[i : i + 1]])]
        return {**files, name: self.chance.choice(texts)}


def extend_beyond(items: list[Any], size: int) -> list[Any]:
    """A list of one more than a size."""
    return (items * (size // len(items) + 2))[: size + 1]


def _peek(recipe: Recipe) -> Any:
    return recipe[1] if recipe[0] == "v" else [] if recipe[0] == "l" else {} if recipe[0] == "d" else None


def find_neighbours(value: Any, words: list[str], chance: random.Random, has_empty: bool) -> Iterator[Any]:
    """Values of the same kind that are near: the borders, and a text with other words in it. `has_empty`: somebody
    wrote an empty text, so that there may be one."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        yield from (value + 1, value - 1, -value, 0, value * 10, value * 1000, type(value)(value / 2))
    elif isinstance(value, str):
        yield from [""] * has_empty
        yield from (value.upper(), value.lower(), f" {value} ", value + value, value[:1], value.title())
        matches = list(_WORD.finditer(value))
        if matches and words:
            for _ in range(5):
                match, word = chance.choice(matches), chance.choice(words)
                yield value[: match.start()] + word + value[match.end() :]
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
            asked = pools.asked.get(function.__name__, {})
            call[p.name] = pools.draw(p.name, _hint(p), keys.get(p.name, []), 0, asked.get(p.name, set()))
    return call


def read_asked(node: ast.AST) -> dict[str, set[str]]:
    """The methods that a function calls on a name, or, in a loop over some names, on each of them."""
    methods: dict[str, set[str]] = {}
    loops: dict[str, list[str]] = {}
    for part in ast.walk(node):
        match part:
            case ast.Call(func=ast.Attribute(value=value, attr=method)):
                methods.setdefault(ast.unparse(value), set()).add(method)
            case ast.For(target=ast.Name(id=name), iter=ast.Tuple(elts=parts) | ast.List(elts=parts)):
                loops[name] = [ast.unparse(p) for p in parts]
    for name, texts in loops.items():
        for text in texts:
            methods.setdefault(text, set()).update(methods.get(name, ()))
    return methods


def read_asked_of_class(kind: type) -> dict[str, set[str]]:
    """The methods that a class calls on what its constructor is given, by parameter."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(kind)))
    except (OSError, TypeError, SyntaxError):
        return {}
    asked = read_asked(tree)
    attributes = {
        part.value.id: part.targets[0].attr
        for part in ast.walk(tree)
        if isinstance(part, ast.Assign)
        and isinstance(part.value, ast.Name)
        and isinstance(part.targets[0], ast.Attribute)
    }
    return {name: asked.get(f"self.{attribute}", set()) for name, attribute in attributes.items()}


def read_keys(node: ast.AST) -> dict[str, list[str]]:
    """The keys that a function asks its parameters for, by parameter."""
    by_name: dict[str, list[str]] = {}
    for part in ast.walk(node):
        match part:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str() as key)):
                by_name.setdefault(name, []).append(key)
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="get"), args=[ast.Constant(value=str() as key), *_]
            ):
                by_name.setdefault(name, []).append(key)
    return {name: sorted(set(keys)) for name, keys in by_name.items()}
