// The running program: start and stop, publish, events with a filter, dead letters, the trace of an event.
import { Component } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { timeOf } from "../clock";
import { Act, Pre, Says, Sure, T, useLoaded } from "../kit";
import { plain, raw, shown } from "../json";
import type { DeadLetterTold, Picture } from "../../../clients/typescript/graphbus";
import { api, body, type BusEvent, note, renew, say, state, to, useStore } from "../store";
import { count } from "./journals";
import { misfitsOf } from "../misfit";
import { Misfits } from "./misfits";
import { Waterfall } from "./waterfall";

const LOOK_MS = 600;
const EMPTY = "{}";
const VALUES: [RegExp, unknown][] = [[/^(str|string)/, ""], [/^(int|integer)/, 0], [/^(float|number|decimal)/i, 0], [/^bool/, false], [/^(list|array|tuple|set)/, []], [/^(dict|object)/, {}]];

/** A payload with the fields that a topic's contract requires, each empty: what is in it is whoever publishes it's to say. */
function exampleOf(picture: Picture | null, topic: string): string {
  const all = picture?.components ?? [];
  const taken = all.flatMap((one) => one.hears.filter((heard) => heard.topic === topic).map(({ handler }) => one.methods.find(({ name }) => name === handler)?.inputs ?? []));
  const ports = all.flatMap((one) => one.publishes).find((one) => one.topic === topic && one.ports.length)?.ports ?? taken.find((one) => one.length) ?? [];
  const said = Object.fromEntries(ports.filter((one) => one.required).map((one) => [one.name, VALUES.find(([kind]) => kind.test(one.type))?.[1] ?? null]));
  return ports.length ? JSON.stringify(said, null, 2) : EMPTY;
}

/** Start the newest build. What was edited since does not run, and that is said. */
async function start(how: Parameters<typeof api.startRuntime>[0]) {
  const { edited = [] } = await api.startRuntime(how);
  renew("runtime");
  if (edited.length) say(new Error(`The build runs as it was made: ${since(edited)} Build first, then restart.`));
}

const since = (edited: string[]) => `${count(edited.length, "file was", "files were")} edited since the build.`;

async function restart() {
  await api.stopRuntime();
  await start({ payload_checks: "enforce" });
}

const ENDS = { says: "The program that runs is stopped; what it has not finished is lost.", yes: "Restart it", no: "Leave it running" };

/** Ends what runs, and starts the newest build; asked first. */
export const Restart = ({ children }: { children: string }) => <Sure {...ENDS} do={restart}>{children}</Sure>;

/** Freeze the sources as they stand, without a negotiation. */
export async function freeze() {
  let build = await api.startBuild({ enable_agents: false });
  while (build.state === "running") {
    await new Promise((done) => setTimeout(done, LOOK_MS));
    build = await api.getBuild(build.id);
  }
  renew("builds", "picture");
  if (build.state !== "done") throw new Error(build.detail);
}

/** Freeze the sources as they stand, and run them. */
async function buildAndStart(how: Parameters<typeof api.startRuntime>[0]) {
  await freeze();
  if (state.runtime?.is_running) await api.stopRuntime();
  await start(how);
}

/** Hand the event on once more, and say what came of it. Where nothing runs, the newest build is started for it.
 * `payload`: in the place of the one that came, as JSON. */
async function retry({ id, topic, last_at }: DeadLetterTold, how: Parameters<typeof api.startRuntime>[0] = {}, payload?: string) {
  if (payload !== undefined) JSON.parse(payload);
  if (!state.runtime?.is_running) await start(how);
  const { delivered } = await api.retryDeadLetter(id, payload === undefined ? {} : body({ payload: raw(payload) as unknown as {} }));
  if (delivered) return note("Tried again: it was taken.");
  const now = (await api.listDeadLetters({ limit: 1000 })).items.find((one) => one.id === id);
  say(now && now.last_at !== last_at ? `Tried again at ${timeOf(now.last_at)}, and it failed again: ${why(now)}` : `It was not tried: nobody takes ${topic} now, or it was a call, which only its caller can make again.`);
}

const why = ({ error_type, error }: DeadLetterTold) => [error_type, error].filter(Boolean).join(": ");

