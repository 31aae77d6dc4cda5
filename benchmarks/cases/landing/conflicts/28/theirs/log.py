import io


class Log:
    def __init__(self, path):
        self.out = open(path, 'a')

    @classmethod
    def on(cls, stream):
        log = cls.__new__(cls)
        log.out = stream
        return log

    def say(self, text):
        self.out.write(text + '\n')


def memory_log():
    return Log.on(io.StringIO())
