// A link: why it does not fit, the payload that proves it, and the changes that would mend it, each tried at once.
import { useState } from "preact/hooks";
import type { Component, DataLink, Picture } from "../../../clients/typescript/graphbus";
import { type Op, opText, Pre, T } from "../kit";
import { plain } from "../json";
import { to, useStore } from "../store";
import { ProposeForm } from "../trial";

const SAYS: Record<string, string> = {
  fits: "Everything that may be sent is taken.",
  broken: "It does not fit.",
  undecided: "Whether it fits could not be decided; that counts as a no.",
  guessed: "This link is only guessed, so it is no finding.",
};

export function LinkPanel({ id }: { id: string }) {
  const { picture } = useStore();
  const link = picture?.links.find((one) => one.id === id);
  if (!picture) return <p class="soft">Reading the project …</p>;
  if (!link) return <><h2>Link</h2><p>There is no such link now. <a href="#/">All of them</a></p></>;
  return <Link key={id} link={link} picture={picture} />;
}

function Link({ link, picture }: { link: DataLink; picture: Picture }) {
  const [chosen, choose] = useState<{ agent: string; diff: Op[]; key: string } | null>(null);
  const [other, name] = useState("");
  const groups = mends(link, picture);
  const free = link.fields.find((one) => !one.fits);
  return (
    <>
      <h2><T>{link.source.node}</T> → <T>{link.target.node}</T></h2>
      <p class={link.state === "fits" ? "good" : link.state === "guessed" ? "soft" : "bad"}>{SAYS[link.state]}</p>
      <p class="soft"><a href={to("node", link.source.node)}><T>{link.source.topic ?? `${link.source.node}.${link.source.method}`}</T></a> → <a href={to("node", link.target.node)}><T>{`${link.target.node}.${link.target.method}`}</T></a></p>
      {link.reasons.length ? <ul class="reasons">{link.reasons.map((one) => <li><T>{one}</T></li>)}</ul> : null}
      {link.state === "broken" ? <><h3>May be sent, is not accepted</h3><Pre value={link.counterexample} label="Counterexample" /></> : null}
      {link.evidence.length ? <p class="soft">Seen: <T>{link.evidence.join(", ")}</T></p> : null}
      {groups.length ? <h3>Mend it</h3> : null}
      {groups.map(({ field, options }) => (
        <fieldset class="choices">
          <legend><T>{field}</T></legend>
          {options.map((one) => (
            <button type="button" aria-pressed={chosen?.key === one.key} onClick={() => choose(one)}>{plain(opText(one.diff[0]!))}</button>
          ))}
          {free?.target === field && link.target.method ? (
            <label class="inline">
              <span>Another name</span>
              <input value={other} autocomplete="off" onInput={(e) => name(e.currentTarget.value)} />
              <button type="button" disabled={!other} onClick={() => choose(rename(link, field, other))}>Rename</button>
            </label>
          ) : null}
        </fieldset>
      ))}
      {chosen ? <ProposeForm agent={chosen.agent} diff={chosen.diff} /> : null}
    </>
  );
}

function rename(link: DataLink, field: string, to: string) {
  const { node, method } = link.target;
  const diff: Op[] = [{ op: "rename_field", node, method: method!, side: "input", field, to }];
  return { agent: node, diff, key: `rename ${field} ${to}` };
}

/** The changes that could mend a link, field by field: rename, pass through, make optional, widen. */
function mends(link: DataLink, picture: Picture) {
  const { source, target } = link;
  if (link.state !== "broken" && link.state !== "undecided") return [];
  if (!target.method) return [];
  const card = (name: string): Component | undefined => picture.components.find((one) => one.name === name);
  const sent = card(source.node)?.methods.find((one) => one.name === source.method);
  const taken = card(target.node)?.methods.find((one) => one.name === target.method);
  const used = new Set(link.fields.map((one) => one.source));
  return link.fields
    .filter((one) => !one.fits)
    .map(({ source: from, target: field }) => {
      const options: { agent: string; diff: Op[]; key: string }[] = [];
      const own = { node: target.node, method: target.method!, side: "input", field };
      const type = taken?.inputs.find((one) => one.name === field)?.type ?? "Any";
      if (from === null) {
        for (const port of sent?.outputs ?? []) if (!used.has(port.name)) options.push(rename(link, field, port.name));
        if (source.method) {
          const via = { node: source.node, method: source.method, field };
          options.push({
            agent: source.node,
            key: `pass ${field}`,
            diff: [
              { op: "add_field", ...via, side: "output", type, optional: false, default: field },
              ...(sent?.inputs.some((one) => one.name === field) ? [] : [{ op: "add_field", ...via, side: "input", type, optional: false }]),
            ],
          });
        }
        options.push({ agent: target.node, key: `optional ${field}`, diff: [{ op: "set_optional", ...own, optional: true }] });
      } else {
        const wider = sent?.outputs.find((one) => one.name === from)?.type;
        if (wider && wider !== type) options.push({ agent: target.node, key: `widen ${field}`, diff: [{ op: "retype_field", ...own, type: wider }] });
        options.push({ agent: target.node, key: `optional ${field}`, diff: [{ op: "set_optional", ...own, optional: true }] });
      }
      return { field, options };
    });
}
