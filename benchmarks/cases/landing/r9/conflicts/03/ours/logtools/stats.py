from logtools.entries import read_entries


def longest_message(path):
    return max((len(entry.message) for entry in read_entries(path)), default=0)


def error_share(path):
    """Which part of the log is errors, from 0.0 to 1.0."""
    entries = read_entries(path)
    errors = sum(1 for entry in entries if entry.level == "ERROR")
    everything = sum(1 for _ in entries)
    return errors / max(everything, 1)
