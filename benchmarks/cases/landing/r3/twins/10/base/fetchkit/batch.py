"""Fetch several addresses and collect what failed."""
from fetchkit.download import Downloader


def fetch_all(transport, wanted, say=lambda text: None):
    """wanted: {address: size}"""
    got, failed = {}, []

    def note_error(failure):
        say(f"failed: {failure}")

    def note_progress(done, total):
        if done == total:
            say("done")

    loader = Downloader(transport, progress=note_progress, error=note_error)
    for address, size in wanted.items():
        data = loader.fetch(address, size)
        if data is None:
            failed.append(address)
        else:
            got[address] = data
    return got, failed
