"""Traps, one a line: a link that does not fit, and no evidence of what was meant. Every repair by a rule is wrong in meaning.

`Producer.method(what it gives) -> Consumer.method(what it takes) ? missing: candidates`. The candidates are what a
person has to be asked about: each has a fitting type, and none is known to be meant. Written before anybody who wrote
this file had read the rules that are judged by it.
"""

from __future__ import annotations

FLAT = {
    "names": """
Vault.unlock(owner: str; passphrase: str) -> Badge.print(owner: str; nickname: str) ? nickname: passphrase
Beehive.inspect(hive: int; queen_mark: str) -> Honey.label(hive: int; flavour: str) ? flavour: queen_mark
Patient.admit(bed: int; diagnosis: str) -> Meal.order(bed: int; diet: str) ? diet: diagnosis
Press.fold(sheet: int; watermark: str) -> Binder.sew(sheet: int; thread: str) ? thread: watermark
Orchard.pick(row: int; cultivar: str) -> Crate.stamp(row: int; grower: str) ? grower: cultivar
Choir.audition(seat: int; tessitura: str) -> Robe.fit(seat: int; collar: str) ? collar: tessitura
Reef.survey(site: int; dominant_coral: str) -> Dive.brief(site: int; current: str) ? current: dominant_coral
Typeface.load(family: str; glyphs: int) -> Poster.layout(family: str; columns: int) ? columns: glyphs
""",
    "units": """
Kiln.read(zone: str; heat_c: float) -> Glaze.fire(zone: str; heat_f: float) ? heat_f: heat_c
Tide.gauge(buoy: str; level_ft: float) -> Harbour.warn(buoy: str; level_m: float) ? level_m: level_ft
Treadmill.log(run: int; pace_kmh: float) -> Coach.grade(run: int; pace_mph: float) ? pace_mph: pace_kmh
Probe.sample(vial: str; dose_mg: float) -> Pump.inject(vial: str; dose_ug: float) ? dose_ug: dose_mg
Cargo.weigh(pallet: int; gross_lb: float) -> Crane.lift(pallet: int; gross_kg: float) ? gross_kg: gross_lb
Cache.policy(name: str; ttl_ms: int) -> Proxy.apply(name: str; ttl_s: int) ? ttl_s: ttl_ms
Till.close(lane: int; takings_pence: int) -> Ledger.post(lane: int; takings_pounds: int) ? takings_pounds: takings_pence
Disk.stat(volume: str; free_kib: int) -> Alert.raise_low(volume: str; free_gb: int) ? free_gb: free_kib
""",
    "directions": """
Ferry.depart(ship: str; port_from: str) -> Customs.meet(ship: str; port_to: str) ? port_to: port_from
Lease.read(flat: int; starts_on: str) -> Cleaner.book(flat: int; ends_on: str) ? ends_on: starts_on
Journal.entry(number: int; credit_account: str) -> Audit.trace(number: int; debit_account: str) ? debit_account: credit_account
Elevator.call(shaft: int; floor_up: int) -> Doors.hold(shaft: int; floor_down: int) ? floor_down: floor_up
Link.probe(port: int; rx_bytes: int) -> Billing.meter(port: int; tx_bytes: int) ? tx_bytes: rx_bytes
Letter.scan(batch: int; return_address: str) -> Courier.route(batch: int; delivery_address: str) ? delivery_address: return_address
Trade.match(ticket: int; bid: float) -> Quote.show(ticket: int; ask: float) ? ask: bid
Tunnel.open(rule: int; inbound_port: int) -> Wall.permit(rule: int; outbound_port: int) ? outbound_port: inbound_port
""",
    "roles": """
Thesis.file(shelf: str; supervisor: str) -> Viva.invite(shelf: str; examiner: str) ? examiner: supervisor
Deed.record(parcel: int; vendor: str) -> Tax.bill(parcel: int; purchaser: str) ? purchaser: vendor
Match.setup(board: int; white: str) -> Clock.press(board: int; black: str) ? black: white
Grant.submit(call: int; applicant: str) -> Panel.assign(call: int; referee: str) ? referee: applicant
Loan.draft(case: int; guarantor: str) -> Notice.send(case: int; debtor: str) ? debtor: guarantor
Film.credit(reel: int; director: str) -> Royalty.pay(reel: int; composer: str) ? composer: director
Flight.crew(leg: str; captain: str) -> Cabin.roster(leg: str; purser: str) ? purser: captain
Adoption.open(case: int; foster_parent: str) -> Court.summon(case: int; birth_parent: str) ? birth_parent: foster_parent
""",
    "merges": """
Clinic.intake(chart: int; given: str; family: str) -> Wristband.print(chart: int; legal_name: str) ? legal_name: given, family
Sensor.fix(tag: int; lat: float; lon: float) -> Map.pin(tag: int; bearing: float) ? bearing: lat, lon
Form.parse(sheet: int; house: str; road: str) -> Van.drive(sheet: int; doorstep: str) ? doorstep: house, road
Wage.sheet(staff: int; base: float; bonus: float) -> Bank.credit(staff: int; payout: float) ? payout: base, bonus
Parcel.box(lot: int; height: float; width: float) -> Shelf.place(lot: int; area: float) ? area: height, width
Phone.split(row: int; prefix: str; subscriber: str) -> Dialler.ring(row: int; msisdn: str) ? msisdn: prefix, subscriber
Exam.mark(pupil: int; oral: int; written: int) -> Report.grade(pupil: int; overall: int) ? overall: oral, written
Release.tag(repo: str; major: int; minor: int) -> Index.rank(repo: str; ordinal: int) ? ordinal: major, minor
""",
    "splits": """
Roster.row(seat: int; full_name: str) -> Locker.engrave(seat: int; surname: str) ? surname: full_name
Geocode.find(query: int; address_line: str) -> Zone.tariff(query: int; postcode: str) ? postcode: address_line
Mailbox.peek(slot: int; email: str) -> Tenant.find(slot: int; domain: str) ? domain: email
Catalogue.pull(entry: int; call_number: str) -> Stack.walk(entry: int; aisle: str) ? aisle: call_number
Invoice.sum(number: int; gross_total: float) -> Treasury.reserve(number: int; vat_amount: float) ? vat_amount: gross_total
Ticket.scan(gate: int; seat_code: str) -> Usher.point(gate: int; row_letter: str) ? row_letter: seat_code
Camera.exif(frame: int; taken_at: str) -> Album.group(frame: int; season: str) ? season: taken_at
Meter.read(house: int; total_kwh: float) -> Tariff.night(house: int; night_kwh: float) ? night_kwh: total_kwh
""",
    "negated": """
Valve.poll(tap: int; shut: bool) -> Flow.gate(tap: int; flowing: bool) ? flowing: shut
Account.look(uid: int; suspended: bool) -> Login.allow(uid: int; active: bool) ? active: suspended
Door.sense(wing: int; locked: bool) -> Guard.patrol(wing: int; open_now: bool) ? open_now: locked
Feature.flags(key: str; disabled: bool) -> Canvas.draw(key: str; enabled: bool) ? enabled: disabled
Survey.take(sheet: int; opted_out: bool) -> Mailer.queue(sheet: int; subscribed: bool) ? subscribed: opted_out
Soil.test(plot: int; contaminated: bool) -> Planting.plan(plot: int; safe: bool) ? safe: contaminated
Lint.run(path: str; has_errors: bool) -> Deploy.start(path: str; clean: bool) ? clean: has_errors
Fridge.check(rack: int; expired: bool) -> Kitchen.use(rack: int; edible: bool) ? edible: expired
""",
    "dates": """
Shift.begin(worker: int; clocked_in_utc: str) -> Payslip.line(worker: int; clocked_in_local: str) ? clocked_in_local: clocked_in_utc
Post.load(slug: str; drafted_at: str) -> Feed.item(slug: str; published_at: str) ? published_at: drafted_at
Visa.grant(passport: str; issued_on: str) -> Border.check(passport: str; expires_on: str) ? expires_on: issued_on
Cheque.image(serial: int; written_date: str) -> Clearing.value(serial: int; value_date: str) ? value_date: written_date
Train.stop(train: int; arrives_at: str) -> Board.flip(train: int; departs_at: str) ? departs_at: arrives_at
Backup.job(host: str; started_epoch: int) -> Retention.prune(host: str; finished_epoch: int) ? finished_epoch: started_epoch
Birth.register(act: int; registered_on: str) -> School.enrol(act: int; born_on: str) ? born_on: registered_on
Auction.lot(lot: int; opens_at: str) -> Bidder.remind(lot: int; closes_at: str) ? closes_at: opens_at
""",
    "owners": """
Tenancy.open(flat: int; landlord_id: str) -> Heating.charge(flat: int; tenant_id: str) ? tenant_id: landlord_id
Course.plan(term: int; teacher_id: int) -> Gradebook.open(term: int; pupil_id: int) ? pupil_id: teacher_id
Basket.checkout(basket: int; shopper_id: str) -> Picker.walk(basket: int; id: str) ? id: shopper_id
Kennel.board(run: int; owner_id: int) -> Vet.visit(run: int; animal_id: int) ? animal_id: owner_id
Stage.book(night: int; promoter_id: str) -> Rider.print(night: int; artist_id: str) ? artist_id: promoter_id
Repo.clone(path: str; id: int) -> Merge.open(path: str; reviewer_id: int) ? reviewer_id: id
Fleet.lease(plate: str; lessor_id: int) -> Fine.post(plate: str; driver_id: int) ? driver_id: lessor_id
Museum.loan(object: str; lender_id: str) -> Insurance.cover(object: str; borrower_id: str) ? borrower_id: lender_id
""",
    "totals": """
Hike.track(trail: str; longest_leg: float) -> Guide.print(trail: str; whole_length: float) ? whole_length: longest_leg
Queue.peek(name: str; oldest_wait: int) -> Scale.up(name: str; mean_wait: int) ? mean_wait: oldest_wait
Vote.count(ward: str; ballots_cast: int) -> Turnout.show(ward: str; electorate: int) ? electorate: ballots_cast
Mill.shift(line: int; best_hour: int) -> Quota.check(line: int; day_output: int) ? day_output: best_hour
Server.sample(rack: int; peak_watts: float) -> Invoice.energy(rack: int; average_watts: float) ? average_watts: peak_watts
Rain.collect(site: str; today_mm: float) -> Drought.index(site: str; month_mm: float) ? month_mm: today_mm
Ward.census(floor: int; beds_free: int) -> Triage.route(floor: int; beds_all: int) ? beds_all: beds_free
Album.sales(disc: str; first_week: int) -> Chart.rank(disc: str; to_date: int) ? to_date: first_week
""",
    "siblings": """
Palette.pick(theme: str; foreground: str; accent: str) -> Window.paint(theme: str; background: str) ? background: foreground, accent
Stock.level(bin: int; reserved: int; damaged: int) -> Shop.offer(bin: int; sellable: int) ? sellable: reserved, damaged
Screen.size(pane: int; inner_width: int; inner_height: int) -> Grid.wrap(pane: int; outer_width: int) ? outer_width: inner_width, inner_height
Matrix.shape(name: str; rows: int; channels: int) -> Kernel.slide(name: str; stride: int) ? stride: rows, channels
Song.meta(track: int; album_artist: str; lyricist: str) -> Player.title(track: int; performer: str) ? performer: album_artist, lyricist
Curve.fit(series: str; lower: float; upper: float) -> Plot.mark(series: str; median: float) ? median: lower, upper
Ship.manifest(hold: int; declared: float; insured: float) -> Duty.levy(hold: int; assessed: float) ? assessed: declared, insured
Colour.mix(swatch: int; cyan: float; magenta: float) -> Ink.pour(swatch: int; yellow: float) ? yellow: cyan, magenta
""",
    "one shape": """
Bride.plan(party: int; ceremony: {"hall": str, "hour": int}) -> Caterer.book(party: int; reception: {"hall": str, "hour": int}) ? reception: ceremony
Shop.order(cart: int; invoice_party: {"name": str, "vat": str}) -> Depot.ship(cart: int; goods_party: {"name": str, "vat": str}) ? goods_party: invoice_party
Robot.pose(arm: int; home: {"x": float, "y": float}) -> Gripper.move(arm: int; target: {"x": float, "y": float}) ? target: home
Bout.weigh(ring: int; champion: {"name": str, "kg": float}) -> Odds.set(ring: int; challenger: {"name": str, "kg": float}) ? challenger: champion
Config.load(env: str; primary: {"host": str, "port": int}) -> Failover.switch(env: str; replica: {"host": str, "port": int}) ? replica: primary
Swap.price(deal: int; pay_leg: {"rate": float, "ccy": str}) -> Risk.net(deal: int; receive_leg: {"rate": float, "ccy": str}) ? receive_leg: pay_leg
Relay.draw(heat: int; anchor: {"name": str, "lane": int}) -> Starter.line(heat: int; leadoff: {"name": str, "lane": int}) ? leadoff: anchor
Probate.open(case: int; deceased: {"name": str, "born": str}) -> Estate.notify(case: int; heir: {"name": str, "born": str}) ? heir: deceased
""",
    "rivals": """
Desk.assign(seat: int; userId: str; user_ID: str) -> Mouse.pair(seat: int; user_id: str) ? user_id: userId, user_ID
Garden.sow(bed: int; Seed: str; seeds: str) -> Water.drip(bed: int; seed: str) ? seed: Seed, seeds
Archive.pull(box: int; fileName: str; filename: str) -> Scanner.feed(box: int; file_name: str) ? file_name: fileName, filename
Radio.tune(band: int; callSign: str; callsigns: str) -> Log.write(band: int; call_sign: str) ? call_sign: callSign, callsigns
Bakery.proof(tray: int; oven_temp: int; OvenTemp: int) -> Timer.set(tray: int; ovenTemp: int) ? ovenTemp: oven_temp, OvenTemp
Quarry.blast(face: int; charges: int; Charge: int) -> Siren.sound(face: int; charge: int) ? charge: charges, Charge
Loom.warp(cloth: int; thread_count: int; threadCounts: int) -> Weft.run(cloth: int; threadCount: int) ? threadCount: thread_count, threadCounts
Court.list(day: int; caseNo: str; case_nos: str) -> Usher.cry(day: int; case_no: str) ? case_no: caseNo, case_nos
""",
}

