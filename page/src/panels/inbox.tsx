// What waits for a person, each question in a form made for it. Half-typed answers stay while others come and go.
import { useRef } from "preact/hooks";
import type { Gate, JsonObject, Question } from "../../../clients/typescript/graphbus";
import { type Held, SchemaForm } from "../form";
import { Act, Diff, Gates, Ops, Pre, T } from "../kit";
import { answered, api, body, renew, state, to, useStore } from "../store";
import { ConsentForm, isConsent } from "./consent-form";
import { Evaluate, Impact, Propose } from "./weigh";

export function Inbox({ only }: { only?: string }) {
  const { questions, builds } = useStore();
  const newest = builds[0];
  const shown = only ? questions.filter((one) => one.id === only) : questions;
  const count = questions.length;
  return (
    <>
      <h2>{count === 0 ? "Nobody is waiting for you" : only && shown.length ? "You are asked" : `${count} open ${count === 1 ? "question" : "questions"}`}</h2>
      {only && !shown.length && count ? <p>That question is answered. <a href={to("inbox")}>What else waits</a></p> : null}
      {!count && newest ? <p class="soft" role="status">{newest.id}: {newest.state}. {newest.state === "running" ? "What it asks comes here by itself." : <T>{newest.detail}</T>}</p> : null}
      {shown.map((one) => <QuestionCard key={one.id} question={one} />)}
    </>
  );
}

type About = Record<string, any>; // what the engine says of a question: each kind has its own, all of it is text to show

async function answer(question: Question, said: unknown) {
  await api.answerQuestion(question.id, body(said as JsonObject));
  answered(question);
  renew("questions", "negotiations");
  if (state.route.kind === "question" && state.route.id === question.id) {
    const rest = state.questions.filter((one) => one.id !== question.id);
    location.hash = rest.length ? to("inbox") : "#/";
  }
}

function QuestionCard({ question }: { question: Question }) {
  const about = question.about as About;
  return (
    <article class="card question" data-question={question.id} aria-label={`${question.to} is asked`}>
      <p class="who"><strong><T>{question.to}</T></strong> is asked: <T>{words(question)}</T></p>
      {question.refused.length ? <p class="bad">The last answer was refused: <T>{question.refused.at(-1)}</T></p> : null}
      <Body question={question} about={about} />
    </article>
  );
}

const WORDS: Record<string, string> = {
  approve: "may this be committed?",
  choose: "what is meant?",
  evaluate: "do you agree?",
  propose: "what do you propose?",
  arbitrate: "which side is right?",
  rule_issue: "what is to hold?",
  turn_document: "it is your turn",
  position: "what is your position?",
  turn: "what is your move?",
  consent: "do you consent?",
  red_lines: "what can you not accept?",
  minimum: "how good must it be?",
  compare: "which do you like better?",
  read_back: "is that what you meant?",
  contradiction: "which of the two holds?",
};
const words = (question: Question) => WORDS[question.kind] ?? question.kind.replaceAll("_", " ");

function Body({ question, about }: { question: Question; about: About }) {
  if (question.id.startsWith("consent/") && isConsent(question.kind)) return <ConsentForm question={question} send={(said) => answer(question, said)} />;
  switch (question.kind) {
    case "approve":
      return <Approve question={question} about={about} />;
    case "choose":
      return <Choose question={question} about={about} />;
    case "evaluate":
      return <Evaluate question={question} about={about} send={(said) => answer(question, said)} />;
    case "arbitrate":
      return <Arbitrate question={question} about={about} />;
    case "propose":
      return <Propose question={question} about={about} send={(said) => answer(question, said)} />;
    case "rule_issue":
      return <RuleIssue question={question} about={about} />;
    case "turn_document":
      return <p><a class="button" href={to("document", String(about.document))}>Take your turn at <T>{about.document}</T></a></p>;
    default:
      return <Generic question={question} />;
  }
}

export function Votes({ votes }: { votes: About[] }) {
  if (!votes.length) return <p class="soft">Nobody had to be asked.</p>;
  return (
    <ul class="votes">
      {votes.map((one) => (
        <li class={String(one.decision).startsWith("accept") ? "good" : one.decision === "reject" ? "bad" : "warn"}>
          <strong><T>{one.agent}</T></strong>: <T>{String(one.decision).replaceAll("_", " ")}</T>
          {one.reasoning ? <small> <T>{one.reasoning}</T></small> : null}
        </li>
      ))}
    </ul>
  );
}

