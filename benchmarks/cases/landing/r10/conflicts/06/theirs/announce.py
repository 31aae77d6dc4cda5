"""Command line: announce something to a list of people."""
import argparse


def build_parser():
    parser = argparse.ArgumentParser(prog="announce")
    parser.add_argument("subject")
    parser.add_argument("--to", action="append", required=True)
    return parser


def main(argv, mailer):
    args = build_parser().parse_args(argv)
    for address in args.to:
        mailer.send(address, args.subject, "See our website.")
    return 0
