from net.fetcher import Fetcher
from net.verifier import Verifier


class Queue:
    def __init__(self):
        self.done = []

    def add_done_callback(self, then):
        self.done.append(then)

    def run(self, urls):
        for url in urls:
            got = Fetcher().download(url)
            for then in self.done:
                then(got)


def verify(got):
    print(Verifier().verify(url=got["url"], digest=got["sha256"])["seen"])


queue = Queue()
queue.add_done_callback(verify)
queue.run(["http://a", "http://bb"])
