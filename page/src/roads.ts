// How a link runs whose target does not stand right of its source: around the cards, each wire in a lane of its own.
import type { Box } from "./geometry";

export type Point = [number, number];

const ROOM = 24; // that a curve needs between its ends
const OUT = 14; // from a port to the first lane
const LANE = 7; // from one lane to the next
const ROUND = 8;

/** The corners of wire number `nth` of `count` of a link, its ends with them; null where a curve runs freely. Lanes are in
 * such an order that wires of one link cross nobody of their own. */
export function cornersOf(from: Point, to: Point, source: Box, target: Box, cards: Box[], nth: number, count: number): Point[] | null {
  if (to[0] - from[0] >= ROOM) return null;
  const [first, last] = [nth, count - 1 - nth];
  const isBelow = target.y >= source.y + source.height;
  const isAbove = target.y + target.height <= source.y;
  const gap = isBelow ? target.y - source.y - source.height : isAbove ? source.y - target.y - target.height : 2 * (OUT + count * LANE);
  const lane = Math.min(LANE, (gap - OUT) / Math.max(1, count));
  const near = Math.min(OUT, gap / 2);
  const across = isBelow ? target.y - near - first * lane : isAbove ? target.y + target.height + near + last * lane : Math.max(source.y + source.height, target.y + target.height) + near + last * lane;
  const [low, high] = [Math.min(from[1], across), Math.max(from[1], across)];
  const beside = cards.filter((one) => one.y < high && one.y + one.height > low && one.x < from[0] + OUT + count * LANE && one.x + one.width > from[0]);
  const right = Math.max(from[0], ...beside.map((one) => one.x + one.width)) + OUT + (isAbove ? first : last) * LANE;
  const left = to[0] - OUT - (isBelow ? first : last) * LANE;
  return [from, [right, from[1]], [right, across], [left, across], [left, to[1]], to];
}

/** The same as a path, its corners rounded. */
export function pathOf(corners: Point[]): string {
  const parts = [`M${corners[0]!.join(" ")}`];
  for (let i = 1; i < corners.length - 1; i++) {
    const [before, at, after] = [corners[i - 1]!, corners[i]!, corners[i + 1]!];
    const radius = Math.min(ROUND, lengthOf(before, at) / 2, lengthOf(at, after) / 2);
    parts.push(`L${towards(at, before, radius).join(" ")}Q${at.join(" ")} ${towards(at, after, radius).join(" ")}`);
  }
  return `${parts.join("")}L${corners.at(-1)!.join(" ")}`;
}

/** The place after this part of the way. */
export function placeOn(corners: Point[], part: number): Point {
  let rest = part * corners.slice(1).reduce((sum, one, i) => sum + lengthOf(corners[i]!, one), 0);
  for (let i = 1; i < corners.length; i++) {
    const length = lengthOf(corners[i - 1]!, corners[i]!);
    if (rest <= length && length) return towards(corners[i - 1]!, corners[i]!, rest);
    rest -= length;
  }
  return corners.at(-1)!;
}

const lengthOf = (a: Point, b: Point) => Math.hypot(b[0] - a[0], b[1] - a[1]);

function towards(from: Point, to: Point, by: number): Point {
  const part = by / (lengthOf(from, to) || 1);
  return [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part];
}
