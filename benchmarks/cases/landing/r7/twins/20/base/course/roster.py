from course.booking import Status


def roster(bookings):
    """Who has a chair."""
    return sorted(b.name for b in bookings if b.status in (Status.PAID, Status.ATTENDED))
