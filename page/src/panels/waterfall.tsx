// A trace as a waterfall: calls, events and handlers below what caused them, each at its time.
import type { Trace } from "../../../clients/typescript/graphbus";
import { T } from "../kit";
import { to } from "../store";
import { lengthOf } from "../timeline";

interface Row {
  key: string;
  id: string | null; // of an event or a call: these can be gone to
  kind: "event" | "call" | "handler";
  name: string;
  at: number; // epoch seconds
  took: number; // milliseconds; 0 for an event
  error: string;
  cause: string | null;
}

const MAX_ROWS = 300;
const SOONEST_MS = 0.05; // less is none in tenths
const SHORTEST_MS = 1; // of the whole axis: below that a bar tells more of the clock than of the work, and one of microseconds is a dot

/** Rows in the order of a tree: what a row caused stands below it. */
function rowsOf(trace: Trace): { row: Row; depth: number }[] {
  const spans: Row[] = trace.spans.map((one, i) => ({ key: one.id ?? `${i}`, id: one.id, kind: one.kind, name: one.name, at: one.at, took: one.took_ms, error: one.error ?? "", cause: one.cause }));
  const events: Row[] = trace.events.map((one) => ({ key: one.event_id, id: one.event_id, kind: "event", name: one.topic, at: one.timestamp ?? 0, took: 0, error: "", cause: one.cause }));
  const all = [...events, ...spans].sort((a, b) => a.at - b.at);
  const ids = new Set(all.map((one) => one.id).filter(Boolean));
  const below = new Map<string, Row[]>();
  for (const one of all) {
    const above = handlerOf(one, spans)?.key ?? (one.cause && ids.has(one.cause) ? one.cause : "");
    below.set(above, [...(below.get(above) ?? []), one]);
  }
  const found: { row: Row; depth: number }[] = [];
  const visit = (id: string, depth: number) => {
    for (const row of below.get(id) ?? []) {
      if (found.length >= MAX_ROWS) return;
      found.push({ row, depth });
      visit(row.key, depth + 1);
    }
  };
  visit("", 0);
  return found;
}

/** The handler in which this came about: of those that the same event set to work the only one that was at work then.
 * Where several were, nobody knows which, and it stands below the event. */
function handlerOf(one: Row, spans: Row[]): Row | undefined {
  if (one.kind === "handler") return undefined;
  const found = spans.filter((by) => by.kind === "handler" && by.cause === one.cause && by.at <= one.at && one.at <= by.at + by.took / 1000);
  return found.length === 1 ? found[0] : undefined;
}

const SAYS = { event: "event", call: "call", handler: "handled by" };

export function Waterfall({ trace, here }: { trace: Trace; here: string }) {
  const rows = rowsOf(trace);
  const begun = Math.min(...rows.map(({ row }) => row.at));
  const again = (row: Row) => row.kind === "handler" && trace.retries.some((one) => one.event_id === row.cause && one.subscriber === row.name && one.at <= row.at);
  const span = Math.max(SHORTEST_MS, ...rows.map(({ row }) => (row.at - begun) * 1000 + row.took)); // milliseconds
  return (
    <ol class="falls" aria-label="Trace">
      {rows.map(({ row, depth }) => {
        const from = (row.at - begun) * 1000;
        return (
          <li key={row.key} aria-current={row.id === here}>
            <span style={{ paddingLeft: `${Math.min(depth, 8) * 12}px` }}>
              <small class="soft">{again(row) ? "tried again with" : SAYS[row.kind]}</small> {row.id ? <a href={to("event", row.id)}><Parts of={row.name} /></a> : <Parts of={row.name} />}
              {row.error ? <small class="bad"> raised <T>{row.error}</T></small> : null}
            </span>
            <svg aria-hidden="true"><rect x={`${Math.min(97, (from / span) * 100)}%`} width={`${Math.max(3, (row.took / span) * 100)}%`} y="1" height="10" rx="2" class={row.error ? "failed" : row.kind} /></svg>
            <span class="ms">{row.kind === "event" ? from < SOONEST_MS ? "at first" : `after ${lengthIn(from)}` : `took ${lengthIn(row.took)}`}</span>
          </li>
        );
      })}
    </ol>
  );
}

/** A name that breaks between its parts, and not within a word. */
const Parts = ({ of }: { of: string }) => <>{of.split(/(?<=[._/])/).map((part) => <><T>{part}</T><wbr /></>)}</>;

/** Milliseconds in words: tenths count below a second, and nobody reads 28168.8 ms. */
const lengthIn = (ms: number) => (ms < 1000 ? `${ms.toFixed(1)} ms` : lengthOf(ms / 1000));
