"""Which builds may share a space, and what a run tells the bus of its own.

Processes of two builds publish to and hear each other, so a change must fit both ways: what the old one sends, the new
one takes, and the other way round. A change that is proved not to fit is refused, with the payload that proves it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from graphbus_core.artifacts import ArtifactFolder
from graphbus_core.artifacts.placement import of_build
from graphbus_core.errors import ContractChanged
from graphbus_core.runtime.reload.fits import BuildContracts, breaking
from graphbus_core.runtime.transports.nats.names import SpaceNames

MAX_TOLD = 5
ASKED_S = 1.0  # for the other processes to say which build they run


@dataclass(frozen=True)
class BuildOnBus:
    """A build as the bus has to know it. `places`: handlers by durable name, with their topics; `alone`: nodes that
    keep something in themselves, and why; `keeps`: those of them whose state is stored; `beside`: its own consumers.
    """

    contracts: BuildContracts
    places: Mapping[str, str]
    alone: Mapping[str, str]
    keeps: frozenset[str]
    beside: bool = False

    @classmethod
    def of(cls, folder: ArtifactFolder, *, beside: bool = False) -> BuildOnBus:
        """Read it. Raises ArtifactError."""
        found = of_build(folder)
        alone = {name: one.why for name, one in found.items()}
        keeps = frozenset(name for name, one in found.items() if one.stored)
        places = {
            f"{one.node_name}.{one.handler_name} {one.topic.name}": one.topic.name for one in folder.subscriptions
        }
        return cls(BuildContracts.of(folder), places, alone, keeps, beside)


async def join(connection: Any, js: Any, bucket: Any, names: SpaceNames, build: BuildOnBus) -> SpaceNames:
    """Take part in the space by this build; the names to use. Raises ContractChanged where it does not fit.

    Where nobody runs, and nothing waits, there is nobody to fit to.
    """
    from nats import errors
    from nats.js import errors as js_errors

    mine = build.contracts
    if build.beside:
        names = SpaceNames(names.space, mine.digest[:8])
    try:
        entry = await bucket.get(_key(names))
    except js_errors.KeyNotFoundError:
        entry = None
    if entry is not None:
        there = BuildContracts.from_bytes(entry.value)
        if there.digest != mine.digest:
            try:
                await connection.request(names.builds, b"", timeout=ASKED_S)
                met = True
            except (errors.NoRespondersError, errors.TimeoutError, TimeoutError):
                info = await js.stream_info(names.stream, subjects_filter=names.of_generation)
                met = bool(info.state.subjects)
            if met:
                refuse(there, mine)
    await tell(bucket, names, build)

    async def asked(request: Any) -> None:
        # That somebody is there is what is asked; by which build, stands in the bucket.
        await connection.publish(request.reply, mine.digest.encode())

    await connection.subscribe(names.builds, cb=asked)
    return names


def _key(names: SpaceNames) -> str:
    return f"build.{names.generation or '0'}"


async def tell(bucket: Any, names: SpaceNames, build: BuildOnBus) -> None:
    """Keep what this build promises: whoever joins is held against it."""
    await bucket.put(_key(names), build.contracts.to_bytes())


def refuse(old: BuildContracts, new: BuildContracts) -> None:
    """Raise ContractChanged where the builds must not share consumers."""
    found = breaking(old, new)
    if not found:
        return
    more = f" And {len(found) - MAX_TOLD} more." if len(found) > MAX_TOLD else ""
    raise ContractChanged(
        f"{' '.join(found[:MAX_TOLD])}{more} Another build runs on this bus, or has left events there, and the two "
        f"would not understand each other. Run this one --beside it, or stop it first and let it finish its events."
    )


def only_by_restart(old: BuildOnBus, new: BuildOnBus, here: Collection[str]) -> str | None:
    """Why a process that runs these nodes cannot take the new build without a restart, or None."""
    for name in sorted(here):
        if (name in old.alone) != (name in new.alone) or (name in old.keeps) != (name in new.keeps):
            now = new.alone.get(name)
            return f"{name} " + (f"runs in one place from now on: {now}." if now else "is shared from now on.")
    return None
