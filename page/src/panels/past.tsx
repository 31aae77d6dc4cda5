// A link, a component or a field as it was at a fact of a negotiation: read in the picture of then, and nothing to change.
import type { Component, DataLink, Port } from "../../../clients/typescript/graphbus";
import { payloadsOf, proofsOf } from "../asked";
import { Pre, T } from "../kit";
import { isMisfit, wordOf } from "../misfit";
import { type Shown, useShown, wordsOfThen } from "../past";
import { to, toThen, useStore } from "../store";

const STATES: Record<string, [says: string, look: string]> = {
  fits: ["It fitted: everything that could be sent was taken", "good"],
  broken: ["It did not fit", "bad"],
  undecided: ["Whether it fitted could not be decided", "warn"],
  guessed: ["This link was only guessed", "soft"],
};

export function PastPanel() {
  const { route, picture: today } = useStore();
  const { shown } = useShown();
  if (!shown) return <p class="soft">Reading the project as it was …</p>;
  const { then, past } = shown;
  const { kind, id, rest } = route;
  const { links, components } = past.picture;
  const link = links.find((one) => one.id === id);
  const card = components.find((one) => one.name === id);
  const isThere = kind === "link" ? today?.links.some((one) => one.id === id) : today?.components.some((one) => one.name === id);
  return (
    <>
      {kind === "link" && link ? <PastLink link={link} shown={shown} /> : kind !== "link" && card ? <PastNode card={card} links={links} shown={shown} field={kind === "field" ? rest : []} /> : <><h2><T>{id}</T></h2><p>There was no such {kind === "link" ? "link" : "component"} {wordsOfThen(shown)}.</p></>}
      <p class="row places">
        <a href={toThen(then, "negotiation", then.negotiation)}>The negotiation at this moment</a>
        {isThere ? <a href={to(kind, ...rest)}>As it is today</a> : <span class="soft">It is not there today.</span>}
      </p>
    </>
  );
}

function PastLink({ link, shown }: { link: DataLink; shown: Shown }) {
  const [says, look] = STATES[link.state] ?? [wordOf(link.state), ""];
  const proven = link.state === "broken" ? proofsOf(link) : [];
  const unproven = link.reasons.filter((reason) => !proven.some((one) => one.reason === reason));
  return (
    <>
      <h2><T>{link.source.node}</T> → <T>{link.target.node}</T></h2>
      <p class={look} role="status">{says}, {wordsOfThen(shown)}.</p>
      <p class="soft"><a href={toThen(shown.then, "node", link.source.node)}><T>{link.source.topic ?? `${link.source.node}.${link.source.method}`}</T></a> → <a href={toThen(shown.then, "node", link.target.node)}><T>{`${link.target.node}.${link.target.method}`}</T></a> <small><T>{link.places.join(" → ")}</T></small></p>
      {unproven.length ? <ul class="reasons">{unproven.map((one) => <li><T>{one}</T></li>)}</ul> : null}
      {payloadsOf(proven).map(({ reasons, payload }) => <><ul class="reasons">{reasons.map((one) => <li><T>{one}</T></li>)}</ul><Pre value={payload} label="Payload of then" /></>)}
      {link.state === "broken" && !proven.length && link.counterexample !== null ? <Pre value={link.counterexample} label="Payload of then" /> : null}
    </>
  );
}

/** Fields with their types, the one that is asked for marked. */
function Ports({ says, ports, marked }: { says: string; ports: Port[]; marked: string }) {
  if (!ports.length) return null;
  return <><dt>{says}</dt><dd><ul>{ports.map((one) => <li>{one.name === marked ? <mark><T>{one.name}</T></mark> : <T>{one.name}</T>}{one.required ? "" : "?"}: <code><T>{one.whole ?? one.type}</T></code></li>)}</ul></dd></>;
}

function PastNode({ card, links, shown, field }: { card: Component; links: DataLink[]; shown: Shown; field: string[] }) {
  const [, place, side, name] = field;
  const marked = (where: string, at: string) => (where === place && at === side ? (name ?? "") : "");
  const own = links.filter(({ source, target }) => source.node === card.name || target.node === card.name);
  return (
    <>
      <h2><T>{card.name}</T></h2>
      <p role="status">As it was {wordsOfThen(shown)}. <small class="soft"><T>{card.source_file}</T></small></p>
      {card.methods.map((method) => (
        <section class="card">
          <h3><T>{`${card.name}.${method.name}`}</T></h3>
          {method.declared ? <dl class="facts"><Ports says="Takes" ports={method.inputs} marked={marked(method.name, "input")} /><Ports says="Gives" ports={method.outputs} marked={marked(method.name, "output")} /></dl> : <p class="soft">No contract.</p>}
        </section>
      ))}
      {card.publishes.map((topic) => <section class="card"><h3>→ <T>{topic.topic}</T></h3><dl class="facts"><Ports says="Sends" ports={topic.ports} marked={marked(topic.topic, "payload")} /></dl></section>)}
      {card.hears.length ? <p>Heard {card.hears.map((one) => <code><T>{one.topic}</T> </code>)}</p> : null}
      {own.length ? <h3>Links</h3> : null}
      <ul class="list">{own.map((one) => <li><a href={toThen(shown.then, "link", one.id)}><T>{one.id}</T></a> <small class={isMisfit(one) ? (one.state === "broken" ? "bad" : "warn") : "soft"}>{(STATES[one.state]?.[0] ?? wordOf(one.state)).split(":")[0]}</small></li>)}</ul>
    </>
  );
}
