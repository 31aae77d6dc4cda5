from plots import Hist, Style


def histogram(hist: Hist, density: bool) -> str:
    return hist.draw(normed=density)["y"]


def paper_figure() -> str:
    look = Style().pick("paper")
    return histogram(Hist(), look["density"])


if __name__ == "__main__":
    print(paper_figure())
