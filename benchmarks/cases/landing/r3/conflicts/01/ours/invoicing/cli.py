"""Command line: python -m invoicing.cli total RATES AMOUNT CURRENCY [AMOUNT CURRENCY ...]"""
import sys

from invoicing import rates


def pairs(words):
    if len(words) % 2:
        raise SystemExit("amounts and currencies come in pairs")
    return [(float(words[i]), words[i + 1].upper()) for i in range(0, len(words), 2)]


def cmd_total(args):
    table = rates.read_rate_table(args[0])
    total = sum(rates.convert(a, c, table) for a, c in pairs(args[1:]))
    return f"{total:.2f} EUR"


COMMANDS = {
    "total": cmd_total,
}


def main(argv):
    if not argv or argv[0] not in COMMANDS:
        print("commands: " + ", ".join(sorted(COMMANDS)))
        return 2
    print(COMMANDS[argv[0]](argv[1:]))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
