"""What an MCP client can call: join, be asked, answer, ask the person, check a contract; and what it may read.

A process on standard input and output has one client. Over HTTP there are many, and the protocol's later editions keep
no session for them: `join` gives each a ticket, which its next calls bring along. A ticket is as good as the server's
token and lives as long as the server; a seat outlives both.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

from mcp.server.elicitation import AcceptedElicitation, ElicitationResult
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.resolve import Elicit, Resolve
from pydantic import BaseModel, Field

from graphbus_core.errors import GraphBusError, UsageError
from graphbus_core.mcp.seats import ClientSeats, DocumentTable
from graphbus_core.text import join_few

MAX_WAIT_S = 25.0  # clients cut a call at about a minute
# A person at the other end does not notice a third of a second, and a look costs three `stat` calls.
PAUSE_S = 0.3
# Clients take a call without progress for dead.
PROGRESS_S = 3.0
# A ticket is a dictionary of tables. A thousand clients are more than one project's agents.
MAX_CLIENTS = 1_000
OWN = "mine"  # in an address: the seat of the one client of this process
PATH_MAX = 200  # characters of a path that is told back
WHERE = (
    'The directory of a document, "build" or "consent" for the negotiations of this project, "agree:NAME@DIR" for '
    'an interface, or "team" for the team of this repository ("team@DIR" for another one).'
)
SEAT = (
    "The name that you speak for. A document gives you one where you leave it out; at an interface it is producer or "
    "consumer."
)
TICKET = "What join returned as `ticket`, where it returned one."


class Words(BaseModel):
    """What a person says."""

    answer: str = Field(description="The decision in a sentence; to an approval: yes or no.")
    reason: str = Field(default="", description="Why, if you like.")


class PersonQuestion(BaseModel):
    """What waits for a person; `why` there is nothing to ask, or nobody."""

    id: str = ""
    text: str = ""
    why: str = ""


class NegotiationTools:
    """The tools. `shared`: several clients talk to this process, each with its ticket."""

    def __init__(self, output: Path, shared: bool = False, within: tuple[Path, ...] = ()) -> None:
        self.output = output
        self.shared = shared
        self.within = within  # folders below which clients may sit down, everywhere where there is none
        self.own = ClientSeats(output)
        self._clients: OrderedDict[str, ClientSeats] = OrderedDict()

    def find_seats(self, ticket: str) -> ClientSeats:
        """The seats of one client. Raises UsageError for a ticket that this process has not given."""
        if not self.shared:
            return self.own
        if ticket not in self._clients:
            complaint = (
                "This server does not know the ticket; it may have been started again" if ticket else "No ticket"
            )
            raise UsageError(
                f"{complaint}: call join with your seat, and give the ticket that it returns with each call."
            )
        # Kept in the order of use, so that whoever was silent longest is the one who has to join again.
        self._clients.move_to_end(ticket)
        return self._clients[ticket]

    def find_document(self, seat: str, table: str) -> DocumentTable:
        """The document that a seat's address names: `seat` is its ticket, or `mine`. Raises UsageError."""
        if not self.shared and seat != OWN:
            raise UsageError(f"There is no seat {seat[:200]!r} here: call join, which gives the addresses.")
        seats = self.find_seats(seat)
        found = next((document for document in seats.list_documents() if document.key == table), None)
        if found is None:
            raise UsageError(f"You sit at no document {table[:200]!r}: call join, which gives the addresses.")
        return found

    async def join(
        self,
        where: Annotated[str, Field(description=WHERE)],
        seat: Annotated[str, Field(description=SEAT)] = "",
        topic: Annotated[str, Field(description="What a document is about; opens the negotiation.")] = "",
        source: Annotated[str, Field(description="The text of your own plan for a document, in Markdown.")] = "",
        agents: Annotated[int, Field(description="How many seats a document has that you open; 0 means 2.")] = 0,
        ticket: Annotated[str, Field(description=TICKET)] = "",
    ) -> dict[str, Any]:
        """Sit down at a negotiation. After a restart join again with the same seat. If the result has a `ticket`, give
        it with every other call."""

        def sit() -> dict[str, Any]:
            if not self.shared:
                return _list_resources(self.own.join(where, seat, topic, source, agents), self.own, OWN)
            mine = self._clients.get(ticket) or ClientSeats(self.output, self.within)
            seat_info = mine.join(where, seat, topic, source, agents)
            # A ticket that this process does not know is not used: it could be another server's, or a guess.
            client_ticket = ticket if ticket in self._clients else secrets.token_urlsafe(18)
            self._clients[client_ticket] = mine
            while len(self._clients) > MAX_CLIENTS:
                self._clients.popitem(last=False)  # whoever was silent longest joins again
            return {**_list_resources(seat_info, mine, client_ticket), "ticket": client_ticket}

        return await run_guarded(sit)

    async def what_am_i_asked(
        self,
        ctx: Context[Any],
        wait_s: Annotated[float, Field(description="Seconds to wait for a question, 25 at most.")] = 20,
        ticket: Annotated[str, Field(description=TICKET)] = "",
        everything: Annotated[bool, Field(description="Also what you were told before.")] = False,
    ) -> dict[str, Any]:
        """What the negotiation asks you now: id, question, instructions, the answer's JSON Schema, what is new. Waits
        up to `wait_s` (25 at most). `waiting`: nothing yet, call again. `over`: it has ended, stop. `person`: call
        ask_the_person. `everything`: also what you were told before, as after your memory was cleared."""
        mine = self.find_seats(ticket)
        if everything:
            mine.forget_told()
        begun = reported = time.monotonic()
        # Never longer than the clients' own limit on a call, whatever is asked for.
        ends = begun + min(max(wait_s, 0), MAX_WAIT_S)
        while True:
            question = await asyncio.to_thread(mine.poll_question)
            if question is not None:
                return question.to_dict()
            now = time.monotonic()
            if now >= ends or not mine.tables:
                return {"waiting": f"nothing is asked of you yet: {await asyncio.to_thread(_explain_next_step, mine)}"}
            if now - reported >= PROGRESS_S:
                reported = now
                await ctx.report_progress(now - begun, ends - begun, "waiting for the others")
            await asyncio.sleep(PAUSE_S)

    async def my_answer(
        self,
        id: Annotated[str, Field(description="The id of the question, as what_am_i_asked gave it.")],
        answer: Annotated[dict[str, Any], Field(description="What its answer_schema asks for.")],
        ticket: Annotated[str, Field(description=TICKET)] = "",
    ) -> dict[str, Any]:
        """Your answer to a question, as its JSON Schema says. `taken`: whether it counts; else `why` not."""
        return await run_guarded(lambda: self.find_seats(ticket).answer(id, answer).to_dict())

    async def read_page(
        self,
        name: Annotated[str, Field(description="topic, issues, fates, final, or sources/NAME.")],
        page: Annotated[int, Field(description="Which page, from 1.", ge=1)] = 1,
        where: Annotated[str, Field(description="The directory, where you joined several documents.")] = "",
        ticket: Annotated[str, Field(description=TICKET)] = "",
    ) -> dict[str, Any]:
        """Read what a document's table has, a page at a time: a source, the fate of every statement, the final
        document. It takes no news: what you were not told yet, what_am_i_asked tells all the same."""
        return await run_guarded(lambda: self.find_seats(ticket).pick_document(where).read_page(name, page))

    async def plan(
        self,
        text: Annotated[str, Field(description="The whole plan, one change a line: FILE::SYMBOL: CHANGE.")],
        ticket: Annotated[str, Field(description=TICKET)] = "",
    ) -> dict[str, Any]:
        """Say what you will change, as a seat of a team: who uses it, what breaks, who else is there."""
        return await run_guarded(lambda: self.find_seats(ticket).find_team_seat().plan(text))

    async def land(
        self,
        verify: Annotated[str, Field(description="A command that must agree; auto is pytest, none is none.")] = "auto",
        ticket: Annotated[str, Field(description=TICKET)] = "",
    ) -> dict[str, Any]:
        """Land the commits of your seat of a team, proved. While it says that it is at work, call again."""
        return await run_guarded(lambda: self.find_seats(ticket).find_team_seat().land(verify))

    async def _find_person_question(self, ctx: Context[Any], ticket: str = "") -> PersonQuestion:
        """The question for the person, if there is one and the client can ask."""
        try:
            question = await asyncio.to_thread(self.find_seats(ticket).find_person_question)
        except (GraphBusError, OSError) as e:
            return PersonQuestion(why=str(e))
        if question is None:
            return PersonQuestion(
                why='Nothing waits for a person. Join with seat "human" where rulings are waited for.'
            )
        # Said before anybody is asked: a model would otherwise try again and again to reach its user.
        capable = ctx.client_capabilities
        if capable is None or capable.elicitation is None:
            todo = "Let them answer on the page (`graphbus serve`) or with `graphbus negotiate rule` in a terminal."
            return PersonQuestion(why=f"Your client cannot ask its user. {todo}")
        return PersonQuestion(id=question.id, text=f"{question.question}\n\n{question.new}")

    def build_person_tool(self) -> Callable[..., Any]:
        """`ask_the_person`. Its question is put before it runs, as the client's edition of the protocol wants it; the
        answer comes with the question's id, for another may wait by the time a person has thought."""

        def put_question(asked: PersonQuestion) -> Elicit[Words] | Words:
            return Elicit(asked.text, Words) if asked.id else Words(answer="")

        async def ask_the_person(asked: PersonQuestion, said: Any, ticket: str = "") -> dict[str, Any]:
            """Ask the person at this client what waits for a person: a ruling, an approval. The answer is theirs; you
            cannot give it."""
            if not asked.id:
                return {"taken": False, "why": asked.why}
            # Declined, cancelled and empty are the same here: a person has not decided.
            if not isinstance(said, AcceptedElicitation) or not said.data.answer.strip():
                return {"taken": False, "why": "The person has not answered. Go on with what is yours, and ask later."}
            words: Words = said.data
            seats = self.find_seats(ticket)
            return await run_guarded(lambda: seats.take_person_answer(asked.id, words.answer, words.reason).to_dict())

        # Set here, and not written above: as a string the marker could not name what is local.
        asked = Annotated[PersonQuestion, Resolve(self._find_person_question)]
        put_question.__annotations__["asked"] = asked
        ask_the_person.__annotations__ |= {
            "asked": asked,
            "ticket": Annotated[str, Field(description=TICKET)],
            "said": Annotated[ElicitationResult[Words], Resolve(put_question)],
        }
        return ask_the_person

    async def check_contract(
        self,
        a: Annotated[dict[str, Any], Field(description="What a producer sends: a JSON Schema.")],
        b: Annotated[dict[str, Any], Field(description="What a consumer takes: a JSON Schema.")],
    ) -> dict[str, Any]:
        """Whether everything that `a` allows (a JSON Schema: what a producer sends) fits `b` (what a consumer takes);
        if not, with a payload that does not."""
        return await run_guarded(lambda: _check_schemas(a, b))


