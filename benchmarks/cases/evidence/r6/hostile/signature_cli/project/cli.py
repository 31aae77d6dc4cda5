import argparse
import inspect
from pathlib import Path

from roadmap import Roadmap

road = Roadmap()
parser = argparse.ArgumentParser(allow_abbrev=False)
for name, parameter in inspect.signature(inspect.unwrap(Roadmap.place)).parameters.items():
    if name != "self":
        parser.add_argument(f"--{name}", type=parameter.annotation, required=True)
for line in Path(__file__).with_name("calls.txt").read_text().splitlines():
    print(road.place(**vars(parser.parse_args(line.split()))))
