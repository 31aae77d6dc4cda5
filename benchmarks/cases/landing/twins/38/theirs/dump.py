from framing import frame


def dump(words):
    return sum(len(frame(w)) for w in words)
