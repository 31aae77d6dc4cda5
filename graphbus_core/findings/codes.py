"""The codes of findings: one meaning each, the same in every command, with a page in the docs.

A code is never used again for something else; 401 to 404 were in 0.2.0, and nothing ever told them. `docs/findings.md`
is written from this table (`render_pages()`), and a test holds the two together.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from graphbus_core.errors import UsageError
from graphbus_core.suggestions import suggest_names

SITE = "https://github.com/graphbus/graphbus-core/blob/main/docs/findings.md"


class Level(StrEnum):
    """How much it matters: an error fails the command, a warning is shown, a note is told."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True)
class Code:
    """`means` says what is wrong, `do` what ends it, `example` shows it in a few lines.

    `level` is that of its findings, but for one that says another itself.
    """

    code: str
    title: str
    level: Level
    means: str
    do: str
    example: str = ""

    @property
    def address(self) -> str:
        """Where its page stands."""
        return f"{SITE}#{self.code.lower()}"


E, W, N = Level.ERROR, Level.WARNING, Level.NOTE

CODES: dict[str, Code] = {
    code.code: code
    for code in (
        # 1xx: links between components
        Code(
            "GB101",
            "A producer may send what its consumer rejects",
            E,
            "Data flows from the one to the other, and the contracts do not fit. The payload that is shown may be sent "
            "by the producer and is rejected by the consumer.",
            "Change one end: add the field, rename it, or widen what the consumer takes. "
            "`graphbus build --enable-agents` proposes repairs where the project says what is meant.",
            'Cart.total -> {"sku": str, "amount": int}   =>   Ledger.post({"sku": str, "qty": int})',
        ),
        # A no, because silence is never a yes: what could not be decided may be the fault that is looked for.
        Code(
            "GB102",
            "Whether a link fits could not be decided",
            E,
            "The check reached its bounds, or met a construct that it cannot compare. It counts as a no.",
            "Write the contract more plainly where the reason says, or ignore it there with a reason.",
        ),
        Code(
            "GB103",
            "@depends_on names a method that is not there",
            E,
            "The method that is named belongs to no component of this project.",
            "Correct the name; the nearest one is shown where there is one.",
            '@depends_on("Fetcher.fetch_all")  # the class has only fetch',
        ),
        Code(
            "GB104",
            "A contract that means nothing",
            E,
            "What is written as a contract cannot be read, so the method is treated as if it had none. Of the hint of "
            "a handler's payload only the part that cannot be read is open, so that anything fits it: that is a note.",
            "Write a type that contracts can hold; the message names the part that cannot be read.",
        ),
        Code(
            "GB105",
            "A link that may be meant in two ways",
            N,
            "A class depends on another, and more than one pair of methods could be meant. Nothing is checked there.",
            'Write `@depends_on("Class.method")` on the method that is fed.',
        ),
        Code(
            "GB106",
            "Imports that go round and break",
            E,
            "Modules import each other, and one wants a name that the other has not come to yet. Importing any of them "
            "fails, so the components in them cannot run.",
            "Import the module and not the name, import inside the function that needs it, or under `TYPE_CHECKING` "
            "where only a hint needs it.",
            "from agents.b import B  # in agents/a.py, while agents/b.py says: from agents.a import A",
        ),
        Code(
            "GB107",
            "Components that share a class name",
            N,
            "More than one class of that name is a component. Each goes by its whole name, such as `agents.b.B`.",
            "Give one of them another name, or leave its file out with --exclude.",
        ),
        Code(
            "GB108",
            "A constructor argument that nobody gives",
            N,
            "The class needs an argument to be made, and no provider of `[tool.graphbus]` gives one. `graphbus run` "
            "refuses to start it unless `--provide` does.",
            'Name a provider: `provide = ["app.wiring:make_db"]`, or give the argument a default.',
        ),
        Code(
            "GB109",
            "A handler that no event fits",
            E,
            "The method is subscribed to a topic, and no event can give what it takes: its hint takes no object, or it "
            "has parameters that nobody fills. Or no run takes the topic, as `lab.critical` without a slash. A run "
            "refuses to start with it, or refuses every event.",
            "Hint the parameter as what is published (a TypedDict, a dataclass, `dict[str, Any]`), or take "
            "`event: Event`. A handler takes nothing, the payload, the event, or topic and payload.",
            'def on_order(self, payload: str): ...  # under @subscribe("/Order/Created")',
        ),
        Code(
            "GB110",
            "A file that cannot be read",
            E,
            "The file is not Python that can be read here, or it cannot be opened. Nothing in it was checked, nor what "
            "others take from it. Everything else was.",
            "Mend the file, or leave it out with --exclude, or `exclude` in `[tool.graphbus]`.",
        ),
        Code(
            "GB111",
            "What the policy's rules do not allow",
            E,
            "A call, a publication or a subscription that is written out, and that no rule of `[tool.graphbus.policy]` "
            "allows. A run refuses it.",
            "Leave it out, or let a rule allow it.",
        ),
        # 2xx: a method against its own contract
        Code(
            "GB201",
            "The contract and the signature disagree",
            W,
            "A field of the input contract has no parameter, or a parameter has no field. Calls are by name.",
            "Take over the fix that is shown, or change the signature.",
        ),
        Code(
            "GB202",
            "The contract and what is returned disagree",
            W,
            "A `return` with literal keys gives other keys or types than the contract promises.",
            "Take over the fix that is shown, or change what is returned.",
        ),
        # 3xx: a change against an older state
        Code(
            "GB301",
            "A change that breaks a consumer",
            E,
            "This change of a contract makes payloads possible that somebody who relies on it rejects.",
            "Make the change in a compatible way (the suggestion is shown), or change the consumer with it.",
        ),
        Code(
            "GB302",
            "A contract was taken away",
            E,
            "A method or a schema that others may rely on is gone.",
            "Keep it until nobody uses it, or ignore this finding with a reason.",
        ),
        Code(
            "GB303",
            "A change that breaks nobody here",
            N,
            "The contract changed in a way that every reader of the old one can live with.",
            "Nothing has to be done.",
        ),
        Code(
            "GB304",
            "Whether a change breaks could not be decided",
            E,
            "Old and new could not be compared to the end. Nothing is claimed; it counts as a no.",
            "Write the contract more plainly at the place that the reason names.",
        ),
        # 5xx: what inference finds in code that declares no contract
        Code(
            "GB501",
            "A key is read that is not there",
            E,
            "The value comes from code of this project that gives other keys. A warning where it is only likely.",
            "Read the key that is given, or give the one that is read.",
            'def load():\n    return {"quantity": 3}\n\n\ntotal = load()["qty"]',
        ),
        Code(
            "GB502",
            "An attribute is used that the object does not have",
            E,
            "The object is of a class of this project, or of a builtin type, that has no such attribute.",
            "Use the attribute that is there, or add it to the class.",
        ),
        Code(
            "GB503",
            "A call that its target cannot take",
            E,
            "The function or class takes no argument of that name, or needs one that the call does not give.",
            "Change the call, or the signature.",
        ),
        Code(
            "GB504",
            "A value of another type than is taken",
            E,
            "What is given is known, what is taken is declared, and the one is not the other.",
            "Convert the value, or change what is taken.",
        ),
        Code(
            "GB505",
            "A return that its own hint does not promise",
            E,
            "Callers rely on the hint; the code gives something else.",
            "Mend the hint, or what is returned.",
        ),
        Code(
            "GB506",
            "Two places of the project whose types do not meet",
            W,
            "The type checker that is installed finds it, and both places are in this project: the use, and the "
            "function, class or hint behind it. What has one end in a library is not told.",
            "Change one of the two places. Where the code is right and the hint is not, change the hint.",
        ),
        # 9xx: what silences findings
        Code(
            "GB901",
            "An ignore that silences nothing",
            W,
            "The finding it was written for is gone.",
            "Take the comment, or the entry in `[tool.graphbus]`, away.",
        ),
        Code(
            "GB902",
            "An ignore that has expired",
            E,
            "Its date has passed, so the finding counts again.",
            "Mend what it hides, or give it a later date and say why.",
            "# graphbus: ignore[GB101] until 2026-06 the old importer goes in May",
        ),
        Code(
            "GB903",
            "A baseline entry that is no longer needed",
            W,
            "The finding that the baseline keeps is gone.",
            "Run `graphbus baseline` to write it anew.",
        ),
        Code(
            "GB904",
            "An ignore without a reason or a known code",
            W,
            "Nobody can tell later why it is there. It silences nothing.",
            "Name a code and say why: `# graphbus: ignore[GB101] until 2027-01 why`.",
        ),
    )
}


