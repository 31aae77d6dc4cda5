"""Dead letters of a space: listed, delivered once more to the handler that failed, thrown away."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from graphbus_core.errors import TransportDown
from graphbus_core.runtime.transports.nats.confirmed import KEPT_S, ConfirmedLog
from graphbus_core.runtime.transports.nats.confirmed_files import ConfirmedFiles, find_folder
from graphbus_core.runtime.transports.nats.connection import BusSettings, build_refusal, connect, prepare
from graphbus_core.runtime.transports.nats.servers import explain_refused_server
from graphbus_core.runtime.transports.nats.space import SpaceNames

MAX_LISTED = 10_000
RETRY_S = 60.0


@dataclass(frozen=True)
class BusDeadLetter:
    """One of them. `id` is `dl-` and its number in the stream; `durable` is the handler that failed, and `consumer` its
    place in the stream: builds beside each other have one each for the same handler.
    """

    id: str
    durable: str
    topic: str
    subscriber: str
    reason: str
    error: str
    error_type: str
    count: int
    last_at: float
    event: dict[str, Any]
    consumer: str = ""

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return dict(vars(self))


class BusDeadLetters:
    """Reads and changes them over a connection of its own. Every method raises TransportDown."""

    def __init__(self, settings: BusSettings) -> None:
        self._settings = settings
        self._names = SpaceNames(settings.space)
        self._confirmed: ConfirmedLog | None = None  # where the server is known to lose what it stored

    def list_all(self) -> list[BusDeadLetter]:
        """All of them, oldest first, at most `MAX_LISTED`."""
        return asyncio.run(self._run_connected(self._read_all))

    def purge(self, ids: Collection[str]) -> int:
        """Throw these away; how many there were."""
        gone: int = asyncio.run(self._run_connected(lambda connection, js: self._remove(js, ids)))
        return gone

    def retry(self, letters: Iterable[BusDeadLetter]) -> list[tuple[BusDeadLetter, str]]:
        """Have each handled once more by a process that runs its node. Gives what failed, and why; the rest is gone."""
        return asyncio.run(self._run_connected(lambda connection, js: self._retry(connection, js, list(letters))))

    async def _run_connected(self, work: Any) -> Any:
        async def ignore_reconnect() -> None:
            """A short errand asks again by itself."""

        connection = await connect(self._settings, ignore_reconnect, "graphbus dead-letters")
        files = ConfirmedFiles(find_folder(self._settings.public_url), KEPT_S)
        if explain_refused_server(str(connection.connected_server_version)) is not None:
            self._confirmed = ConfirmedLog(connection, self._names, self._settings.ack_wait_s, files)
        try:
            return await connection.server_errors.or_refused(self._prepare_and_run(connection, work))
        except TransportDown:
            raise
        except Exception as error:
            if connection.server_errors.refusal.done():
                raise build_refusal(connection, self._settings, error) from None
            raise TransportDown(f"The dead letters could not be read: {error or type(error).__name__}.") from None
        finally:
            files.close()
            await connection.close()

    async def _prepare_and_run(self, connection: Any, work: Any) -> Any:
        js, _ = await prepare(connection, self._settings, self._names)
        return await work(connection, js)

    async def _read_all(self, connection: Any, js: Any) -> list[BusDeadLetter]:
        from nats.js import errors

        letters: list[BusDeadLetter] = []
        number = 1
        while len(letters) < MAX_LISTED:
            try:
                raw = await js.get_msg(self._names.dead_stream, number, subject=self._names.dead_letters, next=True)
            except errors.NotFoundError:
                break
            number = raw.seq + 1
            row = json.loads((raw.data or b"{}").decode("utf-8", "surrogatepass"))
            letters.append(
                BusDeadLetter(
                    f"dl-{raw.seq}",
                    row["durable"],
                    row["topic"],
                    row["subscriber"],
                    row["reason"],
                    row["error"],
                    row["error_type"],
                    row["count"],
                    row["at"],
                    row["event"],
                    raw.subject.split(".")[2],
                )
            )
        return letters

    async def _remove(self, js: Any, ids: Collection[str]) -> int:
        from nats.js import errors

        gone = 0
        for letter_id in ids:
            number = int(letter_id.removeprefix("dl-"))
            try:
                letter = await js.get_msg(self._names.dead_stream, number) if self._confirmed is not None else None
                gone += await js.delete_msg(self._names.dead_stream, number)
            except (errors.NotFoundError, errors.APIError):  # another run was quicker
                continue
            if self._confirmed is not None and letter is not None:
                await self._confirmed.tell_outcome(letter.subject, (number, 0))
        return gone

    async def _retry(self, connection: Any, js: Any, letters: list[BusDeadLetter]) -> list[tuple[BusDeadLetter, str]]:
        from nats import errors

        failed = []
        for letter in letters:
            subject = self._names.build_retry_subject(letter.consumer)
            data = json.dumps(letter.event, ensure_ascii=False).encode("utf-8", "surrogatepass")
            try:
                answer = json.loads((await connection.request(subject, data, timeout=RETRY_S)).data)
                why = answer.get("error")
            except errors.NoRespondersError:
                why = f"no process on this bus runs {letter.subscriber} now"
            except (errors.TimeoutError, TimeoutError):
                why = f"{letter.subscriber} did not come to an end within {RETRY_S:g} s"
            if why:
                failed.append((letter, why))
            else:
                await self._remove(js, [letter.id])
        return failed
