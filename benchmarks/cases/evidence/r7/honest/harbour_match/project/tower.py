from crane import Crane
from harbour import Harbour


def call(ship):
    match Harbour().assign(ship):
        case {"berth": int() as dock}:
            return Crane().move(dock=dock)["rail"]
        case other:
            raise LookupError(other)


if __name__ == "__main__":
    print(call("Sea"), call("Aurora"))
