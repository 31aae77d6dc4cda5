from graphbus_core import subscribe

from base import Desk


class LoanDesk(Desk):
    @subscribe("/Library/Loan/Requested")
    def lend(self, reader: str, title: str) -> dict:
        slip = self.slip(reader)
        if len(slip) >= self.limit:
            return {"lent": False, "out": len(slip)}
        slip += [self.tidy(title)]
        return {"lent": True, "out": len(slip)}

    @subscribe("/Library/Loan/Returned")
    def take_back(self, reader: str, title: str) -> dict:
        slip = self.slip(reader)
        wanted = self.tidy(title)
        if wanted in slip:
            slip.remove(wanted)
        return {"out": len(slip)}
