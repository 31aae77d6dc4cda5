"""What a check of a host is."""


class Check:
    name = "check"
    tolerance = 2

    def __init__(self):
        self.failures = {}  # host -> failures in a row

    def run(self, host):
        """True when all is well; to be overridden."""
        raise NotImplementedError

    def describe(self, host):
        return "%s on %s" % (self.name, host)

    def report(self, host):
        """A host has to fail more than `tolerance` times in a row to be FAILED."""
        count = 0 if self.run(host) else self.failures.get(host, 0) + 1
        self.failures[host] = count
        state = "ok" if not count else "FAILED" if count > self.tolerance else "shaky"
        return "%s: %s" % (self.describe(host), state)
