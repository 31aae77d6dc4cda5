from crm.blocklist import Blocklist, OfferRound
from crm.partners import PartnerRepository

repository = PartnerRepository()
repository.load("10;Red\n20;Blue\n")
chosen = OfferRound(Blocklist.from_text("20\n")).choose(repository.all())
assert chosen == ["Red"], chosen
