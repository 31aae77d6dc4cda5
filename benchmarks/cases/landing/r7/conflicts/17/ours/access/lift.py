class Lift:
    def __init__(self, badges):
        self.badges = badges
        self.queue = []

    def call(self, badge, floor):
        """Take a call for a floor; True if it goes there."""
        if floor in self.queue:
            return True
        if self.badges.is_allowed(badge, floor):
            self.queue.append(floor)
            return True
        return False
