# the part of the web server that counts

class Counter:
    def __init__(self, app, meter):
        self.app = app
        self.meter = meter

    def __call__(self, path):
        status, body = self.app(path)
        self.meter.add("status.%d" % status)
        if status >= 500:
            self.meter.add("errors")
        return status, body
