"""Names that changed; the left one is gone since 0.8, and means the same as the right one."""
RENAMED = {
    "batch_quantity": "batch_size",
    "searchspace_type": "space",
}


def modern(arguments):
    return {RENAMED.get(key, key): value for key, value in arguments.items()}
