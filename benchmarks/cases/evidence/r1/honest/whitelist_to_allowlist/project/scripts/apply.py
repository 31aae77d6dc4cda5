from policy import Policy
from proxy import Proxy


def main():
    rules = Policy().load()
    allowed = rules["allowlist"]
    print(Proxy().configure(whitelist=allowed))


if __name__ == "__main__":
    main()
