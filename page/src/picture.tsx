// The centre: cards that can be read are elements, everything else is drawn on one canvas below them.
import type { ComponentChild } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Component, DataLink, Picture, Port } from "../../clients/typescript/graphbus";
import { arranged, MOST, moved, type Places, shapeOf } from "./arrange";
import { dpr, drawCanvas, isFar, linkAt, PLAY_MS, READABLE, type View } from "./canvas";
import { type Box, overlap, type Placed, place } from "./geometry";
import { type Group, groupsOf, placesOf, shortenName } from "./groups";
import { T } from "./kit";
import { countMisfits, isMisfit, MARKS } from "./misfit";
import { plain, shown } from "./json";
import { useShown, wordsOfThen } from "./past";
import { save, svgOf } from "./save";
import { type Then, to, toThen, useStore } from "./store";

const FARTHEST = 0.004; // the least scale: 5,000 components on a phone
const MARKED = 0.17; // below this scale no box has a name, and marks in the middle of links would hide everything
const MOST_TITLE = 32; // letters of a name at the head of a card
const BUTTONS = [160, 30]; // what the buttons of the picture take at its right end, and at its foot
const THUMBNAIL = 300; // a narrower picture
const OTHER_ROOM = 0.4; // of the logarithm of width by height
const NARROW = "(max-width: 820px)"; // one column: a phone
const PATIENCE_MS = 6000; // for the layout there
const MAX_CARDS = 160; // elements at once; what is further away is drawn

