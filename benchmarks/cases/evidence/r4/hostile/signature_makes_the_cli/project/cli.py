import argparse
import inspect


def call(method, argv):
    parser = argparse.ArgumentParser()
    for name in inspect.signature(method).parameters:
        parser.add_argument("--" + name, required=True)
    return method(**vars(parser.parse_args(argv)))
