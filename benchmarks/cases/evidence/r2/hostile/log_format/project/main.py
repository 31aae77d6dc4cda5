import logging

from office.attendance import Attendance
from office.gate import Gate


class Lines(logging.Handler):
    def __init__(self):
        super().__init__()
        self.lines = []

    def emit(self, record):
        self.lines.append(record.getMessage())


lines = Lines()
logging.getLogger("office").addHandler(lines)
seen = Gate().scan(door=2)
print(Attendance().mark(badge=seen["badge_no"])["present"], lines.lines)