export function PictureView() {
  const { picture: today, route, live, refused } = useStore();
  const { shown: rewound, awaits } = useShown();
  const picture = rewound ? rewound.past.picture : awaits ? null : today; // today's is never shown for another day's
  const then = rewound && rewound.then;
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const world = useRef<HTMLDivElement>(null);
  const view = useRef<View>({ scale: 1, x: 0, y: 0 });
  const [, draw] = useState(0);
  const [size, setSize] = useState<[number, number]>([0, 0]);
  const [places, put] = useState<Places | null>(null);
  // More components than a layout takes stand in blocks, by package: at once, from the first picture on.
  const groups = useMemo(() => (picture && picture.components.length > MOST ? groupsOf(picture) : []), [picture]);
  const blocks = useMemo(() => (groups.length ? placesOf(groups) : null), [groups]);
  const placed = useMemo(() => (picture ? place(moved(moved(picture, blocks), places), groups) : null), [picture, places, blocks]);
  const selected = route.kind === "link" ? route.id : "";
  const node = route.kind === "node" || route.kind === "field" ? route.id : "";
  const touched = useRef(false); // the view was moved by hand: then nothing else moves it
  const play = useRef<{ id: string; from: number } | null>(null);
  const fitted = useRef(false);
  const revealed = useRef(false); // the view went to what was selected
  const drawnAt = useRef<[number, number]>(size);
  const moving = useRef(0);

  const paint = () => {
    if (!placed || !canvas.current || !world.current) return;
    const { scale, x, y } = view.current;
    world.current.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
    world.current.style.setProperty("--un", `${1 / scale}`);
    drawCanvas(canvas.current, placed, view.current, selected, node, play.current, route.kind === "field" ? route.rest.slice(1) : []);
    if (play.current && performance.now() - play.current.from < PLAY_MS) requestAnimationFrame(() => latest.current());
  };
  const latest = useRef(paint);
  latest.current = paint; // a frame that was asked for earlier draws what is there now, and not the layout before
  const schedule = () => {
    if (moving.current) return;
    moving.current = requestAnimationFrame(() => {
      moving.current = 0;
      latest.current();
      settle();
    });
  };
  // Elements follow a little after the canvas: while one pans, nothing is laid out anew.
  const settling = useRef(0);
  const settle = () => {
    clearTimeout(settling.current);
    settling.current = window.setTimeout(() => draw((n) => n + 1), 90);
  };
  const fit = () => {
    if (!placed || !size[0]) return;
    revealed.current = false;
    const { bounds } = placed;
    // The buttons lie on no card: what is shown ends above them, or left of them where that leaves it larger.
    const [above, beside]: [number, number][] = [[size[0], size[1] - BUTTONS[1]!], [size[0] - BUTTONS[0]!, size[1]]];
    const scaleIn = ([width, height]: [number, number]) => Math.min(1.15, Math.max(FARTHEST, Math.min((width - 48) / bounds.width, (height - 48) / bounds.height)));
    const [width, height] = scaleIn(beside!) > scaleIn(above!) ? beside! : above!;
    const scale = scaleIn([width, height]);
    view.current = { scale, x: (width - bounds.width * scale) / 2 - bounds.x * scale, y: (height - bounds.height * scale) / 2 - bounds.y * scale };
    paint();
    draw((n) => n + 1);
  };
  // The first picture is the server's. The layered one comes after it, for as many components as a person looks at.
  const shape = picture && picture.components.length <= MOST ? shapeOf(picture, picture.components.map((one) => one.name)) : "";
  // On a phone the layered one stands another way, so nothing is shown before it: a card must not move under a finger.
  // One that takes too long is not shown at all then.
  const late = useRef(false);
  const waits = Boolean(shape && !places && !late.current && size[0] && matchMedia(NARROW).matches);
  const giveUp = () => {
    late.current = true;
    draw((n) => n + 1);
  };
  useEffect(() => {
    if (!waits) return;
    const ends = setTimeout(giveUp, PATIENCE_MS);
    return () => clearTimeout(ends);
  }, [waits]);
  const arrange = (cards: Component[]) => arranged(picture!, cards, size[0], size[1]).then((found) => late.current || put(found), giveUp); // without it the server's stands
  // A layout is for a room of one shape. In another it is made anew, unless somebody has moved what they look at; a
  // thumbnail is no room to be arranged for.
  const room = useRef({ shape: "", ratio: 0 });
  useEffect(() => {
    const ratio = Math.log(size[0] / size[1]);
    const isOther = size[0] >= THUMBNAIL && !touched.current && Math.abs(ratio - room.current.ratio) > OTHER_ROOM;
    if (!shape || !size[0] || (shape === room.current.shape && !isOther)) return;
    const stays = !isOther && shape !== room.current.shape && hasRoom(picture!, places);
    room.current = { shape, ratio: stays ? room.current.ratio : ratio };
    if (stays) return;
    void arrange(picture!.components);
  }, [shape, size]);
  useEffect(() => {
    if (places && picture && !touched.current && picture.components.length <= MOST) home(); // the one of then may still be on its way
    if (places) performance.mark("arranged");
  }, [places]);
  const zoom = (factor: number, at: [number, number] = [size[0] / 2, size[1] / 2]) => {
    const old = view.current;
    const scale = Math.min(2.5, Math.max(FARTHEST, old.scale * factor));
    const by = scale / old.scale;
    view.current = { scale, x: at[0] - (at[0] - old.x) * by, y: at[1] - (at[1] - old.y) * by };
    schedule();
  };

  useEffect(() => {
    const watched = new ResizeObserver(([entry]) => {
      const now: [number, number] = [Math.round(entry!.contentRect.width), Math.round(entry!.contentRect.height)];
      setSize((old) => (old[0] === now[0] && old[1] === now[1] ? old : now));
    });
    watched.observe(box.current!);
    return () => watched.disconnect();
  }, []);
  useEffect(() => {
    if (!placed || !size[0]) return;
    const first = !fitted.current;
    const other = drawnAt.current !== size;
    const much = Math.abs(Math.log(size[0] / (drawnAt.current?.[0] || size[0]))) > 0.4; // a thumbnail now, or no more
    fitted.current = true;
    drawnAt.current = size;
    if (first) fit();
    else if (other && (much || !touched.current)) home(); // the axis came, or the window is another: what was in the middle is so again
    else paint();
    if (first) performance.mark("picture");
  }, [placed, size]);
  useEffect(() => {
    const found = chosen();
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    play.current = found ? { id: selected, from: still ? -PLAY_MS : performance.now() } : null;
    if (!selected && !node && revealed.current) fit(); // whoever comes back sees all of it
    reveal();
    schedule();
  }, [selected, route.kind === "field" ? route.rest.join("/") : node, placed, size[0]]);

  /** All of it, and what is selected so large that it can be read: the same view, in whatever order things came. */
  const home = () => {
    fit();
    reveal();
    schedule();
  };

  const chosen = () => placed?.picture.links.find((one) => one.id === selected);

  /** Move and zoom so far that the cards of what is selected can be read, and no further. */
  const reveal = () => {
    const link = chosen();
    const takers = route.kind === "field" ? placed?.picture.links.filter((one) => one.source.node === node).map((one) => one.target.node) : []; // what a change of the field meets
    const names = link ? [link.source.node, link.target.node] : [node, ...(takers ?? [])];
    const cards = names.map((name) => placed?.cards.get(name)).filter(Boolean) as Component[];
    if (!size[0] || !cards.length) return;
    const { scale, x, y } = view.current;
    const least = cards.length > 2 ? FARTHEST : READABLE;
    const left = Math.min(...cards.map((one) => one.x)), right = Math.max(...cards.map((one) => one.x + one.width));
    const top = Math.min(...cards.map((one) => one.y)), bottom = Math.max(...cards.map((one) => one.y + one.height));
    const seen = left * scale + x >= 0 && right * scale + x <= size[0] && top * scale + y >= 0 && bottom * scale + y <= size[1];
    if (seen && scale >= least) return;
    revealed.current = true;
    show({ x: left, y: top, width: right - left, height: bottom - top }, least);
    settle();
  };

  /** All of this box in the middle, at this scale at least. */
  const show = (wanted: Box, least: number) => {
    const scale = Math.min(1, Math.max(least, Math.min((size[0] - 60) / wanted.width, (size[1] - 60) / wanted.height)));
    view.current = { scale, x: size[0] / 2 - (wanted.x + wanted.width / 2) * scale, y: size[1] / 2 - (wanted.y + wanted.height / 2) * scale };
  };
  const open = (group: Group) => {
    touched.current = true;
    show(group, FARTHEST);
    schedule();
  };

  const pointers = useRef(new Map<number, [number, number]>());
  const pressed = useRef<[number, number]>([0, 0]);
  const down = (event: PointerEvent) => {
    pressed.current = [event.clientX, event.clientY];
    if ((event.target as Element).closest("button, a")) return;
    touched.current = true;
    pointers.current.set(event.pointerId, [event.clientX, event.clientY]);
    box.current!.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    const old = pointers.current.get(event.pointerId);
    if (!old) return point(event);
    const now: [number, number] = [event.clientX, event.clientY];
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const rect = box.current!.getBoundingClientRect();
      const by = Math.hypot(now[0] - other[0], now[1] - other[1]) / Math.max(1, Math.hypot(old[0] - other[0], old[1] - other[1]));
      zoom(by, [(now[0] + other[0]) / 2 - rect.left, (now[1] + other[1]) / 2 - rect.top]);
    } else {
      view.current = { ...view.current, x: view.current.x + now[0] - old[0], y: view.current.y + now[1] - old[1] };
      schedule();
    }
    pointers.current.set(event.pointerId, now);
  };
  /** What can be pressed shows it. */
  const point = (event: PointerEvent) => {
    const isLine = placed && event.pointerType === "mouse" && event.target === box.current!.firstChild && !isFar(placed, view.current) && linkAt(placed, view.current, pointOf(event));
    box.current!.classList.toggle("line", Boolean(isLine));
  };
  const up = (event: PointerEvent) => {
    pointers.current.delete(event.pointerId);
    const [x, y] = pressed.current;
    if (event.type !== "pointerup" || (event.target as Element).closest("button, a") || Math.hypot(event.clientX - x, event.clientY - y) > 4) return;
    if (!placed) return;
    // From afar a block of components is what can be pressed; near by a component, or a line between two.
    if (isFar(placed, view.current)) {
      const group = under(placed.groups, event);
      if (group) open(group);
    } else {
      const card = under(placed.picture.components, event), link = card ? null : linkAt(placed, view.current, pointOf(event));
      if (card) location.hash = toThen(then, "node", card.name);
      else if (link) location.hash = toThen(then, "link", link.id);
    }
  };
  /** Where the pointer is, in the picture's own points. */
  const pointOf = (event: PointerEvent): [number, number] => {
    const rect = box.current!.getBoundingClientRect(), { scale: by, x: dx, y: dy } = view.current;
    return [(event.clientX - rect.left - dx) / by, (event.clientY - rect.top - dy) / by];
  };
  /** Which of these is drawn under the pointer. */
  const under = <B extends Box>(boxes: B[], event: PointerEvent) => {
    const [x, y] = pointOf(event);
    return boxes.find((one) => x >= one.x && x <= one.x + one.width && y >= one.y && y <= one.y + one.height);
  };
  useEffect(() => {
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      touched.current = true;
      const rect = box.current!.getBoundingClientRect();
      if (event.ctrlKey || !event.shiftKey) zoom(Math.exp(-event.deltaY * 0.0015), [event.clientX - rect.left, event.clientY - rect.top]);
    };
    box.current!.addEventListener("wheel", wheel, { passive: false });
    return () => box.current?.removeEventListener("wheel", wheel);
  }, [size[0], size[1]]);
  const again = useRef(schedule);
  again.current = schedule;
  useEffect(() => {
    const theme = matchMedia("(prefers-color-scheme: dark)"); // the system's may change at dusk, ours by Ctrl-K
    const told = () => again.current();
    theme.addEventListener("change", told);
    addEventListener("resize", told);
    return () => {
      theme.removeEventListener("change", told);
      removeEventListener("resize", told);
    };
  }, []);
  const key = (event: KeyboardEvent) => {
    touched.current = event.key !== "Tab";
    const step = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[event.key];
    if (step && event.target === box.current) {
      view.current = { ...view.current, x: view.current.x + step[0]!, y: view.current.y + step[1]! };
      schedule();
      event.preventDefault();
    } else if (event.key === "+" || event.key === "-") zoom(event.key === "+" ? 1.25 : 0.8);
    else if (event.key === "0") fit();
  };

  const { scale } = view.current;
  const near = placed && scale >= READABLE ? visible(placed, view.current, size) : [];
  const far = scale < READABLE; // then a mark says where, and the inspector says what
  const chips = placed && scale >= MARKED ? placed.chips.slice(0, 200) : [];
  return (
    <section class={rewound ? "picture rewound" : "picture"} aria-label="Picture of the project">
      {rewound ? <p class="then">The project as it was {wordsOfThen(rewound)}. <a href="#/">Today</a></p> : null}
      <div class={waits ? "stage waits" : "stage"} ref={box} tabIndex={0} role="application" aria-label="Picture: arrows move it, plus and minus zoom, 0 shows all" onPointerDown={down} onPointerMove={move} onPointerUp={up} onPointerCancel={up} onKeyDown={key}>
        <canvas ref={canvas} aria-hidden="true" width={size[0] * dpr()} height={size[1] * dpr()} />
        <div class="world" ref={world}>
          {placed?.groups.map((one) => <Head key={one.title} group={one} placed={placed} view={view.current} open={open} />)}
          {near.map((card) => cardOf(card, placed!, node === card.name, [...rejected(placed!, selected, card.name)].join("\n"), then))}
          {chips.map(({ link, text, at: [x, y], on }) => (
            <button type="button" key={link.id} class={`chip ${link.state}${far ? " far" : ""}`} style={{ left: `${far ? on[0] : x}px`, top: `${far ? on[1] : y}px` }} aria-pressed={link.id === selected} aria-label={chipSays(link)} title={chipSays(link)} onClick={() => void (location.hash = toThen(then, "link", link.id))}>
              {MARKS[link.state]?.[0]}<span> <T>{text}</T></span>
            </button>
          ))}
        </div>
      </div>
      {waits ? <p class="hint" role="status">Arranging the picture …</p> : null}
      {picture ? null : <p class="hint" role="status">{refused ? live : awaits ? "Reading the project as it was …" : "Reading the project …"}</p>}
      {far && chips.length ? <p class="legend">{Object.entries(MARKS).map(([state, [mark]]) => [mark, state, countMisfits(placed!.chips.map(({ link }) => link).filter((one) => one.state === state))]).map(([mark, state, says]) => (says ? <span class={state}><b>{mark}</b> {says}</span> : null))}</p> : null}
      <div class="zoom">
        <button type="button" aria-label="Zoom in" onClick={() => zoom(1.25)}>+</button>
        <button type="button" aria-label="Zoom out" onClick={() => zoom(0.8)}>−</button>
        <button type="button" aria-label="Show all" onClick={fit}>⤢</button>
        {placed ? <button type="button" aria-label="Save the picture as SVG" title="Save the picture as SVG" onClick={() => save("graphbus.svg", "image/svg+xml", svgOf(placed))}>⤓</button> : null}
        {shape || !near.length || near.length === MAX_CARDS ? null : <button type="button" aria-label="Arrange what is in sight" title="Arrange what is in sight" onClick={() => arrange(near)}>▦</button>}
      </div>
    </section>
  );
}

