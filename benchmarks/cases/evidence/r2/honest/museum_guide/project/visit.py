from museum.desk import Desk
from museum.guide import AudioGuide


class Visit:
    def __init__(self, visitor):
        self.guide = AudioGuide()
        self.sold = Desk().sell(visitor)

    def walk(self):
        return self.guide.load(language=self.sold["lang"])["track"]


if __name__ == "__main__":
    print(Visit("Søren").walk())
