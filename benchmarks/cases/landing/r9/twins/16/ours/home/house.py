from home.diary import Diary
from home.signals import Signal


class Lamp:
    def __init__(self):
        self.on = False

    def moved(self, room, at):
        self.on = True


class House:
    def __init__(self, diary_file=None):
        self.motion = Signal()
        self.lamp = Lamp()
        self.motion.connect(self.lamp.moved)
        if diary_file is not None:
            self.diary = Diary(diary_file)
            self.motion.connect(self.diary.moved)

    def sensor(self, room, at):
        self.motion.send(room=room, at=at)
