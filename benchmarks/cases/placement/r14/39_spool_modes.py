# stateful
"""Keeps the umask of the process: os.umask sets the new one and returns that of the event before."""
import os
import stat

from graphbus_core import GraphBusNode, subscribe

_PRIVATE = 0o077
_SHARED = 0o027


def mode_for(private: bool) -> int:
    mask = os.umask(_PRIVATE if private else _SHARED)
    return 0o666 & ~mask


class SpoolModes(GraphBusNode):
    """Says with which rights a spool file is to be made."""

    @subscribe("/Spool/Open")
    def on_event(self, name: str, private: bool) -> dict[str, str]:
        mode = mode_for(private)
        return {"name": name, "mode": stat.filemode(stat.S_IFREG | mode), "octal": f"{mode:04o}"}
