"""A hundred and twenty kinds of slips in a model's answer: what lands, and what a slip costs. Run by `models.py slips`.

One agent of three proposes the same good change each time, spoiled once in one of these ways; asked again, it answers
well. No `--verify` is given. *Broken* is judged by running the program afterwards: it must do what it did before, or
what the change meant, and nothing else. A *harmless* slip has one reading, so a second call is money lost.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from _scripted_table import ACCEPT, KEY, MODEL, row

from graphbus_core.build.builder import build_project
from graphbus_core.config import BuildConfig, LLMConfig, SafetyConfig
from graphbus_core.testing import Call, ModelServer, Script, Turn, write_files

FILES = {
    "agents/__init__.py": "",
    "agents/words.py": '''"""Three steps from a text to a line."""

import re
from typing import TYPE_CHECKING

from graphbus_core import GraphBusNode, depends_on, schema_method

if TYPE_CHECKING:
    from decimal import Decimal

MARK = "* "


class Reader(GraphBusNode):
    """Splits a text."""

    SYSTEM_PROMPT = "I read."

    @schema_method(input_schema={"text": str}, output_schema={"lines": list[str]})
    def read(self, text):
        return {"lines": text.split("\\n")}


class Cleaner(GraphBusNode):
    """Drops what is empty."""

    SYSTEM_PROMPT = "I clean."

    @depends_on("Reader.read")
    @schema_method(input_schema={"lines": list[str]}, output_schema={"items": list[str]})
    def clean(self, lines):
        kept = [line for line in lines if line]
        return {"items": kept}

    def tidy(self, line):
        return re.sub(r" +", " ", line)


class Writer(GraphBusNode):
    """Joins."""

    SYSTEM_PROMPT = "I write."

    @depends_on("Cleaner.clean")
    @schema_method(input_schema={"items": list[str]}, output_schema={"out": str})
    def write(self, items):
        return {"out": "".join(MARK + item for item in items)}
''',
}
GOOD = 'kept = [line.strip() for line in lines if line.strip()]\nreturn {"items": kept}'
RUN = """
from agents.words import Cleaner, Reader, Writer
got = Cleaner().clean(Reader().read("a\\n\\n  b \\n ")["lines"])
for lines in ([], [""], ["a"], ["b", "", "c"]):  # the slip of a path shows only on that path
    one = Cleaner().clean(list(lines))
    assert isinstance(one, dict) and list(one) == ["items"] and isinstance(one["items"], list), (lines, one)
    assert one["items"] == [line for line in lines if line], (lines, one)
