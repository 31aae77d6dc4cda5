// Small parts that every panel uses. Text of others is never read as HTML, and never reverses what stands beside it.
import { type ComponentChildren, createContext } from "preact";
import { useContext, useEffect, useRef, useState } from "preact/hooks";
import type { Gate } from "../../clients/typescript/graphbus";
import { plain, shown } from "./json";
import { hush, say, state } from "./store";

/** Somebody else's words. */
export const T = ({ children }: { children: unknown }) => <bdi>{plain(children)}</bdi>;

/** A sentence of the program's: what stands between backticks is a command or a name, and looks like one. */
export const Says = ({ children }: { children: unknown }) => <bdi>{plain(children).split(/`([^`\n]+)`/).map((part, i) => (i % 2 ? <code>{part}</code> : part))}</bdi>;

/** What those at a table are called, by the name of their seat: a file may not be named as a person is. */
export const Called = createContext<Map<string, string>>(new Map());
export const Who = ({ children }: { children: string | null | undefined }) => <T>{useContext(Called).get(children ?? "") ?? children}</T>;

/** Show the page from its beginning, where something new stands. */
export function toTop() {
  scrollTo(0, 0);
  document.getElementById("inspector")?.scrollTo(0, 0);
}

/** Who speaks: what the program does by itself has one name, whatever part of it does it. */
export const whoOf = (name: string | null | undefined) => (!name || ["mediator", "engine"].includes(name) ? "GraphBus" : name);

/** A button that does one thing at a time; what fails is said. */
export function Act(props: { do: () => unknown; children: ComponentChildren; class?: string; label?: string; disabled?: boolean }) {
  const busy = useRef(false);
  const [doing, set] = useState(false);
  const act = async () => {
    if (busy.current) return;
    busy.current = true;
    set(true);
    hush();
    try {
      await props.do();
    } catch (error) {
      say(error);
    } finally {
      busy.current = false;
      set(false);
    }
  };
  return (
    <button type="button" class={props.class} aria-label={props.label} aria-busy={doing} disabled={props.disabled} onClick={act}>
      {props.children}
    </button>
  );
}

/** A button that first says what would end by it, and does it with the second press. */
export function Sure(props: { says: string; yes: string; no: string; do: () => unknown; children: ComponentChildren; disabled?: boolean }) {
  const [asked, ask] = useState(false);
  const stay = useRef<HTMLButtonElement>(null);
  const begun = useRef<HTMLButtonElement>(null);
  const was = useRef(false);
  useEffect(() => {
    if (asked || was.current) (asked ? stay : begun).current?.focus(); // the keyboard stays where the question is
    was.current = asked;
  }, [asked]);
  if (!asked) return <button type="button" ref={begun} disabled={props.disabled} onClick={() => ask(true)}>{props.children}</button>;
  return (
    <span class="sure" role="group" aria-label={props.says}>
      <span class="warn">{props.says}</span>
      <Act do={async () => { await props.do(); ask(false); }}>{props.yes}</Act>
      <button type="button" ref={stay} onClick={() => ask(false)}>{props.no}</button>
    </span>
  );
}

export const Pre = ({ value, label }: { value: unknown; label: string }) => (
  <pre tabIndex={0} role="region" aria-label={label}>
    {plain(typeof value === "string" ? value : shown(value))}
  </pre>
);

/** The file that a part of a diff is about; where it is new or goes, that is said. */
function fileOf(before: string, after: string): string {
  const [old, now] = [before, after].map((line) => line.slice(4).split("\t")[0]!.replace(/^[ab]\//, "").trim());
  return old === "/dev/null" ? `${now} (new)` : now === "/dev/null" ? `${old} (goes)` : now!;
}

/** A unified diff, file by file, coloured and still readable without colours. */
export function Diff({ text }: { text: string }) {
  if (!text) return null;
  const kind = (line: string) => (/^\+(?!\+\+)/.test(line) ? "a" : /^-(?!--)/.test(line) ? "d" : /^@@/.test(line) ? "h" : "");
  return (
    <pre class="diff" tabIndex={0} role="region" aria-label="Diff">
      {text.replace(/\n$/, "").split("\n").map((line, i, lines) => {
        if (/^\+\+\+ /.test(line) && /^--- /.test(lines[i - 1] ?? "")) return null; // its name stands above
        if (/^--- /.test(line) && /^\+\+\+ /.test(lines[i + 1] ?? "")) return <span class="file">{plain(fileOf(line, lines[i + 1]!))}{"\n"}</span>;
        return <span class={kind(line)}>{plain(line) || " "}{"\n"}</span>;
      })}
    </pre>
  );
}

/** Reasons that every log of a build has, as a colleague would say them; any other one stays as it was written. */
const GATE_REASONS: Record<string, string> = {
  "no --verify was given": "the project's tests were not asked for",
  "only a rename that rules agree on is run in thought": "values are followed only after a rename that rules agree on",
  "run in thought, the project does with its values what it did before": "followed through the code, each value does what it did before",
};

/** How the gates ended: proved, tested, or not run, with the reason. */
export function Gates({ gates }: { gates: Gate[] }) {
  if (!gates.length) return null;
  const ends = [...new Set(gates.map((one) => one.end))];
  return (
    <dl class="gates">
      {ends.map((end) => (
        <div class={end.replace(" ", "-")}>
          <dt>{end}</dt>
          <dd>
            {gates.filter((one) => one.end === end).map((one, i) => (
              <span>
                {i ? ", " : ""}
                <T>{one.gate}</T>
                {one.why ? <small> (<Says>{GATE_REASONS[one.why] ?? one.why}</Says>)</small> : null}
              </span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

export const Names = ({ names, none }: { names: string[]; none: string }) => (
  <span>{names.length ? names.map((one, i) => <span>{i ? ", " : ""}<Who>{one}</Who></span>) : none}</span>
);

/** What is loaded of `subject`, again whenever one of `news` changes. The last answer stays until the next is there; one of
 * another subject, or older than what is shown, is left out. */
export function useLoaded<V>(load: () => Promise<V>, subject: unknown[], news: unknown[] = []): { value: V | null; error: string } {
  const [told, set] = useState<{ value: V | null; error: string }>({ value: null, error: "" });
  const now = useRef({ asked: 0, shown: 0 }).current;
  useEffect(() => () => void (now.shown = now.asked), subject); // what was asked of another subject comes too late
  useEffect(() => {
    const turn = ++now.asked;
    const keep = (next: (old: V | null) => { value: V | null; error: string }) => {
      if (turn <= now.shown) return;
      now.shown = turn;
      set(({ value }) => next(value));
    };
    load().then(
      (value) => keep(() => ({ value, error: "" })),
      // Nobody answers, which the header says: what is shown stays, and with it what was typed into it.
      (error: Error) => keep((value) => ({ value, error: value && error instanceof TypeError ? "" : error.message })),
    );
  }, [...subject, ...news]);
  return told;
}

export type Op = { op: string; node: string; method?: string; side?: string; field?: string; to?: string; type?: string; optional?: boolean; [more: string]: unknown };

const MOST = 60; // characters of a type in a sentence; the diff has it whole
const brief = (type: string | undefined) => (type && type.length > MOST ? `${type.slice(0, MOST - 1)}…` : type);

/** An operation in words. */
export function opText(op: Op): string {
  const where = [op.node, op.method].filter(Boolean).join(".") + (op.side ? ` ${op.side}` : "");
  switch (op.op) {
    case "rename_field":
      return `rename ${op.field} → ${op.to} in ${where}`;
    case "set_optional":
      return `make ${op.field} ${op.optional === false ? "required" : "optional"} in ${where}`;
    case "retype_field":
      return `let ${op.field} be ${brief(op.type)} in ${where}`;
    case "add_field":
      return `add ${op.field}: ${brief(op.type)} to ${where}`;
    case "remove_field":
      return `remove ${op.field} from ${where}`;
    default:
      return `${op.op.replaceAll("_", " ")} in ${where}`;
  }
}

/** Who proposed: an agent, or the person that it speaks for. */
export function Proposer({ of, start }: { of: { proposer?: string; proposed_by?: string }; start?: boolean }) {
  if (!of.proposed_by) return <T>{of.proposer}</T>;
  const who = state.me?.role === "seat" ? of.proposed_by : start ? "You" : "you";
  return <><T>{who}</T>, for <T>{of.proposer}</T></>;
}

export const Ops = ({ diff }: { diff: unknown[] }) => (
  <ul class="ops">
    {diff.map((op) => (
      <li><T>{opText(op as Op)}</T></li>
    ))}
  </ul>
);
