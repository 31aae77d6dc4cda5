// The forms of who speaks for a component: what it proposes, and what it says of the proposals of others.
import { useRef, useState } from "preact/hooks";
import { diffOf, type Step, stepOf, Steps } from "../change";
import { Changes, Decide, Impact } from "../decide";
import { Act, type Op, Ops, opText, Proposer, T } from "../kit";
import { plain } from "../json";
import { type Mend, mends, says } from "../mends";
import { useStore } from "../store";
import { TrialView, useTrial } from "../trial";
import type { Asked } from "./inbox";

type About = Record<string, any>; // what the engine says of a question: each kind has its own, all of it is text to show

const DECISIONS = [["accept", "Accept"], ["accept_with_modification", "Accept with a modification"], ["counter", "Counter"], ["reject", "Reject"], ["defer", "Defer"]] as const;

/** Whose contracts a change may be about: who is asked, then the others. */
const nodesOf = (about: About, own: string, diff: Op[]) => [...new Set([own, ...diff.map((one) => one.node), ...(about.neighbours ?? []).map((one: About) => String(one.name))])];

export function Evaluate({ question, about, asks, send }: Asked) {
  const { picture } = useStore();
  const reasoning = useRef<HTMLTextAreaElement>(null);
  const [decision, decide] = useState("");
  const proposal = (about.proposal ?? {}) as About;
  const given = (proposal.diff ?? []) as Op[];
  const [steps, change] = useState<Step[]>(given.map(stepOf));
  const wants = decision === "counter" || decision === "accept_with_modification";
  const nodes = nodesOf(about, question.to, given);
  const diff = wants ? diffOf(picture, { nodes, given, steps }) : null;
  const told = useTrial(diff);
  const say = () => {
    if (!decision) throw new Error("Choose what you say to it.");
    const why = reasoning.current?.value ?? "";
    if (!why.trim()) throw new Error("Say why, in your own words.");
    return send({ decision, reasoning: why, ...(wants ? { counter_proposal: { diff } } : {}) });
  };
  return (
    <Decide
      question={question}
      asks={asks}
      title={<T>{proposal.summary}</T>}
      above={<Impact computed={about.computed} />}
      centre={<><Ops diff={given} /><Changes computed={about.computed} />{wants ? <><Steps nodes={nodes} given={given} steps={steps} change={change} /><TrialView {...told} /></> : null}</>}
      beside={<p>Proposed by <strong><Proposer of={proposal} /></strong>. <T>{proposal.rationale}</T></p>}
    >
      <fieldset class="pick ways" role="radiogroup">
        <legend class="sr">Your decision</legend>
        {DECISIONS.map(([value, text]) => (
          <label class="tick"><input type="radio" name={question.id} checked={decision === value} onChange={() => decide(value)} /><span>{text}</span></label>
        ))}
      </fieldset>
      <div class="row bar">
        <label class="inline grow"><span>Why</span><textarea ref={reasoning} rows={1} /></label>
        <Act class="primary" disabled={wants && !diff} do={say}>Answer</Act>
      </div>
    </Decide>
  );
}

export function Propose({ question, about, asks, send }: Asked) {
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
    <Decide
      question={question}
      asks={asks}
      title={wrong.length ? `${wrong.length} ${wrong.length === 1 ? "link does" : "links do"} not fit` : "Nothing of it fails to fit"}
      centre={
        <>
          {wrong.map((one) => (
            <section>
              <p class="bad"><T>{`${one.producer} → ${one.consumer}: ${(one.reasons ?? []).join("; ")}`}</T></p>
              <Offers id={`${one.producer} => ${one.consumer}`} agent={question.to} pick={pick} steps={steps} />
            </section>
          ))}
          <Steps nodes={nodes} given={given} steps={steps} change={change} />
        </>
      }
      beside={diff ? <TrialView {...told} /> : <p class="soft">Pick a way to mend it, or make a change step by step. What it would do is shown here at once.</p>}
    >
      <div class="row bar">
        <Act class="primary" disabled={!diff} do={() => send({ proposals: [{ diff, summary: diff!.map(opText).join("; "), rationale: why.current?.value ?? "" }] })}>Propose it</Act>
        <Act do={() => send({ proposals: [] })}>Nothing to propose</Act>
        {diff ? <label class="inline grow"><span>Why</span><textarea ref={why} rows={1} /></label> : null}
      </div>
    </Decide>
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
