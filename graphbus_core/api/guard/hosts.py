"""The names under which a server may be asked for: what `Host` and `Origin` may say (DNS rebinding)."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
WILDCARDS = ("0.0.0.0", "::")
HTTP_PORT = 80
_NETLOC = re.compile(r"(\[[0-9a-f:.]+\]|[^:/@\[\]\s]+)(?::([0-9]{1,5}))?", re.ASCII)


class Hosts:
    """Whether a server that listens on `host` and `port` is meant by what a request says.

    A server that listens everywhere is meant by every numeric address: only a *name* can be pointed elsewhere. A name
    of `allowed` (behind a proxy) counts with any port, `name:port` with that port or none.
    """

    def __init__(self, host: str, port: int, allowed: Iterable[str] = ()) -> None:
        self.port = port
        self.is_everywhere = bare(host) in WILDCARDS
        self.own = {*(LOOPBACK if self.is_everywhere or is_loopback(host) else ()), shown(host).lower()}
        self.allowed = [found.groups() for one in allowed if (found := _NETLOC.fullmatch(one.strip().lower()))]

    def __contains__(self, netloc: object) -> bool:
        found = _NETLOC.fullmatch(netloc.lower()) if isinstance(netloc, str) else None
        if found is None:
            return False
        name, port = found.groups()
        if any(name == allowed and (only is None or port in (None, only)) for allowed, only in self.allowed):
            return True
        is_ours = name in self.own or (self.is_everywhere and _is_number(name))
        return is_ours and int(port or HTTP_PORT) == self.port


def bare(host: str) -> str:
    """An address without the brackets of a URL."""
    return host.strip().strip("[]")


def shown(host: str) -> str:
    """An address as it stands in a URL."""
    return f"[{bare(host)}]" if ":" in host else host


def reached_at(host: str, port: int) -> str:
    """The URL under which a browser on this machine reaches the server."""
    near = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(bare(host), host)
    return f"http://{shown(near)}:{port}/"


def is_loopback(host: str) -> bool:
    """Whether an address to listen on reaches this machine alone."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(bare(host)).is_loopback
    except ValueError:
        return False


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(bare(name))
    except ValueError:
        return False
    return True
