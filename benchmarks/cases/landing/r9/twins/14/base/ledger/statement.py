from ledger.book import CashBook


def statement(book: CashBook) -> str:
    rows = [f"{e.day:%d.%m.} {e.text:<20}{e.cents / 100:>10.2f}" for e in book.entries]
    rows.append(f"{'balance':<27}{book.balance() / 100:>10.2f}")
    return "\n".join(rows)