def find_code(name: str) -> Code:
    """The code of that name. Raises UsageError with the nearest one."""
    known_code = CODES.get(name.strip().upper())
    if known_code is None:
        # One suggestion: codes differ in a digit, and a list of near ones would be all of them.
        near = suggest_names(name.strip().upper(), CODES)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise UsageError(f"There is no finding {name!r}.{hint} `graphbus explain` lists them all.")
    return known_code


def render_page(code: Code) -> str:
    """Its section in the docs, in Markdown."""
    parts = [
        f"## {code.code}",
        f"**{code.title}.** Level: {code.level.value}.",
        code.means,
        f"**What to do.** {code.do}",
    ]
    if code.example:
        parts.append(f"```python\n{code.example}\n```")
    return "\n\n".join(parts)


def render_pages() -> str:
    """`docs/findings.md`, whole."""
    head = (
        "# Findings\n\n"
        "Every finding has one code, the same in every command and format. `graphbus explain GB101` prints a section "
        "of this page.\n\n"
        "An error makes a command exit 1. Warnings and notes are shown. A finding is silenced beside its line, with a "
        "reason and, if you like, a date:\n\n"
        "```python\n# graphbus: ignore[GB101] until 2027-01 the old importer goes in January\n```\n\n"
        "or for many files in `[tool.graphbus]`, or by a baseline (`graphbus baseline`). What silences nothing any "
        "more is reported.\n\n"
        "| code | meaning | level |\n| --- | --- | --- |\n"
    )
    rows = "".join(f"| [{c.code}](#{c.code.lower()}) | {c.title} | {c.level.value} |\n" for c in CODES.values())
    return head + rows + "\n" + "\n\n".join(render_page(code) for code in CODES.values()) + "\n"
