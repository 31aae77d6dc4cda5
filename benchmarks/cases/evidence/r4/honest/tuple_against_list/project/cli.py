import argparse

from cloud import Cloud
from tagger import Tagger


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("text", nargs="?", default="b a b")
    args = parser.parse_args(argv)
    found = Tagger().tags(args.text)["tags"]
    seen = {found: 1}
    print(Cloud().draw(tags=found)["text"], len(seen))


if __name__ == "__main__":
    main()
