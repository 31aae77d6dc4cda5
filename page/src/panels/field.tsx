// A field: where it comes from, who takes it, and what would break if it had another name or type.
import { useState } from "preact/hooks";
import type { DataLink, Endpoint, Picture, Port } from "../../../clients/typescript/graphbus";
import { plain } from "../json";
import { type Op, T } from "../kit";
import { to, useStore } from "../store";
import { ProposeForm } from "../trial";

interface Props {
  node: string;
  where: string; // a method, or a topic that is published
  side: string; // input, output or payload
  field: string;
}

export function FieldPanel({ node, where, side, field }: Props) {
  const { picture } = useStore();
  const [name, rename] = useState("");
  const [type, retype] = useState("");
  const [both, also] = useState(false);
  if (!picture) return <p class="soft">Reading the project …</p>;
  const port = portOf(picture, { node, where, side, field });
  if (!port) return <><h2>Field</h2><p>There is no such field now. <a href={to("node", node)}><T>{node}</T></a></p></>;
  const taken = side === "input";
  const own = picture.links.filter(({ source, target }) => (taken ? target.node === node && target.method === where : source.node === node && (source.method ?? source.topic) === where));
  const rows = own.map((link) => ({ link, pairs: link.fields.filter((one) => (taken ? one.target : one.source) === field) }));
  const joined = rows.filter((one) => one.pairs.length), others = rows.filter((one) => !one.pairs.length).map(({ link }) => ({ link, far: taken ? link.source : link.target }));
  const open = others.filter(({ far }) => !portsOf(picture, far, !taken)?.length), without = others.filter((one) => !open.includes(one)); // no contract of theirs says which fields
  const place = side === "payload" ? { topic: where } : { method: where };
  const ends = joined.flatMap(({ link, pairs }) => pairs.map((pair) => ({ far: taken ? link.source : link.target, name: taken ? pair.source : pair.target }))).filter((one) => one.name);
  const here = { node, ...place, side, field } as Op;
  const there = ends.map(({ far, name: was }) => ({ node: far.node, ...(far.topic ? { topic: far.topic, side: "payload" } : { method: far.method!, side: taken ? "output" : "input" }), field: was! }) as Op);
  const all = both ? [here, ...there] : [here];
  const renamed = name && name !== field ? all.map((one) => ({ ...one, op: "rename_field", to: name })) : [];
  const retyped = type && type !== (port.whole ?? port.type) ? all.map((one) => ({ ...one, op: "retype_field", type })) : [];
  const diff: Op[] | null = renamed.length || retyped.length ? [...retyped, ...renamed] : null;
  return (
    <>
      <h2><T>{field}</T></h2>
      <p class="soft"><a href={to("node", node)}><T>{side === "payload" ? `${node} → ${where}` : `${node}.${where}`}</T></a> {taken ? "takes it" : "gives it"}: <code><T>{port.whole ?? port.type}</T></code>{port.required ? "" : ", may be left out"}</p>
      <h3>{taken ? "Comes from" : "Is taken by"}</h3>
      {joined.length ? (
        <ul class="list">
          {joined.flatMap(({ link, pairs }) => pairs.map((pair) => {
            const far = taken ? link.source : link.target;
            return <li><a href={to("link", link.id)}><T>{placed(far)}</T></a> <small class={pair.fits ? "good" : "bad"}><T>{(taken ? pair.source : pair.target) === null ? "is not sent" : `as ${taken ? pair.source : pair.target}`}</T>{pair.fits ? ", fits" : ", does not fit"}</small></li>;
          }))}
        </ul>
      ) : open.length ? null : <p class="soft">{taken ? "No component of this project gives it." : "No component of this project takes it."}</p>}
      {open.length ? <p class="soft">{list(open)} {taken ? (open.length > 1 ? "give" : "gives") : open.length > 1 ? "take" : "takes"} {open[0]?.link.source.topic ? "the event" : "what is given"}; which of its fields, no contract says.</p> : null}
      {without.length ? <p class="soft">{taken ? "Also gives to the same place, without this field: " : "Also takes from the same place, without this field: "}{list(without)}</p> : null}
      <h3>If it had another name or type</h3>
      <label><span>The new name</span><input value={name} autocomplete="off" onInput={(e) => rename(e.currentTarget.value.trim())} /></label>
      <label><span>The new type</span><input value={type} autocomplete="off" onInput={(e) => retype(e.currentTarget.value.trim())} /></label>
      {ends.length ? <label class="tick"><input type="checkbox" checked={both} onChange={(e) => also(e.currentTarget.checked)} /><span>Change it {taken ? "where it comes from" : "where it is taken"}, too (<T>{[...new Set(ends.map(({ far }) => placed(far)))].join(", ")}</T>)</span></label> : null}
      {diff ? <ProposeForm agent={node} diff={diff} /> : <p class="soft">What that breaks and who must agree is tried as you type; nothing is changed.</p>}
    </>
  );
}

const placed = ({ node, method, topic }: Endpoint) => (topic ? `${node} → ${topic}` : `${node}.${method}`);

const list = (some: { link: DataLink; far: Endpoint }[]) => some.map(({ link, far }, i) => <>{i ? ", " : ""}<a href={to("link", link.id)}><T>{plain(far.node)}</T></a></>);

function portOf(picture: Picture, { node, where, side, field }: Props): Port | undefined {
  return portsOf(picture, { node, ...(side === "payload" ? { topic: where, method: null } : { topic: null, method: where }) }, side === "input")?.find((one) => one.name === field);
}

/** The fields that an end takes or gives, as far as its contract says. */
function portsOf(picture: Picture, { node, method, topic }: Endpoint, taken: boolean): Port[] | undefined {
  const card = picture.components.find((one) => one.name === node);
  if (topic) return card?.publishes.filter((one) => one.topic === topic).flatMap((one) => one.ports);
  const row = card?.methods.find((one) => one.name === method);
  return taken ? row?.inputs : row?.outputs;
}
