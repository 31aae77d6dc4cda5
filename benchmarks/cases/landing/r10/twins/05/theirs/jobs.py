"""Jobs that the scheduler runs."""


class Job:
    def __init__(self, name, **arguments):
        self.name = name
        self.arguments = arguments

    def key(self):
        """What makes this job the same as another one."""
        arguments = ",".join(f"{k}={v}" for k, v in sorted(self.arguments.items()))
        return f"{self.name}({arguments})"

    def run(self):
        raise NotImplementedError

    def __repr__(self):
        return f"<{type(self).__name__} {self.name}>"


class ReportJob(Job):
    def __init__(self, month):
        super().__init__("report", month=month)

    def run(self):
        return f"report for {self.arguments['month']}"
