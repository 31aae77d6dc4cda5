"""Motor only; the other lines are entered by hand."""
from claims.books import Books
from claims.files import ClaimFile

FACTOR, RETENTION = 1.15, 500.0


def main():
    files, books = ClaimFile(), Books()
    for number in files.of_line("motor"):
        claim = files.assess(number)
        estimate = claim["estimate"]
        estimate = max(0.0, estimate * FACTOR - RETENTION)
        state = books.reserve(number=number, line=claim["line"], reserve=estimate)
    print(state)


if __name__ == "__main__":
    main()
