from home.signals import Signal


class Lamp:
    def __init__(self):
        self.on = False

    def moved(self, room, at):
        self.on = True


class House:
    def __init__(self):
        self.motion = Signal()
        self.lamp = Lamp()
        self.motion.connect(self.lamp.moved)

    def sensor(self, room, at):
        self.motion.send(room=room, at=at)
