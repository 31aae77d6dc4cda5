from logtools.entries import read_entries


def longest_message(path):
    return max((len(entry.message) for entry in read_entries(path)), default=0)
