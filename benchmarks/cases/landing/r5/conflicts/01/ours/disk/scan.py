import os


def folder_size(path):
    """Size of a folder, in bytes."""
    total = 0
    for root, _dirs, names in os.walk(path):
        for name in names:
            total += os.path.getsize(os.path.join(root, name))
    return total


def describe(path):
    return f"{os.path.basename(path)}: {folder_size(path):,} bytes"
