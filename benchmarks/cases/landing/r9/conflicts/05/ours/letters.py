"""Reminder letters for books that are late."""


def reminder(payload):
    return "Dear member {member}, {book} was due on {due}.".format(**payload)


class Letters:
    def __init__(self, events):
        self.outbox = []
        events.on("loan.overdue", self._overdue)

    def _overdue(self, payload):
        self.outbox.append(reminder(payload))
