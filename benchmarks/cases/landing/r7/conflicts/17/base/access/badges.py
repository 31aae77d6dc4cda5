class Badges:
    def __init__(self, floors):
        self._floors = {badge: set(f) for badge, f in floors.items()}

    def is_allowed(self, badge, floor):
        return floor in self._floors.get(badge, ())

    def revoke(self, badge):
        self._floors.pop(badge, None)
