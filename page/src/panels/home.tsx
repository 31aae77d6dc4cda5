// What one sees first: what does not fit, who decides, what runs. Also the whole project as a list, for keyboards.
import { useState } from "preact/hooks";
import type { Picture } from "../../../clients/typescript/graphbus";
import { OPERATOR } from "../decide";
import { Findings, headOf, useFindings } from "../findings";
import { T, Names, Says } from "../kit";
import { countMisfits, misfitsOf } from "../misfit";
import { api, go, renew, say, to, useStore } from "../store";
import { Act } from "../kit";
import { model } from "../trial";
import { BeginConsent } from "./begin-consent";
import { BeginDocument } from "./begin-document";

export function Home() {
  const { picture, builds, questions, thinking, negotiations, lost } = useStore();
  const found = useFindings();
  if (!picture) return <p class="soft">Reading the project …</p>;
  const wrong = misfitsOf(picture);
  const guessed = picture.links.filter((one) => one.state === "guessed");
  const newest = builds[0];
  const think = thinking.filter((one) => !OPERATOR.includes(one));
  const left = negotiations.find((one) => one.state === "unfinished" && one.kind === "proposal");
  return (
    <>
      <h2>{headOf(countMisfits(wrong) || "Every link fits", found.others)}</h2>
      <ul class="list">
        {wrong.map((one) => (
          <li>
            <a href={to("link", one.id)}><T>{one.id}</T></a>
            <small class={one.state === "undecided" ? "warn" : "bad"}>{one.state === "undecided" ? "Undecided: " : null}<Says>{one.reasons[0]}</Says>{one.reasons.length > 1 ? `, and for ${one.reasons.length - 1} more ${one.reasons.length === 2 ? "reason" : "reasons"}` : ""}</small>
            <small class="soft"><T>{one.places.join(" → ")}</T>{found.silenced(one.id) ? ". It is ignored, or in the baseline: validate passes with it" : null}</small>
          </li>
        ))}
      </ul>
      {wrong.length ? null : <p class="soft">To change a contract, open a component or a field. What that breaks is tried before anything changes.</p>}
      <Findings of={found.others} />
      {newest ? (
        <p role="status">
          {newest.build_id && negotiations.some((one) => one.id === newest.build_id) ? <a href={to("negotiation", newest.build_id)}>{newest.id}</a> : newest.id}: {lost && newest.state === "running" ? "not known now, it was running" : newest.state} <small class="soft"><Says>{newest.detail}</Says></small>{" "}
          {newest.state === "running" ? <Act do={() => api.cancelBuild(newest.id)}>Cancel the build</Act> : null}
        </p>
      ) : null}
      {left && newest?.state !== "running" ? (
        <p class="warn">
          <a href={to("negotiation", left.id)}>{left.id}</a> was interrupted.{" "}
          <Act do={async () => void (await api.startBuild({ resume: true }), renew("builds"))}>Go on with it</Act>
        </p>
      ) : null}
      {think.length && !lost ? <p class="soft">Thinking: <Names names={think} none="nobody" /></p> : null}
      {questions.length ? <p><a href={to("inbox")}>{questions.length} open {questions.length === 1 ? "question" : "questions"}</a></p> : null}
      <p class="row">
        <Act class={wrong.length && newest?.state !== "running" ? "primary" : ""} disabled={newest?.state === "running"} do={async () => { await model().then((one) => api.startBuild({ approve: true, model: one })).catch(say); renew("builds"); go("inbox"); }}>Build</Act>
        <a class="button" href={to("start")}>Build with options …</a>
        <small class="soft">The components negotiate what does not fit; you are asked before a file changes.</small>
      </p>
      <BeginConsent brief />
      <BeginDocument brief />
      <p class="row places"><a href={to("team", "here")}>A team of coding agents</a><a href={to("project")}>Exports, settings, journals</a></p>
      {guessed.length ? <p class="soft">{guessed.length} links are only guessed; they are shown and are not findings.</p> : null}
      <Components of={picture.components} />
    </>
  );
}

/** All of them by name, made when they are asked for: a closed list of hundreds would delay the first picture. */
function Components({ of }: { of: Picture["components"] }) {
  const [open, show] = useState(of.length <= 12);
  return (
    <details open={open} onToggle={(event) => show(event.currentTarget.open)}>
      <summary>{of.length} components</summary>
      {open ? <ul class="list">{of.slice(0, 500).map((one) => <li><a href={to("node", one.name)}><T>{one.name}</T></a> <small class="soft"><T>{one.source_file}</T></small></li>)}</ul> : null}
    </details>
  );
}
