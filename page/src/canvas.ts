// The canvas below the cards: wires in one path for each look, boxes and blocks of them from afar, the payload on its way.
import type { DataLink } from "../../clients/typescript/graphbus";
import { type Box, HEAD, type Placed, type Road, type Wire } from "./geometry";
import { plain } from "./json";
import { pathOf, placeOn, type Point } from "./roads";

export const READABLE = 0.6; // below this scale names cannot be read: cards become boxes
export const PLAY_MS = 1400;
const CARD = 260; // the width of a card, in its own points
const NAMED = 44; // on the screen a narrower box cannot hold a name
const TEXT = 10.5; // the size of names on the screen, however far away
const TEXTS = [TEXT, 9.5, 8.5, 7.5]; // a name that is too long for its box is a little smaller before it is cut

export interface View {
  scale: number;
  x: number;
  y: number;
}

export const dpr = () => Math.min(2, window.devicePixelRatio || 1);

const colours = { at: "", read: {} as Record<string, string> };

/** Read the colours of the sheet where the theme is another. Once for each drawing: asking the browser costs more than a box. */
function readColours() {
  const theme = document.documentElement.dataset.theme ?? String(matchMedia("(prefers-color-scheme: dark)").matches);
  if (colours.at === theme) return;
  const style = getComputedStyle(document.documentElement);
  colours.at = theme;
  colours.read = Object.fromEntries(["good", "bad", "warn", "soft", "line", "card", "ink", "accent", "band"].map((one) => [one, style.getPropertyValue(`--${one}`).trim()]));
}

const colour = (name: string) => colours.read[name] ?? "#888";

const RANKED = ["broken", "undecided"]; // seen from afar, too
const STATE: Record<string, string> = { fits: "good", broken: "bad", undecided: "warn", guessed: "soft" };

export function drawCanvas(canvas: HTMLCanvasElement, placed: Placed, view: View, selected: string, node: string, play: { id: string; from: number } | null, field: string[] = []) {
  readColours();
  const context = canvas.getContext("2d")!;
  const ratio = dpr();
  const [width, height] = [canvas.width / ratio, canvas.height / ratio];
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  const seen = { left: -view.x / view.scale, top: -view.y / view.scale, right: (width - view.x) / view.scale, bottom: (height - view.y) / view.scale };
  context.setTransform(ratio * view.scale, 0, 0, ratio * view.scale, ratio * view.x, ratio * view.y);
  drawGroups(context, placed, view);
  if (isFar(placed, view)) {
    drawDots(context, placed, view, seen, node);
    drawRoads(context, placed, view);
  } else {
    drawNeeds(context, placed, view, node);
    drawWires(context, placed, view, seen, selected, node, field);
    if (view.scale < READABLE) drawBoxes(context, placed, view, seen, node);
  }
  if (play) drawPlay(context, placed, play, view.scale);
}

/** So far away that no box can hold a name, and what is read are the blocks. */
export const isFar = (placed: Placed, { scale }: View) => placed.groups.length > 1 && scale * CARD < NAMED;

