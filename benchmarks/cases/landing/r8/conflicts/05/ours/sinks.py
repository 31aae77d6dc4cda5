# where records go

class Sink:
    def __init__(self):
        self.dropped = 0

    def emit(self, rec):
        """Write a record unless it is below the level of this sink."""
        if rec["level"] < self.level():
            self.dropped += 1
            return False
        self.write(rec)
        return True

    def level(self):
        return 0

    def write(self, rec):
        raise NotImplementedError

    def close(self):
        pass


class ListSink(Sink):
    def __init__(self):
        super().__init__()
        self.out = []

    def write(self, rec):
        self.out.append("%(level)d %(host)s %(msg)s" % rec)


class AlarmSink(ListSink):
    def level(self):
        return 40
