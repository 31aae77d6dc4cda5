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
    allow: Annotated[
        str,
        typer.Option("--allow", help="`compatible`: what fits is signed for you by rule; `nothing`: ask me each time."),
    ] = "",
    trust: Annotated[str, typer.Option(help="`names`: a side acts by its name, without a token.")] = "",
    as_json: options.AsJson = False,
) -> None:
    """Agree on an interface: each side tables a contract, the engine says what does not fit, both accept the same pair.
    The result is NAME.contract.json. Exits 0: agreed, 1: not yet, or refused, 2: bad usage."""
    from graphbus_core.errors import UsageError
    from graphbus_core.services.documents import InterfaceDirectory

    where = InterfaceDirectory(at, name, time.strftime("%Y-%m-%d", time.gmtime()))
    if side and side not in ("producer", "consumer"):
        raise UsageError(f"--as is {side!r}; use producer or consumer.")
    if trust not in ("", "names"):
        raise UsageError(f"--trust is `names`, not {trust!r}.")
    if allow not in ("", "compatible", "nothing"):
        raise UsageError(f"--allow is `compatible` or `nothing`, not {allow!r}.")
    if (table or accept or allow) and not side:
        raise UsageError("Say who you are: --as producer or --as consumer.")
    # A seat is a file that stays. A command with a wrong path must leave nothing behind.
    schema = _read_schema(table, side) if table else None  # before the seat is taken: a wrong path takes none
    result = where.open(producer, consumer) if producer or consumer else where.look()
    if result.ok and side:
        token, seat = _load_token(where, side, seat, trust)
        if allow:
            result = where.allow(side, allow == "compatible", token)
        if result.ok and table:
            result = where.table(side, schema, why, token)
        if result.ok and accept:
            result = where.accept(side, accept, token)
    # After its own move, so that the wait is for the other's.
    if result.ok and wait:
        result = _wait_for_move(where, result, wait)
    _print_result(result, where, side, seat, as_json)
    if not (result.ok and result.data["agreed"]):
        raise typer.Exit(1)


def _load_token(where: Any, side: str, seat: Path | None, trust: str) -> tuple[str, Path | None]:
    """A side's token, and the file that it lies in. The first move of a side makes it, in the usual place unless
    another is named: else one agent could table and accept for both. With `--trust names` a side acts by its name."""
    from graphbus_core.storage import seat_token as seats

    if seat is None and trust == "names":
        return "", None
    if seat is not None and seat.exists():
        return seats.read_seat(seat).token, seat
    token, place = seats.make_token(), seat or seats.locate_seat_file(where.at, f"{where.name}-{side}")
    # Asked again although a file was expected: another agent may have sat down in this moment.
    if where.is_seated(side):
        return "", None  # by somebody: without its file this is not that one
    seats.write_seat(
        place, seats.Seat(str(where.at), side, token)
    )  # first: a kill leaves a file, not a seat of nobody's
    return (token, place) if where.take(side, token).ok else ("", None)


def _read_schema(source: str, side: str) -> Any:
    """A contract as a JSON Schema: a file, a part of it by pointer or by operation, or a class of Python."""
    from graphbus_core.errors import UsageError
    from graphbus_core.services.contract_diff import Contract, parse_document, sources

    path, _, part = source.partition("#")
    if part or (":" in path and "/" not in path and not Path(path).exists()):
        if part and not Path(path).is_file():
            raise UsageError(f"{path} is not a file. Give FILE#PART, FILE, or pkg.module:Name.")
        contracts = sources.read_source(
            source, sources.CompareOptions(side="output" if side == "producer" else "input")
        )
        schema = next(iter(contracts.items.values())).schema
        return schema.to_json_schema() if isinstance(schema, Contract) else schema
    try:
        return parse_document(Path(path).read_bytes(), path)
    except OSError as e:
        # The path is in the message, and the trace would hide it.
        raise UsageError(f"{path} cannot be read: {e.strerror or e}.") from None


def _wait_for_move(where: Any, result: Any, seconds: float) -> Any:
    before, ends = (result.data["pair"], result.data["accepted"], result.data["tabled"]), time.monotonic() + seconds
    while time.monotonic() < ends and not result.data["agreed"]:
        time.sleep(WAIT_PAUSE_S)
        result = where.look()
        # Any change of the other side ends the wait, not only an acceptance: a new contract wants an answer too.
        if (result.data["pair"], result.data["accepted"], result.data["tabled"]) != before:
            break
    return result


def _print_result(result: Any, where: Any, side: str, seat: Path | None, as_json: bool) -> None:
    data = result.data
    if as_json:
        print(
            json.dumps({**data, "ok": result.ok, **({"error": result.refused} if result.refused else {})}, default=str)
        )
        return
    if result.refused:
        print(result.refused, file=sys.stderr)
    if not data:
        return
    for tabling_side in data["tabled"]:
        print(f"{tabling_side} ({data['parties'][tabling_side]}) has tabled a contract.")
    if data["pair"]:
        print(f"The pair {data['pair']}: {data['says']}")
    if data["agreed"]:
        print(f"Agreed, version {data['version']}: {data['file']}")
        return
    _print_turn(data, where, side, seat)


def _print_turn(data: Any, where: Any, side: str, seat: Path | None) -> None:
    """Whose move it is, and that side's command; who has moved already waits for it."""
    call = f"graphbus agree {quote(data['name'])} --at {quote(str(where.at))} --as"
    own = f"{call} {side or 'SIDE'}" + (f" --seat {quote(str(seat))}" if seat else "")
    # True and nothing else: an undecided pair is none that could be accepted.
    fits = data["pair"] and data["verdict"] and data["verdict"]["compatible"] is True
    moved = data["accepted"] if fits else data["tabled"]
    move = f"--accept {data['pair']}" if fits else "--table FILE"
    others = [other for other in data["parties"] if other != side and other not in moved]
    if side in moved and others:
        (other,) = others
        print(f"Next it is the turn of {other} ({data['parties'][other]}): {call} {other} {move}")
        print(f"To wait for that: {own} --wait 60")
        return
    waits = f" ({', '.join(data['accepted'])} accepted)" if data["accepted"] else ""
    print(f"Next{waits}: {own} {move}" + ("" if fits else ", or --wait 60"))
