import argparse
import inspect

from jobs.nodes import Pool


def main(argv):
    parser = argparse.ArgumentParser("pool")
    for p in inspect.signature(Pool().start).parameters.values():
        parser.add_argument(f"--{p.name}", type=int, required=True)
    return Pool().start(**vars(parser.parse_args(argv)))["started"]
