// The forms of who speaks for a component: what it proposes, and what it says of the proposals of others.
import { useRef, useState } from "preact/hooks";
import type { JsonObject, Question } from "../../../clients/typescript/graphbus";
import { diffOf, type Step, stepOf, Steps } from "../change";
import { Act, Names, type Op, Ops, opText, T } from "../kit";
import { plain } from "../json";
import { type Mend, mends, says } from "../mends";
import { useStore } from "../store";
import { TrialView, useTrial } from "../trial";

type About = Record<string, any>; // what the engine says of a question: each kind has its own, all of it is text to show

export interface Asked {
  question: Question;
  about: About;
  send: (said: JsonObject) => Promise<void>;
}

export function Impact({ computed }: { computed: About | undefined }) {
  if (!computed) return null;
  return (
    <dl class="facts">
      <dt>Changes</dt>
      <dd><ul>{(computed.changes ?? []).map((one: About) => <li class={one.breaking ? "warn" : ""}><T>{`${one.symbol} ${one.side}: ${one.message}`}</T>{one.breaking ? " (breaking)" : ""}</li>)}</ul></dd>
      <dt>Mends</dt>
      <dd class={computed.fixes?.length ? "good" : ""}><Names names={computed.fixes ?? []} none="no link" /></dd>
      <dt>Breaks</dt>
      <dd class={computed.breaks?.length ? "bad" : ""}><Names names={computed.breaks ?? []} none="no link" /></dd>
    </dl>
  );
}

const DECISIONS = [["accept", "Accept"], ["accept_with_modification", "Accept with a modification"], ["counter", "Counter"], ["reject", "Reject"], ["defer", "Defer"]] as const;

/** Whose contracts a change may be about: who is asked, then the others. */
const nodesOf = (about: About, own: string, diff: Op[]) => [...new Set([own, ...diff.map((one) => one.node), ...(about.neighbours ?? []).map((one: About) => String(one.name))])];

export function Evaluate({ question, about, send }: Asked) {
  const { picture } = useStore();
  const reasoning = useRef<HTMLTextAreaElement>(null);
  const [decision, decide] = useState("accept");
  const proposal = (about.proposal ?? {}) as About;
  const given = (proposal.diff ?? []) as Op[];
  const [steps, change] = useState<Step[]>(given.map(stepOf));
  const wants = decision === "counter" || decision === "accept_with_modification";
  const nodes = nodesOf(about, question.to, given);
  const diff = wants ? diffOf(picture, { nodes, given, steps }) : null;
  const told = useTrial(diff);
  return (
    <>
      <h3><T>{proposal.summary}</T></h3>
      <p class="soft"><T>{proposal.proposer}</T> proposes it. <T>{proposal.rationale}</T></p>
      <Ops diff={given} />
      <Impact computed={about.computed} />
      <fieldset class="choices" role="radiogroup">
        <legend>Your decision</legend>
        {DECISIONS.map(([value, text]) => (
          <label class="tick"><input type="radio" name={question.id} checked={decision === value} onChange={() => decide(value)} /><span>{text}</span></label>
        ))}
      </fieldset>
      {wants ? <><Steps nodes={nodes} given={given} steps={steps} change={change} /><TrialView {...told} /></> : null}
      <label><span>Why</span><textarea ref={reasoning} rows={2} /></label>
      <Act class="primary" disabled={wants && !diff} do={() => send({
        decision,
        reasoning: reasoning.current?.value || "A person says so.",
        ...(wants ? { counter_proposal: { diff: diff as JsonObject[] } } : {}),
      })}>Answer</Act>
    </>
  );
}

export function Propose({ question, about, send }: Asked) {
  const { picture } = useStore();
  const why = useRef<HTMLTextAreaElement>(null);
  const [given, begin] = useState<Op[]>([]);
  const [steps, change] = useState<Step[]>([]);
  const wrong = (about.mismatches ?? []) as About[];
  const nodes = nodesOf(about, question.to, given);
  const diff = diffOf(picture, { nodes, given, steps });
  const told = useTrial(diff);
  const pick = (one: Mend) => {
    begin(one.diff);
    change(one.diff.map(stepOf));
  };
  return (
    <>
      {wrong.length ? null : <p class="soft">Nothing of it fails to fit.</p>}
      {wrong.map((one) => (
        <section>
          <p class="bad"><T>{`${one.producer} → ${one.consumer}: ${(one.reasons ?? []).join("; ")}`}</T></p>
          <Offers id={`${one.producer} => ${one.consumer}`} agent={question.to} pick={pick} steps={steps} />
        </section>
      ))}
      <Steps nodes={nodes} given={given} steps={steps} change={change} />
      <TrialView {...told} />
      {diff ? <label><span>Why</span><textarea ref={why} rows={2} /></label> : null}
      <p class="row">
        <Act class="primary" disabled={!diff} do={() => send({ proposals: [{ diff: diff as JsonObject[], summary: diff!.map(opText).join("; "), rationale: why.current?.value || "A person asks for it, in the page." }] })}>Propose it</Act>
        <Act do={() => send({ proposals: [] })}>Nothing to propose</Act>
      </p>
    </>
  );
}

/** What `agent` could propose for a link that does not fit. */
function Offers({ id, agent, pick, steps }: { id: string; agent: string; pick: (one: Mend) => void; steps: Step[] }) {
  const { picture } = useStore();
  const link = picture?.links.find((one) => one.id === id);
  const own = link ? mends(link, picture!).flatMap((one) => one.options).filter((one) => one.agent === agent) : [];
  const now = JSON.stringify(steps);
  return <div class="choices">{own.map((one) => <button type="button" aria-pressed={now === JSON.stringify(one.diff.map(stepOf))} onClick={() => pick(one)}>{plain(says(one))}</button>)}</div>;
}
