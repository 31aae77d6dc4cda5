// The canvas below the cards: wires in one path for each look, boxes and modules from afar, the payload on its way.
import type { Box, Placed, Wire } from "./geometry";
import { plain } from "./json";

export const READABLE = 0.6; // below this scale names cannot be read: cards become boxes
export const PLAY_MS = 1400;
const CARD = 260; // the width of a card, in its own points
const NAMED = 44; // on the screen a narrower box cannot hold a name
const TEXT = 10.5; // the size of names on the screen, however far away

export interface View {
  scale: number;
  x: number;
  y: number;
}

export const dpr = () => Math.min(2, window.devicePixelRatio || 1);

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

const RANKED = ["broken", "undecided"]; // seen from afar, too
const STATE: Record<string, string> = { fits: "good", broken: "bad", undecided: "warn", guessed: "soft" };

export function drawCanvas(canvas: HTMLCanvasElement, placed: Placed, view: View, selected: string, node: string, play: { id: string; from: number } | null) {
  const context = canvas.getContext("2d")!;
  const ratio = dpr();
  const [width, height] = [canvas.width / ratio, canvas.height / ratio];
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  const seen = { left: -view.x / view.scale, top: -view.y / view.scale, right: (width - view.x) / view.scale, bottom: (height - view.y) / view.scale };
  if (view.scale * CARD < NAMED && placed.modules.length > 1 && placed.modules.length < placed.cards.size) return drawModules(context, placed, view, ratio);
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
    context.lineWidth = (look.includes("strong") || (far && RANKED.includes(state)) ? 3 : 1.4) / Math.max(view.scale, 0.35);
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
  context.font = `600 ${TEXT / view.scale}px system-ui, "Liberation Sans", sans-serif`;
  context.textBaseline = "middle";
  for (const card of placed.picture.components) {
    if (card.x + card.width < seen.left || card.x > seen.right || card.y + card.height < seen.top || card.y > seen.bottom) continue;
    context.fillStyle = colour(card.name === node ? "accent" : "card");
    context.strokeStyle = colour("soft");
    context.lineWidth = 1 / view.scale;
    context.fillRect(card.x, card.y, card.width, card.height);
    context.strokeRect(card.x, card.y, card.width, card.height);
    if (card.width * view.scale < NAMED) continue;
    context.fillStyle = colour(card.name === node ? "card" : "ink");
    named(context, plain(card.name), card, TEXT / view.scale);
  }
}

/** A name in a box, in as many lines as there is room for; words of CamelCase and snake_case stay whole where they can. */
function named(context: CanvasRenderingContext2D, name: string, box: Box, size: number) {
  const room = box.width - size * 0.7;
  const lines: string[] = [""];
  for (const word of name.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[_.\s])/)) {
    const last = lines.at(-1)!;
    if (!last || context.measureText(last + word).width <= room) lines[lines.length - 1] = last + word;
    else lines.push(word);
  }
  const most = Math.max(1, Math.floor(box.height / (size * 1.15)));
  const shown = lines.slice(0, most);
  if (lines.length > most) shown[most - 1] = `${shown[most - 1]!.slice(0, -1)}…`;
  const top = box.y + box.height / 2 - ((shown.length - 1) * size * 1.15) / 2;
  shown.forEach((line, i) => context.fillText(line, box.x + size * 0.35, top + i * size * 1.15, room));
}

/** From far away each module is one box, in the colour of its worst link. */
function drawModules(context: CanvasRenderingContext2D, placed: Placed, view: View, ratio: number) {
  const { bounds, modules } = placed;
  const columns = Math.max(1, Math.round(Math.sqrt((modules.length * bounds.width) / bounds.height / 1.6))); // boxes wider than high
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
    if (w < NAMED || h < 14) return;
    context.fillStyle = colour("ink");
    named(context, plain(`${one.worst === "fits" ? "" : "✗ "}${one.name.split(".").at(-1)} (${one.count})`), { x: x + 4, y, width: w - 12, height: h - 4 }, 12);
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
