// A layered layout with every port in its place, by ELK in a worker: asked for after the first picture is there.
import type { Component, Picture } from "../../clients/typescript/graphbus";
import { type Box, boundsOf, inPort, outPort, portsOf } from "./geometry";

export const MOST = 200; // components in one layout; more take seconds
const WAIT_MS = 15_000; // a worker that says nothing for so long is ended
export type Places = Map<string, [number, number]>;

type Laid = Box & { id: string };

interface Told {
  id: number;
  error?: unknown;
  data?: { children?: Laid[] };
}

let worker: Worker | null = null;
let asked = 0;

/** One layout. The worker ends after it: it is needed again when the project changes, and holds much meanwhile. */
function layout(graph: unknown): Promise<Laid[]> {
  worker?.terminate();
  const here = (worker = new Worker("/page/elk.js"));
  const id = ++asked;
  return new Promise((resolve, reject) => {
    const over = (act: () => void) => {
      clearTimeout(late);
      here.terminate();
      if (worker === here) worker = null;
      act();
    };
    const late = setTimeout(() => over(() => reject(new Error("the layout took too long"))), WAIT_MS);
    here.onerror = () => over(() => reject(new Error("the layout could not be loaded")));
    here.onmessage = ({ data: told }: MessageEvent<Told>) => {
      if (told.id === id) over(() => (told.error ? reject(new Error("there is no layout")) : resolve(told.data?.children ?? [])));
    };
    here.postMessage({ id: 0, cmd: "register", algorithms: ["layered"] });
    here.postMessage({ id, cmd: "layout", graph, layoutOptions: OPTIONS, options: {} });
  });
}

const WIDE = { "elk.layered.spacing.nodeNodeBetweenLayers": "180", "elk.spacing.nodeNode": "36" }; // room for a payload on a link
const TIGHT = { "elk.layered.spacing.nodeNodeBetweenLayers": "80", "elk.spacing.nodeNode": "22" };
const WRAPPED = { ...TIGHT, "elk.layered.wrapping.strategy": "SINGLE_EDGE" }; // a long chain goes on below its beginning
const FEW = 12; // components that are read one by one
const READ_AT = 0.65; // a scale at which ports can be read, with a little to spare
const EDGE = 48; // left free around the whole
const OPTIONS = {
  "elk.algorithm": "layered",
  "elk.direction": "RIGHT",
  "elk.spacing.componentComponent": "40",
  "elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX",
  "elk.randomSeed": "7", // the same project is the same picture
};

/** What the layout rests on: as long as this is the same, cards stay where they are. */
export const shapeOf = (picture: Picture, names: string[]) => JSON.stringify([names.map((name) => [name, picture.components.find((one) => one.name === name)?.height]), picture.links.map((one) => one.id)]);

/** Where these cards stand in a layered layout, moved to where the first of them was. */
export async function arranged(picture: Picture, cards: Component[], width: number, height: number): Promise<Places> {
  const names = new Set(cards.map((one) => one.name));
  const wanted = new Set<string>(); // ports that an edge ends at
  const edges: { id: string; sources: string[]; targets: string[] }[] = [];
  for (const link of picture.links) {
    if (!names.has(link.source.node) || !names.has(link.target.node) || link.source.node === link.target.node) continue;
    const ends = link.fields.length ? link.fields : [{ source: null, target: "" }];
    for (const one of ends) {
      const from = `${link.source.node} ${outPort(link, one.source)}`;
      const into = `${link.target.node} ${inPort(link, one.target)}`;
      wanted.add(from).add(into);
      edges.push({ id: `${edges.length}`, sources: [from], targets: [into] });
    }
  }
  const children = cards.map((card) => ({
    id: card.name,
    width: card.width,
    height: card.height,
    layoutOptions: { "elk.portConstraints": "FIXED_POS" },
    ports: [...portsOf(card)].filter(([key]) => wanted.has(`${card.name} ${key}`)).map(([key, [x, y]]) => ({ id: `${card.name} ${key}`, x, y, width: 0, height: 0, layoutOptions: { "elk.port.side": x ? "EAST" : "WEST" } })),
  }));
  const known = new Set(children.flatMap((one) => one.ports.map((port) => port.id)));
  const sound = edges.filter((one) => known.has(one.sources[0]!) && known.has(one.targets[0]!));
  let best: Laid[] = [];
  let most = 0;
  for (const options of cards.length <= FEW ? [WIDE, { ...WRAPPED, ...WIDE }, WRAPPED] : [TIGHT, WRAPPED]) {
    const made = await layout({ id: "", children, edges: sound, layoutOptions: { ...options, "elk.aspectRatio": (width / height || 1).toFixed(2) } });
    const bounds = boundsOf(made);
    const scale = Math.min((width - EDGE) / bounds.width, (height - EDGE) / bounds.height);
    if (scale > most) [best, most] = [made, scale];
    if (cards.length <= FEW && most >= READ_AT) break;
  }
  const corner = { x: Math.min(...cards.map((one) => one.x)), y: Math.min(...cards.map((one) => one.y)) };
  return new Map(best.map((one) => [one.id, [Math.round(one.x + corner.x), Math.round(one.y + corner.y)]]));
}

/** The picture with cards where a layout put them. A card that did not move is the same as before. */
export function moved(picture: Picture, places: Places | null): Picture {
  if (!places) return picture;
  const put = (card: Component): Component => {
    const [x, y] = places.get(card.name) ?? [card.x, card.y];
    return x === card.x && y === card.y ? card : { ...card, x, y };
  };
  return { ...picture, components: picture.components.map(put) };
}
