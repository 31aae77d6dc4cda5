from vet import Register, Vaccines

register, vaccines = Register(), Vaccines()


def due(name):
    animal = register.animal(name)
    return vaccines.due(chip=animal.chip_no, kind=animal.kind)["due"]


if __name__ == "__main__":
    for line in map(due, ["Tom", "Minka"]):
        print(line)