/** Whether all cards of a picture may stay where a layout put them: then they do, and nobody looks for them again. */
function hasRoom(picture: Picture, places: Places | null): boolean {
  const cards = moved(picture, places).components;
  return places !== null && cards.every((one) => places.has(one.name)) && !cards.some((one, i) => cards.slice(i + 1).some((other) => overlap(one, other)));
}

/** What a mark on a link means, in a sentence: for whoever hears it, or rests on it. */
const chipSays = ({ id, state, counterexample, reasons }: DataLink) =>
  plain(state === "undecided" ? `Undecided: ${id}. ${reasons[0] ?? ""}` : `Does not fit: ${id}. For example it may get ${shown(counterexample).slice(0, 120)}`);

/** The name of a block, and how it stands. From afar it lies on the block, and near by above it. */
function Head({ group, placed, view, open }: { group: Group; placed: Placed; view: View; open: (group: Group) => void }) {
  const wrong = group.members.filter((one) => isMisfit({ state: placed.states.get(one.name) ?? "fits" }));
  const failing = wrong.filter((one) => placed.states.get(one.name) === "broken").length;
  const worst = failing ? "broken" : wrong.length ? "undecided" : "fits";
  const width = Math.max(24, group.width * view.scale);
  const name = shortenName(group.name, 2 * Math.floor(width / 7.5) - (wrong.length ? 8 : 4), group.name.length);
  const style = { left: `${group.x}px`, top: `${group.y}px`, "max-width": `${width}px` };
  const says = `${group.title}: ${group.members.length} components${failing ? `, ${failing} with links that do not fit` : ""}${wrong.length > failing ? `, ${wrong.length - failing} with links that are undecided` : ""}`;
  return (
    <button type="button" class={`head ${worst}${isFar(placed, view) ? " far" : ""}`} style={style} title={plain(says)} aria-label={plain(says)} onClick={() => open(group)}>
      {wrong.length ? <b>{MARKS[worst]![0]} {wrong.length} </b> : null}{name.split(/(?<=[.…])/).map((part) => <><T>{part}</T><wbr /></>)} <small>{group.members.length}</small>
    </button>
  );
}

