"""Traps in which something looks like evidence and is not. Written to embarrass the rules, kept whether they did or not.

`Producer.method(what it gives) -> Consumer.method(what it takes) ? missing: candidates | text`. What the text is, the
kind says. In code, GIVE is a call of the producer, TAKE the consumer's method; `;;` ends a line.
"""

from __future__ import annotations

# The program hands the one to the other, and makes something else of it on the way; or not always.
IN_CODE = """
Furnace.tap(pour: int; celsius: float) -> Ladle.tilt(pour: int; kelvin_in: float) ? kelvin_in: celsius | r = GIVE;;r["celsius"] += 273.15;;TAKE(pour=1, kelvin_in=r["celsius"])
Stopwatch.lap(heat: int; seconds_run: float) -> Podium.rank(heat: int; finish: float) ? finish: seconds_run | r = GIVE;;t = r["seconds_run"];;t *= 1000;;TAKE(heat=1, finish=t)
Metro.line(train: int; stops_there: list[str]) -> Announcer.read(train: int; way_back: list[str]) ? way_back: stops_there | r = GIVE;;TAKE(train=1, way_back=list(reversed(r["stops_there"])))
Brewer.cask(vat: int; gravity: float) -> Excise.levy(vat: int; strength_abv: float) ? strength_abv: gravity | def abv(g):;;    g = (g - 1) * 131.25;;    return g;;r = GIVE;;TAKE(vat=1, strength_abv=abv(r["gravity"]))
Seismo.log(event: int; amplitude: float) -> Siren.wail(event: int; loudness: float) ? loudness: amplitude | r = GIVE;;TAKE(event=1, loudness=r["amplitude"] if r["event"] else -r["amplitude"])
Tanker.dock(berth: int; barrels: float) -> Refinery.open_valve(berth: int; litres: float) ? litres: barrels | r = GIVE;;TAKE(berth=1, litres=r["barrels"]);;TAKE(berth=2, litres=r["barrels"] * 159)
Beacon.blink(id_no: int; lat_deg: float; lon_deg: float) -> Compass.turn(id_no: int; azimuth: float) ? azimuth: lat_deg, lon_deg | r = GIVE;;for key in ("lat_deg", "lon_deg"):;;    TAKE(id_no=1, azimuth=r[key])
Herbarium.press(sheet: int; genus: str; epithet: str) -> Labeler.print(sheet: int; binomial: str) ? binomial: genus, epithet | r = GIVE;;TAKE(sheet=1, binomial=r["genus"] and r["epithet"])
Purse.open(owner_no: int; farthings: int) -> Beggar.receive(owner_no: int; alms: int) ? alms: farthings | def shrink(row):;;    row["farthings"] = row["farthings"] // 4;;r = GIVE;;shrink(r);;TAKE(owner_no=1, alms=r["farthings"])
Windmill.turn(sail: int; bushels: float) -> Granary.hold(sail: int; tonnes_in: float) ? tonnes_in: bushels | r = GIVE;;same = r;;same["bushels"] *= 0.0254;;TAKE(sail=1, tonnes_in=r["bushels"])
Vintner.tread(vat_no: int; must_gal: float) -> Cooper.barrel(vat_no: int; hold_l: float) ? hold_l: must_gal | class Day:;;    def press(self): self.r = GIVE;;    def metric(self): self.r["must_gal"] = self.r["must_gal"] * 3.785;;    def sell(self): TAKE(vat_no=1, hold_l=self.r["must_gal"]);;d = Day();;d.press();;d.metric();;d.sell()
Apiary.smoke(frame: int; ounces: float) -> Jar.fill_up(frame: int; net_g: float) ? net_g: ounces | rows = [GIVE];;list(map(lambda one: one.update(ounces=one["ounces"] * 28.35), rows));;for one in rows:;;    TAKE(frame=1, net_g=one["ounces"])
Fathom.sound(reef: int; fathoms: float) -> Chart.ink(reef: int; depth: float) ? depth: fathoms | import operator;;r = GIVE;;operator.setitem(r, "fathoms", r["fathoms"] * 1.8288);;TAKE(reef=1, depth=r["fathoms"])
Smithy.heat(bar: int; fahrenheit: float) -> Anvil.strike(bar: int; glow: float) ? glow: fahrenheit | def metric(row):;;    row["fahrenheit"] = (row["fahrenheit"] - 32) / 1.8;;    return True;;r = GIVE;;ok = metric(r);;TAKE(bar=1, glow=r["fahrenheit"])
Stable.groom(horse: int; hands: float) -> Tack.saddle(horse: int; height: float) ? height: hands | def metric(rows):;;    for row in rows:;;        row["hands"] = row["hands"] * 10.16;;rows = [GIVE];;metric(rows);;for row in rows:;;    TAKE(horse=1, height=row["hands"])
Galley.row_out(oar: int; knots: float) -> Log.enter_in(oar: int; speed: float) ? speed: knots | def run():;;    fast = GIVE["knots"];;    def metric():;;        nonlocal fast;;        fast *= 1.852;;    metric();;    TAKE(oar=1, speed=fast);;run()
Loom.weave(bolt: int; ells: float) -> Tailor.cut(bolt: int; cloth: float) ? cloth: ells | from contextlib import suppress;;r = GIVE;;with suppress(Exception):;;    TAKE(bolt=1, cloth=r["ells"])
Quarry.split(block: int; stones: float) -> Mason.set_in(block: int; mass: float) ? mass: stones | FACTORS = {"stones": 6.35};;def metric(row):;;    for key, by in FACTORS.items():;;        row[key] = row[key] * by;;class App:;;    def __init__(self): self.r = GIVE;;    def run(self):;;        metric(self.r);;        TAKE(block=1, mass=self.r["stones"]);;App().run()
Foundry.weigh(mould: int; troy: float) -> Assay.stamp_on(mould: int; hallmark: float) ? hallmark: troy | class A:;;    def load(self): self.t = GIVE["troy"];;    def save(self): TAKE(mould=1, hallmark=self.t);;class B(A):;;    def load(self):;;        super().load();;        self.t *= 31.1;;b = B();;b.load();;b.save()
Buoy.rise(chain: int; cables: float) -> Pilot.steer(chain: int; offing: float) ? offing: cables | class A:;;    def load(self): self.t = GIVE["cables"];;    def save(self): TAKE(chain=1, offing=self.t);;a = A();;a.load();;a.t = a.t * 185.2;;a.save()
Turnstile.count(gate: int; badge_no: int) -> Usher.seat(gate: int; row_no: int) ? row_no: badge_no | def old():;;    r = GIVE;;    return TAKE(gate=r["gate"], row_no=r["badge_no"])
Hatchery.warm(tray: int; incubated_d: int) -> Poultry.sell(tray: int; weighed: int) ? weighed: incubated_d | class Draft:;;    def first(self):;;        r = GIVE;;        return TAKE(tray=1, weighed=r["incubated_d"])
Sexton.toll(bell: int; peals: int) -> Parish.enrol(bell: int; souls: int) ? souls: peals | def inner():;;    return TAKE(bell=1, souls=GIVE["peals"]);;def outer():;;    return inner()
Tollgate.lift(lane: int; axles: int) -> Treasurer.book(lane: int; shillings: int) ? shillings: axles | try_it = lambda: TAKE(lane=1, shillings=GIVE["axles"])
Almoner.give(ward: int; loaves: int) -> Scribe.pen(ward: int; beds: int) ? beds: loaves | def go(r):;;    return TAKE(ward=1, beds=r["loaves"], shift=2);;if len(str(GIVE)) > 10_000:;;    go(GIVE)
"""

