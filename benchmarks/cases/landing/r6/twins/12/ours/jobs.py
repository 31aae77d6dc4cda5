from job import Job


class Copy(Job):
    def __init__(self, source, target):
        self.source, self.target = source, target
        self.log = []

    def work(self):
        self.target.extend(self.source)
        return len(self.source)

    def after(self):
        self.log.append("copied %d" % len(self.source))
