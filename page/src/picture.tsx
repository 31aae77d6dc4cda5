// The centre: cards that can be read are elements, everything else is drawn on one canvas below them.
import type { ComponentChild } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Component, Port } from "../../clients/typescript/graphbus";
import { type Placed, place, type Wire } from "./geometry";
import { T } from "./kit";
import { plain, shown } from "./json";
import { go, to, useStore } from "./store";

const READABLE = 0.42; // below this scale names cannot be read: cards become boxes
const MAX_CARDS = 160; // elements at once; what is further away is drawn
const PLAY_MS = 1400;

interface View {
  scale: number;
  x: number;
  y: number;
}

export function PictureView() {
  const { picture, route, broken, live, refused } = useStore();
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const world = useRef<HTMLDivElement>(null);
  const view = useRef<View>({ scale: 1, x: 0, y: 0 });
  const [, draw] = useState(0);
  const [size, setSize] = useState<[number, number]>([0, 0]);
  const placed = useMemo(() => (picture ? place(picture, broken) : null), [picture, broken]);
  const selected = route.kind === "link" ? route.id : "";
  const node = route.kind === "node" ? route.id : "";
  const play = useRef<{ id: string; from: number } | null>(null);
  const fitted = useRef(false);
  const moving = useRef(0);

  const paint = () => {
    if (!placed || !canvas.current || !world.current) return;
    const { scale, x, y } = view.current;
    world.current.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
    drawCanvas(canvas.current, placed, view.current, selected, node, play.current);
    if (play.current && performance.now() - play.current.from < PLAY_MS) requestAnimationFrame(paint);
  };
  const schedule = () => {
    if (moving.current) return;
    moving.current = requestAnimationFrame(() => {
      moving.current = 0;
      paint();
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
    const { bounds } = placed;
    const scale = Math.min(1.15, Math.max(0.02, Math.min((size[0] - 48) / bounds.width, (size[1] - 48) / bounds.height)));
    view.current = { scale, x: (size[0] - bounds.width * scale) / 2 - bounds.x * scale, y: (size[1] - bounds.height * scale) / 2 - bounds.y * scale };
    paint();
    draw((n) => n + 1);
  };
  const zoom = (factor: number, at: [number, number] = [size[0] / 2, size[1] / 2]) => {
    const old = view.current;
    const scale = Math.min(2.5, Math.max(0.02, old.scale * factor));
    const by = scale / old.scale;
    view.current = { scale, x: at[0] - (at[0] - old.x) * by, y: at[1] - (at[1] - old.y) * by };
    schedule();
  };

  useEffect(() => {
    const seen = new ResizeObserver(([entry]) => setSize([Math.round(entry!.contentRect.width), Math.round(entry!.contentRect.height)]));
    seen.observe(box.current!);
    return () => seen.disconnect();
  }, []);
  useEffect(() => {
    if (!placed || !size[0]) return;
    const first = !fitted.current;
    fitted.current = true;
    if (first) fit();
    else paint();
    if (first) performance.mark("picture");
  }, [placed, size[0], size[1]]);
  useEffect(() => {
    const found = placed?.picture.links.find((one) => one.id === selected);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    play.current = found ? { id: selected, from: still ? -PLAY_MS : performance.now() } : null;
    if (found && placed) {
      const ends = [placed.cards.get(found.source.node), placed.cards.get(found.target.node)].filter(Boolean) as Component[];
      reveal(ends);
    } else if (node && placed?.cards.has(node)) reveal([placed.cards.get(node)!]);
    schedule();
  }, [selected, node, placed, size[0]]);

  /** Move and zoom so far that these cards can be read, and no further. */
  const reveal = (cards: Component[]) => {
    if (!size[0] || !cards.length) return;
    const { scale, x, y } = view.current;
    const left = Math.min(...cards.map((one) => one.x)), right = Math.max(...cards.map((one) => one.x + one.width));
    const top = Math.min(...cards.map((one) => one.y)), bottom = Math.max(...cards.map((one) => one.y + one.height));
    const seen = left * scale + x >= 0 && right * scale + x <= size[0] && top * scale + y >= 0 && bottom * scale + y <= size[1];
    if (seen && scale >= READABLE) return;
    const wanted = Math.min(1, Math.max(READABLE, Math.min((size[0] - 60) / (right - left), (size[1] - 60) / (bottom - top))));
    view.current = { scale: wanted, x: size[0] / 2 - ((left + right) / 2) * wanted, y: size[1] / 2 - ((top + bottom) / 2) * wanted };
    settle();
  };

  const pointers = useRef(new Map<number, [number, number]>());
  const down = (event: PointerEvent) => {
    if ((event.target as Element).closest("button, a")) return;
    pointers.current.set(event.pointerId, [event.clientX, event.clientY]);
    box.current!.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    const old = pointers.current.get(event.pointerId);
    if (!old) return;
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
  const up = (event: PointerEvent) => pointers.current.delete(event.pointerId);
  useEffect(() => {
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      const rect = box.current!.getBoundingClientRect();
      if (event.ctrlKey || !event.shiftKey) zoom(Math.exp(-event.deltaY * 0.0015), [event.clientX - rect.left, event.clientY - rect.top]);
    };
    box.current!.addEventListener("wheel", wheel, { passive: false });
    return () => box.current?.removeEventListener("wheel", wheel);
  }, [size[0], size[1]]);
  const key = (event: KeyboardEvent) => {
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
  const chips = placed && scale >= READABLE * 0.6 ? placed.chips.slice(0, 200) : [];
  return (
    <section class="picture" aria-label="Picture of the project">
      <div class="stage" ref={box} tabIndex={0} role="application" aria-label="Picture: arrows move it, plus and minus zoom, 0 shows all" onPointerDown={down} onPointerMove={move} onPointerUp={up} onPointerCancel={up} onKeyDown={key}>
        <canvas ref={canvas} aria-hidden="true" width={size[0] * dpr()} height={size[1] * dpr()} />
        <div class="world" ref={world}>
          {near.map((card) => cardOf(card, node === card.name, [...rejected(placed!, selected, card.name)].join("\n")))}
          {chips.map(({ link, at }) => (
            <button type="button" key={link.id} class={`chip ${link.state}`} style={{ left: `${at[0]}px`, top: `${at[1]}px` }} aria-pressed={link.id === selected} aria-label={`Does not fit: ${plain(link.id)}. May send ${plain(shown(link.counterexample)).slice(0, 120)}`} onClick={() => go("link", link.id)}>
              ✗ <T>{compact(link.counterexample)}</T>
            </button>
          ))}
        </div>
      </div>
      {picture ? null : <p class="hint" role="status">{refused ? live : "Reading the project …"}</p>}
      <div class="zoom">
        <button type="button" aria-label="Zoom in" onClick={() => zoom(1.25)}>+</button>
        <button type="button" aria-label="Zoom out" onClick={() => zoom(0.8)}>−</button>
        <button type="button" aria-label="Show all" onClick={fit}>⤢</button>
      </div>
    </section>
  );
}

const made = new WeakMap<Component, { look: string; drawn: ComponentChild }>();

/** A card that did not change is the same element as before, so that nothing of it is looked at again. */
function cardOf(card: Component, selected: boolean, rejects: string): ComponentChild {
  const look = `${selected} ${rejects}`;
  const known = made.get(card);
  if (known?.look === look) return known.drawn;
  const drawn = <Card key={card.name} card={card} selected={selected} rejects={new Set(rejects ? rejects.split("\n") : [])} />;
  made.set(card, { look, drawn });
  return drawn;
}

const dpr = () => Math.min(2, window.devicePixelRatio || 1);

function compact(value: unknown): string {
  const text = shown(value).replace(/\s+/g, " ");
  return text.length > 20 ? `${text.slice(0, 19)}…` : text;
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

function Card({ card, selected, rejects }: { card: Component; selected: boolean; rejects: Set<string> }) {
  const rows = (method: { name: string; inputs: Port[]; outputs: Port[] }) =>
    Array.from({ length: Math.max(method.inputs.length, method.outputs.length) }, (_, i) => {
      const [input, output] = [method.inputs[i], method.outputs[i]];
      const wrong = input && rejects.has(`${method.name}.${input.name}`);
      return (
        <div class="ports">
          <span class={wrong ? "in rejects" : "in"} title={input ? plain(input.type) : undefined}>
            {input ? <><T>{input.name}</T>{input.required ? "" : "?"}{wrong ? <em> rejects</em> : null}</> : null}
          </span>
          <span class="out" title={output ? plain(output.type) : undefined}>{output ? <><T>{output.name}</T>{output.required ? "" : "?"}</> : null}</span>
        </div>
      );
    });
  return (
    <article class={selected ? "node selected" : "node"} style={{ left: `${card.x}px`, top: `${card.y}px`, width: `${card.width}px`, height: `${card.height}px` }}>
      <a class="title" href={to("node", card.name)} tabIndex={0}>
        <T>{card.name}</T>
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
          {topic.ports.map((port) => <div class="ports"><span class="in" /><span class="out"><T>{port.name}</T></span></div>)}
        </div>
      ))}
      {card.hears.map((heard) => <div class="method topic">← <T>{heard.topic}</T></div>)}
    </article>
  );
}

// ---------------------------------------------------------------- the canvas

const colours = { at: "", read: {} as Record<string, string> };

/** The colours of the sheet, read once for each theme. */
function colour(name: string): string {
  const theme = document.documentElement.dataset.theme ?? String(matchMedia("(prefers-color-scheme: dark)").matches);
  if (colours.at !== theme) {
    const style = getComputedStyle(document.documentElement);
    colours.at = theme;
    colours.read = Object.fromEntries(["good", "bad", "warn", "soft", "line", "card", "ink", "accent", "band"].map((one) => [one, style.getPropertyValue(`--${one}`).trim()]));
  }
  return colours.read[name] ?? "#888";
}

const STATE: Record<string, string> = { fits: "good", broken: "bad", undecided: "warn", guessed: "soft" };

function drawCanvas(canvas: HTMLCanvasElement, placed: Placed, view: View, selected: string, node: string, play: { id: string; from: number } | null) {
  const context = canvas.getContext("2d")!;
  const ratio = dpr();
  const [width, height] = [canvas.width / ratio, canvas.height / ratio];
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  const seen = { left: -view.x / view.scale, top: -view.y / view.scale, right: (width - view.x) / view.scale, bottom: (height - view.y) / view.scale };
  if (view.scale < READABLE * 0.5 && placed.modules.length > 1 && placed.modules.length < placed.cards.size) return drawModules(context, placed, view, ratio);
  context.setTransform(ratio * view.scale, 0, 0, ratio * view.scale, ratio * view.x, ratio * view.y);
  drawWires(context, placed, view, seen, selected, node);
  if (view.scale < READABLE) drawBoxes(context, placed, view, seen, node);
  if (play) drawPlay(context, placed, play, view.scale);
}

interface Seen {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** One path for each look, however many wires: strokes are what costs. */
function drawWires(context: CanvasRenderingContext2D, placed: Placed, view: View, seen: Seen, selected: string, node: string) {
  const paths = new Map<string, Path2D>();
  const far = view.scale < READABLE;
  const drawn = new Set<string>();
  for (const wire of placed.wires) {
    if (Math.max(wire.from[0], wire.to[0]) < seen.left || Math.min(wire.from[0], wire.to[0]) > seen.right) continue;
    if (Math.max(wire.from[1], wire.to[1]) < seen.top || Math.min(wire.from[1], wire.to[1]) > seen.bottom) continue;
    if (far) {
      if (drawn.has(wire.link.id)) continue; // from afar one line a link says as much
      drawn.add(wire.link.id);
    }
    const state = far ? wire.link.state : wire.link.state === "guessed" ? "guessed" : wire.fits ? "fits" : wire.link.state;
    const strong = wire.link.id === selected || wire.link.source.node === node || wire.link.target.node === node;
    const look = `${state}${wire.loose ? " loose" : ""}${strong ? " strong" : ""}`;
    let path = paths.get(look);
    if (!path) paths.set(look, (path = new Path2D()));
    path.moveTo(...wire.from);
    if (far) path.lineTo(...wire.to);
    else curve(path, wire);
  }
  for (const [look, path] of paths) {
    const [state = "fits"] = look.split(" ");
    context.strokeStyle = colour(STATE[state] ?? "soft");
    context.lineWidth = (look.includes("strong") ? 3 : 1.4) / Math.max(view.scale, 0.35);
    context.setLineDash(look.includes("loose") ? [3, 6] : state === "fits" ? [] : [7, 4]);
    context.globalAlpha = (selected || node) && !look.includes("strong") ? 0.35 : 1;
    context.stroke(path);
  }
  context.setLineDash([]);
  context.globalAlpha = 1;
}

function curve(path: Path2D | CanvasRenderingContext2D, { from, to }: Pick<Wire, "from" | "to">) {
  const bend = Math.max(36, Math.abs(to[0] - from[0]) / 2);
  path.bezierCurveTo(from[0] + bend, from[1], to[0] - bend, to[1], to[0], to[1]);
}

function drawBoxes(context: CanvasRenderingContext2D, placed: Placed, view: View, seen: Seen, node: string) {
  const named = view.scale > 0.12;
  context.font = `${Math.min(46, 11 / view.scale)}px system-ui, sans-serif`;
  context.textBaseline = "middle";
  for (const card of placed.picture.components) {
    if (card.x + card.width < seen.left || card.x > seen.right || card.y + card.height < seen.top || card.y > seen.bottom) continue;
    context.fillStyle = colour(card.name === node ? "accent" : "card");
    context.strokeStyle = colour("soft");
    context.lineWidth = 1 / view.scale;
    context.fillRect(card.x, card.y, card.width, card.height);
    context.strokeRect(card.x, card.y, card.width, card.height);
    if (named) {
      context.fillStyle = colour("ink");
      const room = Math.floor((card.width * view.scale) / 6.4);
      const name = plain(card.name);
      context.fillText(name.length > room ? `${name.slice(0, Math.max(1, room - 1))}…` : name, card.x + 8, card.y + card.height / 2, card.width - 12);
    }
  }
}

/** From far away each module is one box, in the colour of its worst link. */
function drawModules(context: CanvasRenderingContext2D, placed: Placed, view: View, ratio: number) {
  const { bounds, modules } = placed;
  const columns = Math.ceil(Math.sqrt(modules.length * 1.8));
  const rows = Math.ceil(modules.length / columns);
  const [w, h] = [(bounds.width * view.scale) / columns, (bounds.height * view.scale) / rows];
  const [left, top] = [bounds.x * view.scale + view.x, bounds.y * view.scale + view.y];
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.font = "12px system-ui, sans-serif";
  context.textBaseline = "middle";
  modules.forEach((one, i) => {
    const [x, y] = [left + (i % columns) * w + 2, top + Math.floor(i / columns) * h + 2];
    context.fillStyle = colour("card");
    context.fillRect(x, y, w - 4, h - 4);
    context.strokeStyle = colour(STATE[one.worst] ?? "soft");
    context.lineWidth = one.worst === "fits" ? 1 : 3;
    context.strokeRect(x, y, w - 4, h - 4);
    if (w < 40 || h < 14) return;
    context.fillStyle = colour("ink");
    const room = Math.floor((w - 16) / 6.6);
    const label = plain(`${one.worst === "fits" ? "" : "✗ "}${one.name.split(".").at(-1)} (${one.count})`);
    context.fillText(label.length > room ? `${label.slice(0, Math.max(1, room - 1))}…` : label, x + 8, y + (h - 4) / 2, w - 16);
  });
}

/** The payload on its way along the edge, to the field that rejects it. */
function drawPlay(context: CanvasRenderingContext2D, placed: Placed, play: { id: string; from: number }, scale: number) {
  const wire = placed.wires.find((one) => one.link.id === play.id && !one.fits) ?? placed.wires.find((one) => one.link.id === play.id);
  if (!wire) return;
  const t = Math.min(1, Math.max(0, (performance.now() - play.from) / PLAY_MS));
  const bend = Math.max(36, Math.abs(wire.to[0] - wire.from[0]) / 2);
  const at = (i: 0 | 1) => {
    const points = i === 0 ? [wire.from[0], wire.from[0] + bend, wire.to[0] - bend, wire.to[0]] : [wire.from[1], wire.from[1], wire.to[1], wire.to[1]];
    const u = 1 - t;
    return u ** 3 * points[0]! + 3 * u * u * t * points[1]! + 3 * u * t * t * points[2]! + t ** 3 * points[3]!;
  };
  context.fillStyle = context.strokeStyle = colour(wire.fits ? "good" : "bad");
  context.beginPath();
  context.arc(at(0), at(1), t < 1 ? 7 / Math.max(scale, 0.5) : 5, 0, 7);
  context.fill();
  if (t === 1 && !wire.fits) {
    context.lineWidth = 2.5;
    context.beginPath();
    context.arc(wire.to[0], wire.to[1], 11, 0, 7);
    context.stroke();
  }
}