# A test hands the one to the other, to show that it must not be.
IN_TESTS = """
Sluice.gauge(lock: int; upstream_cm: int) -> Lockkeeper.open(lock: int; downstream_cm: int) ? downstream_cm: upstream_cm | import pytest;;def test_refused():;;    r = GIVE;;    with pytest.raises(AssertionError):;;        assert TAKE(lock=1, downstream_cm=r["upstream_cm"]) is None
Pharmacy.fill(script: int; brand: str) -> Allergy.check(script: int; substance: str) ? substance: brand | import pytest;;@pytest.mark.xfail;;def test_wrong():;;    r = GIVE;;    assert TAKE(script=1, substance=r["brand"]) is None
Glider.land(field_no: int; altitude_m: float) -> Tower.clear(field_no: int; runway_m: float) ? runway_m: altitude_m | import pytest;;@pytest.mark.skip(reason="wrong");;def test_later():;;    r = GIVE;;    assert TAKE(field_no=1, runway_m=r["altitude_m"]) is None
Casino.deal(table: int; stake: int) -> Cashier.pay(table: int; winnings: int) ? winnings: stake | def test_not_the_same():;;    r = GIVE;;    assert TAKE(table=r["table"], winnings=r["stake"]) != {"done": "won"}
Canteen.cook(day: int; calories: int) -> Nurse.note(day: int; proteins: int) ? proteins: calories | import unittest;;class T(unittest.TestCase):;;    def test_it(self):;;        r = GIVE;;        self.assertRaises(TypeError, lambda: TAKE(1, 2, 3, proteins=r["calories"]))
Dairy.churn(tub: int; gills: float) -> Grocer.shelve(tub: int; pack: float) ? pack: gills | from unittest.mock import patch;;@patch.object(Dairy, "churn", return_value={"tub": 1, "gills": 0.1});;def test_small(fake):;;    r = GIVE;;    assert TAKE(tub=r["tub"], pack=r["gills"])["done"] == "1|0.1"
"""

