from harbour.gauge import Gauge
from harbour.sheet import Sheet

M_TO_FT = 3.28084


def main() -> None:
    level = Gauge().level("North Quay")["level"]
    level = level * M_TO_FT
    print(Sheet().enter(feet=level)["line"])


if __name__ == "__main__":
    main()
