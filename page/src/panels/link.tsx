// A link: why it does not fit, the payload that proves it, and the changes that would mend it, each tried at once.
import { useEffect, useState } from "preact/hooks";
import type { DataLink, JsonObject, Picture } from "../../../clients/typescript/graphbus";
import { payloadsOf, proofsOf } from "../asked";
import { diffOf, type Step, stepOf, Steps } from "../change";
import { type Op, Pre, T } from "../kit";
import { plain } from "../json";
import { type Mend, mends, rename, says } from "../mends";
import { api, to, useStore } from "../store";
import { ProposeForm } from "../trial";

const SAYS: Record<string, string> = {
  fits: "It fits: whatever the one side sends, the other takes.",
  broken: "It does not fit.",
  undecided: "Whether it fits could not be decided; that counts as a no.",
  guessed: "This link is only guessed, so it is not a finding.",
};

/** Of a link that fits, what that rests on: where a side declares nothing, nothing was there to be proved. */
function saysOf(link: DataLink, picture: Picture): string {
  const isSilent = [link.source, link.target].some((end) => picture.components.find((one) => one.name === end.node)?.methods.find((one) => one.name === end.method)?.declared === false);
  return link.state === "fits" && isSilent ? "Nothing speaks against it, and nothing was proved: a side of it has no contract." : SAYS[link.state]!;
}

export function LinkPanel({ id }: { id: string }) {
  const { picture } = useStore();
  const link = picture?.links.find((one) => one.id === id);
  if (!picture) return <p class="soft">Reading the project …</p>;
  if (!link) return <><h2>Link</h2><p>There is no such link now. <a href="#/">All of them</a></p></>;
  return <Link key={id} link={link} picture={picture} />;
}

/** What a trial says against a way to mend it, by its key. All are tried, one after the other, until one is picked. */
function useDoubts(options: Mend[], idle: boolean): Record<string, string> {
  const [doubts, keep] = useState<Record<string, string>>({});
  useEffect(() => {
    if (!idle) return;
    let here = true;
    void (async () => {
      for (const { key, diff } of options) {
        const trial = here && !(key in doubts) ? await api.tryChange({ diff: diff as JsonObject[] }).catch(() => null) : null;
        if (here && trial) keep((old) => ({ ...old, [key]: trial.passes ? (trial.unsent.length ? "loses data" : "") : trial.breaks.length ? `breaks ${trial.breaks.join(" and ")}` : "does not hold; pick it to read why" }));
      }
    })();
    return () => {
      here = false;
    };
  }, [options.map(({ key }) => key).join("\n"), idle]);
  return doubts;
}

function Link({ link, picture }: { link: DataLink; picture: Picture }) {
  const [chosen, choose] = useState<Map<string, Mend>>(new Map()); // one for each field that does not fit, at most
  const [given, begin] = useState<Op[]>([]);
  const [steps, change] = useState<Step[]>([]);
  const [other, name] = useState("");
  const groups = mends(link, picture);
  const doubts = useDoubts(groups.flatMap(({ options }) => options), !chosen.size);
  const proven = proofsOf(link);
  const unproven = link.reasons.filter((reason) => link.state !== "broken" || !proven.some((one) => one.reason === reason)); // the others stand with their payload
  const free = link.fields.find((one) => !one.fits && one.source === null);
  const nodes = [...new Set([link.target.node, link.source.node])];
  const diff = diffOf(picture, { nodes, given, steps });
  /** Mend this field so, beside what is chosen for the others; once more takes it away. */
  const pick = (field: string, one: Mend) => {
    const all = new Map(chosen);
    if (all.get(field)?.key === one.key && one.key !== "other") all.delete(field);
    else all.set(field, one);
    const ops = [...all.values()].flatMap((mend) => mend.diff);
    choose(all);
    begin(ops);
    change(ops.map(stepOf));
  };
  return (
    <>
      <h2><T>{link.source.node}</T> → <T>{link.target.node}</T></h2>
      <p class={link.state === "fits" ? "good" : link.state === "guessed" ? "soft" : link.state === "undecided" ? "warn" : "bad"}>{saysOf(link, picture)}</p>
      <p class="soft"><a href={to("node", link.source.node)}><T>{link.source.topic ?? `${link.source.node}.${link.source.method}`}</T></a> → <a href={to("node", link.target.node)}><T>{`${link.target.node}.${link.target.method}`}</T></a> <small><T>{link.places.join(" → ")}</T></small></p>
      {unproven.length ? <ul class="reasons">{unproven.map((one) => <li><T>{one}</T></li>)}</ul> : null}
      {link.state === "broken" ? <><h3>What can be sent, and is refused</h3>{proven.length ? payloadsOf(proven).map(({ reasons, payload }) => <><ul class="reasons">{reasons.map((one) => <li><T>{one}</T></li>)}</ul><Pre value={payload} label="Counterexample" /></>) : <Pre value={link.counterexample} label="Counterexample" />}</> : null}
      <div class="mending">
      <div>
      {link.evidence.length ? <p class="soft">Seen: <T>{link.evidence.join(", ")}</T></p> : null}
      {groups.length ? <h3>Mend it</h3> : null}
      {groups.length > 1 ? <p class="soft">One for each field; they are tried and proposed together.</p> : null}
      {groups.map(({ field, options }) => (
        <fieldset class="choices">
          <legend><T>{field}</T></legend>
          {options.map((one) => (
            <button type="button" aria-pressed={chosen.get(field)?.key === one.key} onClick={() => pick(field, one)}>{plain(says(one))}{doubts[one.key] ? <small class="warn"> (<T>{doubts[one.key]}</T>)</small> : null}</button>
          ))}
          {free?.target === field ? (
            <label class="inline">
              <span>Rename it to</span>
              <input value={other} autocomplete="off" onInput={(e) => { name(e.currentTarget.value); pick(field, { ...rename(link, field, e.currentTarget.value), key: "other" }); }} />
            </label>
          ) : null}
        </fieldset>
      ))}
      <details open={steps.length > 0}>
        <summary>{groups.length ? "Something else, or more than that" : "Change it"}</summary>
        <Steps nodes={nodes} given={given} steps={steps} change={change} />
      </details>
      </div>
      {diff ? <div class="effect"><ProposeForm agent={diff[0]!.node} diff={diff} /></div> : null}
      </div>
    </>
  );
}
