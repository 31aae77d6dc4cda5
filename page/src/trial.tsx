// A change while it is made: what the engine says of it (a dry run), and the step that puts it to the others.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { JsonObject, Trial } from "../../clients/typescript/graphbus";
import { Act, Diff, Gates, Names, type Op, opText, T, Says } from "./kit";
import { mendedRows } from "./mended";
import { api, set, state, useStore } from "./store";

/** What became of the dry run of a diff; asked a moment after the last change of it. */
export function useTrial(diff: Op[] | null): { trial: Trial | null; error: string; busy: boolean } {
  const [told, keep] = useState<{ trial: Trial | null; error: string; busy: boolean }>({ trial: null, error: "", busy: false });
  const key = diff ? JSON.stringify(diff) : "";
  const newest = useRef("");
  useEffect(() => {
    newest.current = key;
    if (!key) return keep({ trial: null, error: "", busy: false });
    keep({ trial: null, error: "", busy: true });
    const soon = setTimeout(() => {
      api.tryChange({ diff: JSON.parse(key) as JsonObject[] }).then(
        (trial) => newest.current === key && keep({ trial, error: "", busy: false }),
        (error: Error) => newest.current === key && keep({ trial: null, error: error.message, busy: false }),
      );
    }, 200);
    return () => clearTimeout(soon);
  }, [key]);
  return told;
}

export function TrialView({ trial, error, busy, children }: { trial: Trial | null; error: string; busy: boolean; children?: ComponentChildren }) {
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
          <p class={mendsNothing(trial) || (trial.passes && trial.left.length) ? "warn" : trial.passes ? "good" : "bad"}>
            {mendsNothing(trial) ? "It can be done, and mends nothing: what did not fit stays as it is." : trial.passes && trial.left.length ? "It can be done, and does not mend all of it yet." : trial.passes ? "✓ It holds." : <>✗ It does not hold: <Says>{trial.reason}</Says> <small class="soft">(gate: <code><T>{trial.gate}</T></code>)</small></>}
          </p>
          <dl class="facts">
            {mendedRows(trial.mends, trial.left).map(({ says, look, what }) => <><dt>{says}</dt><dd class={look}>{what}</dd></>)}
            <dt>Breaks</dt>
            <dd class={trial.breaks.length ? "bad" : ""}><Names names={trial.breaks} none="no link" /></dd>
            <dt>Must agree</dt>
            <dd><Names names={trial.asks} none="nobody else" /></dd>
          </dl>
          {children}
          <Diff text={trial.unified_diff} />
          <details><summary>Gates</summary><Gates gates={trial.gates} /></details>
        </>
      ) : null}
    </div>
  );
}

/** Whether a change is about links that do not fit, and leaves each of them as it is. */
const mendsNothing = ({ passes, mends, left }: Trial) => passes && !mends.length && left.length > 0 && left.every((one) => !one.mended.length);

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
      <Act class="primary" disabled={!told.trial?.passes || Boolean(running)} do={async () => propose(agent, diff, await model())}>
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