# The one end speaks of the other's field, to say that it is something else.
MISLEADING = """
Slip.weigh(lot: int; tare: float) -> Scale.net(lot: int; netto: float) ? netto: tare | The weight without packing. Not `tare`.
Bill.draw(folio: int; gross_fee: float) -> Donor.thank(folio: int; net_fee: float) ? net_fee: gross_fee | Unlike gross_fee, after the bank has taken its share.
Race.start(bib: int; gun_time: float) -> Medal.award(bib: int; chip_time: float) ? chip_time: gun_time | Never use gun_time here: late starters would lose.
Blood.type(tube: int; donor_group: str) -> Transfuse.start(tube: int; patient_group: str) ? patient_group: donor_group | Must be compared with donor_group, so do not take it from there.
Rent.quote(unit: int; cold_rent: float) -> Debit.order(unit: int; warm_rent: float) ? warm_rent: cold_rent | cold_rent plus heating and water.
Wire.send(ref: int; sent_amount: float) -> Receipt.book(ref: int; arrived_amount: float) ? arrived_amount: sent_amount | Differs from sent_amount by the fees on the way.
Well.drill(site: int; measured_depth: float) -> Casing.order(site: int; vertical_depth: float) ? vertical_depth: measured_depth | Smaller than measured_depth wherever the hole is inclined.
Shift.swap(week: int; planned_nurse: str) -> Pager.call(week: int; actual_nurse: str) ? actual_nurse: planned_nurse | Whoever came instead of planned_nurse.
"""

