"""A negotiation told as it happens: one line a fact, and who is thinking while nobody speaks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.status import Status

from graphbus_core.services.queries.negotiations import render_gates
from graphbus_core.text import escape_line, escape_text, join_few

MARKS = {
    "accept": "[green]accepts[/]",
    "accept_with_modification": "[green]accepts, and would change it[/]",
    "counter": "[yellow]counters[/]",
    "reject": "[red]rejects[/]",
    "defer": "[yellow]wants to be asked again[/]",
}


class LiveView:
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

    def __enter__(self) -> LiveView:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop_status()

    def __call__(self, kind: str, data: Mapping[str, Any]) -> None:
        """Tell one thing."""
        match kind:
            case "notice":
                self._print_line(f"[dim]{_escape_text(data['text'])}[/]")
            case "opened":
                self._dry = data.get("dry_run", False)
                self._print_line(
                    f"[dim]{'Going on with' if data['resumed'] else 'Log:'} {_escape_text(data['log'])}[/]"
                )
            # A live line would be drawn over what the person is typing.
            case "asked" if data["kind"] == "approve":  # the terminal is the person's now: no live line over the prompt
                self._person.add(data["id"])
                self._show_thinking()
            case "asked":
                self._thinking[data["id"]] = data["agent"]
                self._show_thinking()
            case "answered":
                self._person.discard(data["id"])
                self._thinking.pop(data["id"], None)
                self._show_thinking()
            case "progress":
                self._cost = f", {data['tokens']:,} tokens, ${data['cost_usd']:.4f}" if data.get("tokens") else ""
                self._show_thinking()
            # Files are being written now, and tests may print: the terminal is theirs.
            case "applying":
                self._stop_status()
            case "fact":
                if (tell := FACTS.get(data["kind"])) is not None:
                    line = tell(data["fact"])
                    if not line:
                        return
                    if (questions := data["fact"].get("questions")) is not None:
                        new = [q["id"] for q in questions if q["id"] not in self._asked]
                        if not new:
                            # The same question stands in each round until it is answered.
                            return  # said once
                        self._asked.update(new)
                    # A dry run's log has the same facts; only the words for people say that nothing was written.
                    self._print_line(
                        line.replace("[green]committed[/]", "[green]would commit[/]") if self._dry else line
                    )

    def _print_line(self, line: str) -> None:
        self.console.print(line, highlight=False, soft_wrap=True)

    def _show_thinking(self) -> None:
        # In a pipe or a log a line that is drawn over would be pages of control characters.
        if not self.console.is_terminal:
            return
        agents = sorted(set(self._thinking.values()))
        if not agents or self._person:
            self._stop_status()
            return
        text = f"{join_few(agents, 6)} {'is' if len(agents) == 1 else 'are'} thinking{self._cost}"
        if self._status is None:
            self._status = self.console.status(text)
            self._status.start()
        else:
            self._status.update(text)

    def _stop_status(self) -> None:
        if self._status is not None:
            self._status.stop()
            self._status = None


Fact = Mapping[str, Any]


def _escape_text(text: object) -> str:
    """What somebody wrote, as it may stand in a line of ours."""
    # Indented, so that what somebody wrote cannot look like a line of ours.
    return escape(escape_text(str(text)).replace("\n", "\n        "))


def _escape_line(text: object) -> str:
    return escape(escape_line(str(text)))


def _render_questions(fact: Fact) -> str:
    lines = [
        f"  [bold]{fact['agent']}[/] [yellow]asks[/]: {_escape_text(q['text'])}" for q in fact.get("questions", ())
    ]
    return "\n".join(lines)


def _render_answer(fact: Fact) -> str:
    answer_text = f"answers [magenta]{_escape_text(fact['choice'])}[/]" if fact["choice"] else "[yellow]does not say[/]"
    answer_text = "says that it is none of them" if fact["choice"] == "none" else answer_text
    why = f": {_escape_text(fact['why'])}" if fact["why"] else ""
    return f"      [bold]{fact['by']}[/] {answer_text}{why}"


def _render_proposal(fact: Fact) -> str:
    p, computed = fact["proposal"], fact["computed"]
    evaluators_text = ", ".join(fact["evaluators"]) or "nobody else"
    head = (
        f"  [cyan]{p['proposal_id']}[/]  [bold]{p['proposer']}[/] proposes: "
        f"{_escape_line(p['summary'] or p['rationale'])}"
    )
    evidence = p["rationale"].rpartition(" Evidence")[2] if " Evidence" in p["rationale"] else ""
    rests = f"\n      [dim]evidence{_escape_line(evidence)}[/]" if evidence else ""
    return f"{head}\n      [dim]{computed['type']}; asked: {evaluators_text}[/]{rests}"


def _render_evaluation(fact: Fact) -> str:
    evaluation = fact["evaluation"]
    mark = MARKS.get(evaluation["decision"], evaluation["decision"])
    return (
        f"      [cyan]{fact['proposal_id']}[/] {fact['evaluator']} {mark}: "
        f"{_escape_text(evaluation.get('reasoning', ''))}"
    )


def _render_ruling(fact: Fact) -> str:
    ruling = fact["ruling"]
    return (
        f"      [bold]{fact['arbiter']}[/] rules [magenta]{ruling['decision']}[/]: "
        f"{_escape_text(ruling.get('ruling', ''))}"
    )


def _render_commit(fact: Fact) -> str:
    files = ", ".join(fact["receipt"].get("files", ()))
    headline = f"  [green]committed[/] [cyan]{fact['proposal_id']}[/] ({fact['consensus']}): {_escape_text(files)}"
    ends = [f"[dim]{_escape_text(line)}[/]" for line in render_gates(fact["receipt"].get("ends", ()))]
    notes = [f"[yellow]note[/]: {_escape_text(note)}" for note in fact["receipt"].get("notes", ())]
    return "\n      ".join([headline, *ends, *notes])


def _build_end_renderer(word: str) -> Callable[[Fact], str]:
    return lambda fact: f"  [red]{word}[/] [cyan]{fact['proposal_id']}[/]: {_escape_text(fact['why'])}"


def _render_failed_commit(fact: Fact) -> str:
    return f"  [red]not committed[/] [cyan]{fact['proposal_id']}[/], gate {fact['gate']}: {_escape_text(fact['why'])}"


def _render_end(fact: Fact) -> str:
    unheard_text = f" Left unheard: {', '.join(fact['unheard'])}." if fact["unheard"] else ""
    why = _escape_text(fact["why"].rstrip("."))
    rounds_text = f"after {fact['rounds']} round{'s' * (fact['rounds'] != 1)}"
    # The log's own reason counts the rounds once more; it stands in logs of every edition, so it is said here.
    rest = ", as many as there may be" if fact["reason"] == "rounds" else f": {why}"
    return f"[bold]The negotiation ended[/] {rounds_text}{rest}.{unheard_text}"


def _render_refused_answer(fact: Fact) -> str:
    return f"      [yellow]{fact['participant']} says what cannot be taken[/]: {_escape_text(fact['why'])}"


def _render_silence(fact: Fact) -> str:
    who = fact.get("evaluator") or fact.get("arbiter") or fact.get("agent")
    return f"      [yellow]{who} is silent[/]: {_escape_text(fact['why'])}"


FACTS: Mapping[str, Callable[[Fact], str]] = {
    "round_started": lambda fact: f"[bold]Round {fact['round']}[/]",
    "proposals_made": _render_questions,
    "question_settled": _render_answer,
    "proposal_tabled": _render_proposal,
    "proposal_evaluated": _render_evaluation,
    "evaluator_silent": _render_silence,
    "proposer_silent": _render_silence,
    "arbiter_silent": _render_silence,
    "ruled": _render_ruling,
    "proposal_rejected": _build_end_renderer("rejected"),
    "proposal_dropped": _build_end_renderer("dropped"),
    "proposal_superseded": _build_end_renderer("superseded"),
    "proposal_heard_again": lambda fact: (
        f"  [yellow]heard again[/] [cyan]{fact['proposal_id']}[/]: {_escape_text(fact['why'])}"
    ),
    "proposal_withdrawn": _build_end_renderer("not approved"),
    "commit_failed": _render_failed_commit,
    "proposal_committed": _render_commit,
    "answer_refused": _render_refused_answer,
    "negotiation_ended": _render_end,
}
