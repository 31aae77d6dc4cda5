import argparse
import inspect
import shlex

from player import Player, Score

CRON = ["play --tempo 120", "play --tempo 60"]


def command(line):
    name, *rest = shlex.split(line)
    method = getattr(Player(), name)
    parser = argparse.ArgumentParser()
    for parameter in inspect.signature(method).parameters:
        parser.add_argument(f"--{parameter}", type=int, required=True)
    return method(**vars(parser.parse_args(rest)))["beat_s"]


if __name__ == "__main__":
    print(Player().play(tempo=Score().open()["bpm"])["beat_s"] > 0.6, *map(command, CRON))
