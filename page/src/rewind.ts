// The picture as it was at a fact of a negotiation: which fields there were, and which links did not fit.
import type { Component, DataLink, Fact, Picture, Port } from "../../clients/typescript/graphbus";
import { PORT } from "./geometry";

type Data = Record<string, any>; // what a log says of an agent, by name

/** The agents after fact number `at`, as the log has them: those of the start, then those that each commit changed. */
export function agentsAt(facts: Fact[], at: number): Map<string, Data> {
  const found = new Map<string, Data>();
  const prepared = new Map<string, Data[]>();
  for (const { seq, kind, data: raw } of facts) {
    if (seq > Math.max(1, at)) break;
    const data = raw as Data;
    if (kind === "negotiation_opened") for (const one of data.agents ?? []) found.set(one.name, one);
    else if (kind === "commit_prepared") prepared.set(data.proposal_id, agentsOf(data) ?? []);
    else if (kind === "proposal_committed") for (const one of agentsOf(data) ?? prepared.get(data.proposal_id) ?? []) found.set(one.name, one);
  }
  return found;
}

/** The agents that a receipt says are another way now: by their names. */
const agentsOf = (data: Data): Data[] | undefined => data.receipt?.agents && Object.values(data.receipt.agents as Record<string, Data>);

/** A picture with the fields of then; what the log does not know of stands as it is. */
export function rewound(picture: Picture, then: Map<string, Data>): Picture {
  const components = picture.components.map((one) => (then.has(one.name) ? cardOf(one, then.get(one.name)!) : one));
  const cards = new Map(components.map((one) => [one.name, one]));
  return { ...picture, components, links: picture.links.map((one) => linkOf(one, cards)) };
}

const known = (one: Data, name: string): Data | undefined => (one.methods as Data[] | undefined)?.find((method) => method.name === name);

function cardOf(card: Component, agent: Data): Component {
  const methods = card.methods.map((method) => {
    const then = known(agent, method.name);
    if (!then) return method;
    return { ...method, inputs: portsOf(then.input_schema, method.inputs), outputs: portsOf(then.output_schema, method.outputs) };
  });
  return { ...card, methods, height: card.height + rowsOf(methods) - rowsOf(card.methods) };
}

const rowsOf = (methods: Component["methods"]) => methods.reduce((sum, one) => sum + PORT * Math.max(one.inputs.length, one.outputs.length), 0);

/** The ports of a contract in a log. A field that is there today, too, has the type that is shown today. */
function portsOf(schema: Data | null | undefined, now: Port[]): Port[] {
  const said = schema?.json_schema as Data | undefined;
  if (!said?.properties) return now;
  const required = new Set<string>(said.required ?? []);
  return Object.entries(said.properties as Record<string, Data>).map(([name, one]) => {
    const same = now.find((port) => port.name === name);
    return { name, type: same?.type ?? String(one.type ?? "any"), required: required.has(name), whole: same?.whole ?? null };
  });
}

function linkOf(link: DataLink, cards: Map<string, Component>): DataLink {
  const sent = cards.get(link.source.node)?.methods.find((one) => one.name === link.source.method);
  const taken = cards.get(link.target.node)?.methods.find((one) => one.name === link.target.method);
  if (!sent || !taken || link.source.topic || !link.fields.length) return link; // where no fields are compared, none were
  const names = new Set(sent.outputs.map((one) => one.name));
  const fields = taken.inputs.map(({ name }) => link.fields.find((one) => one.target === name && (one.source === null || names.has(one.source))) ?? { source: names.has(name) ? name : null, target: name, fits: names.has(name) });
  return { ...link, fields: fields as DataLink["fields"] };
}