# The middle one changes what it is given; the last one takes it by the old name. `Middle.method(gives; takes)`.
STALE = """
Offer.make(total: float) -> Coupon.apply(total: float | reduced: float | total * 0.9) -> Charge.take(total: float) ? total: reduced
Draft.write(text: str) -> Censor.blank(text: str | blanked: str | text.replace("damn", "…")) -> Print.run(text: str) ? text: blanked
Raw.read(signal: float) -> Filter.smooth(signal: float | smoothed: float | signal / 2) -> Trigger.fire(signal: float) ? signal: smoothed
Photo.take(pixels: int) -> Crop.cut(pixels: int | kept: int | pixels - 40) -> Frame.hang(pixels: int) ? pixels: kept
Crop.reap(yield_kg: float) -> Thresh.beat(yield_kg: float | grain_kg: float | yield_kg * 0.6) -> Silo.fill(yield_kg: float) ? yield_kg: grain_kg
Song.record(level: int) -> Master.limit(level: int | limited: int | min(level, 90)) -> Vinyl.cut(level: int) ? level: limited
Wage.gross(pay: float) -> Tax.withhold(pay: float | after_tax: float | pay * 0.7) -> Bank.send(pay: float) ? pay: after_tax
Crew.list(heads: int) -> Sick.remove(heads: int | fit_heads: int | heads - 2) -> Boat.seat(heads: int) ? heads: fit_heads
"""

