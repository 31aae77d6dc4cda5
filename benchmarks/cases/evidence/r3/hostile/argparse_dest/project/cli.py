import argparse

from site_ import Site

parser = argparse.ArgumentParser()
parser.add_argument("--out-dir", default="public")
print(Site().build(**vars(parser.parse_args()))["written"])
