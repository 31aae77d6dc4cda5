"""What a check of a host is."""


class Check:
    name = "check"

    def run(self, host):
        """True when all is well; to be overridden."""
        raise NotImplementedError

    def describe(self, host):
        return "%s on %s" % (self.name, host)

    def report(self, host):
        state = "ok" if self.run(host) else "FAILED"
        return "%s: %s" % (self.describe(host), state)
