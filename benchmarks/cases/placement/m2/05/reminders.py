from graphbus_core import subscribe

from base import Desk


class ReminderDesk(Desk):
    @subscribe("/Library/Reminder/Due")
    def letter(self, reader: str, salutation: str) -> dict:
        books = sorted(self.slip(reader))
        body = "; ".join(books) or "nothing"
        return {"letter": f"{salutation} {reader}: you have {body}.", "count": len(books)}
