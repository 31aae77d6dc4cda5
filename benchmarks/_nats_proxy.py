"""A network that can be cut, for the kills."""

from __future__ import annotations

import contextlib
import socket
import threading
import time


class Proxy:
    """A network that can be cut: TCP between clients and the server."""

    def __init__(self, port: int) -> None:
        self._to, self._open = port, True
        self._flows = threading.Event()
        self._flows.set()
        self._loses = False
        self._pairs: list[socket.socket] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                here, _ = self._listening.accept()
            except OSError:
                return
            try:
                if not self._open:
                    raise OSError
                there = socket.create_connection(("127.0.0.1", self._to), 1.0)
                there.settimeout(None)
            except OSError:
                here.close()
                continue
            self._pairs += [here, there]
            for one, other in ((here, there), (there, here)):
                threading.Thread(target=self._copy, args=(one, other), daemon=True).start()

    def _copy(self, one: socket.socket, other: socket.socket) -> None:
        try:
            while data := one.recv(65536):
                if not self._flows.is_set():
                    self._flows.wait()
                    if self._loses:
                        break  # what was on its way is gone, and so is the connection
                other.sendall(data)
        except OSError:
            pass
        for end in (one, other):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def cut(self, seconds: float) -> None:
        """Every connection breaks, and no new one comes up for so long."""
        self._open = False
        pairs, self._pairs = self._pairs, []
        for one in pairs:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        time.sleep(seconds)
        self._open = True

    def hold(self, seconds: float, *, loses: bool) -> None:
        """Connections stay, and nothing gets through for so long. With `loses` it never does: they break after."""
        self._loses = loses
        self._flows.clear()
        time.sleep(seconds)
        self._flows.set()

    def close(self) -> None:
        """Take no more, and break what there is."""
        self._listening.close()
        self.cut(0)
