// A change while it is made: what the engine says of it (a dry run), and the step that puts it to the others.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { JsonObject, Trial } from "../../clients/typescript/graphbus";
import { Act, Diff, Gates, Names, type Op, opText, T, Says } from "./kit";
import { mendedRows } from "./mended";
import { api, set, state, useStore } from "./store";

interface Tried {
  trial: Trial | null;
  error: string;
  busy: boolean; // nothing is known yet
  calls: boolean; // the verdict is not the last word: the changed methods are called now
}
const NOTHING: Tried = { trial: null, error: "", busy: false, calls: false };

/** What became of the dry run of a diff, asked a moment after the last change of it: at first without its code being
 * run, which is known at once, then with every gate that a proposal of it would meet. `after`: what is agreed on, and
 * not in the files yet. */
export function useTrial(diff: Op[] | null, after: Op[][] = []): Tried {
  const [told, keep] = useState<Tried>(NOTHING);
  const key = diff ? JSON.stringify({ diff, after }) : "";
  const newest = useRef("");
  useEffect(() => {
    newest.current = key;
    if (!key) return keep(NOTHING);
    keep({ ...NOTHING, busy: true });
    const ask = async (call_methods: boolean) => {
      if (newest.current !== key) return;
      const trial = await api.tryChange({ ...(JSON.parse(key) as { diff: JsonObject[]; after: JsonObject[][] }), call_methods });
      const calls = !call_methods && trial.open.some((one) => one.gate === "rehearsal");
      if (newest.current === key) keep({ ...NOTHING, trial, calls });
      if (calls) await ask(true);
    };
    const soon = setTimeout(() => {
      ask(false).catch((error: Error) => newest.current === key && keep({ ...NOTHING, error: error.message }));
    }, 200);
    return () => clearTimeout(soon);
  }, [key]);
  return told;
}

/** The verdict of a trial in a line, as the engine says it. */
export function Verdict({ trial, calls }: { trial: Trial; calls: boolean }) {
  const { passes, verdict, left, unsent, open } = trial;
  const whole = passes && !left.length && !unsent.length && !open.length;
  return (
    <p class={whole ? "good" : passes ? "warn" : "bad"}>
      {whole ? "✓ " : passes ? "" : "✗ "}{calls && passes ? "The changed methods are called now, to see whether they take it …" : <Says>{verdict}</Says>}
    </p>
  );
}

export function TrialView({ trial, error, busy, calls, children }: Tried & { children?: ComponentChildren }) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (trial && !document.activeElement?.matches("input, textarea, select")) end.current?.scrollIntoView({ block: "nearest" }); // what was tried is not looked for below the fold
  }, [trial]);
  return (
    <div class="trial" aria-live="polite" ref={end}>
      {busy ? <p class="soft">Trying it on a copy of the project …</p> : null}
      {error ? <p class="bad"><Says>{error}</Says></p> : null}
      {trial ? (
        <>
          <Verdict trial={trial} calls={calls} />
          <dl class="facts">
            {(trial.passes ? mendedRows(trial.mends, trial.left) : []).map(({ says, look, what }) => <><dt>{says}</dt><dd class={look}>{what}</dd></>)}
            <dt>Breaks</dt>
            <dd class={trial.breaks.length ? "bad" : ""}><Names names={trial.breaks} none="no link" /></dd>
            {trial.notes.length ? <><dt>Mind</dt><dd class="warn"><T>{trial.notes.join(" ")}</T></dd></> : null}
            <dt>Must agree</dt>
            <dd>
              <Names names={trial.asks} none="nobody else" />
              {[...new Set(Object.values(trial.why))].map((why) => <><br /><small class="soft"><Says>{why}</Says></small></>)}
            </dd>
          </dl>
          {children}
          <Diff text={trial.unified_diff} />
          <details><summary>Gates</summary><Gates gates={trial.gates} /></details>
        </>
      ) : null}
    </div>
  );
}

/** Put a change to the others as `agent`'s; whoever proposed it approves it before it lands. */
export async function propose(agent: string, diff: Op[], model: string | null, humans: string[] = []) {
  const build = await api.startBuild({
    approve: true,
    rounds: 1,
    model: model || null,
    humans,
    proposal: { agent, diff: diff as JsonObject[], summary: diff.map(opText).join("; "), rationale: "A person asked for it on the page." },
  });
  set({ expecting: build.id });
}

/** Try a change, then put it to the others. */
export function ProposeForm({ agent, diff }: { agent: string; diff: Op[] | null }) {
  const told = useTrial(diff);
  const { builds, expecting } = useStore();
  const running = builds.find((one) => one.state === "running");
  if (!diff) return null;
  return (
    <div class="propose">
      <TrialView {...told}>
      {expecting ? <p class="wait" role="status">The others are asked; you approve it when they agree.</p> : null}
      {running && !expecting ? <p class="soft">A build is under way; this can be proposed when it has ended.</p> : null}
      <Act class="primary" disabled={!told.trial?.passes || told.calls || Boolean(running)} do={async () => propose(agent, diff, await model())}>
        Propose it
      </Act>
      {told.trial && !told.trial.passes ? <p class="soft">What does not hold cannot be proposed: change it above until it does.</p> : null}
      </TrialView>
    </div>
  );
}

/** What [tool.graphbus] of the project states, by name: it holds where a build of the page says nothing. */
export const stated = async () => new Map((await api.listSettings({ limit: 200 })).items.filter((one) => one.stated).map((one) => [one.name, one.value]));

/** Who speaks in builds of the page: as the settings say (null), else as the build form said last, else the rules. */
export const model = async () => ((await stated()).has("model") ? null : localStorage.getItem("graphbus-model") || "rules");
export { state };
