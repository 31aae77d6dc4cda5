# where records go

class Sink:
    def __init__(self):
        self.dropped = 0
        self.last = None

    def emit(self, rec):
        """Write a record unless it is below the level or repeats the last one."""
        if rec["level"] < self.level():
            self.dropped += 1
            return False
        key = self.key(rec)
        if key == self.last:
            self.dropped += 1
            return False
        self.last = key
        self.write(rec)
        return True

    def key(self, rec):
        # two records of one key in a row are one record
        return rec["level"], rec["host"], rec["msg"]

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
