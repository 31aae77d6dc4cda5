"""Command line: announce something to a list of people."""
import argparse


def build_parser():
    parser = argparse.ArgumentParser(prog="announce")
    parser.add_argument("subject")
    parser.add_argument("--to", action="append", required=True)
    parser.add_argument("--yes", action="store_true", help="really send, not only show")
    return parser


def main(argv, mailer):
    args = build_parser().parse_args(argv)
    for address in args.to:
        text = mailer.send(address, args.subject, "See our website.", dry_run=not args.yes)
        if not args.yes:
            print(text)
    return 0
