// What can be begun: a build with its options, a decision by consent, a document, a check of two contracts.
import { useRef, useState } from "preact/hooks";
import type { Verdict } from "../../../clients/typescript/graphbus";
import { Act, Pre, T, useLoaded } from "../kit";
import { api, go, renew, useStore } from "../store";
import { BeginConsent } from "./begin-consent";
import { BeginDocument } from "./begin-document";
import { misfitsOf } from "../misfit";
import { Misfits } from "./misfits";
import { stated } from "../trial";

export function Start() {
  return (
    <>
      <h2>Begin something</h2>
      <div class="begins">
        <BuildForm />
        <BeginConsent />
        <BeginDocument />
      </div>
      <details class="card"><summary>Check two contracts</summary><Check /></details>
    </>
  );
}

const NOTHING = new Map<string, unknown>();
const OF_BUILDS = /^(model|fallback_model|verify|rounds|include|exclude|budget\..*|policy\.(?!rules$).*)$/;
const shown = (value: unknown) => (Array.isArray(value) ? value.join(", ") : String(value ?? ""));

function BuildForm() {
  const { picture, builds } = useStore();
  const running = builds.some((one) => one.state === "running");
  const form = useRef<HTMLFormElement>(null);
  const [talks, agree] = useState(true);
  const held = useLoaded(stated, []).value ?? NOTHING;
  const own = [...held].filter(([name]) => OF_BUILDS.test(name));
  const start = async () => {
    const given = new FormData(form.current!);
    // What is left empty is not said, and then the settings hold; without any, what the form begins with.
    const model = String(given.get("model") || "") || (held.has("model") ? null : "rules");
    const rounds = Number(given.get("rounds") || 0) || (held.has("rounds") ? null : 10);
    if (model) localStorage.setItem("graphbus-model", model);
    const negotiates = given.get("agents") === "on";
    await api.startBuild({
      enable_agents: negotiates,
      ...(negotiates
        ? {
            model,
            rounds,
            approve: given.get("approve") === "on",
            dry_run: given.get("dry") === "on",
            intent: String(given.get("intent") || "") || null,
            verify: given.get("verify") === "on" ? ("auto" as const) : null,
            humans: given.getAll("human").map(String),
          }
        : {}),
    });
    renew("builds");
    go(negotiates ? "inbox" : ""); // what the build asks comes there
  };
  return (
    <form ref={form} class="card begin" aria-label="Build" onSubmit={(e) => e.preventDefault()}>
      <h3>Build</h3>
      <p class="soft">The components of this project agree on what does not fit; what is proved is committed.</p>
      <label class="tick"><input type="checkbox" name="agents" checked={talks} onChange={(e) => agree(e.currentTarget.checked)} /><span>The agents negotiate first</span></label>
      <label class="tick"><input type="checkbox" name="approve" defaultChecked /><span>I approve each commit</span></label>
      <label class="tick"><input type="checkbox" name="dry" /><span>Dry run: nothing is changed</span></label>
      <label class="tick"><input type="checkbox" name="verify" /><span>The project's tests must pass before each commit</span></label>
      <label><span>Intent (optional): what it is for, in your words</span><textarea name="intent" rows={2} /></label>
      <details>
        <summary>Model and rounds</summary>
      <label><span>Model (rules, or provider:model)</span><input name="model" defaultValue={held.has("model") ? "" : localStorage.getItem("graphbus-model") || "rules"} placeholder={shown(held.get("model"))} autocomplete="off" /></label>
      <label><span>Rounds</span><input name="rounds" type="number" min={1} max={100} defaultValue={held.has("rounds") ? "" : "10"} placeholder={shown(held.get("rounds"))} /></label>
      </details>
      <details>
        <summary>I speak for …</summary>
        {(picture?.components ?? []).filter((one) => !one.is_arbiter).slice(0, 100).map((one) => <label class="tick"><input type="checkbox" name="human" value={one.name} /><span><T>{one.name}</T></span></label>)}
        {(picture?.components ?? []).filter((one) => one.is_arbiter).map((one) => <label class="tick"><input type="checkbox" name="human" value={one.name} /><span><T>{one.name}</T> (arbiter)</span></label>)}
      </details>
      {own.length ? <p class="soft">The project's settings hold where you say nothing: <T>{own.map(([name, value]) => `${name} = ${shown(value)}`).join("; ")}</T>.</p> : null}
      <Misfits>{talks ? "The agents look for a change that mends it; what they do not agree on stays as it is." : "The build freezes it as it is: nobody negotiates."}</Misfits>
      <Act class="primary" disabled={running} do={start}>{talks || !misfitsOf(picture).length ? "Start the build" : "Build all the same"}</Act>
      {running ? <p class="soft">A build is under way.</p> : null}
    </form>
  );
}

function Check() {
  const producer = useRef<HTMLTextAreaElement>(null);
  const consumer = useRef<HTMLTextAreaElement>(null);
  const [verdict, told] = useState<Verdict | null>(null);
  const given = (text: string) => (/^\s*[{\[]|^\s*(true|false)\s*$/.test(text) ? JSON.parse(text) : text.trim());
  return (
    <>
      <label><span>Producer (JSON Schema, or Node.method)</span><textarea ref={producer} rows={3} spellcheck={false} defaultValue={'{"type": "integer"}'} /></label>
      <label><span>Consumer (JSON Schema, or Node.method)</span><textarea ref={consumer} rows={3} spellcheck={false} defaultValue={'{"type": "number"}'} /></label>
      <Act do={async () => told(await api.checkContracts({ producer: given(producer.current!.value), consumer: given(consumer.current!.value) }))}>Check</Act>
      {verdict ? (
        <div role="status">
          <p class={verdict.compatible ? "good" : "bad"}>{verdict.compatible ? "✓ It fits." : verdict.compatible === null ? "It could not be decided." : "✗ It does not fit."}</p>
          <ul>{verdict.reasons.map((one) => <li><T>{`${one.path ? `${one.path}: ` : ""}${one.message}`}</T></li>)}</ul>
          {verdict.compatible === false ? <Pre value={verdict.counterexample} label="Counterexample" /> : null}
        </div>
      ) : null}
    </>
  );
}
