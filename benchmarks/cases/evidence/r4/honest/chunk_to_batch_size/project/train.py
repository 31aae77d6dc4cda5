from functools import partial

from config import Config
from learner import Learner


def main():
    config = Config().load("default")
    fit = partial(Learner().fit, chunk_size=config["batch_size"])
    print(fit()["batches"], fit(rows=31)["batches"])


if __name__ == "__main__":
    main()
