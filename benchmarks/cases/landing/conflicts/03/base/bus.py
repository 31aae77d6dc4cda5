handlers = {}


def on(topic):
    def deco(fn):
        handlers.setdefault(topic, []).append(fn)
        return fn
    return deco


def emit(topic, payload):
    return [fn(payload) for fn in handlers.get(topic, [])]
