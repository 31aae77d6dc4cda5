// A component: what its author wrote, its contracts, who asked for them, a form to call each method.
import { useRef, useState } from "preact/hooks";
import type { DataLink, Method } from "../../../clients/typescript/graphbus";
import { blankStep, diffOf, type Step, Steps, togetherWith } from "../change";
import { type Held, SchemaForm } from "../form";
import { Act, Pre, Proposer, T, useLoaded, Says } from "../kit";
import { api, body, to, useStore } from "../store";
import { ProposeForm } from "../trial";

export function NodePanel({ name }: { name: string }) {
  const { picture, facts, runtime } = useStore();
  const { value: node, error } = useLoaded(() => api.getNode(name), [name], [picture]);
  const { value: why } = useLoaded(() => api.getWhy(name), [name], [facts]);
  if (error) return <><h2>Component</h2><p class="bad"><Says>{error}</Says></p><p><a href="#/">All of them</a></p></>;
  if (!node || node.name !== name) return <p class="soft">Loading …</p>;
  return (
    <>
      <h2><T>{node.name}</T></h2>
      <p class="soft"><T>{node.module}</T> · <T>{node.source_file}</T></p>
      {node.system_prompt.text.trim() ? <p class="prompt"><T>{node.system_prompt.text.trim()}</T></p> : null}
      {node.methods.map((method) => <MethodCard key={method.name} node={name} method={method} running={Boolean(runtime?.is_running)} />)}
      {node.subscriptions.length ? <p>Hears {node.subscriptions.map((one) => <code><T>{one.topic}</T> </code>)}</p> : null}
      {node.publications.length ? <p>Publishes {node.publications.map((one) => <code><T>{one.topic}</T> </code>)}</p> : null}
      <Calls name={name} />
      {picture ? <Change key={name} name={name} links={picture.links} /> : null}
      {node.links.length ? (
        <>
          <h3>Links</h3>
          <ul class="list">
            {node.links.map((one) => {
              const end = (e: typeof one.producer, made: boolean) => (made && e.topic ? `${e.node} -> ${e.topic}` : e.method ? `${e.node}.${e.method}` : `${e.node} -> ${e.topic}`);
              const id = `${end(one.producer, true)} => ${end(one.consumer, false)}`;
              return <li><a href={to("link", id)}><T>{id}</T></a></li>;
            })}
          </ul>
        </>
      ) : null}
      {why && why.entries.length ? (
        <>
          <h3>Who asked for it</h3>
          <ul class="list">
            {why.entries.map((one) => (
              <li>
                <a href={to("proposal", one.build_id ?? "", one.id)}><T>{one.summary || one.id}</T></a>
                <small class="soft"><Proposer of={one} start />; <T>{one.outcome}</T>{one.undone ? ", taken back" : ""}</small>
              </li>
            ))}
          </ul>
        </>
      ) : null}
      <details><summary>Source</summary><Pre value={node.source_code} label="Source" /></details>
    </>
  );
}

/** Whom it calls, and who calls it, where no link of data says so. */
function Calls({ name }: { name: string }) {
  const all = useStore().picture?.components ?? [];
  const needs = all.find((one) => one.name === name)?.needs ?? [], by = all.filter((one) => one.needs?.includes(name)).map((one) => one.name);
  const list = (names: string[]) => names.map((one) => <a href={to("node", one)}><T>{one}</T> </a>);
  return <>{needs.length ? <p>Calls {list(needs)}</p> : null}{by.length ? <p>Is called by {list(by)}</p> : null}</>;
}

/** A change of its contracts, or of a neighbour's, step by step: tried with every key, then put to the others. */
function Change({ name, links }: { name: string; links: DataLink[] }) {
  const { picture } = useStore();
  const [steps, change] = useState<Step[]>([]);
  const near = links.map(({ source, target }) => [source.node, target.node]).filter((ends) => ends.includes(name));
  const nodes = [...new Set([name, ...near.flat()])];
  const diff = diffOf(picture, { nodes, given: [], steps });
  return (
    <details onToggle={(event) => event.currentTarget.open && !steps.length && change([blankStep(picture, nodes)])}>
      <summary>Change its contract</summary>
      <Steps nodes={nodes} given={[]} steps={steps} change={change} />
      {togetherWith(picture, nodes, steps).map((one) => <p class="row"><button type="button" onClick={() => change([...steps, one])}>Rename <T>{one.at}</T>, too</button></p>)}
      {diff ? <div class="effect"><ProposeForm agent={diff[0]!.node} diff={diff} /></div> : null}
    </details>
  );
}

function MethodCard({ node, method, running }: { node: string; method: Method; running: boolean }) {
  const held = useRef<Held>({ value: () => ({}) }).current;
  const [result, told] = useState<{ value: unknown; trace: string } | null>(null);
  const call = async () => {
    const { result } = await api.callNode(node, body({ method: method.name, payload: held.value() as {} }));
    const newest = (await api.listCalls({ limit: 1 })).items[0];
    told({ value: result, trace: newest?.id ?? "" });
  };
  return (
    <section class="card">
      <h3><T>{`${node}.${method.name}`}</T></h3>
      <details>
        <summary>Contract</summary>
        {method.input_schema ? <Pre value={method.input_schema.source ?? method.input_schema.json_schema} label={`Input of ${method.name}`} /> : <p class="soft">No input contract.</p>}
        {method.output_schema ? <Pre value={method.output_schema.source ?? method.output_schema.json_schema} label={`Output of ${method.name}`} /> : <p class="soft">No output contract.</p>}
      </details>
      {running ? (
        <>
          <SchemaForm schema={method.input_schema?.json_schema ?? { type: "object", properties: Object.fromEntries(method.parameters.map((one) => [one.name, {}])), required: method.parameters.filter((one) => one.default === null && !one.kind.startsWith("var_")).map((one) => one.name) }} held={held} />
          <Act do={call}>Call {method.name}</Act>
          {result ? <><Pre value={result.value} label="Result" />{result.trace ? <p><a href={to("event", result.trace)}>What followed from it</a></p> : null}</> : null}
        </>
      ) : <p class="soft">Start the runtime to call it.</p>}
    </section>
  );
}
