from locker import Locker, PickupMail


def test_mail_names_the_parcel():
    parcel = "P-900"
    box = Locker().store(parcel)
    mail = PickupMail().compose(parcel_id=parcel)
    assert "P-900" in mail["body"]
    assert box.id == "C-12"
