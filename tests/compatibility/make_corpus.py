"""Makes the corpus of what 0.2.0 wrote: `python -m tests.compatibility.make_corpus CHECKOUT [PIECE…]`.

    git worktree add /somewhere v0.2.0
    python -m tests.compatibility.make_corpus /somewhere

CHECKOUT is a tree of that version. Its command line is run, in processes of their own, over its examples. What it wrote
goes to `v0_2_0/PIECE/given`; what it then says to the commands of the piece, to `v0_2_0/PIECE/answers`. Clock, random
numbers and process ids of those who write are fixed (`FIXED`), so that two runs make the same bytes.

No later version makes the corpus again: it is what a user has on the disk.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.compatibility.corpus import Piece, Step, digests, key_folder, pack, shown, told, write
from tests.compatibility.wire import said

CORPUS = Path(__file__).parent / "v0_2_0"
FIXED = '''
"""One clock for a whole corpus: each command begins a minute after the one before; random numbers are its number's."""
import os

if "CORPUS_COMMAND" in os.environ:
    import hashlib
    import itertools

    _number = int(os.environ["CORPUS_COMMAND"])
    _drawn = itertools.count()
    os.urandom = lambda size: hashlib.shake_256(f"{_number} {next(_drawn)}".encode()).digest(size)
    os.getpid = lambda: 4_000 + _number

    import datetime
    import time

    _began = datetime.datetime(2026, 11, 23, 12, tzinfo=datetime.UTC).timestamp() + 60 * _number
    _gmtime, _localtime, _strftime = time.gmtime, time.localtime, time.strftime
    time.time = lambda: _began  # it stands still: who asks first differs from run to run
    time.time_ns = lambda: int(_began * 1e9)
    time.gmtime = lambda at=None: _gmtime(_began if at is None else at)
    time.localtime = lambda at=None: _localtime(_began if at is None else at)
    time.strftime = lambda form, at=None: _strftime(form, time.localtime() if at is None else at)

    class _Fixed(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            return cls.fromtimestamp(_began, tz)

    datetime.datetime = _Fixed

    # `kill -9`, at a place that is the same each time: after so many waits for the disk.
    if "CORPUS_KILLED_AT" in os.environ:
        _left = itertools.count(int(os.environ["CORPUS_KILLED_AT"]), -1)
        _fsync = os.fsync

        def _killed(fd):
            _fsync(fd)
            if next(_left) == 0:
                os._exit(137)

        os.fsync = os.fdatasync = _killed
'''


class Bench:
    """A folder in which the old version works, and the piece that it becomes."""

    def __init__(self, name: str, checkout: Path, work: Path) -> None:
        self.piece = Piece(CORPUS / name)
        self.checkout = checkout
        self.here = work / name / "p"
        self.here.mkdir(parents=True)
        self.state = key_folder(work / name)
        self.fixed = work / "fixed"
        self.steps: list[Step] = []
        self._commands = 0

    def example(self, name: str) -> None:
        """A copy of an example of that version."""
        ignored = shutil.ignore_patterns("README.md", "__pycache__", ".graphbus")
        shutil.copytree(self.checkout / "examples" / name, self.here, dirs_exist_ok=True, ignore=ignored)

    def file(self, name: str, text: str) -> None:
        """A file of the user's."""
        path = self.here / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def does(self, *args: str, code: int = 0, killed_at: int | None = None) -> str:
        """A command that leaves something behind. Its output."""
        self._commands += 1
        fixed = {"CORPUS_COMMAND": str(self._commands)}
        if killed_at is not None:
            fixed["CORPUS_KILLED_AT"] = str(killed_at)
        done = self._run(args, self.here, self.state, fixed)
        if done.returncode != code:
            raise SystemExit(
                f"{self.piece.folder.name}: {args} ended with {done.returncode}\n{done.stdout}{done.stderr}"
            )
        return done.stdout

    def asks(self, name: str, *args: str, only_out: bool = False) -> None:
        """A command whose answer is kept: with what it says on stderr, unless several at once say it."""
        self.steps.append(Step(name, run=args, only_out=only_out))

    def reads(self, name: str, *files: str) -> None:
        """Files (globs) whose text is kept, as the steps before left them."""
        self.steps.append(Step(name, read=files))

    def writes(self, name: str, **files: str) -> None:
        """Files that the user adds meanwhile."""
        self.steps.append(Step(name, write=files))

    def keep(self) -> None:
        """Write the piece, and what the old version says to it."""
        folder = self.piece.folder
        shutil.rmtree(folder, ignore_errors=True)
        pack(self.here, folder / "given")
        asked = ",\n".join(json.dumps(step.to_dict(), ensure_ascii=False) for step in self.steps)
        (folder / "asked.json").write_text(f"[\n{asked}\n]\n", encoding="utf-8")
        (folder / "answers").mkdir()
        with tempfile.TemporaryDirectory() as again:
            self.piece.unpack(Path(again))
            here = Path(again) / "p"
            began = time.time()
            for number, step in enumerate(self.steps, 1):
                if step.write:
                    write(step, here)
                    continue
                if step.run:
                    done = self._run(step.run, here, Path(again) / "state", {})
                    text = told(step, done.returncode, done.stdout, done.stderr, here, began)
                else:
                    text = shown(step, here, began)
                self.piece.answer(number, step).write_text(text, encoding="utf-8")

    def environment(self, state: Path) -> dict[str, str]:
        """That of the old version's processes: nothing of whoever makes the corpus."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(state),
            "XDG_STATE_HOME": str(state),
            "PYTHONPATH": f"{self.fixed}{os.pathsep}{self.checkout}",
            "PYTHONHASHSEED": "0",
            "TZ": "UTC",
            "COLUMNS": "120",
            "NO_COLOR": "1",
            "TERM": "dumb",
        }

    def _run(
        self, args: tuple[str, ...], here: Path, state: Path, fixed: dict[str, str]
    ) -> subprocess.CompletedProcess[str]:
        environment = {**self.environment(state), **fixed}
        command = [sys.executable, "-m", "graphbus_core.cli.main", *args]
        return subprocess.run(
            command, cwd=here, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120
        )


def hello(bench: Bench) -> None:
    """A plain build, and what is exported of it."""
    bench.example("hello")
    bench.does("build", "agents")
    bench.asks("inspect", "inspect", ".graphbus")
    bench.asks("inspect-node", "inspect", ".graphbus", "Greeter")
    bench.asks("inspect-json", "inspect", ".graphbus", "--json")
    bench.asks("call", "run", ".graphbus", "--call", "Greeter.greet", "--args", '{"name": "Grace"}')
    bench.asks("publish", "run", ".graphbus", "--publish", "/Hello/Asked", "--payload", '{"name": "Ada"}')
    for form in ("asyncapi", "openapi", "mermaid", "dot"):
        bench.asks(f"export-{form}", "export", form, ".graphbus")
    bench.asks("against-the-build", "contracts", "diff", "agents", "--against", ".graphbus")


def news(bench: Bench) -> None:
    """Contracts that did not fit, mended by rules and one answer of a person: commits, undo records, log."""
    bench.example("news_pipeline")
    bench.does("build", "agents", "--enable-agents", "--answers", "answers.yaml")
    bench.asks("story", "inspect-negotiation", "--plain")
    bench.asks("story-json", "inspect-negotiation", "--json")
    bench.asks("of-one-agent", "inspect-negotiation", "--plain", "--filter", "agent=CleanerService")
    bench.asks("verify", "log", "verify", "--json")
    bench.asks("facts", "log", "export", "--facts")
    bench.asks("replay", "log", "replay", "--json")
    bench.asks("why-field", "why", "CleanerService.clean.items")
    bench.asks("why-json", "why", "CleanerService.clean", "--json")
    bench.asks("why-link", "why", "FetcherService.fetch_headlines", "CleanerService.clean")
    bench.asks(
        "call", "run", ".graphbus", "--call", "FormatterService.first_sentence", "--args", '{"text": "One. Two."}'
    )
    bench.asks("undo-dry", "undo", "p-fb44", "--dry-run", "--allow-mismatches")
    bench.asks("undo", "undo", "p-fb44", "--allow-mismatches")
    bench.asks("undo-again", "undo", "p-fb44")
    bench.asks("why-undone", "why", "CleanerService.clean.items")
    bench.reads("sources", "agents/*.py")
    bench.asks("validate", "validate", "agents")


SEED = ("build", "agents", "--enable-agents", "--rounds", "2", "--model")


def seed(bench: Bench) -> None:
    """A dry run, then the seed's negotiation from a script: rejections, a modification, commits in two rounds."""
    bench.example("seed_negotiation")
    bench.does(*SEED, "scripted:script.yaml", "--dry-run")
    shutil.copytree(bench.here / "agents", bench.here / "before" / "agents")
    bench.does(*SEED, "scripted:script.yaml")
    bench.asks("story", "inspect-negotiation", "--plain")
    bench.asks("dry-story", "inspect-negotiation", "build-2026-11-23-120100", "--plain", "--filter", "outcome=rejected")
    bench.asks("verify", "log", "verify")
    bench.asks("facts", "log", "export", "--facts")
    bench.asks("replay", "log", "replay")
    bench.asks("why-all", "why", "FormatterService", "--all")
    bench.asks("undo-first", "undo", "p-5cce")
    bench.asks("undo-last", "undo", "p-f6d1")
    # Another project's folder hears again what was said here, as it was recorded.
    log = ".graphbus/negotiations/build-2026-11-23-120200.jsonl"
    bench.asks("said-again", "build", "before/agents", *SEED[2:], f"recorded:{log}", "-o", "again")
    bench.reads("landed-again", "before/agents/*.py")


def unfinished(bench: Bench) -> None:
    """A build that was killed in its first round, after a commit; the same, gone on with."""
    bench.example("seed_negotiation")
    bench.does(*SEED, "scripted:script.yaml", code=137, killed_at=UNFINISHED)
    bench.asks("verify", "log", "verify")
    bench.asks("story", "inspect-negotiation", "--plain")
    bench.asks("resume", "build", "agents", "--enable-agents", "--resume")
    bench.asks("facts", "log", "export", "--facts")
    bench.reads("sources", "agents/*.py")


def cut_off(bench: Bench) -> None:
    """A build that was killed while it wrote a commit's files: a journal tells what is left to do."""
    bench.example("seed_negotiation")
    bench.does(*SEED, "scripted:script.yaml", code=137, killed_at=CUT_OFF)
    bench.reads("half-written", "agents/*.py")
    bench.asks("resume", "build", "agents", "--enable-agents", "--resume")
    bench.reads("sources", "agents/*.py", ".graphbus/commit/journal")


UNFINISHED, CUT_OFF = 40, 30

DESK = """\
\"\"\"Orders are placed, and packed: glass breaks.\"\"\"

import os
from pathlib import Path

from graphbus_core import GraphBusNode, publishes, schema_method, subscribe


class Desk(GraphBusNode):
    @publishes("/Order/Placed", {"id": int, "sku": str})
    @schema_method(input_schema={"id": int, "sku": str}, output_schema={"placed": bool})
    def place(self, id: int, sku: str):
        self.publish("/Order/Placed", {"id": id, "sku": sku})
        return {"placed": True}


class Packer(GraphBusNode):
    def __init__(self):
        self.packed = []

    @subscribe("/Order/Placed")
    @publishes("/Order/Packed", {"id": int})
    def on_placed(self, payload):
        if payload["sku"] == "bomb" and Path("fuse").exists():
            os._exit(137)
        if payload["sku"] == "glass" and not Path("straw").exists():
            raise ValueError("It broke.")
        self.packed.append(payload["id"])
        self.publish("/Order/Packed", {"id": payload["id"]})

    @schema_method(input_schema={}, output_schema={"packed": list[int]})
    def all(self):
        return {"packed": self.packed}

    def get_state(self):
        return {"packed": self.packed}

    def set_state(self, state):
        self.packed = list(state["packed"])
"""


def runtime(bench: Bench) -> None:
    """Runs with a journal and a state: dead letters of two kinds, a crash with an event under way, a snapshot."""
    bench.file("agents/shop.py", DESK)
    bench.does("build", "agents")
    kept = ("run", ".graphbus", "--journal", "run.jsonl", "--state", "state.json")
    for number, sku in enumerate(("apple", "glass", "pear"), 1):
        order = json.dumps({"id": number, "sku": sku})
        bench.does(*kept, "--call", "Desk.place", "--args", order, code=int(sku == "glass"))
    wrong = '{"id": "four", "sku": "plum"}'
    bench.does(
        "run", ".graphbus", "--payload-checks", "enforce", "--publish", "/Order/Placed", "--payload", wrong, code=1
    )
    bench.file("fuse", "")
    bench.does(*kept, "--publish", "/Order/Placed", "--payload", '{"id": 5, "sku": "bomb"}', code=137)
    (bench.here / "fuse").unlink()
    bench.asks("letters", "run", ".graphbus", "dead-letters")
    bench.asks("letters-json", "run", ".graphbus", "dead-letters", "list", "--json")
    bench.asks("journal", "replay", "run.jsonl")
    bench.asks("journal-json", "replay", "run.jsonl", "--json")
    bench.asks("of-a-topic", "replay", "run.jsonl", "--topic", "/Order/Pa*")
    bench.asks("played-again", "replay", "run.jsonl", "--to", ".graphbus", "--state", "played.json")
    bench.reads("played-state", "played.json")
    bench.asks("gone-on", *kept, "--call", "Packer.all")
    bench.asks("retry-fails", "run", ".graphbus", "dead-letters", "retry", "dl-1")
    bench.writes("straw", straw="")
    bench.asks("retry", "run", ".graphbus", "dead-letters", "retry")
    bench.asks("purge", "run", ".graphbus", "dead-letters", "purge")
    bench.asks("none-left", "run", ".graphbus", "dead-letters")


def orders(bench: Bench) -> None:
    """A memory that a run kept; what is provided, and a policy that refuses."""
    bench.example("orders")
    bench.does("build", ".", code=1)
    kept = ("run", ".graphbus", "--journal", "run.jsonl", "--state", "state.json")
    bench.does(*kept, "--publish", "/Order/Placed", "--payload", '{"sku": "apple"}')
    (bench.here / "stock.db").unlink()
    bench.asks("sold", *kept, "--call", "Shop.sold")
    bench.asks("refused", "run", ".graphbus", "--call", "Shop.wipe")
    bench.asks(
        "one-more", *kept, "--publish", "/Order/Placed", "--payload", '{"sku": "apple"}', "--call", "Shop.apples"
    )


STORAGE = ("storage.yaml", "--output")
BACKUPS = """\
topic: Where backups go
issues:
  place: {title: The place, options: {cloud: A cloud, cellar: The cellar}}
  keep: {title: How long, options: {month: A month, year: A year}}
advocates:
  Ann:
    priority: Nothing is lost
    scores: {place: {cloud: 30, cellar: 10}, keep: {month: 0, year: 40}}
    minimum: 20
  Bob:
    priority: It costs little
    scores: {place: {cloud: 20, cellar: 0}, keep: {month: 50, year: 10}}
    red_lines:
      - {text: No year in the cellar, forbid: {place: cellar, keep: year}}
"""


def consent(bench: Bench) -> None:
    """Decisions of each kind, with documents, certificates, a proof, and one ledger for all of them."""
    bench.example("consent")
    bench.does("consent", "run", *STORAGE, "disclosed.md")
    bench.does("consent", "run", *STORAGE, "private.md", "--preferences", "private", "--seed", "3", "--max-turns", "60")
    bench.file("backups.yaml", BACKUPS)
    bench.does("consent", "ask", "backups.yaml", "--output", "sealed.md")
    strict = (bench.here / "storage.yaml").read_text(encoding="utf-8").replace("at_most: 6000", "at_most: 1000")
    bench.file("strict.yaml", strict)
    bench.does("consent", "run", "strict.yaml", "--output", "deadlock.md", code=1)
    words = (
        "Use negotiation for authentication protocol design. CC advocates Reliability, CX advocates Speed, CC-peer-02 "
        "advocates Security. Output: words.md"
    )
    bench.does("consent", "run", words, "--model", "scripted:session.md")
    runs = sorted(path.name for path in (bench.here / ".graphbus" / "consent").iterdir())
    for name, run in zip(("disclosed", "private", "sealed", "deadlock", "words"), runs, strict=True):
        bench.asks(f"{name}-status", "consent", "status", run, "--json")
        bench.asks(f"{name}-show", "consent", "show", run)
        bench.asks(f"{name}-verify", "consent", "verify", f"{name}.md")
        bench.asks(f"{name}-document", "consent", "show", run, "--document")
    bench.asks("why", "consent", "why", runs[0], "--json")
    bench.asks("to-win", "consent", "why", runs[0], "--to-win", "store=dynamo")
    bench.asks("picture", "consent", "picture", runs[0])
    bench.asks("ledger", "consent", "read", "comms.md")
    bench.asks("resume-over", "consent", "resume", runs[0])


def consent_open(bench: Bench) -> None:
    """Two decisions that were killed in the middle: one with scores, one with questions."""
    bench.example("consent")
    bench.does(
        "consent", "run", *STORAGE, "private.md", "--preferences", "private", "--seed", "3", code=137, killed_at=9
    )
    bench.file("backups.yaml", BACKUPS)
    bench.does("consent", "ask", "backups.yaml", "--output", "sealed.md", code=137, killed_at=9)
    private, sealed = sorted(path.name for path in (bench.here / ".graphbus" / "consent").iterdir())
    bench.asks("private-status", "consent", "status", private)
    bench.asks("private-resume", "consent", "resume", private)
    bench.asks("sealed-status", "consent", "status", sealed)
    bench.asks("sealed-resume", "consent", "ask", "--resume", sealed)
    bench.reads("documents", "private.md", "sealed.md")
    bench.reads("kept-answers", ".graphbus/consent/*/answers.jsonl", ".graphbus/consent/*/seats/*.jsonl")


TABLE = ("One plan for storage", "--no-wait", "--source")


def _seated(bench: Bench) -> None:
    """Two seats at `storage/`; what they say stands in `plans/`."""
    bench.example("two_agents")
    for name in ("alpha", "beta"):
        who = ("--name", f"agent-{name}", "--participant", name, "--seat", f"seats/{name}")
        bench.does("negotiate", "start", "storage", *TABLE, f"plans/{name}.md", *who)


def _turn(name: str, number: int) -> tuple[str, ...]:
    return "negotiate", "say", "storage", "--seat", f"seats/{name}", "--file", f"plans/{name}-{number}.txt"


def table(bench: Bench) -> None:
    """Two plans that became one document."""
    _seated(bench)
    for number in (1, 2):
        for name in ("alpha", "beta"):
            bench.does("negotiate", "turn", "storage", "--seat", f"seats/{name}", "--for", "5")
            bench.does(*_turn(name, number))
    bench.asks("status", "negotiate", "status", "storage")
    bench.asks("status-json", "negotiate", "status", "storage", "--json")
    bench.asks("show", "negotiate", "show", "storage")
    bench.asks("verify", "negotiate", "verify", "storage")
    bench.asks("watch", "negotiate", "watch", "storage", "--for", "5")
    bench.asks("poll", "negotiate", "poll", "storage", "agent-alpha")
    bench.asks("turn", "negotiate", "turn", "storage", "--seat", "seats/alpha", "--for", "5")
    bench.asks("finish", "negotiate", "finish", "storage", "--seat", "seats/alpha")
    bench.reads("files", "storage/*.md", "storage/*/*.md")


def table_open(bench: Bench) -> None:
    """The same table after one turn of each: taken up by the seats, and finished."""
    _seated(bench)
    for name in ("alpha", "beta"):
        bench.does("negotiate", "turn", "storage", "--seat", f"seats/{name}", "--for", "5")
        bench.does(*_turn(name, 1))
    bench.asks("status", "negotiate", "status", "storage")
    bench.asks("verify", "negotiate", "verify", "storage")
    bench.asks("not-its-turn", "negotiate", "turn", "storage", "--seat", "seats/beta", "--for", "0")
    for name in ("alpha", "beta"):
        bench.asks(f"{name}-reads", "negotiate", "turn", "storage", "--seat", f"seats/{name}", "--for", "5", "--all")
        bench.asks(f"{name}-says", *_turn(name, 2))
    bench.reads("document", "storage/final.md", "storage/turn.md")


def adopted(bench: Bench) -> None:
    """A table whose log is gone, as one that other scripts keep: it is taken as its files stand."""
    _seated(bench)
    for name in ("alpha", "beta"):
        bench.does(*_turn(name, 1))
    shutil.rmtree(bench.here / "storage" / ".graphbus")
    bench.asks("status", "negotiate", "status", "storage")
    bench.asks("show", "negotiate", "show", "storage")
    bench.asks("verify", "negotiate", "verify", "storage")


MODELS = """\
default:
  analysis:
    analysis: They differ on where the state lives.
    issues: [{topic: store, title: Where the state lives, question: "Files or a database?"}]
agents:
  agent-alpha:
    turn:
      - positions: [{issue: 01-store, text: Files.}]
      - marks: [{issue: 01-store, status: AGREED, text: The state lives in files.}]
        challenges: [{issue: 01-store, text: "And if the disk is full?"}]
    write_final: {final: "The state lives in files. Logs are kept for 30 days. Backups run nightly at 02:00."}
  agent-beta:
    turn:
      - positions: [{issue: 01-store, text: A database is not needed.}]
        marks: [{issue: 01-store, status: AGREED, text: The state lives in files.}]
        challenges: [{issue: 01-store, text: "And if two write at once?"}]
"""
RUN = ("negotiate", "run", "plans", "--model", "scripted:script.yaml")
OPEN = (*RUN, "--topic", "One plan", "--source", "a.md", "--source", "b.md", "--rigorous")


def _with_models(bench: Bench) -> None:
    bench.file("script.yaml", MODELS)
    bench.file("a.md", "Logs are kept for 30 days.\n")
    bench.file("b.md", "Backups run nightly at 02:00.\n")


def models(bench: Bench) -> None:
    """A table in the rigorous form at which we spoke for both: analyses, challenges, an audit, kept answers."""
    _with_models(bench)
    bench.does(*OPEN)
    bench.asks("status", "negotiate", "status", "plans", "--json")
    bench.asks("show", "negotiate", "show", "plans")
    bench.asks("verify", "negotiate", "verify", "plans")
    bench.asks("watch", "negotiate", "watch", "plans", "--for", "5", "--json")
    bench.asks("run-again", *RUN)


def models_open(bench: Bench) -> None:
    """The same, killed after some answers: run again, nothing is asked twice."""
    _with_models(bench)
    bench.does(*OPEN, code=137, killed_at=MODELS_OPEN)
    bench.asks("status", "negotiate", "status", "plans")
    bench.asks("run", *RUN, only_out=True)
    bench.reads("document", "plans/final.md", "plans/coverage-audit.md", "plans/.graphbus/answers.jsonl")
    bench.asks("verify", "negotiate", "verify", "plans")


MODELS_OPEN = 8


def agreed(bench: Bench) -> None:
    """An interface that two sides settled, and what both test against."""
    bench.example("two_agents")
    orders = ("agree", "orders", "--at", "shared")

    def side(name: str, *more: str, code: int = 1) -> None:
        bench.does(*orders, "--as", name, "--seat", f"seats/{name}", *more, code=code)

    side("producer", "--producer", "shop", "--consumer", "billing", "--table", "contracts/shop.json")
    side("consumer", "--table", "contracts/billing-wants.json")
    side("consumer", "--table", "contracts/billing.json", "--why", "A note may be missing; we print none.")
    pair = json.loads(bench.does(*orders, "--json", code=1))["pair"]
    side("producer", "--accept", pair)
    side("consumer", "--accept", pair, code=0)
    bench.asks("status", *orders)
    bench.asks("status-json", *orders, "--json")
    agreement = "shared/orders.contract.json"
    bench.asks("takes", "contracts", "can-i-use", "contracts/billing.json", agreement)
    bench.asks("wants", "contracts", "can-i-use", "contracts/billing-wants.json", f"{agreement}@1")
    bench.asks("sends", "contracts", "can-i-use", agreement, "contracts/shop.json", "--json")
    bench.asks(
        "anew", *orders, "--as", "consumer", "--seat", "seats/consumer", "--table", "contracts/billing-wants.json"
    )


def _schema(**fields: str) -> str:
    named = {name.strip("_"): {"type": kind} for name, kind in fields.items()}
    needed = [name for name in fields if not name.endswith("_")]
    return json.dumps({"type": "object", "properties": named, "required": needed}, indent=1) + "\n"


def published(bench: Bench) -> None:
    """A history of published versions, settings with an ignore, and a baseline."""
    bench.file(
        "pyproject.toml",
        '[tool.graphbus.contracts]\nmode = "FULL"\nreading = "link"\nhistory = "published"\nbaseline = "known.json"\n\n'
        '[[tool.graphbus.contracts.ignore]]\ncode = "GB301"\nfiles = "schemas/price.json"\n'
        'reason = "the old shop is switched off"\n',
    )
    bench.file("schemas/order.json", _schema(sku="string"))
    bench.file("schemas/price.json", _schema(sku="string", cents="integer"))
    bench.does("contracts", "publish", "schemas")
    bench.file("schemas/order.json", _schema(sku="string", note_="string"))
    bench.does("contracts", "publish", "schemas")
    bench.file("schemas/order.json", _schema(sku="integer", note_="string"))
    bench.file("schemas/price.json", _schema(sku="string", cents="number"))
    bench.does("contracts", "diff", "schemas", "--history", "published", "--write-baseline")
    bench.file("schemas/order.json", _schema(sku="integer", note="string"))
    bench.asks("diff", "contracts", "diff", "schemas", "--history", "published", "--json")
    bench.asks("all-versions", "contracts", "diff", "schemas", "--history", "published", "--mode", "FULL_TRANSITIVE")
    bench.asks(
        "can-i-use", "contracts", "can-i-use", "schemas/order.json", "order@1", "--history", "published", "--json"
    )
    bench.asks("changes", "contracts", "changes", "published/order/1.json", "schemas/order.json", "--json")
    bench.asks("refused", "contracts", "publish", "schemas", "--mode", "BACKWARD")


def findings(bench: Bench) -> None:
    """A project that does not fit: a baseline with some of its findings, an ignore, and what is new since."""
    bench.example("news_pipeline")
    bench.file("pyproject.toml", '[tool.graphbus]\nroots = ["agents"]\nbaseline = "known.json"\n')
    bench.does("baseline", "agents")
    formatter = (bench.here / "agents" / "formatter.py").read_text(encoding="utf-8")
    bench.file("agents/formatter.py", formatter.replace('"minutes": int', '"minutes": int, "editor": str'))
    cleaner = (bench.here / "agents" / "cleaner.py").read_text(encoding="utf-8")
    silent = "def clean(self, items):  # graphbus: ignore[GB202] it is mended on Friday"
    cleaner = cleaner.replace("def clean(self, items):", silent).replace("'minutes': words", "'min': words")
    bench.file("agents/cleaner.py", cleaner)
    bench.asks("validate", "validate", "agents", "--format", "json")
    bench.asks("baseline", "baseline", "agents")
    bench.reads("known", "known.json")
    bench.asks("nothing-new", "validate", "agents", "--format", "json")


PLAIN = """\
class Cart:
    def total(self, sku: str) -> dict[str, int]:
        return {"amount": len(sku)}


class Ledger:
    def post(self, amount: int, note: str = ""):
        return {"posted": amount, "note": note}


def main():
    total = Cart().total("apple")
    Ledger().post(amount=total["amount"])
"""


def inferred(bench: Bench) -> None:
    """A project without agents: what was read of it, and the `contracts.toml` and settings that were made of that."""
    bench.file("pyproject.toml", '[project]\nname = "plain"\nversion = "0"\n')
    bench.file("shop/__init__.py", "")
    bench.file("shop/cart.py", PLAIN)
    bench.does("infer", ".", "--contracts", "--write")
    bench.does("init", ".", "--write")
    bench.asks("infer", "infer", ".", "--all")
    bench.asks("infer-json", "infer", ".", "--json")
    bench.asks("nothing-to-write", "infer", ".", "--contracts")
    bench.reads("files", "contracts.toml", "pyproject.toml")


def decorated(bench: Bench) -> None:
    """A project whose contracts were written into its source, and the record that takes that back."""
    bench.file("pyproject.toml", '[project]\nname = "plain"\nversion = "0"\n')
    bench.file("shop/__init__.py", "")
    bench.file("shop/cart.py", PLAIN)
    bench.does("init", ".", "--decorators", "--write")
    [record] = (bench.here / ".graphbus" / "undo").iterdir()
    bench.reads("source", "shop/cart.py")
    bench.asks("undo", "undo", record.stem)
    bench.reads("as-before", "shop/cart.py")


PIECES: dict[str, Callable[[Bench], None]] = {
    one.__name__: one
    for one in (
        *(hello, news, seed, unfinished, cut_off, runtime, orders, consent, consent_open),
        *(table, table_open, adopted, models, models_open, agreed, published, findings, inferred, decorated),
    )
}


def wire(checkout: Path, work: Path) -> None:
    """What outsiders hold on to: documents, tools, commands with their options."""
    bench = Bench("wire", checkout, work)
    bench.example("hello")
    bench.piece.folder.mkdir(parents=True, exist_ok=True)
    for name, document in said([sys.executable], bench.here, bench.environment(bench.state)).items():
        text = json.dumps(document, indent=1, ensure_ascii=False)
        (bench.piece.folder / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")
    shutil.copy(checkout / "docs" / "commands.md", bench.piece.folder)


def main(checkout: str, *names: str) -> None:
    """Make the pieces of those names, or all."""
    with tempfile.TemporaryDirectory() as work:
        (Path(work) / "fixed").mkdir()
        (Path(work) / "fixed" / "sitecustomize.py").write_text(FIXED, encoding="utf-8")
        if not names or "wire" in names:
            wire(Path(checkout).resolve(), Path(work))
        for name in [one for one in names or PIECES if one != "wire"]:
            bench = Bench(name, Path(checkout).resolve(), Path(work))
            PIECES[name](bench)
            bench.keep()
    (CORPUS / "SHA256SUMS").write_text(digests(CORPUS), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
