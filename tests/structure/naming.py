"""Names, measured: functions that begin with a verb, lone participles, locals that say nothing of what they hold.

Dunder methods are given by Python and not counted. The words below measure and decide nothing: a name is judged by who
reads it. `benchmarks/house.py` prints the same figures of h11, httpx, starlette and websockets beside ours.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass

from tests.structure.house import walk_statements

# Locals of the second edition that named their role in a sentence, and not what they hold.
_EMPTY_LOCALS_TEXT = """
    one found at made said told kept held heard given taken seen shown asked named called noted
"""
EMPTY_LOCALS = frozenset(_EMPTY_LOCALS_TEXT.split())
# Adjectives and adverbs that stood alone as names of functions, beside the participles in -ed.
_LONE_WORDS_TEXT = """
    read opened whole around inside within without alike like same apart beside
"""
LONE_WORDS = EMPTY_LOCALS | frozenset(_LONE_WORDS_TEXT.split())
_ENDS_IN_ED_TEXT = """
    need feed seed embed proceed exceed speed shed
"""
ENDS_IN_ED = frozenset(_ENDS_IN_ED_TEXT.split())  # verbs and nouns that merely end so
_VERBS_TEXT = """
    accept acquire add advance allow append apply arbitrate are ask assert assign attach await back begin bind
    block break bring build bump calculate call can cancel change charge check choose classify clean clear clip
    close collapse collect combine commit compare compile complete compose compute conclude configure confirm
    connect consume contains convert copy count cover create cut decide declare decode deduce define delete
    deliver depict derive describe detach detect determine digest disable discard dispatch display do download
    drain draw drop dump edit elicit emit enable encode end enforce enqueue ensure enter enumerate erase escape
    establish estimate evaluate evolve examine exclude execute exists exit expand expect explain export extend
    extract fail feed fetch fill filter find finish fits fix flatten flush fold follow forget format forward
    freeze gather generate get give guard guess handle has hash heal help hide hold identify ignore import
    include increment index infer init insert inspect install interrupt intersect introduce invoke is issue iter
    iterate join judge keep kill knows launch leave limit link list listen load locate lock log look lower make
    map mark match matches measure merge migrate mix mount move narrow needs negotiate next normalize note
    notify observe offer omit open order parse pass patch pause peek perform pick place plan play pop post
    predict prepare present preserve print process produce propagate propose prove provide prune publish pull
    purge push put query quote raise rank rate reach read rebuild receive recognize reconcile reconnect record
    recover redact reduce refine refresh refuse register reject release reload remember remove rename render
    repair repeat replace replay reply report represent request require reset resolve respond restart restore
    resume retire retry return reveal revert review rewrite roll round route run sample save say scan schedule
    score search seat select send separate serialize serve set settle shape share shift should show shrink shut
    sign simplify simulate skip sleep slice solve sort speak split start state stay stop store stream strip
    submit subscribe suggest sum summarize supersede suppress swap switch take tell test throw tidy touch trace
    track transform translate traverse trim truncate try turn unbind undo unfold unlink unlock unpack unregister
    unsubscribe unwrap update upgrade use validate verify view visit vote wait walk warn was watch weigh widen
    wrap write yield
"""
VERBS = frozenset(_VERBS_TEXT.split())


@dataclass
class NameCounts:
    """How many functions and locals were read, and how many of each are named well or badly."""

    functions: int = 0
    verb_first: int = 0
    lone_participles: int = 0
    local_names: int = 0
    empty_locals: int = 0

    @property
    def verb_share(self) -> float:
        """Functions whose first word is a verb, in percent."""
        return 100 * self.verb_first / max(1, self.functions)

    @property
    def participle_share(self) -> float:
        """Functions whose only word is a participle or an adverb, in percent."""
        return 100 * self.lone_participles / max(1, self.functions)

    @property
    def empty_share(self) -> float:
        """Names bound in functions that are among EMPTY_LOCALS, in percent. Parameters do not count."""
        return 100 * self.empty_locals / max(1, self.local_names)


def count_names(trees: Iterable[ast.Module]) -> NameCounts:
    """The figures of some parsed files together."""
    counts = NameCounts()
    for tree in trees:
        for node in walk_statements(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                _count_function(node, counts)
    return counts


def _count_function(node: ast.FunctionDef | ast.AsyncFunctionDef, counts: NameCounts) -> None:
    local_names = _collect_locals(node)
    counts.local_names += len(local_names)
    counts.empty_locals += len(local_names & EMPTY_LOCALS)
    if node.name.startswith("__") and node.name.endswith("__"):
        return
    words = [word.lower() for word in re.split(r"_+|(?<=[a-z])(?=[A-Z])", node.name) if word]
    counts.functions += 1
    counts.verb_first += bool(words) and words[0] in VERBS
    counts.lone_participles += len(words) == 1 and is_lone_participle(words[0])


def is_lone_participle(word: str) -> bool:
    """`told`, `kept`, `opened`: a participle that stands alone says what happened, not what is done."""
    return word in LONE_WORDS or (word.endswith("ed") and word not in ENDS_IN_ED)


def _collect_locals(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    names: set[str] = set()
    nodes: list[ast.AST] = list(function.body)
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            continue  # a scope of its own
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        nodes.extend(ast.iter_child_nodes(node))
    return names
