"""Cents earned with a course, for the monthly sheet."""
from course.booking import Status


def revenue(bookings):
    earned = 0
    for b in bookings:
        if b.status in (Status.PAID, Status.ATTENDED):
            earned += b.cents
    return earned
