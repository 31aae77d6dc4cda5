// The time axis: a lane a voice, and one each for gates, commits, calls and events; all on one time, folded while a person is waited for.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Build, Fact, NegotiationShort, SpanTold } from "../../clients/typescript/graphbus";
import { timeOf } from "./clock";
import { plain } from "./json";
import { Sure, T } from "./kit";
import { agentsAt } from "./rewind";
import { api, atOf, foldAxis, set, to, useStore } from "./store";
import { type Bar, barsOf, busBarsOf, lengthOf, placeOf, stretchesOf } from "./timeline";
import { model } from "./trial";

type Data = Record<string, any>; // a fact's data: each kind has its own

let read: [string, Fact[]] = ["", []]; // of one negotiation: facts never change, and what was read is read on
const MAX_FACTS = 5_000;

async function factsOf(id: string): Promise<Fact[]> {
  const found = read[0] === id ? [...read[1]] : []; // of one's own: two may read at once
  for (let next: string | null = String(found.at(-1)?.seq ?? 0); next !== null && found.length < MAX_FACTS; ) {
    const part = await api.listFacts(id, { after: Number(next), limit: 500 });
    found.push(...part.items);
    next = part.next;
  }
  read = [id, found];
  return found;
}

const FORKS = "A fork is a dry run from here: the agents negotiate anew on the sources as they were at this fact. No file is changed. You are led to it when it has ended.";

const MAX_CALLS = 200; // the newest, asked for a moment after events came
const CALLS_MS = 1_000;
const MOST_ZOOM = 200;

/** The calls of the runtime, renewed a moment after something happened. */
function useCalls(): SpanTold[] {
  const { events, runtime } = useStore();
  const [calls, keep] = useState<SpanTold[]>([]);
  const waiting = useRef(0);
  useEffect(() => {
    if (!runtime || waiting.current) return;
    waiting.current = window.setTimeout(() => {
      waiting.current = 0;
      api.listCalls({ limit: MAX_CALLS }).then(({ items }) => keep(items), () => undefined);
    }, CALLS_MS);
  }, [events, runtime]);
  return calls;
}

