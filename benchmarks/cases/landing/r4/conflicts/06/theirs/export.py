"""Search results as CSV, for the inventory count."""
import csv
import io

from catalogue import find


def export(books, text):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["title", "author"])
    for book in find(books, text):
        writer.writerow([book["title"], book["author"]])
    return out.getvalue()
