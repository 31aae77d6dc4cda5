"""A wall clock that jumps, for one process: the code by which it asks the kernel for the time is rewritten.

Every program on Linux reads its clock through a page of code that the kernel maps into it, libc's as much as Go's. Ours
asks the kernel, and adds a number that can be changed from outside while the program runs. The monotonic clock is left
alone: a jump of the wall clock does not move it either. Needs x86-64, and the right to write into a process of ours.
"""

from __future__ import annotations

import contextlib
import os
import platform
import signal
import struct
from pathlib import Path

# mov eax, 228 (clock_gettime); syscall; test edi, edi (CLOCK_REALTIME); jnz end; mov rcx, [rip+…]; add [rsi], rcx;
# end: ret; then eight aligned bytes of seconds.
_CODE = b"\xb8\xe4\x00\x00\x00\x0f\x05\x85\xff\x75\x0a\x48\x8b\x0d\x04\x00\x00\x00\x48\x01\x0e\xc3"
_SECONDS_AT = 24  # _CODE has 22 bytes, and the function begins at a multiple of 16


class JumpingClock:
    """The wall clock of one running process. `is_possible` is False where it cannot be moved."""

    def __init__(self, pid: int) -> None:
        self._pid, self._at = pid, 0
        with contextlib.suppress(OSError, ValueError, StopIteration, struct.error):
            if platform.machine() == "x86_64":
                self._replace()

    @property
    def is_possible(self) -> bool:
        """Whether its clock can be moved."""
        return bool(self._at)

    def jump(self, seconds: int) -> None:
        """From now on its clock is so many seconds off the true one."""
        if self._at:
            with contextlib.suppress(OSError), open(f"/proc/{self._pid}/mem", "r+b", buffering=0) as memory:
                memory.seek(self._at)
                memory.write(struct.pack("<q", seconds))

    def _replace(self) -> None:
        lines = Path(f"/proc/{self._pid}/maps").read_text().splitlines()
        first, last = (int(word, 16) for word in next(x for x in lines if "[vdso]" in x).split()[0].split("-"))
        with open(f"/proc/{self._pid}/mem", "r+b", buffering=0) as memory:
            memory.seek(first)
            begins = first + _find_symbol(memory.read(last - first), b"__vdso_clock_gettime")
            at = (begins + _SECONDS_AT + 7) // 8 * 8
            gap = at - begins - len(_CODE)
            code = bytearray(_CODE)
            struct.pack_into("<i", code, 14, gap + 4)  # from the end of the load to the seconds
            os.kill(self._pid, signal.SIGSTOP)
            try:
                memory.seek(begins)
                memory.write(bytes(code) + b"\x90" * gap + struct.pack("<q", 0))
            finally:
                os.kill(self._pid, signal.SIGCONT)
        self._at = at


def _find_symbol(elf: bytes, name: bytes) -> int:
    """Where a function begins in a shared object. Raises StopIteration."""
    (sections_at,) = struct.unpack_from("<Q", elf, 0x28)
    _, count = struct.unpack_from("<HH", elf, 0x3A)
    sections = [struct.unpack_from("<IIQQQQIIQQ", elf, sections_at + 64 * number) for number in range(count)]
    table = next(section for section in sections if section[1] == 11)  # SHT_DYNSYM
    texts = sections[table[6]][4]
    entries = (struct.unpack_from("<IBBHQQ", elf, at) for at in range(table[4], table[4] + table[5], 24))
    return next(
        int(entry[4]) for entry in entries if elf[texts + entry[0] : elf.index(b"\0", texts + entry[0])] == name
    )
