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
EXAMPLES = (".md", ".rst", ".txt")  # where the project runs what stands behind `>>>` in them
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
    value = re.compile(rf"""(?:["']|[:=-][ \t]*){re.escape(method)}(?:["']|[ \t]*$)""", re.MULTILINE)
    gone = re.compile(rf"\b{re.escape(words[0])}\b")
    is_data = any(_COMPUTED.search(texts.content(path)) for path in texts.paths)  # a method's name is looked up
    contents = (texts.content(path) for path in texts.paths)
    is_run = any(_EXECUTED.search(one) and _READ.search(one) for one in contents)  # a text that is read is a program
    for path in texts.listed(("",) if is_run else SCRIPTS + DATA + _run(texts)) if agents else ():
        if path in texts.paths:
            continue
        text = _said(texts, path, is_run)
        by_name = called if path.endswith(SCRIPTS + EXAMPLES) else value if is_data else None
        lines = gone if by_name and known.search(text) and by_name.search(text) else None
        if is_run and called.search(text):
            lines = gone
        if path.endswith(DATA) and words[0] == method:
            lines = lines or by_module
        if lines:
            yield from (f"{path}:{n}" for n, line in enumerate(text.splitlines(), 1) if lines.search(line))


def _said(texts: Texts, path: str, is_run: bool) -> str:
    """A file's text; of one with examples, their lines."""
    text = texts.content(path).decode("utf-8", "replace")
    if not path.endswith(EXAMPLES[:2] if is_run else EXAMPLES):
        return text
    return "".join(line if _PROMPT.match(line) else "\n" for line in text.splitlines(keepends=True))


def _run(texts: Texts) -> tuple[str, ...]:
    """The endings of texts whose examples the project runs."""
    settings = texts.listed((".toml", ".cfg", ".ini"))
    return EXAMPLES if any(_EXAMPLES.search(texts.content(path)) for path in (*texts.paths, *settings)) else ()


_PROMPT = re.compile(r"\s*(?:>>>|\.\.\.)")
_EXAMPLES = re.compile(rb"\btestfile\(|\bDocFileSuite\(|--doctest-glob")
_EXECUTED = re.compile(rb"(?<![.\w])(?:exec|eval)\(")
_READ = re.compile(rb"\bread_text\b|\.read\(|\bopen\(")
_COMPUTED = re.compile(rb"""\b(?:getattr|methodcaller|attrgetter)\((?:[^,()]|\([^()]*\))*,\s*[^'"\s]""")


def _either(words: Iterable[str]) -> str:
    return "|".join(sorted(re.escape(word) for word in words))
