// The time axis: a lane a voice, bars while it thinks, ticks for gates, gaps where a person is waited for, events below.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Fact } from "../../clients/typescript/graphbus";
import { plain } from "./json";
import { Act, T } from "./kit";
import { api, set, to, useStore } from "./store";
import { model } from "./trial";

type Data = Record<string, any>; // a fact's data: each kind has its own

interface Bar {
  lane: string;
  from: number;
  to: number;
  kind: "thinks" | "waits" | "tick";
  says: string;
  seq: number;
}

const cache = new Map<string, Fact[]>(); // facts never change: what was read is read on
const MAX_FACTS = 5_000;

async function factsOf(id: string): Promise<Fact[]> {
  const found = cache.get(id) ?? [];
  for (let next: string | null = String(found.at(-1)?.seq ?? 0); next !== null && found.length < MAX_FACTS; ) {
    const part = await api.listFacts(id, { after: Number(next), limit: 500 });
    found.push(...part.items);
    next = part.next;
  }
  cache.clear(); // one at a time: logs are large
  cache.set(id, found);
  return [...found];
}

export function Axis() {
  const { negotiations, route, facts: changed, events, picture, builds, forking } = useStore();
  const runs = builds.some((one) => one.state === "running");
  const chosen = route.kind === "negotiation" || route.kind === "proposal" ? route.id : (negotiations.find((one) => one.kind === "proposal" && one.state !== "damaged")?.id ?? "");
  const [facts, keep] = useState<Fact[]>([]);
  const [playing, play] = useState(false);
  const given = route.kind === "negotiation" ? Number(route.query.get("at") ?? NaN) : NaN;
  const at = Number.isNaN(given) ? null : given;
  useEffect(() => {
    let here = true;
    if (!chosen) return keep([]);
    factsOf(chosen).then((found) => here && keep(found), () => here && keep([]));
    return () => void (here = false);
  }, [chosen, changed]);
  const bars = useMemo(() => barsOf(facts), [facts]);
  const last = facts.length;
  const shown = at === null ? last : Math.min(at, last);
  useEffect(() => {
    set({ broken: at === null || !facts.length ? null : brokenAt(facts, at) });
  }, [at, facts]);
  const move = (to_: number | null) => (location.hash = to("negotiation", chosen) + (to_ === null || to_ >= last ? "" : `?at=${to_}`));
  const step = useRef(move);
  step.current = move;
  useEffect(() => {
    if (!playing) return;
    const tick = setInterval(() => {
      const next = (Number.isNaN(given) ? 0 : given) + 1;
      step.current(next);
      if (next >= last) play(false);
    }, 450);
    return () => clearInterval(tick);
  }, [playing, given, last]);
  if (!chosen && !events.length) return null;
  const lanes = [...new Set(bars.map((one) => one.lane))];
  const from = facts[0]?.at ?? 0;
  const until = Math.max(from + 0.001, facts.at(-1)?.at ?? 0);
  const x = (time: number) => `${(Math.min(1, Math.max(0, (time - from) / (until - from))) * 100).toFixed(3)}%`;
  const now = facts[shown - 1]?.at ?? until;
  return (
    <section class="axis" aria-label="Time axis">
      {facts.length ? (
        <>
          <div class="row controls">
            <button type="button" aria-pressed={playing} onClick={() => { if (!playing && shown >= last) move(0); play(!playing); }}>{playing ? "Pause" : "Play"}</button>
            <label class="grow">
              <span class="sr">Replay: facts shown</span>
              <input type="range" min={0} max={last} value={shown} aria-valuetext={`fact ${shown} of ${last}`} onInput={(e) => move(Number(e.currentTarget.value))} />
            </label>
            <small class="soft" role="status">{shown} of {last} facts</small>
            {at !== null ? <button type="button" onClick={() => { play(false); move(null); }}>Follow live</button> : null}
            {shown ? <Act disabled={Boolean(forking) || runs} do={() => fork(chosen, shown)}>Fork here</Act> : null}
            {forking ? <small class="wait" role="status">A dry run from that fact is under way …</small> : null}
          </div>
          <div class="lanes" role="group" aria-label={`Who spoke when, in ${plain(chosen)}`}>
            {lanes.map((lane) => (
              <div class="lane" key={lane}>
                <span class="name"><T>{lane}</T></span>
                <svg class="track" role="img" aria-label={laneSays(bars, lane)}>
                  {bars.filter((one) => one.lane === lane).map((one) => {
                    const future = one.seq > shown ? " future" : "";
                    return one.kind === "tick" ? (
                      <rect x={x(one.from)} y="3" width="3" height="14" class={`tick${future}`}><title>{plain(one.says)}</title></rect>
                    ) : (
                      <rect x={x(one.from)} y={one.kind === "waits" ? "8" : "5"} height={one.kind === "waits" ? "4" : "10"} width={`${Math.max(0.6, ((one.to - one.from) / (until - from)) * 100)}%`} class={`${one.kind}${future}`}><title>{plain(one.says)}</title></rect>
                    );
                  })}
                  <line x1={x(now)} x2={x(now)} y1="0" y2="20" class="now" />
                </svg>
              </div>
            ))}
          </div>
        </>
      ) : null}
      {events.length ? (
        <div class="lane">
          <span class="name">events</span>
          <a class="track recent" href={to("runtime")} aria-label={`${events.length} recent events of the bus`}>
            {events.slice(0, 60).map((one) => <i key={one.event_id} title={plain(one.topic)} />)}
          </a>
        </div>
      ) : null}
      {picture ? null : <span />}
    </section>
  );
}

