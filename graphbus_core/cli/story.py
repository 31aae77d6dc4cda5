"""A negotiation told as it happens: one line a fact, and who is thinking while nobody speaks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.status import Status

from graphbus_core.shown import few, shown, shown_line
from graphbus_core.workspace.shows.logs import gates_in_words

MARKS = {
    "accept": "[green]accepts[/]",
    "accept_with_modification": "[green]accepts, and would change it[/]",
    "counter": "[yellow]counters[/]",
    "reject": "[red]rejects[/]",
    "defer": "[yellow]wants to be asked again[/]",
}


class Story:
    """An observer of a build (`build.orchestrator`) that prints.

    On a terminal a live line says who is thinking, with tokens and money so far; elsewhere only the lines are printed.
    """

    def __init__(self, console: Console) -> None:
        self.console = console
        self._thinking: dict[str, str] = {}  # id of the question -> agent
        self._cost = ""
        self._status: Status | None = None
        self._person: set[str] = set()  # questions that a person is asked on this terminal
        self._dry = False
        self._asked: set[str] = set()  # questions of meaning that were told

    def __enter__(self) -> Story:
        return self

    def __exit__(self, *_: object) -> None:
        self._quiet()

    def __call__(self, kind: str, data: Mapping[str, Any]) -> None:
        """Tell one thing."""
        match kind:
            case "notice":
                self._say(f"[dim]{_text(data['text'])}[/]")
            case "opened":
                self._dry = data.get("dry_run", False)
                self._say(f"[dim]{'Going on with' if data['resumed'] else 'Log:'} {_text(data['log'])}[/]")
            # A live line would be drawn over what the person is typing.
            case "asked" if data["kind"] == "approve":  # the terminal is the person's now: no live line over the prompt
                self._person.add(data["id"])
                self._show()
            case "asked":
                self._thinking[data["id"]] = data["agent"]
                self._show()
            case "answered":
                self._person.discard(data["id"])
                self._thinking.pop(data["id"], None)
                self._show()
            case "progress":
                self._cost = f", {data['tokens']:,} tokens, ${data['cost_usd']:.4f}" if data.get("tokens") else ""
                self._show()
            # Files are being written now, and tests may print: the terminal is theirs.
            case "applying":
                self._quiet()
            case "fact":
                if (tell := FACTS.get(data["kind"])) is not None:
                    told = tell(data["fact"])
                    if not told:
                        return
                    if (asked := data["fact"].get("questions")) is not None:
                        new = [q["id"] for q in asked if q["id"] not in self._asked]
                        if not new:
                            # The same question stands in each round until it is answered.
                            return  # said once
                        self._asked.update(new)
                    # A dry run's log has the same facts; only the words for people say that nothing was written.
                    self._say(told.replace("[green]committed[/]", "[green]would commit[/]") if self._dry else told)

    def _say(self, line: str) -> None:
        self.console.print(line, highlight=False, soft_wrap=True)

    def _show(self) -> None:
        # In a pipe or a log a line that is drawn over would be pages of control characters.
        if not self.console.is_terminal:
            return
        agents = sorted(set(self._thinking.values()))
        if not agents or self._person:
            self._quiet()
            return
        text = f"{few(agents, 6)} {'is' if len(agents) == 1 else 'are'} thinking{self._cost}"
        if self._status is None:
            self._status = self.console.status(text)
            self._status.start()
        else:
            self._status.update(text)

    def _quiet(self) -> None:
        if self._status is not None:
            self._status.stop()
            self._status = None


Fact = Mapping[str, Any]


def _text(said: object) -> str:
    """What somebody wrote, as it may stand in a line of ours."""
    # Indented, so that what somebody wrote cannot look like a line of ours.
    return escape(shown(str(said)).replace("\n", "\n        "))


def _line(said: object) -> str:
    return escape(shown_line(str(said)))


def _asks(fact: Fact) -> str:
    lines = [f"  [bold]{fact['agent']}[/] [yellow]asks[/]: {_text(q['text'])}" for q in fact.get("questions", ())]
    return "\n".join(lines)


def _settled(fact: Fact) -> str:
    said = f"answers [magenta]{_text(fact['choice'])}[/]" if fact["choice"] else "[yellow]does not say[/]"
    said = "says that it is none of them" if fact["choice"] == "none" else said
    why = f": {_text(fact['why'])}" if fact["why"] else ""
    return f"      [bold]{fact['by']}[/] {said}{why}"


def _tabled(fact: Fact) -> str:
    p, computed = fact["proposal"], fact["computed"]
    asked = ", ".join(fact["evaluators"]) or "nobody else"
    head = f"  [cyan]{p['proposal_id']}[/]  [bold]{p['proposer']}[/] proposes: {_line(p['summary'] or p['rationale'])}"
    evidence = p["rationale"].rpartition(" Evidence")[2] if " Evidence" in p["rationale"] else ""
    rests = f"\n      [dim]evidence{_line(evidence)}[/]" if evidence else ""
    return f"{head}\n      [dim]{computed['type']}; asked: {asked}[/]{rests}"


def _evaluated(fact: Fact) -> str:
    said = fact["evaluation"]
    mark = MARKS.get(said["decision"], said["decision"])
    return f"      [cyan]{fact['proposal_id']}[/] {fact['evaluator']} {mark}: {_text(said.get('reasoning', ''))}"


def _ruled(fact: Fact) -> str:
    ruling = fact["ruling"]
    return f"      [bold]{fact['arbiter']}[/] rules [magenta]{ruling['decision']}[/]: {_text(ruling.get('ruling', ''))}"


def _committed(fact: Fact) -> str:
    files = ", ".join(fact["receipt"].get("files", ()))
    said = f"  [green]committed[/] [cyan]{fact['proposal_id']}[/] ({fact['consensus']}): {_text(files)}"
    ends = [f"[dim]{_text(line)}[/]" for line in gates_in_words(fact["receipt"].get("ends", ()))]
    notes = [f"[yellow]note[/]: {_text(note)}" for note in fact["receipt"].get("notes", ())]
    return "\n      ".join([said, *ends, *notes])


def _fell(word: str) -> Callable[[Fact], str]:
    return lambda fact: f"  [red]{word}[/] [cyan]{fact['proposal_id']}[/]: {_text(fact['why'])}"


def _failed(fact: Fact) -> str:
    return f"  [red]not committed[/] [cyan]{fact['proposal_id']}[/], gate {fact['gate']}: {_text(fact['why'])}"


def _ended(fact: Fact) -> str:
    left = f" Left unheard: {', '.join(fact['unheard'])}." if fact["unheard"] else ""
    why = _text(fact["why"].rstrip("."))
    said = f"after {fact['rounds']} round{'s' * (fact['rounds'] != 1)}"
    # The log's own reason counts the rounds once more; it stands in logs of every edition, so it is said here.
    rest = ", as many as there may be" if fact["reason"] == "rounds" else f": {why}"
    return f"[bold]The negotiation ended[/] {said}{rest}.{left}"


def _asked_again(fact: Fact) -> str:
    return f"      [yellow]{fact['participant']} says what cannot be taken[/]: {_text(fact['why'])}"


def _silent(fact: Fact) -> str:
    who = fact.get("evaluator") or fact.get("arbiter") or fact.get("agent")
    return f"      [yellow]{who} is silent[/]: {_text(fact['why'])}"


FACTS: Mapping[str, Callable[[Fact], str]] = {
    "round_started": lambda fact: f"[bold]Round {fact['round']}[/]",
    "proposals_made": _asks,
    "question_settled": _settled,
    "proposal_tabled": _tabled,
    "proposal_evaluated": _evaluated,
    "evaluator_silent": _silent,
    "proposer_silent": _silent,
    "arbiter_silent": _silent,
    "ruled": _ruled,
    "proposal_rejected": _fell("rejected"),
    "proposal_dropped": _fell("dropped"),
    "proposal_superseded": _fell("superseded"),
    "proposal_heard_again": lambda fact: (
        f"  [yellow]heard again[/] [cyan]{fact['proposal_id']}[/]: {_text(fact['why'])}"
    ),
    "proposal_withdrawn": _fell("not approved"),
    "commit_failed": _failed,
    "proposal_committed": _committed,
    "answer_refused": _asked_again,
    "negotiation_ended": _ended,
}
