import math


class Pen:
    def __init__(self):
        self.x = self.y = self.heading = 0.0

    def turn(self, angle):
        self.heading += math.radians(angle)

    def forward(self, n):
        self.x += n * math.cos(self.heading)
        self.y += n * math.sin(self.heading)
