"""A progress bar for the terminal."""
from fetchkit.download import Downloader


class Bar:
    def __init__(self, out, width=30):
        self.out = out
        self.width = width

    def show(self, done, total):
        share = min(1.0, done / total) if total else 1.0
        full = int(share * self.width)
        self.out.write("\r[" + "#" * full + "." * (self.width - full) + f"] {share:4.0%}")
        if done >= total:
            self.out.write("\n")


def fetch_with_bar(transport, address, total, out):
    bar = Bar(out)
    return Downloader(transport, progress=bar.show).fetch(address, total)
