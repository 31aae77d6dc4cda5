from crm.blocklist import Blocklist, OfferRound
from crm.partners import Partner


def test_blocked_partners_get_no_offers():
    blocklist = Blocklist.from_text("20  # by letter\n\n# none\n")
    partners = [Partner(10, "Red"), Partner(20, "Blue")]
    assert OfferRound(blocklist).choose(partners) == ["Red"]