const made = new WeakMap<Component, { look: string; drawn: ComponentChild }>();

/** A card that did not change is the same element as before, so that nothing of it is looked at again. */
function cardOf(card: Component, placed: Placed, selected: boolean, rejects: string, then: Then | null): ComponentChild {
  const state = placed.states.get(card.name) ?? "fits";
  const title = shortenName(plain(card.name), MOST_TITLE, placed.differs.get(card.name) ?? 0);
  const look = `${selected} ${state} ${title} ${rejects} ${toThen(then, "node", card.name)}`;
  const known = made.get(card);
  if (known?.look === look) return known.drawn;
  const drawn = <Card key={card.name} card={card} title={title} state={state} selected={selected} then={then} rejects={new Set(rejects ? rejects.split("\n") : [])} />;
  made.set(card, { look, drawn });
  return drawn;
}

/** The ports of a card at which the payload of the selected link is rejected. */
function rejected(placed: Placed, selected: string, name: string): Set<string> {
  const link = selected ? placed.picture.links.find((one) => one.id === selected) : undefined;
  if (!link || link.target.node !== name || link.state === "fits") return new Set();
  return new Set(link.fields.filter((one) => !one.fits).map((one) => `${link.target.method}.${one.target}`));
}

function visible(placed: Placed, { scale, x, y }: View, [width, height]: [number, number]): Component[] {
  const found = placed.picture.components.filter(
    (one) => (one.x + one.width) * scale + x > -80 && one.x * scale + x < width + 80 && (one.y + one.height) * scale + y > -80 && one.y * scale + y < height + 80,
  );
  return found.slice(0, MAX_CARDS);
}

