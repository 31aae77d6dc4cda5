// The project beside its picture: a build for other tools, what the code says without agents, settings, the policy.
import { useRef, useState } from "preact/hooks";
import { type Exported, type Inferred, type MayTold, type ProposedSettings } from "../../../clients/typescript/graphbus";
import { Act, Diff, Pre, T, useLoaded, Says } from "../kit";
import { shown } from "../json";
import { save } from "../save";
import { api, useStore } from "../store";
import { Journals } from "./journals";
import { freeze } from "./runtime";

export function ProjectPanel() {
  const { route } = useStore();
  return (
    <>
      <h2>Exports, settings, journals</h2>
      <Exports />
      <details class="card"><summary>Read the code without agents</summary><Reading /></details>
      <details class="card"><summary>Settings</summary><Settings /></details>
      <details class="card"><summary>Policy: who may do what</summary><Policy /></details>
      <details class="card" open={route.id === "journals"}><summary>Journals of runs</summary><Journals /></details>
    </>
  );
}

const FORMS = ["asyncapi", "openapi", "mermaid", "dot"] as const;
const NAMES: Record<string, string> = { asyncapi: "AsyncAPI", openapi: "OpenAPI", mermaid: "Mermaid", dot: "DOT" };

function Exports() {
  const [made, told] = useState<Exported | null>(null);
  const [asked, ask] = useState<(typeof FORMS)[number] | null>(null); // while there is no build that it could be made of
  const make = async (form: (typeof FORMS)[number]) => {
    ask(null);
    if (!(await api.getRuntime()).newest) return ask(form); // an export is known to be refused then
    told(await api.exportBuild(form));
  };
  return (
    <section class="card" aria-label="Export">
      <h3>The last build for other tools</h3>
      <p class="row">
        {FORMS.map((form) => <Act do={() => make(form)}>{NAMES[form]}</Act>)}
      </p>
      {asked ? <p class="wait" role="status">There is no build yet. <Act class="primary" do={async () => { await freeze(); await make(asked); }}>Build it as it stands, and export</Act></p> : null}
      {made ? (
        <>
          <p><Act class="primary" do={() => save(made.file, made.media_type, made.text)}>Save {made.file}</Act></p>
          <Pre value={made.text} label={`Export as ${made.format}`} />
        </>
      ) : null}
    </section>
  );
}

const FEW = 100; // findings and links that are listed at once

function Reading() {
  const [found, told] = useState<Inferred | null>(null);
  return (
    <>
      <p class="soft">Who gives what to whom, and what cannot fit, as the source shows it. Nothing of it runs.</p>
      <Act do={async () => told(await api.inferProject())}>Read it</Act>
      {found ? (
        <div role="status">
          <p>{found.components.length} components, {found.links.length} links in {found.files} files. {found.findings.length ? <span class="bad">{found.findings.length} {found.findings.length === 1 ? "finding" : "findings"}</span> : "No finding."}</p>
          <ul class="list" aria-label="Findings">
            {found.findings.slice(0, FEW).map((one) => (
              <li key={one.fingerprint}><T>{`${one.file}:${one.line}`}</T> <small class={one.level === "error" ? "bad" : "warn"}><Says>{`${one.code}: ${one.message}`}</Says></small></li>
            ))}
          </ul>
          <details>
            <summary>Components</summary>
            <ul class="list">
              {found.components.slice(0, FEW).map((one) => (
                <li><T>{one.name}</T> <small class="soft"><T>{`${one.file}:${one.line}`}</T></small>{one.methods.map((method) => <small><T>{`${method.name}(${method.takes.map((port) => `${port.name}: ${port.type}`).join(", ")}) → ${method.gives.type}`}</T> <span class="soft">{method.level}</span></small>)}</li>
              ))}
            </ul>
          </details>
          <details>
            <summary>Links</summary>
            <ul class="list">
              {found.links.slice(0, FEW).map((one) => <li><T>{`${one.producer} → ${one.consumer}`}</T> <small class="soft"><T>{one.places.join(", ")}</T></small></li>)}
            </ul>
          </details>
          {found.components.length > FEW || found.links.length > FEW || found.findings.length > FEW ? <p class="soft">The first {FEW} of each are listed.</p> : null}
          {found.left_out.length ? <details><summary>{found.left_out.length} files were left out</summary><ul>{found.left_out.slice(0, FEW).map((one) => <li><T>{one}</T></li>)}</ul></details> : null}
        </div>
      ) : null}
    </>
  );
}

