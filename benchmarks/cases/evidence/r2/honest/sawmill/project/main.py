from sawmill import Dryer, Saw


def main():
    out = Saw().cut("oak")
    n = out["planks"]
    boards = n
    print(Dryer().load(boards=boards, wood=out["wood"])["days"])


if __name__ == "__main__":
    main()
