"""The transport that a URL asks for. The library behind it is imported here, and nowhere before."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from graphbus_core.errors import ConfigError

if TYPE_CHECKING:
    from graphbus_core.runtime.transports.nats.letters import Letters
    from graphbus_core.runtime.transports.nats.transport import NatsTransport


def transport_of(url: str, artifacts: str | Path, *, beside: bool = False) -> NatsTransport:
    """The transport for a build. Raises ConfigError for what is not a URL, ModuleNotFoundError without the extra."""
    import nats  # noqa: F401  # before anything is started: the command says which extra brings it

    from graphbus_core.artifacts import ArtifactFolder
    from graphbus_core.runtime.transports.nats.builds import BuildOnBus
    from graphbus_core.runtime.transports.nats.server import BusSettings
    from graphbus_core.runtime.transports.nats.transport import NatsTransport

    _known(url)
    return NatsTransport(BusSettings.read(url), build=BuildOnBus.of(ArtifactFolder(artifacts), beside=beside))


def letters_of(url: str) -> Letters:
    """The dead letters of a bus."""
    from graphbus_core.runtime.transports.nats.letters import Letters
    from graphbus_core.runtime.transports.nats.server import BusSettings

    _known(url)
    return Letters(BusSettings(url))


def _known(url: str) -> None:
    if "://" in url and url.partition("://")[0] not in ("nats", "tls", "ws", "wss"):
        raise ConfigError(f"{url!r} is not a bus that GraphBus knows; use nats://host:4222, or nats://host:4222/space.")
