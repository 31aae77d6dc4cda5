from sinks import AlarmSink, ListSink


def rec(level, host, msg, **more):
    return dict(more, level=level, host=host, msg=msg)


class Router:
    def __init__(self, sinks=None):
        self.sinks = list(sinks) if sinks is not None else [ListSink(), AlarmSink()]

    def handle(self, r):
        return sum(s.emit(r) for s in self.sinks)

    def close(self):
        for s in self.sinks:
            s.close()
