from cinema import Cinema
from projector import Projector


class Evening:
    def __init__(self, film):
        self.screening = Cinema().screening(film)

    def begin(self):
        return Projector().start(screen=self.screening["hall"])


if __name__ == "__main__":
    print(Evening("Alien").begin()["lamp"])