function Approve({ question, about }: { question: Question; about: About }) {
  const reason = useRef<HTMLInputElement>(null);
  const proposal = about.proposal as About;
  const send = (approve: boolean) => answer(question, { approve, reason: reason.current?.value ?? "" });
  const ends = (about.receipt?.ends ?? about.ends ?? about.gates) as Gate[] | undefined;
  return (
    <>
      <h3><T>{proposal?.summary}</T></h3>
      <p class="soft"><T>{proposal?.proposer}</T> proposes it. <T>{proposal?.rationale}</T></p>
      <h4>Who agreed</h4>
      <Votes votes={about.evaluations ?? []} />
      <h4>What it does</h4>
      <Impact computed={about.computed} />
      {ends?.length && typeof ends[0] === "object" ? <><h4>Gates</h4><Gates gates={ends} /></> : null}
      <Diff text={String(about.unified_diff ?? "")} />
      <label><span>Reason (optional)</span><input ref={reason} autocomplete="off" /></label>
      <p class="row">
        <Act class="primary" do={() => send(true)}>Approve</Act>
        <Act do={() => send(false)}>Decline</Act>
      </p>
    </>
  );
}

/** A question of meaning: a button for each candidate, one for none of them, and a field for the reason. */
function Choose({ question, about }: { question: Question; about: About }) {
  const reason = useRef<HTMLInputElement>(null);
  const send = (choice: string) => answer(question, { choice, reason: reason.current?.value ?? "" });
  const known = ((question.answer_schema as About).properties?.choice?.enum ?? []) as string[];
  const says = new Map<string, string>((about.candidates ?? []).map((one: About) => [one.name, one.says]));
  return (
    <>
      <p><T>{about.question}</T></p>
      {(about.mismatches ?? []).slice(0, 1).map((one: About) => <Pre value={one.counterexample} label="May be sent" />)}
      <label><span>Why (optional)</span><input ref={reason} autocomplete="off" /></label>
      <p class="row">
        {known.map((one) => (
          <Act class={one === "none" ? "" : "primary"} do={() => send(one)}>
            {one === "none" ? "None of them" : <T>{`${one}${says.has(one) ? `: ${says.get(one)}` : ""}`}</T>}
          </Act>
        ))}
      </p>
    </>
  );
}

/** Both sides, side by side; the ruling names the one that stands. */
function Arbitrate({ question, about }: { question: Question; about: About }) {
  const ruling = useRef<HTMLTextAreaElement>(null);
  const proposals = (about.proposals ?? []) as About[];
  const votes = (about.evaluations ?? {}) as About;
  const of = (id: string): About[] => (Array.isArray(votes) ? votes.filter((one) => !one.proposal_id || one.proposal_id === id) : (votes[id] ?? []));
  const send = (said: About) => answer(question, { ...said, ruling: ruling.current?.value || "A person rules so." });
  return (
    <>
      <label><span>Your ruling, in words</span><textarea ref={ruling} rows={2} /></label>
      <div class="sides">
        {proposals.map((one) => (
          <section>
            <h3><T>{one.summary}</T></h3>
            <p class="soft"><T>{one.proposer}</T>: <T>{one.rationale}</T></p>
            <Ops diff={one.diff ?? []} />
            <Votes votes={of(one.proposal_id)} />
            <Act class="primary" do={() => send({ decision: "accept", proposal_id: one.proposal_id })}>This one stands</Act>
          </section>
        ))}
      </div>
      <Act do={() => send({ decision: "reject" })}>{proposals.length > 1 ? "None stands" : "It does not stand"}</Act>
    </>
  );
}

function RuleIssue({ question, about }: { question: Question; about: About }) {
  const text = useRef<HTMLTextAreaElement>(null);
  return (
    <>
      <h3><T>{about.issue}</T></h3>
      {about.summary ? <p>What divides them: <T>{about.summary}</T></p> : null}
      <div class="sides">{(about.said ?? []).map((one: About) => <section><h4><T>{one.who}</T></h4><p class="text"><T>{one.text}</T></p></section>)}</div>
      <label><span>What is to hold</span><textarea ref={text} rows={3} /></label>
      <Act class="primary" do={() => answer(question, { decision: text.current?.value ?? "" })}>Rule</Act>
    </>
  );
}

function Generic({ question }: { question: Question }) {
  const held = useRef<Held>({ value: () => ({}) }).current;
  const about = question.about as About;
  return (
    <>
      {about.text || about.question ? <p class="text"><T>{about.text ?? about.question}</T></p> : <Pre value={about} label="What is asked" />}
      <SchemaForm schema={question.answer_schema} held={held} />
      <Act class="primary" do={() => answer(question, held.value())}>Answer</Act>
    </>
  );
}
