class Job:
    """Subclasses fill in what they need."""

    def before(self):
        pass

    def work(self):
        pass

    def on_success(self):
        pass

    def on_error(self, error):
        pass

    def run(self):
        self.before()
        try:
            result = self.work()
        except Exception as error:
            self.on_error(error)
            raise
        self.on_success()
        return result
