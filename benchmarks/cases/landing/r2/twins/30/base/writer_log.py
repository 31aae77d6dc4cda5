"""Writing."""

from log_file import open_log


def write(text):
    log = open_log()
    log.append(text)
    return len(log)
