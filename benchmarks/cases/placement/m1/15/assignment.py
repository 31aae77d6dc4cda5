from docks import Dock, ROTATION


class AssignmentPolicy:
    def choose(self, tons: int) -> Dock | None:
        for _ in range(3):
            dock = next(ROTATION)
            if dock.fits(tons):
                return dock
        return None