export function Axis() {
  const { negotiations, route, facts: changed, events, builds, forking, questions, folded } = useStore();
  const asked = questions.length > 0;
  const runs = builds.some((one) => one.state === "running");
  const chosen = route.kind === "negotiation" || route.kind === "proposal" ? route.id : lastNegotiation(negotiations, builds);
  const [facts, keep] = useState<Fact[]>([]);
  const [playing, play] = useState(false);
  const [view, look] = useState<[number, number]>([0, 1]); // the part of the axis that is shown
  const [whole, pull] = useState(false); // all lanes are in sight, however much room they take
  const calls = useCalls();
  const at = atOf(route);
  useEffect(() => look([0, 1]), [chosen]);
  useEffect(() => {
    let here = true;
    if (!chosen) return keep([]);
    factsOf(chosen).then((found) => here && keep(found), () => here && keep([]));
    return () => void (here = false);
  }, [chosen, changed]);
  const talk = useMemo(() => barsOf(facts), [facts]);
  const bus = useMemo(() => busBarsOf(events, calls), [events, calls]);
  const bars = useMemo(() => [...talk, ...bus], [talk, bus]);
  const stretches = useMemo(() => stretchesOf(bars), [bars]);
  const last = facts.length;
  const shown = at === null ? last : Math.min(at, last);
  useEffect(() => {
    set({ past: at === null || !facts.length ? null : { negotiation: chosen, at, broken: brokenAt(facts, at), agents: agentsAt(facts, at) } });
  }, [at, facts]);
  const move = (to_: number | null) => (location.hash = to("negotiation", chosen) + (to_ === null || to_ >= last ? "" : `?at=${to_}`));
  const step = useRef(move);
  step.current = move;
  useEffect(() => {
    if (!playing) return;
    const tick = setInterval(() => {
      const next = (at ?? 0) + 1;
      step.current(next);
      if (next >= last) play(false);
    }, 450);
    return () => clearInterval(tick);
  }, [playing, at, last]);
  // A decision or a document has its own record; the build's would be taken for it.
  if (!bars.length || ["consent", "document", "team", "start", "question"].includes(route.kind) || (route.kind === "inbox" && asked)) return null; // a decision has the whole screen
  if (folded) return <section class="axis folded" aria-label="Time axis"><Fold says="Show the time axis">▴ Time</Fold></section>;
  const [left, right] = view;
  const x = (time: number) => (placeOf(time, stretches) - left) / (right - left);
  /** Show more or less of it, around what stands nearest to the middle. */
  const zoom = (factor: number) => {
    const places = bars.map((one) => x((one.from + one.to) / 2)).filter((one) => one >= 0 && one <= 1);
    const around = places.reduce((best, one) => (Math.abs(one - 0.5) < Math.abs(best - 0.5) ? one : best), places[0] ?? 0.5);
    const width = Math.min(1, Math.max(1 / MOST_ZOOM, (right - left) * factor));
    const from = Math.min(1 - width, Math.max(0, left + (right - left) * around - width * around));
    look([from, from + width]);
  };
  const pan = (part: number) => {
    const from = Math.min(1 - (right - left), Math.max(0, left + part * (right - left)));
    look([from, from + right - left]);
  };
  const key = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    if (event.key === "+" || event.key === "-") zoom(event.key === "+" ? 0.5 : 2);
    else if (event.key === "ArrowLeft" || event.key === "ArrowRight") pan(event.key === "ArrowLeft" ? -0.25 : 0.25);
    else if (event.key === "0") look([0, 1]);
    else return;
    event.preventDefault();
  };
  const now = facts[shown - 1]?.at ?? undefined;
  const lanes = [...new Set(bars.map((one) => one.lane))];
  return (
    <section class={whole ? "axis whole" : "axis"} aria-label="Time axis" onKeyDown={(event) => event.key === "Escape" && fold()}>
      <div class="row controls">
        {facts.length ? (
          <>
            <button type="button" aria-pressed={playing} onClick={() => { if (!playing && shown >= last) move(0); play(!playing); }}>{playing ? "Pause" : "Play"}</button>
            <label class="grow">
              <span class="sr">Replay: facts shown</span>
              <input type="range" min={0} max={last} value={shown} aria-valuetext={`fact ${shown} of ${last}`} onInput={(e) => move(Number(e.currentTarget.value))} />
            </label>
            <button type="button" aria-label="One fact back" disabled={!shown} onClick={() => { play(false); move(shown - 1); }}>‹</button>
            <button type="button" aria-label="One fact on" disabled={shown >= last} onClick={() => { play(false); move(shown + 1); }}>›</button>
            <small class="soft" role="status">{shown} of {last} facts{at !== null && shown ? <>: <T>{wordsOf(facts[shown - 1]!)}</T></> : null}</small>
            {at !== null ? <button type="button" onClick={() => { play(false); move(null); }}>Follow live</button> : null}
            {shown ? <Sure says={FORKS} yes="Begin the dry run" no="Not now" disabled={Boolean(forking) || runs} do={() => fork(chosen, shown)}>Fork here</Sure> : null}
            {forking ? <small class="wait" role="status">A dry run from that fact is under way …</small> : null}
          </>
        ) : <span class="grow" />}
        <span class="row tight">
          <button type="button" aria-label="Show less time" disabled={(right - left) * MOST_ZOOM <= 1.01} onClick={() => zoom(0.5)}>+</button>
          <button type="button" aria-label="Show more time" disabled={right - left >= 1} onClick={() => zoom(2)}>−</button>
          <Fold says="Close the time axis">✕</Fold>
        </span>
      </div>
      <Lanes says={`Who did what when${chosen ? `, in ${plain(chosen)}` : ""}. Plus and minus zoom, arrows move, 0 shows all`} count={lanes.length} whole={whole} pull={pull} onKey={key} clock={<Ruler stretches={stretches.filter((one) => x(one.to) >= 0 && x(one.from) <= 1)} x={x} />}>
        {lanes.map((lane) => (
          <div class="lane" key={lane}>
            <span class="name">{lane === "events" || lane === "calls" ? <a href={to("runtime")}>{lane}</a> : <T>{lane}</T>}</span>
            <svg class="track" role="img" aria-label={laneSays(bars, lane)}>
              {stretches.filter((one) => one.folded).map((one) => <rect class="fold" x={percent(x(one.from))} width={percent(x(one.to) - x(one.from))} y="0" height="20"><title>{`${lengthOf(one.to - one.from)}, folded`}</title></rect>)}
              {bars.filter((one) => one.lane === lane && x(one.to) >= 0 && x(one.from) <= 1).map((one) => <Mark bar={one} from={x(one.from)} to={x(one.to)} future={one.seq > shown} />)}
              {now === undefined || x(now) < 0 || x(now) > 1 ? null : <line x1={percent(x(now))} x2={percent(x(now))} y1="0" y2="20" class="now" />}
            </svg>
          </div>
        ))}
      </Lanes>
    </section>
  );
}

