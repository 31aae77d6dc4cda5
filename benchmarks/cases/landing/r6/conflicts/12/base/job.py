class Job:
    """Subclasses fill in what they need."""

    def before(self):
        pass

    def work(self):
        pass

    def after(self):
        pass

    def run(self):
        self.before()
        result = self.work()
        self.after()
        return result
