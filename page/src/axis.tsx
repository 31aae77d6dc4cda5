// The time axis: a lane a voice, and one each for gates, commits, calls and events; all on one time, folded while a person is waited for.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Build, NegotiationShort, SpanTold } from "../../clients/typescript/graphbus";
import { timeOf } from "./clock";
import { plain } from "./json";
import { Sure, T } from "./kit";
import { namesOf, nameOf, useFacts, wordsOf } from "./facts";
import { usePast } from "./past";
import { api, foldAxis, isAxisOpen, set, state, thenOf, to, toThen, useStore } from "./store";
import { type Bar, barsOf, busBarsOf, lengthOf, placeOf, stretchesOf } from "./timeline";
import { model } from "./trial";

const FORKS = "A fork is a dry run from here: the agents negotiate anew on the sources as they were at this fact. No file is changed. You are led to it when it has ended.";

const MAX_CALLS = 200; // the newest, asked for a moment after events came
const CALLS_MS = 1_000;
const MOST_ZOOM = 200;
const PLAY_MS = 450; // a fact, while it is played

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
  const { negotiations, route, events, builds, forking, questions, folded, pulled } = useStore();
  const asked = questions.length > 0;
  const then = thenOf(route);
  const chosen = then ? then.negotiation : lastNegotiation(negotiations, builds);
  const runs = negotiations.some((one) => one.id === chosen && one.state === "running");
  const isBuilding = builds.some((one) => one.state === "running");
  const facts = useFacts(chosen);
  const [playing, play] = useState(false);
  const [view, look] = useState<[number, number]>([0, 1]); // the part of the axis that is shown
  const [whole, pull] = useState(false); // all lanes are in sight, however much room they take
  const calls = useCalls();
  const last = facts.length;
  const ended = then !== null && !runs && last > 0; // then its last fact is its end, and not what holds today
  const at = then?.at ?? (ended ? last : null);
  usePast(chosen, at, facts);
  useEffect(() => look([0, 1]), [chosen]);
  const talk = useMemo(() => barsOf(facts), [facts]);
  const names = useMemo(() => namesOf(facts), [facts]);
  const bus = useMemo(() => busBarsOf(events, calls), [events, calls]);
  const bars = useMemo(() => [...talk, ...bus].map((one) => ({ ...one, lane: nameOf(one.lane) })), [talk, bus]); // two chairs of one person are one lane
  const stretches = useMemo(() => stretchesOf(bars), [bars]);
  const shown = at === null ? last : Math.min(at, last);
  /** Show another fact, of whatever is looked at; the last of what still runs is what holds now. */
  const move = (fact: number) => {
    const own = thenOf(state.route)?.negotiation === chosen ? [state.route.kind, ...state.route.rest] : ["negotiation", chosen];
    location.hash = toThen({ negotiation: chosen, at: runs && fact >= last ? null : fact }, ...own);
  };
  const step = useRef(() => undefined as void);
  step.current = () => {
    const now = thenOf(state.route);
    if (now?.negotiation !== chosen || now.at === null || now.at >= last) return play(false); // whoever went elsewhere is not led back
    move(now.at + 1);
    if (now.at + 1 >= last) play(false);
  };
  useEffect(() => {
    if (!playing) return;
    const tick = setInterval(() => step.current(), PLAY_MS);
    return () => clearInterval(tick);
  }, [playing]);
  // A decision or a document has its own record; the build's would be taken for it.
  if (!bars.length || ["consent", "document", "team", "start", "question"].includes(route.kind) || (route.kind === "inbox" && asked)) return null; // a decision has the whole screen
  if (!isAxisOpen({ ...state, route, folded, pulled })) return <section class="axis folded" aria-label="Time axis"><Fold says="Show the time axis">▴ Time</Fold></section>;
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
  /** The fact of what stands nearest to the pointer in a lane: easier to hit than a place of the slider. */
  const show = ({ clientX, currentTarget }: MouseEvent, lane: string) => {
    const box = (currentTarget as Element).getBoundingClientRect();
    const aim = (clientX - box.left) / box.width;
    const missed = (one: Bar) => Math.max(x(one.from) - aim, aim - x(one.to), 0);
    const nearest = bars.filter((one) => one.lane === lane && one.seq).sort((a, b) => missed(a) - missed(b))[0];
    if (!nearest) return; // what the bus did is no fact of a negotiation
    play(false);
    move(nearest.seq);
  };
  const now = facts[shown - 1]?.at ?? undefined;
  const lanes = [...new Set(bars.map((one) => one.lane))];
  return (
    <section class={whole ? "axis whole" : "axis"} aria-label="Time axis" onKeyDown={(event) => event.key === "Escape" && fold()}>
      <div class="row controls">
        {facts.length ? (
          <>
            <button type="button" class="play" aria-pressed={playing} onClick={() => { if (!playing && shown >= last) move(0); play(!playing); }}>{playing ? "Pause" : "Play"}</button>
            <label class="grow">
              <span class="sr">Replay: facts shown</span>
              <input type="range" min={0} max={last} value={shown} aria-valuetext={`fact ${shown} of ${last}`} onInput={(e) => move(Number(e.currentTarget.value))} />
            </label>
            <button type="button" aria-label="One fact back" disabled={!shown} onClick={() => { play(false); move(shown - 1); }}>‹</button>
            <button type="button" aria-label="One fact on" disabled={shown >= last} onClick={() => { play(false); move(shown + 1); }}>›</button>
            <small class="soft fact" role="status" title={shown ? wordsOf(facts[shown - 1]!, names) : undefined}>{shown} of {last} facts{forking ? ". A dry run from that fact is under way …" : at !== null && shown ? <>: <T>{wordsOf(facts[shown - 1]!, names)}</T></> : null}</small>
            {runs ? <button type="button" disabled={at === null} onClick={() => { play(false); location.hash = to("negotiation", chosen); }}>Follow live</button> : null}
            <Sure says={FORKS} yes="Begin the dry run" no="Not now" disabled={!shown || Boolean(forking) || isBuilding} do={() => fork(chosen, shown)}>Fork here</Sure>
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
            <svg class={bars.some((one) => one.lane === lane && one.seq) ? "track facts" : "track"} role="img" aria-label={laneSays(bars, lane)} onClick={(event) => show(event, lane)}>
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
    if (at < free || at > 1 - 2 * label) return []; // the end always has its time
    free = at + label;
    return [{ at, says }];
  });
  const end = stretches.at(-1);
  const ends = end && end.from + (end.to - end.from) * Math.min(1, (1 - x(end.from)) / Math.max(1e-9, x(end.to) - x(end.from))); // what stands at the right edge
  return (
    <div class="ruler" ref={box} aria-hidden="true">
      {labels.map(({ at, says }) => <small style={{ left: percent(at) }}>{says}</small>)}
      {ends ? <small class="end">{timeOf(ends)}</small> : null}
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
