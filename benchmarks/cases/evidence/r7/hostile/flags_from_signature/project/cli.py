"""Every parameter of the oven is a flag."""
import argparse
import inspect

from oven import Oven

parser = argparse.ArgumentParser()
for name in list(inspect.signature(Oven.bake).parameters)[1:]:
    parser.add_argument(f"--{name}", type=int, default=0)
print(Oven().bake(**vars(parser.parse_args())))
