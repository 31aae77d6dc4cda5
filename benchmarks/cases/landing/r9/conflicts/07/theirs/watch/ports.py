"""Checks that knock on a port."""
import socket

from watch.check import Check


class PortCheck(Check):
    name = "port"

    def __init__(self, port, timeout=2.0, connect=socket.create_connection):
        self.port = port
        self.timeout = timeout
        self.connect = connect

    def describe(self, host):
        return "%s %d on %s" % (self.name, self.port, host)

    def run(self, host):
        try:
            self.connect((host, self.port), self.timeout).close()
        except OSError:
            return False
        return True
