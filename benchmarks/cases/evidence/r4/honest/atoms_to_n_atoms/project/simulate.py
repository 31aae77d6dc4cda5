from box import Box
from topology import Topology


class Simulation:
    def __init__(self, name):
        self.top = Topology().read(name)
        self.box = Box()

    def side(self):
        return self.box.volume(atoms=self.top["n_atoms"])["side"]


if __name__ == "__main__":
    print(Simulation("water").side())
