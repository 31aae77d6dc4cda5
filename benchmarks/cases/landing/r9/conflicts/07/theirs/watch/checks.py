import os

from watch.check import Check


class DiskCheck(Check):
    """The mount point is there; for the machine this runs on."""

    name = "disk"

    def run(self, host):
        return os.path.isdir("/")


class NameCheck(Check):
    name = "name"

    def run(self, host):
        return host == host.lower() and " " not in host
