"""`graphbus agree`: two components settle the contract between them, before there is code."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from shlex import quote
from typing import Annotated, Any

import typer

from graphbus_core.cli import options

app = typer.Typer(add_completion=False)

# Two agents on one machine answer each other within a second.
WAIT_PAUSE_S = 0.4


@app.command()
def agree(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the interface is called.")],
    producer: Annotated[str, typer.Option(help="Who sends.")] = "",
    consumer: Annotated[str, typer.Option(help="Who receives.")] = "",
    at: Annotated[Path, typer.Option("--at", help="A folder that both reach.")] = Path("contracts"),
    side: Annotated[str, typer.Option("--as", help="producer or consumer: who you are.")] = "",
    table: Annotated[
        str,
        typer.Option(
            "--table", help="Your contract: FILE, FILE#/pointer, FILE#'POST /orders body' or pkg.module:Model."
        ),
    ] = "",
    why: Annotated[str, typer.Option("--why", help="What the other side should know about it.")] = "",
    accept: Annotated[str, typer.Option("--accept", help="The hash of the pair on the table.")] = "",
    wait: Annotated[float, typer.Option("--wait", help="Seconds to wait for a move of the other side.")] = 0,
    seat: Annotated[
        Path | None, typer.Option("--seat", help="The file of your seat's token; made with your first move.")
    ] = None,
    trust: Annotated[str, typer.Option(help="`names`: a side acts by its name, without a token.")] = "",
    as_json: options.AsJson = False,
) -> None:
    """Agree on an interface: each side tables a contract, the engine says what does not fit, both accept the same pair.
    The result is NAME.contract.json. Exits 0: agreed, 1: not yet, or refused, 2: bad usage."""
    from graphbus_core.errors import UsageError
    from graphbus_core.workspace.tables import InterfaceDirectory

    where = InterfaceDirectory(at, name)
    if side and side not in ("producer", "consumer"):
        raise UsageError(f"--as is {side!r}; use producer or consumer.")
    if trust not in ("", "names"):
        raise UsageError(f"--trust is `names`, not {trust!r}.")
    if (table or accept) and not side:
        raise UsageError("Say who you are: --as producer or --as consumer.")
    # A seat is a file that stays. A command with a wrong path must leave nothing behind.
    schema = _schema(table, side) if table else None  # before the seat is taken: a wrong path takes none
    told = where.open(producer, consumer) if producer or consumer else where.look()
    if told.ok and side:
        token, seat = _token(where, side, seat, trust)
        if table:
            told = where.table(side, schema, why, token)
        if told.ok and accept:
            told = where.accept(side, accept, token)
    # After its own move, so that the wait is for the other's.
    if told.ok and wait:
        told = _waited(where, told, wait)
    _say(told, where, side, seat, as_json)
    if not (told.ok and told.data["agreed"]):
        raise typer.Exit(1)


def _token(where: Any, side: str, seat: Path | None, trust: str) -> tuple[str, Path | None]:
    """A side's token, and the file that it lies in. The first move of a side makes it, in the usual place unless
    another is named: else one agent could table and accept for both. With `--trust names` a side acts by its name."""
    from graphbus_core.files import seat as seats

    if seat is None and trust == "names":
        return "", None
    if seat is not None and seat.exists():
        return seats.read(seat).token, seat
    token, place = seats.new_token(), seat or seats.usual_place(where.at, f"{where.name}-{side}")
    # Asked again although a file was expected: another agent may have sat down in this moment.
    if where.seated(side):
        return "", None  # by somebody: without its file this is not that one
    seats.keep(place, seats.Seat(str(where.at), side, token))  # first: a kill leaves a file, not a seat of nobody's
    return (token, place) if where.take(side, token).ok else ("", None)


def _schema(given: str, side: str) -> Any:
    """A contract as a JSON Schema: a file, a part of it by pointer or by operation, or a class of Python."""
    from graphbus_core.errors import UsageError
    from graphbus_core.workspace.compares import Contract, parse, sources

    path, _, part = given.partition("#")
    if part or (":" in path and "/" not in path and not Path(path).exists()):
        if part and not Path(path).is_file():
            raise UsageError(f"{path} is not a file. Give FILE#PART, FILE, or pkg.module:Name.")
        found = sources.read(given, sources.How(side="output" if side == "producer" else "input"))
        schema = next(iter(found.items.values())).schema
        return schema.to_json_schema() if isinstance(schema, Contract) else schema
    try:
        return parse(Path(path).read_bytes(), path)
    except OSError as e:
        # The path is in the message, and the trace would hide it.
        raise UsageError(f"{path} cannot be read: {e.strerror or e}.") from None


def _waited(where: Any, told: Any, seconds: float) -> Any:
    before, ends = (told.data["pair"], told.data["accepted"], told.data["tabled"]), time.monotonic() + seconds
    while time.monotonic() < ends and not told.data["agreed"]:
        time.sleep(WAIT_PAUSE_S)
        told = where.look()
        # Any change of the other side ends the wait, not only an acceptance: a new contract wants an answer too.
        if (told.data["pair"], told.data["accepted"], told.data["tabled"]) != before:
            break
    return told


def _say(told: Any, where: Any, side: str, seat: Path | None, as_json: bool) -> None:
    data = told.data
    if as_json:
        print(json.dumps({**data, "ok": told.ok, **({"error": told.refused} if told.refused else {})}, default=str))
        return
    if told.refused:
        print(told.refused, file=sys.stderr)
    if not data:
        return
    for one in data["tabled"]:
        print(f"{one} ({data['parties'][one]}) has tabled a contract.")
    if data["pair"]:
        print(f"The pair {data['pair']}: {data['says']}")
    if data["agreed"]:
        print(f"Agreed, version {data['version']}: {data['file']}")
        return
    who = f"--as {side or 'SIDE'}" + (f" --seat {quote(str(seat))}" if seat else "")
    call = f"graphbus agree {quote(data['name'])} --at {quote(str(where.at))} {who}"
    # True and nothing else: an undecided pair is none that could be accepted.
    fits = data["verdict"] and data["verdict"]["compatible"] is True
    if side in data["accepted"]:
        print(f"Next: {call} --wait 60")
        return
    waits = f" ({', '.join(data['accepted'])} accepted)" if data["accepted"] else ""
    print(f"Next{waits}: {call} --accept {data['pair']}" if fits else f"Next: {call} --table FILE, or --wait 60")
