import os


def folder_size(path):
    """Size of a folder, in KiB, rounded up."""
    total = 0
    for root, _dirs, names in os.walk(path):
        for name in names:
            total += os.path.getsize(os.path.join(root, name))
    return -(-total // 1024)


def describe(path):
    return f"{os.path.basename(path)}: {folder_size(path)} KiB"
