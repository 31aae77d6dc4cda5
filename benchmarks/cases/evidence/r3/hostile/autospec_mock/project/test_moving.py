from unittest import mock

from moving import move
from shelf import Shelf


def test_move_puts_by_keyword():
    shelf = mock.create_autospec(Shelf, instance=True)
    move(shelf, ["0-14"])
    shelf.put.assert_called_once_with(title="Emma")
    assert shelf.put.call_args.kwargs["title"] == "Emma"