/** What became of a letter: the first failure, and the last try with what came of it. */
function Fate({ of }: { of: DeadLetterTold }) {
  if (!of.last_at || of.last_at === of.first_at) return <small class="bad"><T>{why(of)}</T>{of.attempts > 1 ? ` (tried ${of.attempts} times)` : ""}</small>;
  return <small class="bad" role="status">Failed first at {timeOf(of.first_at)}. Tried again at {timeOf(of.last_at)}, failed: <T>{why(of)}</T> ({of.attempts} tries in all)</small>;
}

/** The buttons of a letter: once more as it came, or with a payload that was mended first. */
function Retry({ of, how, open, then }: { of: DeadLetterTold; how?: Parameters<typeof api.startRuntime>[0]; open?: boolean; then: () => void }) {
  const { runtime } = useStore();
  const text = useRef<HTMLTextAreaElement>(null);
  const [opens] = useState(open); // at first: a letter that comes later closes nothing
  const says = runtime?.is_running ? "Retry" : "Start and retry";
  const go = (payload?: string) => retry(of, how, payload).then(then);
  return (
    <>
      <Act do={() => go()}>{says}</Act>
      {of.event ? (
        <details open={opens}>
          <summary>Mend its payload first</summary>
          <label><span>As JSON. <T>{of.subscriber}</T> alone gets it; the event itself stays as it was sent.</span><textarea rows={6} ref={text} spellcheck={false} defaultValue={shown(of.event.payload)} /></label>
          <Act do={() => go(text.current!.value)}>{says} with this payload</Act>
        </details>
      ) : null}
    </>
  );
}

