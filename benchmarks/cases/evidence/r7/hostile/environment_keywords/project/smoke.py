import os

os.environ.update(PUMP_THROUGHPUT="80", PUMP_HEAD="1.25")

from start import start  # noqa: E402

print(start())