def _list_resources(seat_info: Mapping[str, Any], mine: ClientSeats, seat: str) -> dict[str, Any]:
    """What join gives, with the addresses of what this seat can read."""
    table = next((t for t in mine.list_documents() if str(t.where.root) == seat_info["at"]), None)
    if table is None:
        return dict(seat_info)
    base = f"graphbus://seats/{seat}/{quote(table.key)}"
    return {**seat_info, "resources": {name: f"{base}/{quote(name)}/1" for name in table.list_readable()}}


def _check_schemas(a: Mapping[str, Any], b: Mapping[str, Any]) -> Mapping[str, Any]:
    """The engine's verdict on two JSON Schemas."""
    from graphbus_core.services.contract_diff import Contract, check

    verdict = check(Contract.from_json_schema(a), Contract.from_json_schema(b))
    # Through JSON and back: a counterexample may hold what the protocol's own encoder would refuse.
    return dict(json.loads(json.dumps(verdict.to_dict(), default=str)))


def _explain_next_step(mine: ClientSeats) -> str:
    """What a client to whom nobody speaks can do."""
    if not mine.tables:
        return "call join first"
    others = mine.list_others_asked()
    if not others:
        return "call what_am_i_asked again"
    return f"questions wait for {join_few(others, 8)}. If you speak for one of them, join as it; else call again"


async def run_guarded(work: Callable[[], Mapping[str, Any]]) -> dict[str, Any]:
    """Run it beside the event loop. Raises GraphBusError, also for what the system refuses."""
    try:
        return dict(await asyncio.to_thread(work))
    except OSError as e:
        file_note = f": {str(e.filename)[:PATH_MAX]}" if e.filename else ""
        todo = "Nothing was lost. Give another path, or mend that and call again."
        raise UsageError(f"{e.strerror or e}{file_note}. {todo}") from e