export function RuntimePanel() {
  const { runtime, events, picture, lost, route } = useStore();
  const [checks, choose] = useState<"enforce" | "warn" | "off">("enforce");
  const [journal, keep] = useState(false);
  const [filter, only] = useState("");
  const [again, renewed] = useState(0);
  const parts = picture?.components ?? [];
  const wrong = misfitsOf(picture);
  /** The links that do not fit, by which this letter came: no retry delivers it before one of them is mended. */
  const fileOf = (subscriber: string) => plain(parts.find(({ name }) => name === subscriber.split(".")[0])?.source_file ?? "");
  const faults = (one: { topic: string; subscriber: string }) => wrong.filter(({ source, target }) => source.topic === one.topic && one.subscriber.split(".")[0] === target.node);
  const { value: calls } = useLoaded(() => api.listCalls({ limit: 10 }), [], [runtime, again]);
  const { value: letters } = useLoaded(() => api.listDeadLetters({ limit: 100 }), [], [runtime, again]);
  const retried = (letters?.items ?? []).reduce((n, one) => n + Math.max(0, one.attempts - 1), 0); // each of them failed: the letter is still there
  // A handler fails after its event was told: look a moment later, once for however many events. A flood does not put it off.
  const soon = useRef(0);
  useEffect(() => {
    soon.current ||= window.setTimeout(() => {
      soon.current = 0;
      renew("runtime");
      renewed((n) => n + 1);
    }, LOOK_MS);
  }, [events[0]?.event_id]);
  useEffect(() => () => clearTimeout(soon.current), []);
  useEffect(() => renew("runtime"), [picture]); // a source was edited
  const [topic, name] = useState("");
  const [payload, write] = useState(EMPTY);
  const listed = events.filter((one) => !filter || one.topic.includes(filter) || one.src.includes(filter)).slice(0, 100);
  const act = (work: () => Promise<unknown>) => async () => {
    await work();
    renew("runtime");
    renewed((n) => n + 1);
  };
  const rebuild = act(() => buildAndStart({ payload_checks: checks, journal }));
  /** Another topic: its payload is laid out as its contract has it, unless somebody has written one. */
  const take = (next: string) => {
    if (payload === exampleOf(picture, topic)) write(exampleOf(picture, next));
    name(next);
  };
  const asked = route.kind === "runtime" ? (route.query.get("topic") ?? "") : "";
  useEffect(() => {
    if (asked) take(asked); // a topic that was clicked in the picture
  }, [asked, Boolean(picture)]);
  const topics = [...new Set([...parts.flatMap((one) => one.hears), ...parts.flatMap((one) => one.publishes)].map((one) => one.topic))]; // first those that somebody listens to
  const publish = async () => {
    if (!topic.trim()) throw new Error(`Give a topic, such as ${topics[0] ?? "/Orders/New"}.`);
    JSON.parse(payload);
    await api.publishEvent(body({ topic, payload: raw(payload) as unknown as {} }));
  };
  return (
    <>
      <h2>{lost ? "The server does not answer; this is what it said last" : runtime?.is_running ? `Running: ${count(runtime.nodes_count, "node")}` : "Nothing runs now"}</h2>
      <Misfits>{runtime?.is_running ? "" : checks === "enforce" ? "Once it runs, a payload that does not fit is refused." : "Once it runs, a payload that does not fit is handed on, and a handler may fail by it."}</Misfits>
      <p class="row">
        {runtime?.is_running ? (
          <><Sure {...ENDS} yes="Stop it" do={act(() => api.stopRuntime())}>Stop</Sure><Restart>Restart on the newest build</Restart></>
        ) : (
          <>
            <Act class="primary" do={act(() => start({ payload_checks: checks, journal }))}>{wrong.length ? "Start all the same" : "Start"}</Act>
            <label class="inline"><span>Payload checks</span><select value={checks} onChange={(e) => choose(e.currentTarget.value as typeof checks)}><option>enforce</option><option>warn</option><option>off</option></select></label>
            <label class="tick"><input type="checkbox" checked={journal} onChange={(e) => keep(e.currentTarget.checked)} /><span>Keep a journal</span></label>
          </>
        )}
        <a href={to("project", "journals")}>Recorded runs, and replay</a>
      </p>
      {runtime?.newest && runtime.edited.length ? (
        <p class="warn" role="status">
          {since(runtime.edited)} <small class="soft inline">(<T>{runtime.edited.slice(0, 3).join(", ")}</T>{runtime.edited.length > 3 ? " …" : ""})</small> A restart does not run the edits.{" "}
          {runtime.is_running ? <Sure {...ENDS} do={rebuild}>Build, then restart</Sure> : <Act do={rebuild}>Build, then start</Act>}
        </p>
      ) : null}
      {runtime?.message_bus ? (
        <dl class="facts stats">
          <dt>Published</dt><dd>{runtime.message_bus.messages_published}{runtime.message_bus.messages_rejected ? `, ${runtime.message_bus.messages_rejected} refused` : ""}</dd>
          <dt>Delivered</dt><dd>{runtime.message_bus.messages_delivered}</dd>
          <dt>Deliveries failed</dt><dd class={runtime.message_bus.errors ? "bad" : ""}>{runtime.message_bus.errors}{retried ? <small class="soft"> at the first try; {count(retried, "retry", "retries")} failed as well</small> : null}</dd>
          <dt>Dead letters</dt><dd class={letters?.items.length ? "bad" : ""}>{letters?.items.length ?? 0}</dd>
          <dt>Calls</dt><dd>{runtime.calls}{runtime.calls_failed ? `, ${runtime.calls_failed} failed` : ""}</dd>
        </dl>
      ) : null}
      {runtime?.is_running ? (
        <section class="card">
          <label><span>Topic</span><input value={topic} autocomplete="off" list="topics" onInput={(e) => take(e.currentTarget.value)} /></label>
          <datalist id="topics">{topics.map((one) => <option value={one} />)}</datalist>
          <label><span>Payload (JSON)</span><textarea rows={Math.min(8, 1 + payload.split("\n").length)} spellcheck={false} value={payload} onInput={(e) => write(e.currentTarget.value)} /></label>
          <Act do={publish}>Publish</Act>
        </section>
      ) : null}
      {letters?.items.length ? (
        <section aria-label="Dead letters">
          <h3>{letters.items.length} dead {letters.items.length === 1 ? "letter" : "letters"}{runtime?.message_bus?.dead_letters_lost ? `; ${runtime.message_bus.dead_letters_lost} older were let go` : ""}</h3>
          <ul class="list">
            {letters.items.map((one) => (
              <li key={one.id}>
                {one.event ? <a href={to("event", one.event.event_id)}><T>{one.topic}</T></a> : <T>{one.topic}</T>} → <a href={to("node", one.subscriber.split(".")[0]!)} title={fileOf(one.subscriber)}><T>{one.subscriber}</T></a>
                <Fate of={one} />
                {one.event ? <small class="soft"><T>{JSON.stringify(one.event.payload)?.slice(0, 160)}</T></small> : null}
                {faults(one).map((link) => <a href={to("link", link.id)}>Why it does not fit, and what mends it</a>)}
                <Retry of={one} how={{ payload_checks: checks, journal }} open={letters.items.length === 1} then={() => { renew("runtime"); renewed((n) => n + 1); }} />
              </li>
            ))}
          </ul>
          <Sure says="What is forgotten cannot be delivered any more." yes="Forget them" no="Keep them" do={act(() => api.purgeDeadLetters())}>Forget them all</Sure>
        </section>
      ) : null}
      <h3>Events</h3>
      <label class="inline"><span>Filter</span><input type="search" value={filter} onInput={(e) => only(e.currentTarget.value)} /></label>
      <ul class="list events" aria-label="Events">
        {listed.map((one) => <Row key={one.event_id} one={one} />)}
      </ul>
      {calls?.items.length ? (
        <section aria-label="Calls">
          <h3>Calls</h3>
          <ul class="list">
            {calls.items.map((one) => (
              <li key={one.id}><a href={to("event", one.id!)}><T>{one.name}</T></a> <small class={one.error ? "bad" : "soft"}>{timeOf(one.at)}, {one.took_ms.toFixed(1)} ms<T>{one.error ? ` raised ${one.error}` : ""}</T></small></li>
            ))}
          </ul>
        </section>
      ) : null}
    </>
  );
}

