from concurrent.futures import ThreadPoolExecutor

from coop import Coop
from packing import Packing


def pack(found):
    return Packing().box(eggs=found["laid"])["boxes"]


def main():
    with ThreadPoolExecutor() as ex:
        return list(ex.map(pack, ex.map(Coop().collect, [1, 2, 3])))


if __name__ == "__main__":
    print(main())
