"""A command, run in this process."""

import pytest

from graphbus_core.cli.main import main

Capture = pytest.CaptureFixture[str]


def run(capsys: Capture, *args: str) -> tuple[int, str, str]:
    """Exit code, stdout, stderr."""
    code = main(list(args))
    said = capsys.readouterr()
    return code, said.out, said.err
