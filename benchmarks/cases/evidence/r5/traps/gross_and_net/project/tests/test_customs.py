from customs.nodes import BOXES, Customs, Parcel


def test_bare_goods_pay_by_their_weight():
    parcel = Parcel().weigh(900, "bare")
    assert Customs().declare(net_g=parcel["gross_g"] - BOXES[parcel["box"]]) == {"duty": 9}
