from copier import Copier
from loader import Loader


def test_copy():
    options = Loader().options()
    kwargs = {"size": options["size"]}
    kwargs["async_"] = options.get("non_blocking")
    assert Copier().copy(**kwargs) == {"queued": True, "bytes": 64}