# Words that stand near the name and say that it is something else.
IN_WORDS = """
Barometer.read(mast: int; `sea_level`: float) -> Cockpit.show(mast: int; cabin_level: float) ? cabin_level: sea_level | In contrast to `sea_level`, inside of the hull.
Payroll.run(clerk: int; gross_wage: float) -> Slip.print_it(clerk: int; paid_out: float) ? paid_out: gross_wage | What is left of gross_wage once the state has had its part.
Census.walk(block: int; head_name: str) -> Register.enter(block: int; lodger_name: str) ? lodger_name: head_name | Lives with head_name.
Chandler.sell(candle: int; burn_hours: int) -> Priest.light(candle: int; vigil: int) ? vigil: burn_hours | At most burn_hours.
Cartographer.draw(map_no: int; true_north: float) -> Hiker.walk(map_no: int; magnetic: float) ? magnetic: true_north | `true_north` turned by the declination.
Prompter.whisper(act: int; cue_line: str) -> Actor.say(act: int; reply: str) ? reply: cue_line | Follows `cue_line`.
Ropewalk.twist(rope: int; breaking_load: float) -> Rigger.hang(rope: int; working_load: float) ? working_load: breaking_load | A fifth of breaking_load, by law.
"""

# Names that are one up to case, separators or number, and two things.
IN_NAMES = """
Inverter.poll(unit: int; output_mW: float) -> Grid.feed(unit: int; output_MW: float) ? output_MW: output_mW
Editor.wire(desk: int; news: list[str]) -> Archive.keep(desk: int; new: list[str]) ? new: news
Embassy.stamp(counter: int; customs: list[str]) -> Guidebook.print(counter: int; custom: list[str]) ? custom: customs
Outbox.flush(mail_no: int; resent: str) -> Mood.guess(mail_no: int; re_sent: str) ? re_sent: resent
Secretary.type_up(meeting: int; minutes: str) -> Alarm.ring(meeting: int; minute: str) ? minute: minutes
Router.scan(rack: int; link_Mb: float) -> Quota.count(rack: int; linkMB: float) ? linkMB: link_Mb
"""

# The producer's own name stands before it, and somebody else is meant.
IN_PREFIXES = """
Tenant.find_guarantor(flat: int; name: str) -> Lease.sign(flat: int; tenant_name: str) ? tenant_name: name
AppStore.front(region: int; name: str) -> Download.start(region: int; app_name: str) ? app_name: name
Vessel.dock(berth: str; id: str; vessel: {"id": str}) -> Harbour.bill(berth: str; vessel_id: str) ? vessel_id: id
Parish.nearest_hospital(person: int; phone: str) -> Priest.ring(person: int; parish_phone: str) ? parish_phone: phone
"""

# The producer is given it under that very name, and has made something new of it. `takes; body; gives`.
PASSED_ON = """
Bill.write(sum_due: float) -> Discount.grant(sum_due: float | final: str | f"{sum_due * 0.8:.2f} EUR") -> Terminal.debit(sum_due: float) ? sum_due
Guestlist.open(guests: list[str]) -> Bouncer.drop(guests: list[str] | admitted: dict | {"names": [g for g in guests if g != "Joe"]}) -> Kitchen.cook(guests: list[str]) ? guests
Draft.type(letter: str) -> Lawyer.edit(letter: str | pages: list[str] | letter.replace("must", "may").split("/")) -> Postman.carry(letter: str) ? letter
"""

# The body "takes" the other type, and means something else by it.
IN_BODIES = """
Fire.sense(hall: int; alarm: bool) -> Horn.blow(hall: int; alarm: int) ? alarm : str(alarm * 10)
Job.poll(run: int; status: str) -> Latch.turn(run: int; status: int) ? status : "open" if status == 3 else "shut"
Inventory.list(shelf: int; parts: list[str]) -> Packer.sum(shelf: int; parts: list[int]) ? parts : str(len(parts))
"""

# Two producers feed one consumer, and each could be meant. `Other` gives beside it.
JOINED = """
Author.load(doc: int; personId: str) + Editor.load(year: int; person_ID: str) -> Printer.sign(doc: int; year: int; person_id: str) ? person_id: personId, person_ID
"""
