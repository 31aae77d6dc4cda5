// One time for everything that happened: who thought, who was waited for, gates, commits, calls and events, each at its place.
import type { Fact, SpanTold } from "../../clients/typescript/graphbus";
import type { BusEvent } from "./store";

type Data = Record<string, any>; // a fact's data: each kind has its own

/** Something that took from `from` to `to`, in epoch seconds. `seq`: the fact that tells it, 0 for what the bus did. */
export interface Bar {
  lane: string;
  from: number;
  to: number;
  kind: "thinks" | "waits" | "tick" | "call" | "failed" | "event";
  says: string;
  seq: number;
}

/** What each voice did when, read from the facts alone. */
export function barsOf(facts: Fact[]): Bar[] {
  const bars: Bar[] = [];
  let asked = 0;
  let evaluated = 0;
  const prepared = new Map<string, number>();
  for (const { seq, kind, at: time, data: raw } of facts) {
    const at = time ?? 0;
    const data = raw as Data;
    switch (kind) {
      case "round_started":
        asked = at;
        break;
      case "proposals_made":
        bars.push({ lane: data.agent, from: asked, to: at, kind: "thinks", says: `thinks, and proposes ${data.proposals?.length ?? 0}`, seq });
        break;
      case "evaluation_opened":
        evaluated = at;
        break;
      case "proposal_evaluated":
        bars.push({ lane: data.evaluator, from: evaluated, to: at, kind: "thinks", says: `weighs ${data.proposal_id}: ${data.evaluation?.decision ?? "silent"}`, seq });
        break;
      case "ruled":
        bars.push({ lane: data.arbiter ?? "arbiter", from: evaluated, to: at, kind: "thinks", says: "rules", seq });
        break;
      case "question_settled":
        bars.push({ lane: data.by ?? "person", from: asked, to: at, kind: "waits", says: `was asked what is meant: ${data.choice ?? "no answer"}`, seq });
        break;
      case "commit_prepared": {
        prepared.set(data.proposal_id, at);
        // One mark for all of a commit: many on one place would look passed while they are still to come.
        const ends = (data.receipt?.ends ?? []).map((end: Data) => `${end.gate} ${end.end}`);
        if (ends.length) bars.push({ lane: "gates", from: at, to: at, kind: "tick", says: `${data.proposal_id}: ${ends.join(", ")}`, seq });
        break;
      }
      case "commit_approved":
      case "proposal_withdrawn":
        bars.push({ lane: data.by || "person", from: prepared.get(data.proposal_id) ?? at, to: at, kind: "waits", says: `was waited for, on ${data.proposal_id}`, seq });
        break;
      case "proposal_committed":
        bars.push({ lane: "commits", from: at, to: at, kind: "tick", says: `${data.proposal_id} is committed`, seq });
        break;
    }
  }
  return bars;
}

const MOST_EVENTS = 120; // the newest: in a flood each is drawn anew four times a second

/** What the bus did: calls and handlers as long as they took, the newest events where they were published. */
export function busBarsOf(events: BusEvent[], spans: SpanTold[]): Bar[] {
  return [
    ...spans.map(({ at, took_ms, kind, name, error }): Bar => ({ lane: "calls", from: at, to: at + took_ms / 1000, kind: error ? "failed" : "call", says: `${kind} ${name}, ${took_ms.toFixed(1)} ms${error ? `: ${error}` : ""}`, seq: 0 })),
    ...events.slice(0, MOST_EVENTS).filter((one) => one.at > 0).map(({ at, topic, src }): Bar => ({ lane: "events", from: at, to: at, kind: "event", says: `${topic} of ${src}`, seq: 0 })),
  ];
}

/** A stretch of the axis: of time that is drawn as it is, or of one that is folded. Places are parts of the whole axis. */
export interface Stretch {
  from: number;
  to: number;
  left: number;
  right: number;
  folded: boolean;
}

const FOLD = 0.035; // of the axis, for a time in which nobody but a person did anything
const LONG = 0.2; // of all the time that is not folded: a shorter gap stays as it is
const LEAST_S = 2;

/**
 * The axis for these bars. While a person is waited for, or nothing happens, time is folded; between two folds a second is
 * as wide as in any other stretch. Bars come in any order.
 */
export function stretchesOf(bars: Bar[]): Stretch[] {
  const busy = bars.filter((one) => one.kind !== "waits").map((one) => [one.from, one.to] as [number, number]);
  busy.push(...bars.filter((one) => one.kind === "waits").flatMap((one) => [[one.from, one.from], [one.to, one.to]] as [number, number][]));
  busy.sort((a, b) => a[0] - b[0]);
  if (!busy.length) return [];
  let runs: [number, number][] = [];
  for (const [from, to] of busy) {
    const last = runs.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else runs.push([from, to]);
  }
  const gaps = runs.slice(1).map((one, i) => one[0] - runs[i]![1]).sort((a, b) => a - b);
  const worked = runs.reduce((sum, [from, to]) => sum + to - from, 0);
  let kept = worked; // short gaps are kept, the shortest first, as long as none is long beside what there is
  let longest = 0;
  for (const gap of gaps) {
    if (gap > Math.max(LEAST_S, LONG * (kept + gap))) break;
    kept += gap;
    longest = gap;
  }
  runs = runs.reduce<[number, number][]>((all, [from, to]) => {
    const last = all.at(-1);
    if (last && from - last[1] <= longest) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
    return all;
  }, []);
  const folds = runs.length - 1;
  const room = Math.max(0.4, 1 - folds * FOLD);
  const fold = folds ? (1 - room) / folds : 0;
  const all = Math.max(0.001, runs.reduce((sum, [from, to]) => sum + to - from, 0));
  const least = 0.02 * room; // a run of one moment can be seen
  const wide = runs.map(([from, to]) => Math.max(least, ((to - from) / all) * room));
  const scale = room / wide.reduce((sum, one) => sum + one, 0);
  const stretches: Stretch[] = [];
  let left = 0;
  runs.forEach(([from, to], i) => {
    if (i) {
      stretches.push({ from: runs[i - 1]![1], to: from, left, right: left + fold, folded: true });
      left += fold;
    }
    stretches.push({ from, to, left, right: (left += wide[i]! * scale), folded: false });
  });
  return stretches;
}

/** Where a time stands on the axis, from 0 to 1. */
export function placeOf(time: number, stretches: Stretch[]): number {
  const found = stretches.find((one) => time <= one.to) ?? stretches.at(-1);
  if (!found) return 0;
  const part = found.to > found.from ? (time - found.from) / (found.to - found.from) : 0.5;
  return found.left + (found.right - found.left) * Math.min(1, Math.max(0, part));
}

/** A length of time in the words of a clock: 40 ms, 3.2 s, 5 min, 2 h. */
export function lengthOf(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 90) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  return seconds < 129_600 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} d`;
}
