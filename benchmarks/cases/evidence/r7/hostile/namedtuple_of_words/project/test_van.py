from concurrent.futures import ThreadPoolExecutor

from bakery import Bakery
from van import Van


def test_batch():
    batches = [Bakery().batch(ovens) for ovens in (1, 2)]
    with ThreadPoolExecutor(1) as pool:
        packed = pool.map(lambda batch: Van().pack(batch["loaves"]), batches)
    assert [each["boxes"] for each in packed] == [2, 5]
