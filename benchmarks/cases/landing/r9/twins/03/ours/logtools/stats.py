from logtools.entries import read_entries


def longest_message(path):
    return max((len(entry.message) for entry in read_entries(path)), default=0)


def error_share(path):
    """Which part of the log is errors, from 0.0 to 1.0."""
    entries = read_entries(path)
    levels = [entry.level for entry in entries]
    errors = levels.count("ERROR")
    everything = len(levels)
    return errors / max(everything, 1)
