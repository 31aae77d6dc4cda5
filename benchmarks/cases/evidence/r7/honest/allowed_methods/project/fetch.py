import argparse

from client import Client
from policy import Policy


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--total", type=int, default=2)
    options = parser.parse_args(argv)
    policy = Policy(total=options.total).retry()
    mounted = Client().mount(policy["total"], policy["allowed_methods"])
    for method, times in mounted["retries"].items():
        print(method, times)


if __name__ == "__main__":
    main()