function Settings() {
  const [again, renew] = useState(0);
  const { value, error } = useLoaded(() => api.listSettings({ limit: 200 }), [], [again]);
  const [offer, propose] = useState<ProposedSettings | null>(null);
  const stated = value?.items.filter((one) => one.stated) ?? [];
  const rest = value?.items.filter((one) => !one.stated) ?? [];
  const rows = (all: typeof stated) => (
    <dl class="facts">{all.map((one) => <><dt><T>{one.name}</T></dt><dd><T>{shown(one.value) || "—"}</T> <small class="soft"><T>{one.stated ? one.source : one.does}</T></small></dd></>)}</dl>
  );
  return (
    <>
      {error ? <p class="bad"><Says>{error}</Says></p> : null}
      {stated.length ? rows(stated) : (
        <>
          <p class="soft">Nothing is set. Everything stands at its default.</p>
          <Act do={async () => propose(await api.proposeSettings())}>Propose settings</Act>
        </>
      )}
      {offer ? (
        <>
          <Diff text={offer.diff} />
          {offer.written ? <p class="good" role="status">Written to {offer.file}.</p> : <Act class="primary" do={async () => { propose(await api.writeSettings()); renew((n) => n + 1); }}>Write them to {offer.file}</Act>}
        </>
      ) : null}
      {rest.length ? <details><summary>{rest.length} stand at their default</summary>{rows(rest)}</details> : null}
    </>
  );
}

function Policy() {
  const { value, error } = useLoaded(() => api.getPolicy(), []);
  const { picture } = useStore();
  const form = useRef<HTMLFormElement>(null);
  const [verdict, told] = useState<MayTold | null>(null);
  const ask = async () => {
    const given = new FormData(form.current!);
    told(await api.checkPolicy({ who: String(given.get("who")), verb: String(given.get("verb")) as "call", what: String(given.get("what")) }));
  };
  const list = (patterns: string[] | null) => (patterns === null ? "free" : patterns.length ? patterns.join(", ") : "nothing");
  return (
    <>
      {error ? <p class="bad"><Says>{error}</Says></p> : null}
      {value?.rules.length ? (
        <ul class="list">
          {value.rules.map((one) => (
            <li><T>{one.name}</T>: <T>{one.who}</T> <small class="soft">call <T>{list(one.call)}</T>; publish <T>{list(one.publish)}</T>; hear <T>{list(one.hear)}</T></small></li>
          ))}
        </ul>
      ) : <p class="soft">There is no rule: every node may call, publish and hear what it likes.</p>}
      <form ref={form} onSubmit={(e) => e.preventDefault()}>
        <label><span>May this node</span><input name="who" list="nodes" autocomplete="off" /></label>
        <label><span>do this</span><select name="verb"><option>call</option><option>publish</option><option>hear</option></select></label>
        <label><span>with this method or topic?</span><input name="what" autocomplete="off" /></label>
        <datalist id="nodes">{(picture?.components ?? []).slice(0, 300).map((one) => <option value={one.name} />)}</datalist>
        <Act do={ask}>Ask the policy</Act>
      </form>
      {verdict ? <p role="status" class={verdict.allowed ? "good" : "bad"}>{verdict.allowed ? "✓ It may." : <>✗ <Says>{verdict.why}</Says></>}</p> : null}
    </>
  );
}