/** A dry run on the sources as they stood after a fact; when it has ended, it is shown. */
async function fork(id: string, at: number) {
  const { id: run } = await api.forkNegotiation(id, { at, model: await model() });
  set({ forking: run });
}

function laneSays(bars: Bar[], lane: string): string {
  const own = bars.filter((one) => one.lane === lane);
  return plain(`${lane}: ${own.length} ${own.length === 1 ? "step" : "steps"}, the last: ${own.at(-1)?.says ?? ""}`);
}

/** What each voice did when, read from the facts alone. */
function barsOf(facts: Fact[]): Bar[] {
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
      case "proposal_ruled":
      case "arbitration_ruled":
        bars.push({ lane: data.arbiter ?? "arbiter", from: evaluated, to: at, kind: "thinks", says: "rules", seq });
        break;
      case "question_settled":
        bars.push({ lane: data.by ?? "person", from: asked, to: at, kind: "waits", says: `was asked what is meant: ${data.choice ?? "no answer"}`, seq });
        break;
      case "commit_prepared":
        prepared.set(data.proposal_id, at);
        for (const end of data.receipt?.ends ?? []) bars.push({ lane: "gates", from: at, to: at, kind: "tick", says: `${data.proposal_id}: ${end.gate} ${end.end}`, seq });
        break;
      case "commit_approved":
      case "commit_declined":
        bars.push({ lane: data.by || "person", from: prepared.get(data.proposal_id) ?? at, to: at, kind: "waits", says: `was waited for, on ${data.proposal_id}`, seq });
        break;
      case "proposal_committed":
        bars.push({ lane: "commits", from: at, to: at, kind: "tick", says: `${data.proposal_id} is committed`, seq });
        break;
    }
  }
  return bars;
}

/** The links that did not fit after fact number `at`, with what was sent and not taken: those of the start, then those after each commit. */
function brokenAt(facts: Fact[], at: number): Map<string, unknown> {
  const ids = (all: Data[]) => new Map(all.map((one) => [`${one.producer} => ${one.consumer}`, one.counterexample as unknown]));
  let broken = new Map<string, unknown>();
  const after = new Map<string, Map<string, unknown>>();
  for (const { seq, kind, data: raw } of facts) {
    if (seq > Math.max(1, at)) break;
    const data = raw as Data;
    if (kind === "negotiation_opened") broken = ids(data.mismatches ?? []);
    else if (kind === "commit_prepared" && data.receipt?.mismatches) after.set(data.proposal_id, ids(data.receipt.mismatches));
    else if (kind === "proposal_committed") broken = after.get(data.proposal_id) ?? broken;
  }
  return broken;
}
