from concurrent.futures import ThreadPoolExecutor

from launcher import Launcher
from plan import Plan


def main():
    launcher = Launcher()
    with ThreadPoolExecutor(max_workers=2) as pool:
        futures = []
        for shift in ("day", "night"):
            plan = Plan().make(shift)
            futures.append(pool.submit(launcher.launch, gpus=plan["devices"]))
        print([future.result()["ranks"] for future in futures])


if __name__ == "__main__":
    main()
