import inspect

from jobs import run


def test_run():
    result = run("ab")
    if inspect.iscoroutine(result):
        import asyncio

        result = asyncio.run(result)
    assert result == "ab"
