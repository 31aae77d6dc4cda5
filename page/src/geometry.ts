// Where things stand on the picture, in its own points. The server lays cards out; heights of rows are the same there.
import type { Component, DataLink, Picture } from "../../clients/typescript/graphbus";
import { isMisfit } from "./misfit";
import { plain, tellingField } from "./json";
import { cornersOf, type Point } from "./roads";
import { boxed, differences, type Group } from "./groups";

export const HEAD = 34;
export const ROW = 24;
export const PORT = 20;

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Wire {
  link: DataLink;
  from: [number, number];
  to: [number, number];
  given: string | null; // the field that is sent
  field: string; // the one that takes it
  fits: boolean;
  corners: Point[] | null; // the way around the cards, where it is no curve
  loose: boolean; // nobody sends what is required: it ends before it begins
}

export interface Chip {
  link: DataLink;
  text: string;
  at: [number, number]; // with its text
  on: [number, number]; // as a mark alone: on its link
}

export interface Placed {
  picture: Picture;
  cards: Map<string, Component>;
  wires: Wire[];
  chips: Chip[];
  states: Map<string, string>; // the worst state of a component's links, where they do not all fit
  groups: Group[];
  roads: Road[];
  differs: Map<string, number>; // how much of a name has to be read
  bounds: Box;
}

/** What runs between two blocks: so many links from one to the other, and the worst of their states. */
export interface Road {
  from: Group;
  to: Group;
  count: number;
  worst: string;
}

const RANK: Record<string, number> = { fits: 0, guessed: 1, undecided: 2, broken: 3 };

/** Everything that is drawn, once for each picture. */
export function place(picture: Picture, grouped: Group[] = []): Placed {
  const cards = new Map(picture.components.map((one) => [one.name, one]));
  const ports = new Map(picture.components.map((one) => [one.name, portsOf(one)]));
  const wires: Wire[] = [];
  const chips: Placed["chips"] = [];
  const states = new Map<string, string>();
  const roads = new Map<string, Road>();
  const groups = boxed(grouped, cards);
  const groupOf = new Map(groups.flatMap((one) => one.members.map((card) => [card.name, one] as const)));
  for (const link of picture.links) {
    const source = cards.get(link.source.node);
    const target = cards.get(link.target.node);
    if (!source || !target) continue;
    for (const end of [source, target]) states.set(end.name, worseOf(link.state, states.get(end.name)));
    const [begins, ends] = [groupOf.get(source.name), groupOf.get(target.name)];
    if (begins && ends && begins !== ends) {
      const key = `${begins.title}\n${ends.title}`;
      const road = roads.get(key);
      roads.set(key, { from: begins, to: ends, count: (road?.count ?? 0) + 1, worst: worseOf(link.state, road?.worst) });
    }
    const out = ports.get(source.name)!;
    const into = ports.get(target.name)!;
    const way = outPort(link, null);
    const begin = out.get(way) ?? [source.width, HEAD / 2];
    const end = into.get(inPort(link, "")) ?? [0, HEAD / 2];
    const isWrong = isMisfit(link);
    const before = wires.length;
    for (const one of link.fields) {
      const a = one.source === null ? null : (out.get(outPort(link, one.source)) ?? begin);
      const b = into.get(inPort(link, one.target)) ?? end;
      const to: [number, number] = [target.x + b[0], target.y + b[1]];
      const from: [number, number] = a ? [source.x + a[0], source.y + a[1]] : [source.x + begin[0], source.y + begin[1]];
      wires.push({ link, from, to, given: one.source, field: one.target, fits: one.fits || !isWrong, loose: a === null, corners: null });
    }
    if (wires.length === before) {
      wires.push({ link, from: [source.x + begin[0], source.y + begin[1]], to: [target.x + end[0], target.y + end[1]], given: null, field: "", fits: !isWrong, loose: false, corners: null });
    }
    const own = wires.slice(before);
    if (picture.components.length <= MOST_FREED) own.forEach((one, i) => (one.corners = cornersOf(one.from, one.to, source, target, picture.components, i, own.length)));
    if (isWrong) chips.push({ link, text: compact(link), at: chipAt(own), on: [0, 0] });
  }
  const ways = wires.flatMap(({ corners }) => (corners ?? []).map(([x, y]): Box => ({ x, y, width: 0, height: 0 })));
  return { picture, cards, wires, chips: picture.components.length > MOST_FREED ? apart(chips) : freed(chips, picture.components), states, groups, roads: [...roads.values()], differs: differences([...cards.keys()]), bounds: boundsOf(groups.length ? groups : [...picture.components, ...ways]) };
}

const worseOf = (state: string, other = "fits") => ((RANK[state] ?? 0) > (RANK[other] ?? 0) ? state : other);

