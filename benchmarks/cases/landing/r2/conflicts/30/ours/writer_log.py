"""Writing."""

from log_file import open_log


def write(text):
    with open_log() as log:
        log.append(text)
        return len(log)