interface Seen {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** One path for each look, however many wires: strokes are what costs. */
/** `field`: place, side and name of the one field of `node` that is looked at; then its wires alone are strong. */
function drawWires(context: CanvasRenderingContext2D, placed: Placed, view: View, seen: Seen, selected: string, node: string, [place, side, name]: string[]) {
  const paths = new Map<string, Path2D>();
  const far = view.scale < READABLE;
  const drawn = new Set<string>();
  for (const wire of placed.wires) {
    const outside = (i: 0 | 1, low: number, high: number) => Math.max(wire.from[i], wire.to[i]) < low || Math.min(wire.from[i], wire.to[i]) > high;
    if (!wire.corners && (outside(0, seen.left, seen.right) || outside(1, seen.top, seen.bottom))) continue;
    if (far) {
      if (drawn.has(wire.link.id)) continue; // from afar one line a link says as much
      drawn.add(wire.link.id);
    }
    const state = far ? wire.link.state : wire.link.state === "guessed" ? "guessed" : wire.fits ? "fits" : wire.link.state;
    const { source, target } = wire.link;
    const isOfField = side === "input" ? target.node === node && target.method === place && wire.field === name : source.node === node && (source.topic ?? source.method) === place && wire.given === name;
    const strong = wire.link.id === selected || (name ? isOfField : source.node === node || target.node === node);
    const look = `${state}${wire.loose ? " loose" : ""}${strong ? " strong" : ""}`;
    let path = paths.get(look);
    if (!path) paths.set(look, (path = new Path2D()));
    path.moveTo(...wire.from);
    if (wire.corners) path.addPath(new Path2D(pathOf(wire.corners)));
    else if (far) path.lineTo(...wire.to);
    else curve(path, wire);
  }
  for (const [look, path] of paths) {
    const [state = "fits"] = look.split(" ");
    context.strokeStyle = colour(STATE[state] ?? "soft");
    context.lineWidth = (look.includes("strong") || (far && RANKED.includes(state)) ? 3 : 1.4) / Math.max(view.scale, 0.35);
    context.setLineDash(look.includes("loose") ? [3, 6] : state === "fits" ? [] : [7, 4]);
    context.globalAlpha = (selected || node) && !look.includes("strong") ? 0.35 : 1;
    context.stroke(path);
  }
  context.setLineDash([]);
  context.globalAlpha = 1;
}

const AIM_PX = 7; // so near to a line is on it

const measure = document.createElement("canvas").getContext("2d")!; // nothing is drawn on it

/** The link whose line runs through a point of the picture. */
export function linkAt(placed: Placed, view: View, at: Point): DataLink | null {
  const near = AIM_PX / view.scale;
  measure.lineWidth = 2 * near;
  for (const wire of placed.wires) {
    const bend = wire.corners ? 0 : Math.max(36, Math.abs(wire.to[0] - wire.from[0]) / 2);
    const all = wire.corners ?? [wire.from, wire.to];
    const isBeside = (i: 0 | 1) => at[i] < Math.min(...all.map((one) => one[i])) - near - (i ? 0 : bend) || at[i] > Math.max(...all.map((one) => one[i])) + near + (i ? 0 : bend);
    if (isBeside(0) || isBeside(1)) continue;
    const path = new Path2D(wire.corners ? pathOf(wire.corners) : undefined);
    if (!wire.corners) {
      path.moveTo(...wire.from);
      if (view.scale < READABLE) path.lineTo(...wire.to);
      else curve(path, wire);
    }
    if (measure.isPointInStroke(path, ...at)) return wire.link;
  }
  return null;
}

/** Who calls whom, where no data is followed from one to the other: dots from head to head. */
function drawNeeds(context: CanvasRenderingContext2D, { picture, cards }: Placed, view: View, node: string) {
  for (const card of picture.components) {
    for (const name of card.needs ?? []) {
      const needed = cards.get(name);
      if (!needed) continue;
      const path = new Path2D();
      if (needed.x + needed.width <= card.x || card.x + card.width <= needed.x) {
        const from: [number, number] = [needed.x + needed.width, needed.y + HEAD / 2], to: [number, number] = [card.x, card.y + HEAD / 2];
        path.moveTo(...from);
        curve(path, { from, to });
      } else { // one above the other: a curve would run behind both
        const [upper, lower] = needed.y < card.y ? [needed, card] : [card, needed];
        const x = (Math.max(upper.x, lower.x) + Math.min(upper.x + upper.width, lower.x + lower.width)) / 2;
        path.moveTo(x, upper.y + upper.height);
        path.lineTo(x, lower.y);
      }
      context.strokeStyle = colour("soft");
      context.lineWidth = ([card.name, name].includes(node) ? 3 : 1.4) / Math.max(view.scale, 0.35);
      context.setLineDash([2, 5]);
      context.stroke(path);
    }
  }
  context.setLineDash([]);
}

function curve(path: Path2D | CanvasRenderingContext2D, { from, to }: Pick<Wire, "from" | "to">) {
  const bend = Math.max(36, Math.abs(to[0] - from[0]) / 2);
  path.bezierCurveTo(from[0] + bend, from[1], to[0] - bend, to[1], to[0], to[1]);
}

function drawBoxes(context: CanvasRenderingContext2D, placed: Placed, view: View, seen: Seen, node: string) {
  context.textBaseline = "middle";
  for (const card of placed.picture.components) {
    if (card.x + card.width < seen.left || card.x > seen.right || card.y + card.height < seen.top || card.y > seen.bottom) continue;
    const state = placed.states.get(card.name) ?? "fits";
    const isWrong = RANKED.includes(state);
    context.fillStyle = colour(card.name === node ? "accent" : "card");
    context.strokeStyle = colour(isWrong ? STATE[state]! : "soft");
    context.lineWidth = (isWrong ? 3 : 1) / view.scale;
    context.fillRect(card.x, card.y, card.width, card.height);
    context.strokeRect(card.x, card.y, card.width, card.height);
    if (card.width * view.scale < NAMED) continue;
    context.fillStyle = colour(card.name === node ? "card" : "ink");
    const name = plain(card.name);
    const size = TEXTS.find((one) => isWhole(context, name, card, one / view.scale)) ?? TEXT;
    named(context, name, card, size / view.scale, placed.differs.get(card.name) ?? 0);
  }
}

const roomFor = (box: Box, size: number) => ({ room: box.width - size * 0.7, most: Math.max(1, Math.floor(box.height / (size * 1.15))) });

const write = (context: CanvasRenderingContext2D, size: number) => void (context.font = `600 ${size}px system-ui, "Liberation Sans", sans-serif`);

/** Whether a name of that size stands whole in its box. */
function isWhole(context: CanvasRenderingContext2D, name: string, box: Box, size: number): boolean {
  write(context, size);
  const { room, most } = roomFor(box, size);
  const lines = wrapped(name, (text) => context.measureText(text).width <= room);
  return lines.length <= most && lines.every((one) => context.measureText(one).width <= room);
}

/** A name in a box, in as many lines as there is room for. What is left out is never what tells it from its neighbours:
 * `differs` is the place of the letter that does. Words of CamelCase and snake_case stay whole where they can. */
function named(context: CanvasRenderingContext2D, name: string, box: Box, size: number, differs: number) {
  write(context, size);
  const { room, most } = roomFor(box, size);
  const fits = (text: string) => context.measureText(text).width <= room;
  let lines = wrapped(name, fits);
  if (lines.length > most && lines.slice(0, most).join("").length <= differs + 1) {
    const words = name.split(WORDS);
    for (let [start, i] = [0, 0]; i < words.length && start + words[i]!.length <= differs && lines.length > most; i++) {
      start += words[i]!.length;
      lines = wrapped(`…${name.slice(start)}`, fits);
    }
  }
  const shown = lines.slice(0, most);
  if (lines.length > most) shown[most - 1] = `${shown[most - 1]!.slice(0, -1)}…`;
  const top = box.y + box.height / 2 - ((shown.length - 1) * size * 1.15) / 2;
  shown.forEach((line, i) => context.fillText(line, box.x + size * 0.35, top + i * size * 1.15, room));
}

const WORDS = /(?<=[a-z0-9])(?=[A-Z])|(?<=[_.\s])|(?<=[A-Za-z])(?=[0-9])/;

function wrapped(text: string, fits: (text: string) => boolean): string[] {
  const lines: string[] = [""];
  for (const word of text.split(WORDS)) {
    const last = lines.at(-1)!;
    if (!last || fits(last + word)) lines[lines.length - 1] = last + word;
    else lines.push(word);
  }
  return lines;
}

/** The ground that each block stands on. Its name is an element above it: it can be chosen. */
function drawGroups(context: CanvasRenderingContext2D, placed: Placed, view: View) {
  for (const one of placed.groups) {
    context.fillStyle = colour("band");
    context.fillRect(one.x, one.y, one.width, one.height);
    context.strokeStyle = colour("line");
    context.lineWidth = 1 / view.scale;
    context.strokeRect(one.x, one.y, one.width, one.height);
  }
}

/** From far away a component is a mark; one with a link that does not fit has its colour, and a size that is seen. */
function drawDots(context: CanvasRenderingContext2D, placed: Placed, view: View, seen: Seen, node: string) {
  const least = 5 / view.scale; // five points on the screen
  for (const isWrong of [false, true]) { // what is wrong lies above
    for (const card of placed.picture.components) {
      if (card.x + card.width < seen.left || card.x > seen.right || card.y + card.height < seen.top || card.y > seen.bottom) continue;
      const state = placed.states.get(card.name) ?? "fits";
      if (RANKED.includes(state) !== isWrong) continue;
      context.fillStyle = colour(card.name === node ? "accent" : isWrong ? STATE[state]! : "card");
      const [w, h] = isWrong || card.name === node ? [Math.max(card.width, least), Math.max(card.height, least)] : [card.width, card.height];
      context.fillRect(card.x, card.y, w, h);
    }
  }
}

const MOST_ROADS = 120;

/** What runs between blocks, thicker where it is more: all that does not fit, and of the rest the thickest. */
function drawRoads(context: CanvasRenderingContext2D, placed: Placed, view: View) {
  const weight = (one: Road) => (RANKED.includes(one.worst) ? 1e6 : 0) + one.count;
  const shown = [...placed.roads].sort((a, b) => weight(b) - weight(a)).slice(0, MOST_ROADS).reverse(); // the worst above
  for (const { from, to, count, worst } of shown) {
    const isWrong = RANKED.includes(worst);
    const width = (isWrong ? 2 : 1) + Math.log2(count) * 0.6;
    const [a, b] = [middleOf(from), middleOf(to)];
    const [end, angle] = [edgeOf(to, a), Math.atan2(b[1] - a[1], b[0] - a[0])];
    const begin = edgeOf(from, b);
    const size = (4 + width * 1.5) / view.scale;
    context.strokeStyle = context.fillStyle = colour(isWrong ? STATE[worst]! : "soft");
    context.globalAlpha = isWrong ? 0.9 : 0.35;
    context.lineWidth = width / view.scale;
    context.beginPath();
    context.moveTo(...begin);
    context.lineTo(...end);
    context.stroke();
    context.beginPath();
    context.moveTo(...end);
    for (const turn of [0.4, -0.4]) context.lineTo(end[0] - size * Math.cos(angle + turn), end[1] - size * Math.sin(angle + turn));
    context.fill();
  }
  context.globalAlpha = 1;
}

const middleOf = (box: Box): [number, number] => [box.x + box.width / 2, box.y + box.height / 2];

/** Where the line from the middle of a box to a point leaves the box. */
function edgeOf(box: Box, to: [number, number]): [number, number] {
  const [x, y] = middleOf(box);
  const [dx, dy] = [to[0] - x, to[1] - y];
  const part = Math.min(dx ? box.width / 2 / Math.abs(dx) : Infinity, dy ? box.height / 2 / Math.abs(dy) : Infinity, 1);
  return [x + dx * part, y + dy * part];
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
  const [x, y] = wire.corners ? placeOn(wire.corners, t) : [at(0), at(1)];
  context.fillStyle = context.strokeStyle = colour(wire.fits ? "good" : "bad");
  context.beginPath();
  context.arc(x, y, t < 1 ? 7 / Math.max(scale, 0.5) : 5, 0, 7);
  context.fill();
  if (t === 1 && !wire.fits) {
    context.lineWidth = 2.5;
    context.beginPath();
    context.arc(wire.to[0], wire.to[1], 11, 0, 7);
    context.stroke();
  }
}