/** The port that a link begins at; that of the whole method or topic where no field is named. */
export const outPort = ({ source }: DataLink, field: string | null) => `${source.topic ? `topic ${source.topic}` : `out ${source.method}`}${field === null ? "" : `.${field}`}`;

/** The port that a link ends at. */
export const inPort = ({ target }: DataLink, field: string) => `in ${target.method}${field ? `.${field}` : ""}`;

/** The ports of a card by name, as places on it. */
export function portsOf(card: Component): Map<string, [number, number]> {
  const found = new Map<string, [number, number]>();
  let y = HEAD;
  for (const method of card.methods) {
    found.set(`in ${method.name}`, [0, y + ROW / 2]);
    found.set(`out ${method.name}`, [card.width, y + ROW / 2]);
    method.inputs.forEach((port, i) => found.set(`in ${method.name}.${port.name}`, [0, y + ROW + PORT * (i + 0.5)]));
    method.outputs.forEach((port, i) => found.set(`out ${method.name}.${port.name}`, [card.width, y + ROW + PORT * (i + 0.5)]));
    y += ROW + PORT * Math.max(method.inputs.length, method.outputs.length);
  }
  for (const topic of card.publishes) {
    found.set(`topic ${topic.topic}`, [card.width, y + ROW / 2]);
    topic.ports.forEach((port, i) => found.set(`topic ${topic.topic}.${port.name}`, [card.width, y + ROW + PORT * (i + 0.5)]));
    y += ROW + PORT * topic.ports.length;
  }
  for (const heard of card.hears) {
    found.set(`in ${heard.handler}`, [0, y + ROW / 2]);
    y += ROW;
  }
  return found;
}

function chipAt(wires: Wire[]): [number, number] {
  const wrong = wires.find((one) => !one.fits) ?? wires[0]!;
  const [, , begin, end] = wrong.corners ?? [];
  if (begin && end) return [(begin[0] + end[0]) / 2, begin[1]];
  return [(wrong.from[0] + wrong.to[0]) / 2, (wrong.from[1] + wrong.to[1]) / 2];
}

/** The field that a link fails by, in a few letters, or that is undecided: of that no payload tells anything. One that the payload lacks fails for certain; of several others it may be any. */
function compact({ paths, counterexample, state }: DataLink): string {
  const fields = (paths.length ? paths : [""]).map((path) => (state === "undecided" ? path : tellingField(counterexample, path)));
  const text = plain(fields.find((one) => one.startsWith("no ")) ?? fields[0]!);
  return text.length > 24 ? `${text.slice(0, 23)}…` : text;
}

const MOST_FREED = 200; // components; with more of them nobody reads a chip in the whole
const MARK = 60; // so near to another mark, in its own points, a mark would hide it from afar
const [LETTER, ENDS, HIGH] = [7.3, 40, 24]; // of a chip, in its own points
/** Where a chip may stand instead, the nearest first. */
const ASIDE = [0, 1, -1, 2, -2, 3, -3].flatMap((x) => Array.from({ length: 25 }, (_, i): [number, number] => [x * 60, (i - 12) * 13])).sort((a, b) => Math.hypot(...a) - Math.hypot(...b));

/** A chip lies neither on a card, where it would hide a field's name, nor on another chip, if there is a place for it. */
function freed(chips: Placed["chips"], cards: Component[]): Placed["chips"] {
  const taken: Box[] = [...cards];
  for (const one of chips) {
    const width = ENDS + LETTER * one.text.length;
    const boxAt = ([x, y]: [number, number]) => ({ x: one.at[0] + x - width / 2, y: one.at[1] + y - HIGH / 2, width, height: HIGH });
    const free = ASIDE.find((aside) => !taken.some((other) => overlap(other, boxAt(aside)))) ?? [0, 0];
    taken.push(boxAt(free));
    const [x, y] = one.at;
    one.at = [x + free[0], y + free[1]];
    one.on = chips.some(({ on }) => Math.hypot(on[0] - x, on[1] - y) < MARK) ? one.at : [x, y];
  }
  return chips;
}

export const overlap = (a: Box, b: Box) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** Two chips never stand on each other. */
function apart(chips: Placed["chips"]): Placed["chips"] {
  const taken = new Set<string>();
  for (const one of chips) {
    while (taken.has(`${Math.round(one.at[0] / 120)} ${Math.round(one.at[1] / 28)}`)) one.at[1] += 28;
    taken.add(`${Math.round(one.at[0] / 120)} ${Math.round(one.at[1] / 28)}`);
    one.on = one.at;
  }
  return chips;
}

export function boundsOf(boxes: Box[]): Box {
  if (!boxes.length) return { x: 0, y: 0, width: 1, height: 1 };
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const one of boxes) {
    left = Math.min(left, one.x);
    top = Math.min(top, one.y);
    right = Math.max(right, one.x + one.width);
    bottom = Math.max(bottom, one.y + one.height);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}
