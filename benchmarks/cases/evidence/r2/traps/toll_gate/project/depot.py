from toll import Scale, Toll


class DepotToll(Toll):
    """At the depot drivers type kilograms."""

    def charge(self, tonnes):
        return super().charge(tonnes / 1000)


if __name__ == "__main__":
    w = Scale().weigh("B-1")
    print(DepotToll().charge(tonnes=w["load"])["euros"])
