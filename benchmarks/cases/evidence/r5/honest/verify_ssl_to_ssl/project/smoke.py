from web.fetcher import Fetcher
from web.profile import Profile


def main():
    for name in ("lab1", "shop"):
        profile = Profile().get(name)
        host = profile["host"]
        print(Fetcher().head(host=host, verify_ssl=profile["ssl"])["command"])


if __name__ == "__main__":
    main()
