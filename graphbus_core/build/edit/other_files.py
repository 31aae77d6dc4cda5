"""Files that are not Python and still call a method: an entry point, a settings file that names it, a shell script.

They are never edited: nobody can tell what reads them. What would have to follow is named, and refuses the change.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from graphbus_core.build.understand.text.files import Texts
from graphbus_core.model.agent_def import AgentDefinition

DATA = (".toml", ".cfg", ".ini", ".yaml", ".yml", ".json", ".env")
SCRIPTS = (".sh", ".bash", ".zsh", ".bat", ".ps1", ".mk", "Makefile", "makefile", "justfile", "Dockerfile", "Procfile")


def speaking(texts: Texts, agents: Sequence[AgentDefinition], method: str, words: Sequence[str]) -> Iterator[str]:
    """`file:line` of each line that calls or names the method of such an agent, and says the first of the words.

    `words`: what goes, and what must stand beside it. Data names a method by its module too
    (`shop.packing:Packer.pack`): else every report that speaks of it would count.
    """
    names = {agent.class_name.rpartition(".")[2] for agent in agents} | {agent.name for agent in agents}
    modules = {PurePosixPath(agent.source_file.removesuffix("/__init__.py")).stem for agent in agents}
    a_name, of_it = rf"\b(?:{_either(names)})\b", rf"[.:]{re.escape(method)}\b"
    by_module = re.compile(rf"\b(?:{_either(modules)})[.:]{a_name}{of_it}")
    known, called = re.compile(a_name), re.compile(rf"{a_name}{of_it}|\.{re.escape(method)}\s*\(")
    gone = re.compile(rf"\b{re.escape(words[0])}\b")
    for path in texts.listed(SCRIPTS + DATA if words[0] == method else SCRIPTS) if agents else ():
        text = texts.content(path).decode("utf-8", "replace")
        if path.endswith(SCRIPTS) and not (known.search(text) and called.search(text)):
            continue
        lines = gone if path.endswith(SCRIPTS) else by_module
        yield from (f"{path}:{n}" for n, line in enumerate(text.splitlines(), 1) if lines.search(line))


def _either(words: Iterable[str]) -> str:
    return "|".join(sorted(re.escape(word) for word in words))