/** A row is drawn once: an event does not change. (Kept elements would do that too, but each holds the tree it was first
 * drawn in, which holds rows of the tree before: at a steady pace of events nothing would ever be freed.) */
class Row extends Component<{ one: BusEvent }> {
  shouldComponentUpdate() {
    return false;
  }

  render() {
    const { one } = this.props;
    return (
      <li>
        <a href={to("event", one.event_id)}><T>{one.topic}</T></a> <small class="soft">{timeOf(one.at)} <T>{one.src}</T> <T>{JSON.stringify(one.payload)?.slice(0, 160)}</T></small>
      </li>
    );
  }
}

/** Which fields of a payload a retry changed, in words: one that the event did not have was added. */
function changesOf(fields: string[], payload: unknown): string {
  const had = new Set(Object.keys((payload ?? {}) as object));
  const say = (names: string[], what: string) => (names.length ? [`${names.join(", ")} ${names.length > 1 ? "were" : "was"} ${what}`] : []);
  return plain([...say(fields.filter((one) => !had.has(one.split(".")[0]!)), "added"), ...say(fields.filter((one) => had.has(one.split(".")[0]!)), "changed or left out")].join("; "));
}

/** An event or a call with all that led to it and followed: calls, events, handlers, on one scale of time. */
export function EventPanel({ id }: { id: string }) {
  const { events } = useStore();
  const [tries, tried] = useState(0);
  const { value, error } = useLoaded(() => api.getTrace(id), [id], [events.length, tries]);
  if (error) return <><h2>Event</h2><p class="bad"><Says>{error}</Says></p><p><a href={to("runtime")}>What happens</a></p></>;
  if (!value || value.event_id !== id) return <p class="soft">Loading …</p>;
  const event = value.events.find((one) => one.event_id === id);
  const call = value.spans.find((one) => one.id === id);
  return (
    <>
      <h2><T>{event?.topic ?? call?.name}</T></h2>
      <p class="soft"><a href={to("runtime")}>← The runtime</a> {event ? <>{event.src === "api" ? "Published here" : <>From <T>{event.src}</T></>} at {timeOf(event.timestamp)}</> : <>Called at {timeOf(call?.at)}</>}</p>
      {event ? <Pre value={event.payload} label="Payload" /> : null}
      <h3>What led to it, what followed</h3>
      <Waterfall trace={value} here={id} />
      {value.retries.map((one) => (
        <p class="warn">Retried at {timeOf(one.at)}: <T>{one.subscriber}</T> {one.delivered ? "took it" : "failed again"}, {one.changed.length ? <>with another payload than the one of its event: {changesOf(one.changed, value.events.find((of) => of.event_id === one.event_id)?.payload)}.</> : "with the payload as it came."}</p>
      ))}
      {value.dead_letters.map((one) => (
        <div><p class="bad"><T>{one.subscriber}</T> did not take it. <Fate of={one} /></p><Retry key={one.id} of={one} open={value.dead_letters.length === 1} then={() => { renew("runtime"); tried((n) => n + 1); }} /></div>
      ))}
    </>
  );
}
