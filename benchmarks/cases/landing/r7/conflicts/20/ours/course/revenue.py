"""Cents earned with a course, for the monthly sheet."""
from course.booking import Status


def revenue(bookings):
    earned = 0
    for b in bookings:
        if b.status not in (Status.OPEN, Status.CANCELLED):
            earned += b.cents
    return earned
