from framing import frame


def dump(words):
    return '|'.join(map(frame, words))