assert isinstance(got, dict) and list(got) == ["items"] and all(isinstance(i, str) for i in got["items"]), got
print(Writer().write(got["items"])["out"])
"""
BEFORE, MEANT = "* a*   b *  \n", "* a* b\n"  # what the program says before the change and after it


def answer(**over: Any) -> dict[str, Any]:
    """The good answer as data; `op` and `proposal` change a part of it."""
    op = {"op": "replace_body", "node": "Cleaner", "method": "clean", "body": "@new", **over.pop("op", {})}
    proposal = {
        "type": "logic_improvement",
        "summary": "Strip lines",
        "rationale": "White space is not text.",
        "diff": [{k: v for k, v in op.items() if v is not None}],
        "affected_agents": [],
        "confidence": 0.9,
        **over.pop("proposal", {}),
    }
    return {"proposals": [proposal], **over}


def told(body: Any, code: str | None = GOOD, label: str = "python new") -> str:
    """The answer as a model writes it: one json block, and one for the code."""
    text = body if isinstance(body, str) else json.dumps(body)
    return f"```json\n{text}\n```\n" + (f"\n```{label}\n{code}\n```\n" if code is not None else "")


def _json(mend: Callable[[str], str]) -> str:
    return told(mend(json.dumps(answer())))


def _indent(code: str, by: str) -> str:
    return "\n".join(by + line for line in code.splitlines())


DEF = f"def clean(self, lines):\n{_indent(GOOD, '    ')}"
DECORATED = f'@schema_method(input_schema={{"lines": list[str]}}, output_schema={{"items": list[str]}})\n{DEF}'
CLASS = f'class Cleaner(GraphBusNode):\n    SYSTEM_PROMPT = "I clean."\n\n{_indent(DECORATED, "    ")}'

# What is meant is plain: reading it costs nothing, asking again costs a call.
HARMLESS: dict[str, str] = {
    "prose before bare json": "Here is my answer.\n" + json.dumps(answer()) + f"\n\n```python new\n{GOOD}\n```\n",
    "prose after bare json": json.dumps(answer()) + f"\nThat is all.\n\n```python new\n{GOOD}\n```\n",
    "a trailing comma in an object": _json(lambda t: t[:-1] + ",}"),
    "a trailing comma in a list": _json(lambda t: t.replace("}]}", "},]}")),
    "None and True": _json(lambda t: t[:-1] + ', "counter": None, "final": True}'),
    "single quotes": told(str(answer())),
    "proposals as one object": told({**answer(), "proposals": answer()["proposals"][0]}),
    "the proposal alone": told(answer()["proposals"][0]),
    "the list alone": told(answer()["proposals"]),
    "the answer in a list of one": told([answer()]),
    "one operation instead of a list": told(answer(proposal={"diff": answer()["proposals"][0]["diff"][0]})),
    "upper case op": told(answer(op={"op": "REPLACE_BODY"})),
    "op with a dash": told(answer(op={"op": "replace-body"})),
    "op in camel case": told(answer(op={"op": "replaceBody"})),
    "a note in the operation": told(answer(op={"reason": "white space"})),
    "a comment in the operation": told(answer(op={"comment": "white space", "explanation": "none"})),
    "an extra key in the answer": told({**answer(), "thoughts": "I strip."}),
    "an extra key in the proposal": told(answer(proposal={"risk": "low"})),
    "a number as summary": told(answer(proposal={"summary": 7})),
    "null as rationale": told(answer(proposal={"rationale": None})),
    "confidence as text": told(answer(proposal={"confidence": "0.9"})),
    "confidence in per cent": told(answer(proposal={"confidence": 90})),
    "affected as one text": told(answer(proposal={"affected_agents": "Writer"})),
    "affected as null": told(answer(proposal={"affected_agents": None})),
    "priority as text": told(answer(proposal={"priority": "1"})),
    "method with its class": told(answer(op={"method": "Cleaner.clean"})),
    "method with brackets": told(answer(op={"method": "clean()"})),
    "no node": told(answer(op={"node": None})),
    "the code block without its label": told(answer(), label="python"),
    "the label without its at": told(answer(op={"body": "new"})),
    "code inside of the json": told(answer(op={"body": GOOD}), None),
    "the label in the first line": told(answer(), f"# @new\n{GOOD}", "python"),
    "a fence that never closes": told(answer())[:-4],
    "two equal json blocks": told(answer(), None) + "\n" + told(answer()),
    "a body that is indented": told(answer(), _indent(GOOD, "        ")),
    "a body with its def line": told(answer(), DEF),
    "a body with decorators and def": told(answer(), DECORATED),
    "a body that is the whole class": told(answer(), CLASS),
    "tabs": told(answer(), _indent(GOOD, "\t")),
    "line ends of Windows": told(answer(), GOOD.replace("\n", "\r\n")),
    "an operation of seed 002": told(
        answer(proposal={"diff": [{"change_type": "modify", "target": "Cleaner.clean", "new_code": GOOD}]}), None
    ),
    "smart quotes around": "“Sure.” " + told(answer()),
    "a type in upper case": told(answer(proposal={"type": "LOGIC_IMPROVEMENT"})),
    "fences in a list item": _indent(told(answer()), "   "),
    "fences of tildes": told(answer()).replace("```", "~~~"),
    "thoughts before the answer": "<think>\nPerhaps {}?\n</think>\n" + told(answer()),
    "comments in the json": told("// mine\n" + json.dumps(answer()).replace('"proposals"', '/* all */ "proposals"', 1)),
    "keys without quotes": told(json.dumps(answer()).replace('"proposals"', "proposals").replace('"diff"', "diff")),
    "the answer under result": told({"result": answer()}),
    "proposal for proposals": told({"proposal": answer()["proposals"][0]}),
    "changes for diff": told(answer(proposal={"diff": None, "changes": answer()["proposals"][0]["diff"]})),
    "a type of its own": told(answer(proposal={"type": "refactoring"})),
    "a rationale in a list": told(answer(proposal={"rationale": ["White space", "is not text."]})),
    "confidence in a word": told(answer(proposal={"confidence": "high"})),
    "affected as objects": told(answer(proposal={"affected_agents": [{"name": "Writer"}]})),
    "agent for node": told(answer(op={"node": None, "agent": "Cleaner"})),
    "code for body": told(answer(op={"body": None, "code": "@new"})),
    "the method with def": told(answer(op={"method": "def clean(self, lines)"})),
    "a body in a list of lines": told(answer(op={"body": GOOD.splitlines()}), None),
    "a fence inside of the json": told(answer(op={"body": f"```python\n{GOOD}\n```"}), None),
    "line ends spelled out": told(answer(op={"body": GOOD.replace("\n", "\\n")}), None),
    "a margin from the second line": told(answer(), GOOD.replace("\n", "\n        ")),
    "curly quotes in the code": told(answer(), GOOD.replace('"', "”")),
    "spaces that do not break": told(answer(), GOOD.replace(" = ", "\u00a0= ")),
    "line numbers": told(answer(), "\n".join(f"{n} | {line}" for n, line in enumerate(GOOD.splitlines(), 9))),
    "plus signs of a diff": told(answer(), _indent(GOOD, "+")),
    "prompts of a console": told(answer(), _indent(GOOD, ">>> ")),
    "a def with types": told(answer(), DEF.replace("lines):", "lines: list[str]) -> dict:")),
    "pass unchanged behind": told(answer(), f"{GOOD}\npass  # unchanged"),
    "a walrus": told(answer(), 'return {"items": [s for line in lines if (s := line.strip())]}'),
    "a loop that never ends by itself": told(
        answer(), f"while True:\n    kept = [s.strip() for s in lines if s.strip()]\n    break\n{GOOD.splitlines()[1]}"
    ),
    "a type with a space": told(answer(proposal={"type": "logic improvement"})),
}


def _code(code: str) -> str:
    return told(answer(), code)


# What is meant may be plain, but the code is not: none of it may land as it is.
HARMFUL: dict[str, str] = {
    "rest unchanged": _code("kept = [line.strip() for line in lines]\n# ... rest unchanged"),
    "an ellipsis for the rest": _code("kept = [line.strip() for line in lines]\n..."),
    "an undefined name": _code('return {"items": [line.strip() for line in line_list]}'),
    "an undefined function": _code('return {"items": normalise(lines)}'),
    "a module that is not imported": _code('return {"items": [json.dumps(line) for line in lines]}'),
    "an attribute that is not there": _code('return {"items": [self.strip(line) for line in lines]}'),
    "a method of another class": _code('return {"items": [self.render(line) for line in lines]}'),
    "a key that is not declared": _code('return {"items": lines, "count": len(lines)}'),
    "another key": _code('return {"lines": [line.strip() for line in lines]}'),
    "a path that returns nothing": _code('if lines:\n    return {"items": [line.strip() for line in lines]}'),
    "a bare return": _code('if not lines:\n    return\nreturn {"items": lines}'),
    "no return": _code('kept = [line.strip() for line in lines]\nself.kept = {"items": kept}'),
    "a list instead of an object": _code("return [line.strip() for line in lines]"),
    "a text for a list": _code('return {"items": ", ".join(lines)}'),
    "numbers for texts": _code('return {"items": [len(line) for line in lines]}'),
    "a name that is given too late": _code('out = {"items": kept}\nkept = lines\nreturn out'),
    "another method's parameter": _code('return {"items": [text.strip() for line in lines]}'),
    "a wrong keyword": _code('return {"items": [self.tidy(text=line) for line in lines]}'),
    "code that does not parse": _code('return {"items": [line.strip( for line in lines]}'),
    "an await in a plain method": _code('return {"items": await self.load(lines)}'),
    "the whole class with another method changed": _code(
        f"{CLASS}\n\n    def tidy(self, line):\n        return self.tidier(line)"
    ),
    "another method's def": _code(f"def cleanse(self, lines):\n{_indent(GOOD, '    ')}"),
    "two definitions": _code(f"{DEF}\n\ndef tidy(self, line):\n    return line.tidied()"),
    "a module that nobody has": _code(f"import nosuchlib\n{GOOD}\nnosuchlib.x()"),
    "an answer cut off": told(answer(), "kept = [line.strip() for line in")[:-5],
    "a stub": _code("raise NotImplementedError"),
    "pass, unchanged": _code("pass  # unchanged"),
    "a comment for what is to be done": _code('# TODO: implement\nreturn {"items": []}'),
    "an ellipsis in the middle": _code('kept = []\n...\nreturn {"items": kept}'),
    "a super that has none": _code("return super().clean(lines)"),
    "self forgotten": _code('return {"items": [tidy(line) for line in lines]}'),
    "another parameter": _code('def clean(self, rows):\n    return {"items": rows}'),
    "a decorator that nobody has": _code(f"@cached\n{DEF.replace('lines', 'rows')}"),
    "an f-string with a name that is not there": _code('return {"items": [f"{text}" for line in lines]}'),
    "a key spelled otherwise in one branch": _code(f'if not lines:\n    return {{"item": []}}\n{GOOD}'),
    "an except that falls out": _code(f"try:\n{_indent(GOOD, '    ')}\nexcept ValueError:\n    pass"),
    "a while that falls out": _code(f"while lines:\n{_indent(GOOD, '    ')}"),
    "a break out of a while True": _code(f"while True:\n    if not lines:\n        break\n{_indent(GOOD, '    ')}"),
    "a match without the rest": _code(f"match lines:\n    case [_, *_]:\n{_indent(GOOD, '        ')}"),
    "a with that swallows": _code(
        'with __import__("contextlib").suppress(IndexError):\n    return {"items": [lines[0]]}'
    ),
    "a name of a comprehension": _code('kept = [line for line in lines]\nreturn {"items": [*kept, line]}'),
    "a name of a loop that may be empty": _code('for line in lines:\n    last = line\nreturn {"items": [last]}'),
    "a name from one branch": _code('if lines:\n    kept = lines\nreturn {"items": kept}'),
    "a name from a try": _code('try:\n    kept = [lines[0]]\nexcept IndexError:\n    pass\nreturn {"items": kept}'),
    "an import in one branch": _code(
        'if lines[1:]:\n    import json\nreturn {"items": [json.dumps(x) for x in lines]}'
    ),
    "a name for the type checker": _code('return {"items": [str(Decimal(line)) for line in lines]}'),
    "a global that nobody gives": _code('global COUNT\nCOUNT += 1\nreturn {"items": lines}'),
    "an attribute of the class": _code('return {"items": lines[: type(self).MOST]}'),
    "getattr of what is not there": _code('return {"items": getattr(self, "strip")(lines)}'),
    "setattr of another": _code('setattr(self, "a", 1)\nreturn {"items": self.b}'),
    "a function instead of its result": _code('def inner():\n    return {"items": lines}\nreturn inner'),
    "a yield": _code("for line in lines:\n    yield line.strip()"),
    "None in a condition": _code('return {"items": lines} if lines else None'),
    "and for if": _code('return lines and {"items": lines}'),
    "a tuple": _code('return {"items": lines}, None'),
    "json as text": _code('import json\nreturn json.dumps({"items": lines})'),
    "a key in a dict that is built": _code('out = {}\nout["itms"] = lines\nreturn out'),
    "a call that gives nothing": _code('return {"items": lines.sort()}'),
}
# What a type checker alone can tell: the type of a value, and whether a callee takes it.
TYPED = {
    "a list instead of an object",
    "a text for a list",
    "numbers for texts",
    "a wrong keyword",
    "a call that gives nothing",
}
assert len(HARMLESS) + len(HARMFUL) >= 60


@dataclass(frozen=True)
class Came:
    """What came of one slip."""

    name: str
    harmless: bool
    calls: int  # how often the agent was asked for this proposal
    said: str  # what the program says afterwards


def unchecked(name: str) -> Came:
    """The same where no type checker is installed."""
    from graphbus_core.analysis.type_checker import pyrefly, ty

    was = ty.find_executable, pyrefly.find_executable
    ty.find_executable = pyrefly.find_executable = lambda: None  # type: ignore[assignment]
    try:
        return one(name)
    finally:
        ty.find_executable, pyrefly.find_executable = was


def one(name: str) -> Came:
    """A build in which this slip is made, in a process of its own."""
    harmless = name in HARMLESS
    slip = HARMLESS[name] if harmless else HARMFUL[name]

    def propose(call: Call) -> Turn:
        return Turn(slip if call.number == 1 else told(answer()))

    script = Script({("Cleaner", "propose"): propose, ("*", "evaluate"): lambda call: Turn(told(ACCEPT, None))},
                    lambda call: Turn(told({"proposals": []}, None)))  # fmt: skip
    with tempfile.TemporaryDirectory() as folder, ModelServer(script) as server:
        root = Path(folder).resolve()
        write_files(root, FILES)
        llm = LLMConfig(MODEL, api_key=KEY, base_url=server.anthropic_url)
        config = BuildConfig(
            str(root / "agents"),
            output_dir=str(root / ".graphbus"),
            enable_agents=True,
            llm_config=llm,
            safety_config=SafetyConfig(max_negotiation_rounds=1),
        )
        build_project(config)
        ran = subprocess.run([sys.executable, "-c", RUN], cwd=root, capture_output=True, text=True, timeout=60)
        said = ran.stdout if ran.returncode == 0 else f"broken: {ran.stderr.strip().splitlines()[-1]}"
        calls = sum(c.agent == "Cleaner" and c.kind == "propose" for c in script.calls)
        return Came(name, harmless, calls, said)


def slips() -> None:
    """All kinds, one build each."""
    with ProcessPoolExecutor(2) as pool:
        came = list(pool.map(one, [*HARMLESS, *HARMFUL]))
        alone = list(pool.map(unchecked, [name for name in HARMFUL if name not in TYPED]))
    broken = [c for c in came if c.said not in (BEFORE, MEANT)]
    free = [c for c in came if c.harmless and c.calls == 1 and c.said == MEANT]
    harmless = [c for c in came if c.harmless]
    row(f"slips, {len(came)} kinds, no --verify: committed and broken", str(len(broken)), "0", not broken)
    slipped = [c for c in alone if c.said not in (BEFORE, MEANT)]
    row(f"{len(alone)} of them without a type checker: broken", str(len(slipped)), "0", not slipped)
    share = len(free) / len(harmless)
    row("harmless slips that cost no second call", f"{len(free)} of {len(harmless)} = {share:.0%}", ">= 80 %",
        share >= 0.8)  # fmt: skip
    mended = [c for c in came if not c.harmless and c.said == MEANT]
    row("slips of code that ended in the change that was meant", f"{len(mended)} of {len(came) - len(harmless)}",
        "printed", None)  # fmt: skip
    for c in [*broken, *slipped]:
        print(f"      broken: {c.name}: {c.said.strip()}")
    for c in harmless:
        if c not in free:
            print(f"      asked {c.calls} times: {c.name}{'' if c.said == MEANT else ' (nothing landed)'}")
