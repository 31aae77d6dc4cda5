"""One opened project with everything that can be done to it: what a server holds between two requests.

    project        nodes, links, mismatches, contracts, the picture
    runtime        the running program
    builds         builds under way
    changes        what a diff would do, and a commit taken back
    consents       consent negotiations that were started here
    documents      document negotiations, and our seats at them
    team           the team of coding agents in this repository
    questions      what waits for a person or a program
    seats          the links of those who sit at a table
    negotiations   of all three kinds, read back from their logs
    past           the project as it stood at a fact of a build
    journals       journals of runs, read and played back
    watch          what others do to the same negotiations

Everything that happens is told to `observe(kind, data)`; all methods may be called from any thread.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from graphbus_core.analysis.scan.layout import locate
from graphbus_core.artifacts import MANIFEST
from graphbus_core.build.builder import build_project
from graphbus_core.errors import GraphBusError, UsageError
from graphbus_core.negotiation.core import Ask, Json
from graphbus_core.participants.people.desk import Desk
from graphbus_core.runtime.telemetry.prometheus import wants_text
from graphbus_core.services import answer_checks
from graphbus_core.services.activity_watcher import ActivityWatcher
from graphbus_core.services.build_command import resolve_config
from graphbus_core.services.builds import BuildRuns
from graphbus_core.services.changes import Changes
from graphbus_core.services.decisions.runs import PREFIX, ConsentRuns, check_consent
from graphbus_core.services.documents.hosting import HostedDocuments
from graphbus_core.services.edited_sources import EditedSources
from graphbus_core.services.errors import Conflict, NotFound
from graphbus_core.services.queries.negotiations import NegotiationShelf
from graphbus_core.services.queries.past_pictures import PastPictures
from graphbus_core.services.queries.project import ProjectView
from graphbus_core.services.questions.inbox import Inbox
from graphbus_core.services.questions.seats import Seat, SeatLinks, name_table
from graphbus_core.services.runtime import Journals, RuntimeControl
from graphbus_core.services.team_hosting import HostedTeam

Observer = Callable[[str, Mapping[str, Any]], object]


class Workspace:
    """A project folder with its `.graphbus`, or a `.graphbus` alone (then there is nothing to build)."""

    def __init__(
        self,
        path: Path,
        output_dir: Path | None = None,
        observe: Observer | None = None,
        directories: Sequence[Path] = (),
        include: Sequence[str] = (),
    ) -> None:
        # `include`: only these, where the settings name several roots; else what the settings say holds by itself.
        self.observe: Observer = observe or (lambda kind, data: None)
        if not path.exists():
            raise UsageError(f"There is no folder {path}. Give the folder of the agents, or a .graphbus folder.")
        is_artifacts = (path / MANIFEST).exists()
        self.project_path = None if is_artifacts else path
        self.output_dir = path if is_artifacts else (output_dir or Path(".graphbus"))
        self.desk = Desk(check=_check_answer, observe=self.observe)
        edited = EditedSources(self.output_dir, self._find_root, self._list_sources)
        self.runtime = RuntimeControl(self._ensure_build, self.observe, self.output_dir, edited.list_edited)
        self.journals = Journals(self.output_dir)
        self.builds = BuildRuns(self.project_path, self.output_dir, self.desk, self.observe, self._list_agents, include)
        # Shared with the builds: two views of one project would scan it twice, and could tell two different things.
        self.project = ProjectView(self.project_path, self.output_dir, self.builds.is_under_way, include)
        documents = self.output_dir / "documents"  # those that a front end started
        # Those of a server that was stopped are found again, or a restart would lose a talk that goes on in the
        # files.
        directories = [*directories, *(sorted(documents.iterdir()) if documents.is_dir() else ())]
        self._topics: dict[str, str] = {}  # by table
        self.seats = SeatLinks(self.output_dir / "seats" / "links.json")
        self.questions = Inbox(self.desk, directories, self.seats)
        self.negotiations = NegotiationShelf(self.output_dir, directories)
        self.past = PastPictures(self.negotiations)
        self.changes = Changes(self.project, self.output_dir, self.builds.is_under_way)
        self.consents = ConsentRuns(self.output_dir.absolute().parent, self.desk, self.observe)
        seats = self.output_dir / "seats"
        self.documents = HostedDocuments(self.questions.directories, documents, seats, self.observe)
        # Set later, since questions and documents need each other and neither may import the other.
        self.questions.turns, self.questions.take_turn = self.documents.list_open_turns, self.documents.take_turn
        self.team = HostedTeam(self._find_project_folder(), self.seats, self.observe)
        self.questions.overlaps, self.questions.settle = self.team.list_questions, self.team.answer
        self.watch = ActivityWatcher(self.negotiations, self.questions, self.builds.is_own, self.observe)
        # Before a server listens: a project that cannot be read is an error of the start and not of the first
        # request.
        self.project.look()

    def metrics(self) -> dict[str, Any]:
        """Counters for a monitoring system."""
        states = [run["state"] for run in self.builds.list_builds()]
        return {
            "runtime": self.runtime.stats(),
            "builds": {state: states.count(state) for state in ("running", "done", "failed", "cancelled")},
            "questions_open": len(self.questions.open()),
        }

    def render_metrics(self, accept: str) -> str | None:
        """The runtime's counters in Prometheus' text, where `accept` (of a request) asks for that."""
        return self.runtime.prometheus() if wants_text(accept) else None

    def open_document(self, name: str, topic: str, sources: Any, agents: int, max_rounds: int) -> str:
        """Start a document negotiation that is on the shelf from now on."""
        name, folder = self.documents.start(name, topic, sources, agents, max_rounds)
        self.negotiations.directories[name] = folder
        return name

    def start_consent(self, humans: Sequence[str], opener: str = "", **how: Any) -> tuple[str, dict[str, str]]:
        """Begin a decision: its id, and the key of each person's seat. From the first question on, each question of a
        person is that seat's alone."""
        keys: dict[str, str] = {}

        def give_links(run_id: str) -> None:
            table = f"consent/{run_id}"
            keys.update({name: self.seats.issue(table, name, is_opener=name == opener) for name in humans})

        return self.consents.start(humans=humans, before=give_links, **how), keys

    def issue_seat(self, table: str, name: str, is_opener: bool = False, called: str = "") -> str:
        """The key of a new link to a seat. `called`: its person's name, where the seat's may not be written so. At a
        document and in a team the seat is taken, where nobody sits there yet. Raises NotFound for a table that is not
        there, UsageError."""
        kind, _, where = table.partition("/")
        if kind == "consent":
            people = self.consents.list_people(where)
            if name not in people:
                raise UsageError(
                    f"name: {name!r} is not a person of {where}. Its people: {', '.join(people) or 'none'}."
                )
        elif kind == "document" and where and not self.documents.has_seat(where, name):
            self.documents.join(where, name)
        elif kind == "team":
            self.team.find_team(where)
            if not self.team.has_seat(name):
                self.team.join(name)
        return self.seats.issue(table, name, is_opener, called)

    def list_seats(self) -> list[dict[str, Any]]:
        """The seats that have a link, whether somebody sat down with it, and how many questions wait for each. No key
        is told twice."""
        waiting: dict[Seat, int] = {}
        for question in self.questions.open():
            seat = Seat(name_table(question["id"]), question["to"])
            waiting[seat] = waiting.get(seat, 0) + 1
        return [
            {
                "id": seat.id,
                "table": seat.table,
                "name": seat.name,
                "called": self.seats.call(seat),
                "seated": self.seats.is_seated(seat),
                "waiting": waiting.get(seat, 0),
            }
            for seat in self.seats.list_seats()
        ]

    def invite(self, table: str) -> str:
        """The key of an invitation to a table whose seats have links. Raises UsageError where none has."""
        if not any(seat.table == table for seat in self.seats.list_seats()):
            raise UsageError(f"table: {table!r} has no seat with a link, so there is nobody to invite.")
        return self.seats.invite(table)

    def describe_table(self, table: str) -> dict[str, Any]:
        """Who sits at a table and what became of its seats: what everybody there may know. Raises NotFound."""
        seats = [seat for seat in self.seats.list_seats() if seat.table == table]
        lines = self.seats.list_story(table)
        if not seats and not lines:
            raise NotFound(f"There is no table {table!r} with links to its seats.")
        return {
            "table": table,
            "topic": self._read_topic(table),
            "seats": [
                {
                    "name": seat.name,
                    "called": self.seats.call(seat),
                    "seated": self.seats.is_seated(seat),
                    "free": not self.seats.has_sat(seat),
                }
                for seat in seats
            ],
            "story": [
                {
                    "name": line.name,
                    "news": line.news,
                    "says": line.tell(self.seats.call(Seat(table, line.name))),
                    "at": line.at,
                }
                for line in lines
            ],
        }

    def _read_topic(self, table: str) -> str:
        kind, _, where = table.partition("/")
        if kind not in ("consent", "document"):
            return ""
        if table not in self._topics:  # a topic never changes, and everybody at the table asks for it all the time
            read = self.consents.read_topic if kind == "consent" else self.documents.read_topic
            self._topics[table] = read(where)
        return self._topics[table]

    def explain_key(self, key: str) -> tuple[str, str]:
        """Why a key opens nothing: code and sentence. Nobody is sent for a new link to a table that has ended."""
        code, sentence = self.seats.explain(key)
        seat = self.seats.find_spent(key)
        if seat is None or not self._has_ended(seat.table):
            return code, sentence
        name = self.seats.call(seat)
        return code, (
            f"{name} has already sat down with this link, and the table has ended: nobody is asked there any more. "
            "Whoever sent you the link can tell you what came of it."
        )

    def _has_ended(self, table: str) -> bool:
        kind, _, where = table.partition("/")
        if kind not in ("consent", "document"):
            return False
        try:
            return self.consents.has_ended(where) if kind == "consent" else self.documents.has_ended(where)
        except GraphBusError:
            return False  # it is gone, or cannot be read: what is known of the link is told

    def list_asked(self, table: str) -> list[str]:
        """Who is asked at a table now, each once."""
        return sorted({str(one["to"]) for one in self.questions.open() if name_table(one["id"]) == table})

    def fork(self, negotiation_id: str, fact_number: int, model: str | None) -> dict[str, Any]:
        """Start a dry run from a fact of a negotiation. Raises NotFound, Conflict."""
        return self.builds.fork(self.negotiations.log(negotiation_id, 0, sys.maxsize)["facts"], fact_number, model)

    def export_build(self, form: str, server: str) -> dict[str, str]:
        """The last build in a form that other tools read, answered at this address. Raises NotFound without one."""
        from graphbus_core.services.exports import export_build

        return export_build(self.output_dir, form, server)

    def infer_project(self) -> dict[str, Any]:
        """What the project's code says of itself, without agents. Raises Conflict where only a build was opened."""
        from graphbus_core.services.exports import infer_project

        return infer_project(self._find_whole_project())

    def list_settings(self) -> list[dict[str, Any]]:
        """Every setting, with where its value comes from."""
        from graphbus_core.services.project_setup import list_settings

        return list_settings(self._find_project_folder())

    def describe_policy(self) -> dict[str, Any]:
        """Who may do what in a run."""
        from graphbus_core.services.project_setup import describe_policy

        return describe_policy(self._find_project_folder())

    def may(self, who: str, verb: str, what: str) -> dict[str, Any]:
        """Whether the policy lets a node do that."""
        from graphbus_core.services.project_setup import may

        return may(self._find_project_folder(), who, verb, what)

    def propose_settings(self, write: bool) -> dict[str, Any]:
        """The settings that this project may begin with, as a diff; written where that is asked for."""
        from graphbus_core.services.project_setup import propose_settings

        proposal = propose_settings(self._find_whole_project())
        if write:
            proposal.write()
        return {"file": proposal.file.name, "written": write, "diff": proposal.diff}

    def _find_project_folder(self) -> Path:
        """The folder whose settings hold in a run: that around the build, as the runtime reads them."""
        return self.output_dir.absolute().parent

    def _find_whole_project(self) -> Path:
        """The whole project: the folder around the build, where the agents lie in it."""
        if self.project_path is None:
            raise Conflict("Only artifacts were opened; open the project's folder instead.")
        around = self._find_project_folder()
        return around if self.project_path.absolute().is_relative_to(around) else self.project_path

    def close(self) -> None:
        """Stop the runtime and the build, if any."""
        # The watch first: it would report the end of everything else as news.
        self.watch.stop()
        self.consents.close()
        self.builds.close()
        self.runtime.close()

    def _list_agents(self) -> list[str]:
        return [agent.name for agent in self.project.look().agents]

    def _find_root(self) -> Path | None:
        return None if self.project_path is None else locate(str(self.project_path)).root

    def _list_sources(self) -> list[str]:
        return [agent.source_file for agent in self.project.look().agents if not agent.is_external]

    def _ensure_build(self) -> str:
        # Only where nothing was built: a run must never replace a build that somebody made.
        if self.project_path is not None and not (self.output_dir / MANIFEST).exists():
            build_project(resolve_config(self.project_path, self.output_dir, include=list(self.builds.include)))
        return str(self.output_dir)


def _check_answer(ask: Ask, body: Json) -> str | None:
    """Why a body is not an answer, by the rules of the negotiation that asks."""
    # By the id, because a check runs before anybody knows which negotiation waits.
    return check_consent(ask, body) if ask.id.startswith(PREFIX) else answer_checks.check_answer("build", ask, body)