/** A field on a card: who takes it, and what a rename breaks. The keyboard reaches it by Ctrl-K. */
const Field = ({ to_, then }: { to_: [string, string, string, string]; then: Then | null }) => <a href={toThen(then, "field", ...to_)} tabIndex={-1}><T>{to_[3]}</T></a>;

function Card({ card, title, state, selected, rejects, then }: { card: Component; title: string; state: string; selected: boolean; rejects: Set<string>; then: Then | null }) {
  const rows = (method: { name: string; inputs: Port[]; outputs: Port[] }) =>
    Array.from({ length: Math.max(method.inputs.length, method.outputs.length) }, (_, i) => {
      const [input, output] = [method.inputs[i], method.outputs[i]];
      const wrong = input && rejects.has(`${method.name}.${input.name}`);
      return (
        <div class="ports">
          <span class={wrong ? "in rejects" : "in"} title={input ? plain(input.type) : undefined}>
            {input ? <><Field to_={[card.name, method.name, "input", input.name]} then={then} />{input.required ? "" : "?"}{wrong ? <em> rejects</em> : null}</> : null}
          </span>
          <span class="out" title={output ? plain(output.type) : undefined}>{output ? <><Field to_={[card.name, method.name, "output", output.name]} then={then} />{output.required ? "" : "?"}</> : null}</span>
        </div>
      );
    });
  return (
    <article class={`node${selected ? " selected" : ""}${state === "fits" ? "" : ` ${state}`}`} style={{ left: `${card.x}px`, top: `${card.y}px`, width: `${card.width}px`, height: `${card.height}px` }}>
      <a class="title" href={toThen(then, "node", card.name)} tabIndex={0} title={title === card.name ? undefined : plain(card.name)} aria-label={title === card.name ? undefined : plain(card.name)}>
        <T>{title}</T>
        {card.is_arbiter ? <small>arbiter</small> : null}
      </a>
      {card.methods.map((method) => (
        <div>
          <div class="method"><T>{method.name}</T>{method.declared ? null : <small> no contract</small>}</div>
          {rows(method)}
        </div>
      ))}
      {card.publishes.map((topic) => (
        <div>
          <div class="method topic">→ <T>{topic.topic}</T></div>
          {topic.ports.map((port) => <div class="ports"><span class="in" /><span class="out"><Field to_={[card.name, topic.topic, "payload", port.name]} then={then} /></span></div>)}
        </div>
      ))}
      {card.hears.map((heard) => <div class="method topic">← <a href={`${to("runtime")}?topic=${encodeURIComponent(heard.topic)}`} tabIndex={-1} title="Publish to it"><T>{heard.topic}</T></a></div>)}
    </article>
  );
}
