"""The old reel machine; kept for its archive."""


def reel_samples(frames):
    return frames * 1152
