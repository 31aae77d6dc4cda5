// Journals of runs: what happened, oldest first, and one played again on the newest build.
import { useEffect, useRef, useState } from "preact/hooks";
import type { JournalRecord, ReplayTold } from "../../../clients/typescript/graphbus";
import { shown } from "../json";
import { dayOf, timeOf } from "../clock";
import { Act, T, useLoaded, Says } from "../kit";
import { api, body, useStore } from "../store";

const PART = 50; // records that come at once

export const count = (n: number, one: string, more = `${one}s`) => `${n} ${n === 1 ? one : more}`;

export function Journals() {
  const { runtime } = useStore();
  const { value, error } = useLoaded(() => api.listJournals({ limit: 50 }), [], [runtime]);
  const [picked, show] = useState<string | null>(null);
  if (error) return <p class="bad"><Says>{error}</Says></p>;
  if (!value?.items.length) return <p class="soft">There is none. Start the runtime with “Keep a journal”, or give <code>--journal</code> to <code>graphbus run</code>.</p>;
  const open = picked ?? value.items[0]!.id; // the newest, until another one is opened
  return (
    <ul class="list" aria-label="Journals">
      {value.items.map((one) => (
        <li key={one.id}>
          <button type="button" aria-expanded={open === one.id} onClick={() => show(open === one.id ? "" : one.id)}><T>{one.id}</T></button>
          <small class="soft">{dayOf(one.at)}, {one.bytes} bytes, payload checks {one.checks}</small>
          {open === one.id ? <Journal id={one.id} /> : null}
        </li>
      ))}
    </ul>
  );
}

function Journal({ id }: { id: string }) {
  const [topic, filter] = useState("");
  const { value, error } = useLoaded(() => api.listJournalRecords(id, { limit: PART, topic: topic || null }), [id, topic]);
  const [more, add] = useState<JournalRecord[]>([]);
  const [next, go] = useState<string | null | undefined>(undefined);
  const [done, played] = useState<ReplayTold | null>(null);
  const [playing, play] = useState(false);
  const on = next === undefined ? (value?.next ?? null) : next;
  const end = useRef<HTMLParagraphElement>(null);
  useEffect(() => end.current?.scrollIntoView({ block: "nearest" }), [value]); // what was opened is in sight
  const came = useRef<HTMLDivElement>(null);
  useEffect(() => came.current?.scrollIntoView({ block: "nearest" }), [done]); // and what came of playing it
  const further = async () => {
    const part = await api.listJournalRecords(id, { limit: PART, cursor: on!, topic: topic || null });
    add([...more, ...part.items]);
    go(part.next);
  };
  const again = async () => {
    played(null);
    play(true);
    try {
      played(await api.replayJournal(id, body({ topics: topic ? [topic] : [] })));
    } finally {
      play(false);
    }
  };
  return (
    <>
      <label><span>Only this topic (* stands for any part of it)</span><input value={topic} autocomplete="off" onInput={(e) => { filter(e.currentTarget.value); add([]); go(undefined); }} /></label>
      {error ? <p class="bad"><Says>{error}</Says></p> : null}
      <ol class="said" aria-label="Records">
        {[...(value?.items ?? []), ...more].map((one) => (
          <li key={one.id} style={{ marginLeft: `${Math.min(one.depth, 8) * 12}px` }}>
            <small class="soft">{timeOf(one.at)} {one.kind}</small> <T>{one.what}</T> <small class="soft"><T>{one.src}</T> <T>{shown(one.payload).replace(/\s+/g, " ").slice(0, 160)}</T></small>{one.refused ? <small class="bad"> refused</small> : null}
          </li>
        ))}
      </ol>
      <p class="row" ref={end}>
        {on ? <Act do={further}>More</Act> : null}
        <Act class="primary" do={again}>Play it on the newest build</Act>
      </p>
      <p class="soft" role="status">{playing ? "It is being played, in a process of its own …" : "What a node does outside, such as sending a mail, it does again."}</p>
      {done ? (
        <div role="status" ref={came}>
          <p class={!done.is_same && (done.errors || done.failed_calls) ? "bad" : "good"}>{done.is_same ? <strong>The same as recorded. </strong> : null}{count(done.events, "event")} and {count(done.calls, "call")} played, {done.followed} followed from them{done.skipped + done.refused ? `, ${done.skipped + done.refused} passed over (what followed from another record is not played twice)` : ""}; {done.errors ? `${count(done.errors, "delivery", "deliveries")} failed` : "every delivery was taken"}.</p>
          <p class="soft"><T>{done.failed_then.length ? `In the recording ${count(done.failed_then.length, "delivery", "deliveries")} failed as well: ${done.failed_then.join("; ")}` : "Of the recording no dead letter is kept. Letters that were retried well or purged are not kept, so some deliveries may have failed then, too."}</T></p>
          {done.failures.length ? <ul>{done.failures.map((one) => <li class="bad"><T>{one}</T></li>)}</ul> : null}
        </div>
      ) : null}
    </>
  );
}