# A loop: the second one uses up what the first one needs anew. Handing the old value on would go round for ever.
CYCLES = """
Planner.plan(budget: float; ask: float) <-> Buyer.spend(receipt: str) ? budget
Pager.page(cursor: int; size: int) <-> Reader.read(lines: str) ? cursor
Dealer.deal(deck: int; hand: int) <-> Gambler.play(bet: int) ? deck
Pump.stroke(tank: float; lift: float) <-> Drain.leak(puddle: float) ? tank
Teacher.ask(attempts: int; question: str) <-> Student.answer(answer: str) ? attempts
Hunter.aim(arrows: int; angle: float) <-> Bow.shoot(hit: bool) ? arrows
Oven.heat(fuel: float; degrees: float) <-> Fire.burn(ash: float) ? fuel
Clerk.call(waiting: int; desk: int) <-> Visitor.leave(stamp: str) ? waiting
"""

# The producer sends more than the body of the consumer can take; taking the wider type only moves the failure.
WIDENINGS = """
Signup.read(mail: str | None) -> Welcome.greet(mail: str) ? mail : mail.upper()
Sky.stars(names: list[str] | str) -> Chart.legend(names: list[str]) ? names : ", ".join(names)
Jar.weigh(grams: float | None) -> Price.tag(grams: float) ? grams : str(grams * 2)
Poll.answers(choice: Literal["yes", "no", "abstain"]) -> Tally.add(choice: Literal["yes", "no"]) ? choice : {"yes": "+", "no": "-"}[choice]
Census.house(people: int | str) -> Bins.order(people: int) ? people : str(people + 1)
Atlas.route(stops: dict[str, int] | list[str]) -> Bus.announce(stops: list[str]) ? stops : "; ".join(stops[:2])
Wiki.page(parent: {"title": str} | None) -> Crumb.trail(parent: {"title": str}) ? parent : parent["title"]
Shelf.scan(codes: list[int | None]) -> Sum.check(codes: list[int]) ? codes : str(sum(codes))
"""
