from unittest.mock import Mock

import pytest

from labels.nodes import print_shelf


@pytest.mark.parametrize("call", ["label article S-4"])
def test_call(call):
    method, keyword, value = call.split()
    printer = Mock()
    print_shelf(4, printer)
    getattr(printer, method).assert_called_once_with(**{keyword: value})