/** As many whole lanes as there is room for; the others are scrolled to, or pulled into sight. */
function Lanes({ says, count, whole, pull, onKey, clock, children }: { says: string; count: number; whole: boolean; pull: (whole: boolean) => void; onKey: (event: KeyboardEvent) => void; clock: ComponentChildren; children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const [hides, see] = useState(false);
  useLayoutEffect(() => {
    const look = () => see(box.current!.scrollHeight > box.current!.clientHeight + 1);
    look();
    addEventListener("resize", look);
    return () => removeEventListener("resize", look);
  }, [count, whole]);
  return (
    <>
      <div class="lanes" ref={box} role="group" tabIndex={0} onKeyDown={onKey} aria-label={says}>{children}</div>
      <div class="lane clock">
        <span class="name">{hides || whole ? <button type="button" class="quiet" aria-expanded={whole} onClick={() => pull(!whole)}>{whole ? "Fewer lanes" : `All ${count} lanes`}</button> : null}</span>
        {clock}
      </div>
    </>
  );
}

/** Close or open the axis, and stay with the keyboard on the button that undoes it. Escape within the axis closes it, too. */
function fold() {
  foldAxis();
  requestAnimationFrame(() => document.getElementById("fold")?.focus());
}

const Fold = ({ says, children }: { says: string; children: string }) => <button type="button" id="fold" aria-label={says} title={says} onClick={fold}>{children}</button>;

/** The negotiation of the last build. A build without agents has none, and then an older one is not drawn for it. */
function lastNegotiation(negotiations: NegotiationShort[], builds: Build[]): string {
  const build = builds[0];
  const known = negotiations.filter((one) => one.kind === "proposal" && one.state !== "damaged");
  if (!build || build.state === "running" || !build.build_id) return known[0]?.id ?? "";
  return known.find((one) => one.id === build.build_id)?.id ?? "";
}

/** A fact in a few words: who, and what became of it. */
function wordsOf({ kind, data }: Fact): string {
  const who = data.evaluator ?? data.agent ?? data.by ?? data.arbiter ?? "";
  return `${who ? `${who}, ` : ""}${kind.replaceAll("_", " ")}${data.proposal_id ? ` (${data.proposal_id})` : ""}`;
}

const percent = (part: number) => `${(part * 100).toFixed(3)}%`;

function Mark({ bar, from, to: until, future }: { bar: Bar; from: number; to: number; future: boolean }) {
  const look = `${bar.kind}${future ? " future" : ""}`;
  const title = <title>{plain(`${bar.says}${bar.to > bar.from ? `, ${lengthOf(bar.to - bar.from)}` : ""}`)}</title>;
  if (bar.kind === "tick" || bar.kind === "event") return <rect x={percent(from)} y="3" width="3" height="14" class={look}>{title}</rect>;
  const [y, height] = bar.kind === "waits" ? ["8", "4"] : ["5", "10"];
  return <rect x={percent(from)} y={y} height={height} width={percent(Math.max(0.003, until - from))} class={look}>{title}</rect>;
}

const LABEL_PX = 66; // what a clock's time needs

/** The clock below the lanes: when each stretch begins, as far as there is room, and how long what is folded took. */
function Ruler({ stretches, x }: { stretches: ReturnType<typeof stretchesOf>; x: (time: number) => number }) {
  const box = useRef<HTMLDivElement>(null);
  const [wide, measure] = useState(0);
  useLayoutEffect(() => {
    const watched = new ResizeObserver(([entry]) => measure(Math.round(entry!.contentRect.width)));
    watched.observe(box.current!);
    return () => watched.disconnect();
  }, []);
  const label = LABEL_PX / Math.max(wide, LABEL_PX);
  let free = 0;
  const labels = stretches.flatMap((one) => {
    const at = Math.max(0, x(one.from));
    const says = one.folded ? `⋯ ${lengthOf(one.to - one.from)}` : timeOf(one.from);
    if (at < free || at > 1 - label) return [];
    free = at + label;
    return [{ at, says }];
  });
  const end = stretches.at(-1);
  return (
    <div class="ruler" ref={box} aria-hidden="true">
      {labels.map(({ at, says }) => <small style={{ left: percent(at) }}>{says}</small>)}
      {end && free <= 1 - label ? <small class="end">{timeOf(end.to)}</small> : null}
    </div>
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

/** The links that did not fit after fact number `at`, with what was sent and not taken: those of the start, then those after each commit. */
function brokenAt(facts: Fact[], at: number): Map<string, unknown> {
  const ids = (all: Data[]) => new Map(all.map((one) => [`${one.producer} => ${one.consumer}`, one.counterexample as unknown]));
  let broken = new Map<string, unknown>();
  const after = new Map<string, Map<string, unknown>>();
  for (const { seq, kind, data: raw } of facts) {
    if (seq > Math.max(1, at)) break;
    const data = raw as Data;
    if (kind === "negotiation_opened") broken = ids(data.mismatches ?? []);
    if (data.receipt?.mismatches) after.set(data.proposal_id, ids(data.receipt.mismatches)); // with the commit, or before it
    if (kind === "proposal_committed") broken = after.get(data.proposal_id) ?? broken;
  }
  return broken;
}
