"""Write down who moved where, for the insurance."""


class Diary:
    def __init__(self, file):
        self.file = file
        self.last = None

    def moved(self, room, at):
        # a sensor reports many times a second, one line is enough
        if (room, at) != self.last:
            self.file.write("%s %s\n" % (at, room))
            self.last = (room, at)
