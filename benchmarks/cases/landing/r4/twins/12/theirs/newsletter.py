"""Newsletters go out in batches, as the relay wants."""


def batches(addresses, settings):
    size = settings.getint("mail", "batch", fallback=10)
    for at in range(0, len(addresses), size):
        yield addresses[at:at + size]
