import pytest

from storage.plans import PLANS
from storage.uploads import OverQuota, check


def test_fits():
    check(PLANS["free"], 400, 100)


def test_does_not_fit():
    with pytest.raises(OverQuota):
        check(PLANS["free"], 400, 101)


def test_staff():
    check(PLANS["staff"], 10**6, 10**6)
