// The project as it was at a fact of a negotiation: asked of the server once for all facts between two commits.
import { useEffect, useRef } from "preact/hooks";
import type { Fact, Picture } from "../../clients/typescript/graphbus";
import { api, type Past, say, set, type Then, thenOf, useStore } from "./store";

const CHANGING = ["negotiation_opened", "proposal_committed"]; // facts after which the project is another one
const MOST_AHEAD = 40; // pictures that are asked for before they are shown

/** The facts after which the project was another one, the first of them the start. */
const changesOf = (facts: Fact[]) => facts.filter(({ kind }) => CHANGING.includes(kind)).map(({ seq }) => seq);

let kept = { negotiation: "", pictures: new Map<number, Promise<Picture>>() }; // of the one that is looked at

/** The picture since a fact that changed the project. */
function pictureSince(negotiation: string, since: number): Promise<Picture> {
  if (kept.negotiation !== negotiation) kept = { negotiation, pictures: new Map() };
  const { pictures } = kept;
  const found = pictures.get(since) ?? api.getPastPicture(negotiation, { at: since });
  pictures.set(since, found);
  found.catch(() => pictures.delete(since));
  return found;
}

/** Have the project shown as it was after fact `at` of these; as it is today where that is null. */
export function usePast(negotiation: string, at: number | null, facts: Fact[]) {
  const changes = changesOf(facts);
  const from = at === null ? 0 : (changes.filter((seq) => seq <= Math.max(1, at)).at(-1) ?? 0);
  const until = changes.find((seq) => seq > from) ?? Infinity;
  const last = facts.length;
  useEffect(() => {
    if (!from) return set({ past: null });
    let here = true;
    pictureSince(negotiation, from).then((picture) => here && set({ past: { negotiation, from, until, last, picture } }), (error) => here && say(error));
    return () => void (here = false);
  }, [negotiation, from, until, last]);
  useEffect(() => {
    if (!from) return;
    let here = true; // the others, one after the other: a replay that is played waits for none of them
    void (async () => {
      for (const one of changes.slice(0, MOST_AHEAD)) if (here) await pictureSince(negotiation, one).catch(() => undefined);
    })();
    return () => void (here = false);
  }, [negotiation, changes.length, !from]);
}

const isOf = (past: Past | null, { negotiation, at }: Then) =>
  past?.negotiation === negotiation && (at === null ? past.until === Infinity : past.from <= Math.max(1, at) && Math.max(1, at) < past.until);

const written = new WeakMap<Picture, string>();

/** What a picture says, wherever its cards stand; written once for each. */
function said(picture: Picture): string {
  const found = written.get(picture) ?? write(picture);
  written.set(picture, found);
  return found;
}

const write = ({ components, links }: Picture) => JSON.stringify([components.map(({ x, y, ...card }) => card).sort((a, b) => (a.name < b.name ? -1 : 1)), [...links].sort((a, b) => (a.id < b.id ? -1 : 1))]);

export interface Shown {
  then: Then; // always with a fact
  past: Past;
}

/** The past that the address asks for, with its project; null where it is today that is shown. `awaits`: it is asked for, and
 * nothing of it is there. The end of a build that still holds is today. */
export function useShown(): { shown: Shown | null; awaits: boolean } {
  const { route, past, picture: today } = useStore();
  const before = useRef<Past | null>(null);
  const then = thenOf(route);
  if (!then) return { shown: null, awaits: false };
  if (isOf(past, then)) before.current = past;
  const held = before.current?.negotiation === then.negotiation ? before.current : null; // until the next one is there
  if (!held) return { shown: null, awaits: then.at !== null };
  if (then.at === null && (!isOf(held, then) || !past || (today && said(today) === said(held.picture)))) return { shown: null, awaits: false };
  return { shown: { then: { ...then, at: then.at ?? held.last }, past: held }, awaits: false };
}

/** When it was, in a few words. */
export function wordsOfThen({ then, past }: Shown): string {
  if (then.at! >= past.last) return "when this negotiation ended";
  return then.at ? `after fact ${then.at} of ${past.last}` : "before this negotiation began";
}
