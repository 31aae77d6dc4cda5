"""Honest mismatches, one a line, by the kind of evidence that stands in the project.

`Producer.method(what it gives) -> Consumer.method(what it takes) ! taken = given`. Every producer also gives a field of
the same type that is not meant, so that a repair by type alone shows at run time. No kind is more than a quarter.
"""

from __future__ import annotations

HONEST = {
    # Somebody in the project already hands the one to the other.
    "flow": """
Scale.read(lot: int; mass: float; moisture: float) -> Mill.grind(lot: int; load: float) ! load = mass
Forecast.pull(town: str; gusts: int; clouds: int) -> Turbine.brake(town: str; wind: int) ! wind = gusts
Catalog.open(shelf: int; heading: str; publisher: str) -> Spine.print(shelf: int; title: str) ! title = heading
Sonar.ping(track: int; depth: float; range: float) -> Keel.trim(track: int; clearance: float) ! clearance = depth
Ballot.read(box: int; party: str; precinct: str) -> Chart.bar(box: int; label: str) ! label = party
Cellar.tap(cask: int; sugar: float; acid: float) -> Taster.rate(cask: int; sweetness: float) ! sweetness = sugar
Radar.sweep(blip: int; heading_deg: float; height_m: float) -> Tower.turn(blip: int; course: float) ! course = heading_deg
Poem.scan(page: int; metre: str; rhyme: str) -> Critic.judge(page: int; rhythm: str) ! rhythm = metre
Stove.sense(plate: int; flame: int; pot: int) -> Fan.spin(plate: int; strength: int) ! strength = flame
Chess.move(game: int; piece: str; square: str) -> Arm.carry(game: int; cargo: str) ! cargo = piece
Lake.net(haul: int; trout: int; carp: int) -> Smokehouse.hang(haul: int; fish: int) ! fish = trout
Loom.card(bolt: int; warp: str; weft: str) -> Dyer.dip(bolt: int; yarn: str) ! yarn = warp
Survey.mark(stake: int; northing: float; easting: float) -> Fence.post(stake: int; y: float) ! y = northing
Script.read(act: int; villain: str; hero: str) -> Casting.call(act: int; part: str) ! part = villain
Press.run(job: int; copies: int; spoilage: int) -> Boxer.pack(job: int; count: int) ! count = copies
Kite.fly(line: int; pull: float; drag: float) -> Winch.reel(line: int; tension: float) ! tension = pull
Telescope.see(plate: int; galaxy: str; star: str) -> Atlas.enter(plate: int; object_name: str) ! object_name = galaxy
""",
    # One name, spelt in two ways, and nothing else that it could be.
    "spelling": """
Quay.berth(slot: int; vesselName: str; flag: str) -> Pilot.board(slot: int; vessel_name: str) ! vessel_name = vesselName
Hive.count(frame: int; brood_cells: int; drones: int) -> Queen.rank(frame: int; broodCells: int) ! broodCells = brood_cells
Brew.mash(kettle: int; grains: list[str]; hops: list[str]) -> Recipe.list(kettle: int; grain: list[str]) ! grain = grains
Depot.fetch(rail: int; Wagon: str; signal: str) -> Crew.couple(rail: int; wagon: str) ! wagon = Wagon
Ice.core(site: int; layerAge: float; density: float) -> Lab.date(site: int; layer_age: float) ! layer_age = layerAge
Stage.light(cue: int; gel_color: str; lamp: str) -> Desk.fade(cue: int; gelColor: str) ! gelColor = gel_color
Clinic.test(swab: int; lab_result: str; clerk: str) -> Doctor.read(swab: int; labResult: str) ! labResult = lab_result
Farm.milk(stall: int; butter_fat: float; protein: float) -> Cheese.set(stall: int; butterfat: float) ! butterfat = butter_fat
Street.sweep(block: int; debris_kg: float; water_l: float) -> Tip.dump(block: int; debrisKg: float) ! debrisKg = debris_kg
Library.lend(desk: int; due_date: str; author: str) -> Reminder.send(desk: int; dueDate: str) ! dueDate = due_date
Bank.scan(batch: int; IBAN: str; payee: str) -> Clearing.check(batch: int; iban: str) ! iban = IBAN
Wood.saw(log: int; boards: list[int]; chips: list[int]) -> Dryer.stack(log: int; board: list[int]) ! board = boards
Salon.book(chair: int; hair_cut: str; tint: str) -> Stylist.start(chair: int; haircut: str) ! haircut = hair_cut
Volcano.watch(vent: int; so2_flux: float; tilt: float) -> Alarm.rate(vent: int; SO2Flux: float) ! SO2Flux = so2_flux
Parade.march(float_no: int; bandLeader: str; mayor: str) -> Herald.shout(float_no: int; band_leader: str) ! band_leader = bandLeader
Printer.slice(part: int; layer_height: float; infill: float) -> Nozzle.drop(part: int; layerHeight: float) ! layerHeight = layer_height
Post.sort(bag: int; zip_code: str; sender: str) -> Van.load(bag: int; zipcode: str) ! zipcode = zip_code
""",
    # The producer's own class stands before the name that the consumer has for it.
    "prefix": """
Glacier.measure(station: int; speed: float; melt: float) -> Bulletin.write(station: int; glacier_speed: float) ! glacier_speed = speed
Tenor.sing(hall: int; name: str; teacher: str) -> Programme.print(hall: int; tenor_name: str) ! tenor_name = name
Vineyard.press(year: int; yield_l: float; rain: float) -> Merchant.offer(year: int; vineyard_yield_l: float) ! vineyard_yield_l = yield_l
Widget.make(batch: int; id: str; mould: str) -> Stamp.press(batch: int; widget_id: str) ! widget_id = id
Bridge.load(span: int; limit: float; width: float) -> Sign.paint(span: int; bridge_limit: float) ! bridge_limit = limit
Novel.read(copy: int; title: str; place: str) -> Review.head(copy: int; novel_title: str) ! novel_title = title
Pupil.enter(desk: int; name: str; town: str) -> Diary.open(desk: int; pupil_name: str) ! pupil_name = name
Drone.fly(pad: int; battery: int; satellites: int) -> Console.warn(pad: int; drone_battery: int) ! drone_battery = battery
Statue.cast(plinth: int; height: float; bronze: float) -> Crane.rent(plinth: int; statue_height: float) ! statue_height = height
Colony.visit(cave: int; size: int; humidity: int) -> Ranger.note(cave: int; colony_size: int) ! colony_size = size
Voyage.log(ship: str; id: int; knots: int) -> Insurer.claim(ship: str; voyage_id: int) ! voyage_id = id
Engine.idle(bay: int; rpm: int; oil: int) -> Gauge.turn(bay: int; engine_rpm: int) ! engine_rpm = rpm
Mayor.elect(town: str; name: str; party: str) -> Seal.engrave(town: str; mayor_name: str) ! mayor_name = name
Reservoir.read(dam: int; level: float; silt: float) -> Sluice.open(dam: int; reservoir_level: float) ! reservoir_level = level
Ticket.issue(booth: int; code: str; film: str) -> Gate.scan(booth: int; ticket_code: str) ! ticket_code = code
Comet.track(night: int; tail: float; coma: float) -> Almanac.enter(night: int; comet_tail: float) ! comet_tail = tail
""",
    # The field itself declares what else it is called.
    "alias": """
Lathe.turn(rod: int; diameter: float; chatter: float) -> Caliper.close(rod: int; thickness: float) ! thickness = diameter
Choir.sing(piece: int; loudest: str; softest: str) -> Booth.mix(piece: int; lead: str) ! lead = loudest
Tailor.measure(client: int; inseam: float; waist: float) -> Pattern.cut(client: int; leg: float) ! leg = inseam
Orbit.solve(body: int; apoapsis: float; periapsis: float) -> Antenna.aim(body: int; farthest: float) ! farthest = apoapsis
Menu.plan(table: int; entree: str; pudding: str) -> Waiter.carry(table: int; course: str) ! course = entree
Wharf.unload(ship: int; bananas: int; melons: int) -> Ripener.gas(ship: int; bunches: int) ! bunches = bananas
Codec.open(clip: int; fps: float; gamma: float) -> Player.pace(clip: int; rate: float) ! rate = fps
Ranch.herd(pen: int; steers: int; calves: int) -> Feed.haul(pen: int; mouths: int) ! mouths = steers
Guild.meet(hall: int; alderman: str; scribe: str) -> Minutes.sign(hall: int; chair: str) ! chair = alderman
Puzzle.cut(box: int; pieces: int; corners: int) -> Bagger.seal(box: int; tally: int) ! tally = pieces
Tarot.draw(deck: int; card: str; suit: str) -> Teller.speak(deck: int; omen: str) ! omen = card
Gym.lift(set: int; plates: float; rest: float) -> Journal.note(set: int; burden: float) ! burden = plates
Canal.lock(gate: int; barge: str; skipper: str) -> Toll.take(gate: int; boat: str) ! boat = barge
Bakery.knead(bowl: int; flour: float; salt: float) -> Miller.order(bowl: int; powder: float) ! powder = flour
Rally.start(stage: int; driver: str; navigator: str) -> Timing.list(stage: int; pilot: str) ! pilot = driver
Mosaic.lay(wall: int; tesserae: int; grout: int) -> Quarry.supply(wall: int; stones: int) ! stones = tesserae
""",
    # One end says in words what the other calls it.
    "description": """
Aviary.count(cage: int; finches: int; canaries: int) -> Seed.pour(cage: int; birds: int) ! birds = finches
Forge.heat(bar: int; glow: str; scale: str) -> Smith.strike(bar: int; colour: str) ! colour = glow
Gale.record(mast: int; beaufort: int; rainfall: int) -> Ferryman.decide(mast: int; force: int) ! force = beaufort
Opera.cast(night: int; soprano: str; bass: str) -> Dresser.sew(night: int; singer: str) ! singer = soprano
Mine.dig(shaft: int; ore: float; slag: float) -> Smelter.charge(shaft: int; feed: float) ! feed = ore
Cafe.order(stool: int; roast: str; milk: str) -> Barista.grind(stool: int; bean: str) ! bean = roast
Sled.run(team: int; huskies: int; pups: int) -> Vet.examine(team: int; dogs: int) ! dogs = huskies
Fresco.scan(wall: int; pigment: str; plaster: str) -> Restorer.mix(wall: int; tint: str) ! tint = pigment
Marsh.sample(site: int; salinity: float; nitrate: float) -> Botanist.map(site: int; brine: float) ! brine = salinity
Fair.spin(ride: int; riders: int; staff: int) -> Safety.limit(ride: int; passengers: int) ! passengers = riders
Orchestra.tune(hall: int; pitch: float; tempo: float) -> Piano.adjust(hall: int; hertz: float) ! hertz = pitch
Nest.watch(tree: int; hatchlings: int; eggs: int) -> Warden.report(tree: int; chicks: int) ! chicks = hatchlings
Quilt.plan(bed: int; backing: str; batting: str) -> Seam.run(bed: int; fabric: str) ! fabric = backing
Tram.pass_by(stop: int; boardings: int; alightings: int) -> Roster.fill(stop: int; demand: int) ! demand = boardings
Castle.tour(group: int; turret: str; moat: str) -> Guide.lead(group: int; highlight: str) ! highlight = turret
Surf.look(beach: int; swell: float; tide: float) -> Lifeguard.flag(beach: int; wave: float) ! wave = swell
Attic.clear(box: int; heirloom: str; rubbish: str) -> Auctioneer.list(box: int; piece: str) ! piece = heirloom
""",
    # A passing test of the project, older than this build, feeds the one with the other.
    "test": """
Lens.polish(blank: int; curvature: float; bevel: float) -> Frame.mount(blank: int; power: float) ! power = curvature
Toll.pass_by(lane: int; axles: int; lamps: int) -> Fee.due(lane: int; wheels: int) ! wheels = axles
Truffle.hunt(wood: int; hound: str; farmer: str) -> Prize.hang(wood: int; winner: str) ! winner = hound
Raft.tie(river: int; logs: int; ropes: int) -> Float.test(river: int; beams: int) ! beams = logs
Monk.copy(folio: int; verse: str; initial: str) -> Illumine.gild(folio: int; text: str) ! text = verse
Geyser.wait(pool: int; interval: int; height: int) -> Bench.sign(pool: int; minutes: int) ! minutes = interval
Saddle.fit(horse: int; girth: float; withers: float) -> Strap.cut(horse: int; length: float) ! length = girth
Dune.walk(line: int; slope: float; sand: float) -> Camel.load(line: int; incline: float) ! incline = slope
Oracle.ask(question: int; prophecy: str; price: str) -> Chorus.sing(question: int; refrain: str) ! refrain = prophecy
Hoist.lift(bay: int; tonnage: float; sway: float) -> Beam.check(bay: int; stress: float) ! stress = tonnage
Spice.blend(jar: int; saffron: float; cumin: float) -> Cook.season(jar: int; dash: float) ! dash = saffron
Icon.draw(grid: int; strokes: int; nodes: int) -> Plotter.cut(grid: int; paths: int) ! paths = strokes
Harp.string(frame: int; gut: str; wire: str) -> Luthier.wind(frame: int; core: str) ! core = gut
Stall.sell(day: int; melons: int; grapes: int) -> Hauler.bring(day: int; crates: int) ! crates = melons
Judge.rule(case: int; verdict: str; clerk: str) -> Gazette.print(case: int; headline: str) ! headline = verdict
Shoal.follow(boat: int; herring: int; squid: int) -> Net.cast(boat: int; target: int) ! target = herring
Moth.trap(lamp: int; wingspan: float; weight: float) -> Tray.pin(lamp: int; spread: float) ! spread = wingspan
""",
}
