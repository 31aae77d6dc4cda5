// Many components as packages: who stands together, worst first, where each block stands, and what runs between blocks.
import type { Component, Picture } from "../../clients/typescript/graphbus";
import { type Box, boundsOf } from "./geometry";

const MOST_GROUPS = 36; // blocks that a person tells apart on one screen
const LARGE = 8; // a block with more than this part of everything is parted further, while there is room for blocks
const FEW = 12; // fewer blocks are parted, too, where one holds more than its share
const GAP = { x: 60, y: 28, block: 140, head: 90 }; // in the picture's points; `head` is room for a block's name
const ASPECT = 1.6;

export interface Group extends Box {
  name: string; // without what all of them share
  title: string; // the whole name of the package, or from which to which
  members: Component[];
}

/** A package with what lies below it: modules, and at the end components. */
interface Package {
  name: string;
  count: number;
  below: Map<string, Package>;
  component: Component | null;
}

function packageOf(name: string): Package {
  return { name, count: 0, below: new Map(), component: null };
}

/** The packages of these components as a tree. */
function treeOf(components: Component[]): Package {
  const root = packageOf("");
  for (const one of components) {
    let at = root;
    at.count++;
    for (const part of [...one.module.split("."), ` ${one.name}`]) { // a blank: a component may be called as a module is
      let next = at.below.get(part);
      if (!next) at.below.set(part, (next = packageOf(at.name && part[0] !== " " ? `${at.name}.${part}` : part[0] === " " ? part.slice(1) : part)));
      next.count++;
      at = next;
    }
    at.component = one;
  }
  return root;
}

const membersOf = (one: Package): Component[] => (one.component ? [one.component] : [...one.below.values()].flatMap(membersOf));

interface Block {
  parts: Package[]; // one package, or neighbours by name
  count: number;
}

/** The packages below a block, where it is one that has some. A package with only one below it is that one. */
function opened(block: Block): Package[] {
  let [one] = block.parts as [Package];
  if (block.parts.length > 1) return block.parts;
  while (one.below.size === 1) one = [...one.below.values()][0]!;
  return [...one.below.values()];
}

/** Neighbours by name together, in so many blocks of about one size. */
function chunked(parts: Package[], most: number): Block[] {
  const sorted = [...parts].sort((a, b) => (a.name < b.name ? -1 : 1));
  const all = sorted.reduce((sum, one) => sum + one.count, 0);
  const blocks: Block[] = [];
  let seen = 0;
  for (const one of sorted) {
    const number = Math.min(most - 1, Math.floor((seen * most) / all));
    const block = (blocks[number] ??= { parts: [], count: 0 });
    block.parts.push(one);
    block.count += one.count;
    seen += one.count;
  }
  return blocks.filter(Boolean);
}

/** Part the largest block while there is room: into its packages, or into neighbours by name where those are too many. */
function blocksOf(components: Component[]): Block[] {
  const root = treeOf(components);
  const blocks: Block[] = [{ parts: [root], count: root.count }];
  while (blocks.length < MOST_GROUPS) {
    blocks.sort((a, b) => b.count - a.count);
    const at = blocks.findIndex((one) => one.count > 1 && opened(one).length > 1 && (one.count * LARGE > root.count || (blocks.length < FEW && one.count * FEW > root.count)));
    if (at < 0) break;
    const parts = opened(blocks[at]!);
    const room = MOST_GROUPS - blocks.length + 1;
    const isFirst = blocks.length === 1;
    const isFew = parts.length <= (isFirst ? room : Math.min(room, FEW));
    const share = isFirst ? room : Math.min(room, Math.max(2, Math.ceil((blocks[at]!.count * LARGE) / root.count)));
    const made = isFew ? parts.map((one) => ({ parts: [one], count: one.count })) : chunked(parts, share);
    if (made.length < 2) break;
    blocks.splice(at, 1, ...made);
  }
  return blocks;
}

/** What all names begin with, up to a dot. */
function sharedStart(names: string[]): string {
  let start = names[0] ?? "";
  for (const one of names) while (!one.startsWith(start)) start = start.slice(0, -1);
  return names.length > 1 ? start.slice(0, start.lastIndexOf(".") + 1) : "";
}

/** The blocks of a picture, the worst first: most links that do not fit, then the largest. */
export function groupsOf(picture: Picture): Group[] {
  const wrong = new Map<string, number>();
  for (const one of picture.links) {
    const weight = one.state === "broken" ? 1_000 : one.state === "undecided" ? 1 : 0;
    if (weight) for (const end of [one.source.node, one.target.node]) wrong.set(end, (wrong.get(end) ?? 0) + weight);
  }
  const blocks = blocksOf(picture.components).map((block) => {
    const members = block.parts.flatMap(membersOf);
    return { block, members, wrong: members.reduce((sum, one) => sum + (wrong.get(one.name) ?? 0), 0) };
  });
  const start = sharedStart(blocks.flatMap(({ block }) => block.parts.map((one) => one.name)));
  const nameOf = (parts: Package[]) => {
    const [first, last] = [parts[0]!.name.slice(start.length), parts.at(-1)!.name.slice(start.length)];
    return first === last ? first : `${first} … ${last.slice(sharedStart([first, last]).length)}`;
  };
  blocks.sort((a, b) => b.wrong - a.wrong || b.members.length - a.members.length || (a.block.parts[0]!.name < b.block.parts[0]!.name ? -1 : 1));
  return blocks.map(({ block, members }) => ({ name: nameOf(block.parts), title: block.parts.length > 1 ? `${block.parts[0]!.name} … ${block.parts.at(-1)!.name}` : block.parts[0]!.name, members, x: 0, y: 0, width: 0, height: 0 }));
}

/** Put cards into columns of about this width in all, in the order of who feeds whom; each one's place, and the size of it all. */
function columnsOf(members: Component[], width: number): { places: [string, number, number][]; width: number; height: number } {
  const wide = Math.max(...members.map((one) => one.width)) + GAP.x;
  const columns = Math.max(1, Math.min(members.length, Math.round(width / wide)));
  const all = members.reduce((sum, one) => sum + one.height + GAP.y, 0);
  const places: [string, number, number][] = [];
  let [column, y, tallest] = [0, 0, 0];
  for (const one of [...members].sort((a, b) => a.x - b.x || a.y - b.y)) { // the server's columns are layers
    if (y > 0 && y + one.height / 2 > all / columns && column < columns - 1) [column, y] = [column + 1, 0];
    places.push([one.name, column * wide, y]);
    y += one.height + GAP.y;
    tallest = Math.max(tallest, y);
  }
  return { places, width: (column + 1) * wide - GAP.x, height: tallest - GAP.y };
}

/**
 * Where each card stands when blocks are laid in strips, in their order: an ordered treemap (Bederson, Shneiderman and
 * Wattenberg, "Ordered and Quantum Treemaps", 2002), whose blocks are as large as what they hold.
 */
export function placesOf(groups: Group[]): Map<string, [number, number]> {
  const area = (one: Group) => one.members.reduce((sum, card) => sum + (card.width + GAP.x) * (card.height + GAP.y), 0);
  const whole = Math.sqrt(groups.reduce((sum, one) => sum + area(one), 0) * ASPECT);
  const found = new Map<string, [number, number]>();
  const squareness = (strip: Group[]) => {
    const height = strip.reduce((sum, one) => sum + area(one), 0) / whole;
    return strip.reduce((sum, one) => sum + Math.max(area(one) / height / height, (height * height) / area(one)), 0) / strip.length;
  };
  let [y, at] = [0, 0];
  while (at < groups.length) {
    const strip = [groups[at++]!];
    while (at < groups.length && squareness([...strip, groups[at]!]) <= squareness(strip)) strip.push(groups[at++]!);
    const height = strip.reduce((sum, one) => sum + area(one), 0) / whole;
    let [x, tallest] = [0, 0];
    for (const group of strip) {
      const laid = columnsOf(group.members, area(group) / height);
      for (const [name, left, top] of laid.places) found.set(name, [x + left, y + top]);
      x += laid.width + GAP.block;
      tallest = Math.max(tallest, laid.height);
    }
    y += tallest + GAP.block + GAP.head;
  }
  return found;
}

/** The groups with their boxes, around where their members stand in this picture. */
export function boxed(groups: Group[], cards: Map<string, Component>): Group[] {
  return groups.map((one) => {
    const box = boundsOf(one.members.map((card) => cards.get(card.name) ?? card));
    return { ...one, x: box.x - GAP.x / 2, y: box.y - GAP.y, width: box.width + GAP.x, height: box.height + 2 * GAP.y };
  });
}

/** For each name how much of it has to be read to tell it from its neighbours in the order of names: the place of the first letter that differs. */
export function differences(names: string[]): Map<string, number> {
  const sorted = [...names].sort();
  const common = (a: string, b: string) => {
    let i = 0;
    while (i < a.length && a[i] === b[i]) i++;
    return i;
  };
  return new Map(sorted.map((name, i) => [name, Math.max(i ? common(name, sorted[i - 1]!) : 0, i + 1 < sorted.length ? common(name, sorted[i + 1]!) : 0)]));
}

/** So many letters of a name, the one at `differs` among them: what is left out is what it shares with its neighbours. */
export function shortenName(name: string, most: number, differs: number): string {
  if (name.length <= most || most < 3) return name;
  if (differs < most - 1) return `${name.slice(0, most - 1)}…`;
  const tail = name.slice(1 - most);
  if (differs >= name.length - tail.length) return `…${tail}`;
  const start = Math.max(0, differs - Math.floor(most / 3));
  return `…${name.slice(start, start + most - 2)}…`;
}
