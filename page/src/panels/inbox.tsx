// What waits for whoever looks, one decision at a time. Half-typed answers stay while others come and go.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Gate, JsonObject, Picture, Question } from "../../../clients/typescript/graphbus";
import { proofsOf } from "../asked";
import { Changes, Decide, Impact, OPERATOR, Votes } from "../decide";
import { Findings, headOf, useFindings } from "../findings";
import { AnswerForm } from "../form";
import { Act, Diff, Gates, Names, type Op, Ops, opText, Pre, Proposer, T, Says, useLoaded } from "../kit";
import { forgetMarks } from "../marks";
import { countMisfits, misfitsOf } from "../misfit";
import { answered, api, approveAhead, approvedBeside, body, consentAhead, proposeAhead, renew, state, to, useStore } from "../store";
import { stated, useTrial, Verdict } from "../trial";
import { type About, ConsentBody, isConsent, Points, Readers, Said, titleOf } from "./consent-form";
import { Settle } from "./team";
import { firstWay, positionOf, presetOf, waysOf } from "./turn-form";
import { Evaluate, Propose } from "./weigh";

export { Votes };

const MOST = 12; // links that a build left, by name

export function Inbox({ only }: { only?: string }) {
  const { questions, builds, picture } = useStore();
  const misfits = misfitsOf(picture);
  const wrong = misfits.length;
  const found = useFindings();
  const [picked, pick] = useState("");
  const seen = useRef(new Set<string>()).current;
  const newest = builds[0];
  const count = questions.length;
  const now = questions.find((one) => one.id === (only ?? picked)) ?? (only ? undefined : questions[0]);
  if (now) seen.add(now.id);
  const rest = questions.filter((one) => one.id !== now?.id);
  const isDone = newest?.state === "done" && picture;
  const result = isDone ? headOf(wrong ? `The build is done; ${countMisfits(misfits)}` : "The build is done, and every link fits", found.others) : newest?.state === "running" ? "The build goes on" : "Nobody is waiting for you";
  return (
    <>
      <h2 class={state.me?.role === "seat" || (now && only && OPERATOR.includes(now.to)) ? "sr" : ""}>{count === 0 ? result : now && only ? "You are asked" : `${count} open ${count === 1 ? "question" : "questions"}`}</h2>
      {only && !now && count ? <p>That question is answered. <a href={to("inbox")}>What else waits</a></p> : null}
      {!count && newest ? (
        <p class="soft" role="status">
          {newest.id}: {newest.state}. {newest.state === "running" ? "What it asks comes here by itself." : <Says>{newest.detail}</Says>}
          {!isDone ? null : wrong ? ". It did not mend these; the page of each link offers ways to do it:" : <>. <a href={to("runtime")}>Run it</a></>}
        </p>
      ) : null}
      {!count && isDone && newest.build_id ? <p><a href={to("negotiation", newest.build_id)}>What was proposed, and what became of each</a></p> : null}
      {!count && isDone && wrong ? <ul class="list">{misfits.slice(0, MOST).map((one) => <li><a href={to("link", one.id)}>Mend <T>{one.id}</T></a> <small class={one.state === "undecided" ? "warn" : "bad"}>{one.state === "undecided" ? "undecided: " : null}<T>{one.reasons.join("; ")}</T></small></li>)}{wrong > MOST ? <li><a href="#/">and {wrong - MOST} more</a></li> : null}</ul> : null}
      {!count && isDone && newest.committed && !newest.dry_run ? <Landed /> : null}
      {!count && isDone ? <Findings of={found.others} /> : null}
      {!count && !newest ? <p class="soft">Questions come here when a build, a decision or a document needs your word. <a href={to("start")}>Begin one</a></p> : null}
      {rest.length && now ? (
        <nav class="queue" aria-label="What else waits">
          <span class="soft">Also waiting:</span>
          {rest.slice(0, 12).map((one) => (
            <button type="button" onClick={() => (only ? (location.hash = to("question", one.id)) : pick(one.id))}><T>{OPERATOR.includes(one.to) ? "You" : one.to}</T>: <small class="soft inline"><T>{wordsOn(one)}</T></small></button>
          ))}
          {rest.length > 12 ? <span class="soft">and {rest.length - 12} more</span> : null}
        </nav>
      ) : null}
      {questions.filter((one) => seen.has(one.id) && (!only || one.id === only)).map((one) => (
        <div key={one.id} class="held" hidden={one.id !== now?.id}><Card question={one} /></div>
      ))}
    </>
  );
}

/** Where the changes of a build are now. */
function Landed() {
  const settings = useLoaded(stated, []).value;
  if (!settings) return null;
  return <p class="soft">The files of your project are changed. {settings.get("policy.git") ? "Each change is a git commit of its own." : "Nothing was committed in git: that is left to you."}</p>;
}

async function answer(question: Question, said: unknown) {
  await api.answerQuestion(question.id, body(said as JsonObject));
  answered(question);
  forgetMarks(question.id);
  if (state.me?.role !== "seat") renew("questions", "negotiations");
  if (state.route.kind === "question" && state.route.rest.join("/") === question.id) {
    const rest = state.questions.filter((one) => one.id !== question.id);
    location.hash = rest.length ? to("inbox") : "#/";
  }
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
  ballot: "your ballot",
  opening: "you open the table",
  read_back: "is that what you meant?",
  contradiction: "which of the two holds?",
  settle_overlap: "how do the two of you go on?",
};
const words = (question: Question) => WORDS[question.kind] ?? question.kind.replaceAll("_", " ");

/** What a question is about, in a word or two: which of several it is. */
const subject = ({ about }: Question) => {
  const { field, proposal } = about as About;
  return String(field ?? proposal?.summary ?? "").slice(0, 48);
};

/** What is asked, and of what. */
function wordsOn(question: Question): string {
  const about = subject(question);
  if (!about) return words(question);
  return question.kind === "choose" ? `what is meant by ${about}?` : `${words(question)} (${about})`;
}

export interface Asked {
  question: Question;
  about: About;
  asks: string;
  send: (said: unknown) => Promise<void>;
}

function Card({ question }: { question: Question }) {
  const asked: Asked = { question, about: question.about as About, asks: words(question), send: (said) => answer(question, said) };
  if (isConsent(question)) return <ConsentQuestion {...asked} />;
  switch (question.kind) {
    case "approve":
      return <Approve {...asked} />;
    case "choose":
      return <Choose {...asked} />;
    case "evaluate":
      return <Evaluate {...asked} />;
    case "arbitrate":
      return <Arbitrate {...asked} />;
    case "propose":
      return <Propose {...asked} />;
    case "rule_issue":
      return <RuleIssue {...asked} />;
    case "settle_overlap":
      return <Settle {...asked} />;
    case "turn_document":
      return (
        <Decide question={question} asks={asked.asks} title={<T>{asked.about.topic}</T>} centre={<p class="soft">Turn {String(asked.about.turn)} of <T>{asked.about.document}</T>.</p>} beside={null}>
          <p class="row bar"><a class="button" href={to("document", String(asked.about.document))}>Take your turn at <T>{asked.about.document}</T></a></p>
        </Decide>
      );
    default:
      return (
        <Decide question={question} asks={asked.asks} title={<T>{asked.about.text ?? asked.about.question ?? asked.asks}</T>} centre={<Pre value={asked.about} label="What is asked" />} beside={null}>
          <AnswerForm schema={question.answer_schema} send={asked.send} />
        </Decide>
      );
  }
}

function ConsentQuestion({ question, about, asks, send }: Asked) {
  const { kind } = question;
  const says = kind === "position" ? "State it" : "Answer";
  const schema: About = kind === "turn" ? waysOf(question) : kind === "position" ? positionOf(question) : question.answer_schema;
  const above = kind === "opening" || kind === "position" ? <><p class="soft"><T>{String(about.topic ?? "")}</T></p>{kind === "position" ? <Points about={about} /> : null}<Readers question={question} /></> : <p class="soft"><T>{String(about.topic ?? "").replace(/([^.?!])$/, "$1.")}</T>{about.priority ? <> You speak for <T>{about.you}</T>: <T>{about.priority}</T></> : null}</p>;
  const [warned, warn] = useState(false);
  const hand = async (said: unknown) => {
    const { way, points, lines } = said as About;
    const isEmpty = kind === "ballot" && way !== "questions" && !lines?.length && !Object.values((points ?? {}) as Record<string, Record<string, number>>).some((row) => Object.values(row).some(Boolean));
    if (isEmpty && !warned) {
      warn(true);
      throw new Error("Nothing is marked, so everything would count as a no. Mark what you like, or press again to hand it in empty.");
    }
    if (kind !== "position") return send(said);
    const { terms, ...position } = said as About;
    const chosen = Object.keys(terms ?? {}).length;
    if (chosen && chosen < Object.keys(about.issues).length) throw new Error("A proposal has one option for each point: choose one for the others, too, or none at all.");
    await send(position);
    if (chosen) proposeAhead(question, terms);
  };
  const ahead = async (said: unknown) => {
    await hand(said);
    consentAhead(question, ((said as About).points ?? {}) as Record<string, Record<string, number>>);
  };
  const given = Object.fromEntries(Object.entries((about.given ?? {}) as Record<string, string>).filter(([, text]) => text));
  return (
    <Decide question={question} asks={asks} title={<T>{titleOf(question)}</T>} above={above} centre={<ConsentBody question={question} />} beside={<><h4>Who has said what</h4><Said said={about.said ?? []} /></>} whole={WHOLE.includes(kind)}>
      {kind === "position" ? <ConsentBody question={question} /> : null}
      {kind === "position" && given.priority ? <div class="row bar"><Act class="primary" do={() => send(given)}>Say exactly that</Act><span class="soft">or say it in other words:</span></div> : null}
      <AnswerForm schema={schema} send={hand} says={says} marks={presetOf(question)} {...firstOf(kind, schema)} {...(kind === "ballot" ? { also: { ...AHEAD, send: ahead } } : {})} />
    </Decide>
  );
}

const AHEAD = { says: "Hand it in, and consent to Good or Best", means: "With that you consent at once to a deal in which each point is one that you marked Good or Best. To any other you are asked." };

const WHOLE = ["ballot", "position", "opening"]; // the answer is all that there is to see

/** What is open from the beginning: a ballot, a proposal. */
function firstOf(kind: string, schema: About): { first?: string } {
  if (kind === "ballot") return { first: "Hand in my ballot" };
  if (kind === "opening") return { first: "Put it to the table" };
  return kind === "turn" ? firstWay(schema.oneOf ?? []) : {};
}

function Approve({ question, about, asks, send }: Asked) {
  const reason = useRef<HTMLInputElement>(null);
  const proposal = about.proposal as About;
  const say = (approve: boolean) => send({ approve, reason: reason.current?.value ?? "" });
  const ends = (about.receipt?.ends ?? about.ends ?? about.gates) as Gate[] | undefined;
  return (
    <Decide
      question={question}
      asks={asks}
      title={<T>{proposal?.summary}</T>}
      above={<Impact computed={about.computed} />}
      centre={<><Diff text={String(about.unified_diff ?? "")} /><Changes computed={about.computed} /></>}
      beside={
        <>
          <p>Proposed by <strong><Proposer of={proposal ?? {}} /></strong>. <T>{proposal?.rationale}</T></p>
          <h4>Who agreed</h4>
          <Votes votes={about.evaluations ?? []} />
          {ends?.length && typeof ends[0] === "object" ? <><h4>Gates</h4><Gates gates={ends} /></> : null}
        </>
      }
    >
      <div class="row bar">
        <Act class="primary" do={() => say(true)}>Approve</Act>
        <Act do={() => say(false)}>Decline</Act>
        <label class="inline grow"><span>Reason (optional)</span><input ref={reason} autocomplete="off" /></label>
      </div>
    </Decide>
  );
}

/** What does not fit of the field that is asked about, each reason with the payload that proves it: what was answered
 * before this, or is asked after it, is no part of the question. */
function stillWrong(mismatches: About[], field: string | undefined, picture: Picture | null): About[] {
  return mismatches.flatMap((one) => {
    const link = picture?.links.find(({ id }) => id === `${one.producer} => ${one.consumer}`);
    if (!link?.proofs.length) return [{ ...one, says: (one.reasons ?? []).join("; ") }];
    return proofsOf(link, field).map(({ reason, payload }) => ({ ...one, says: reason, counterexample: payload }));
  });
}

/** A question of meaning: what each answer would change, a button for each, and one that approves that change with it. */
function Choose({ question, about, asks, send }: Asked) {
  const reason = useRef<HTMLInputElement>(null);
  const say = (choice: string) => send({ choice, reason: reason.current?.value ?? "" });
  const known = ((question.answer_schema as About).properties?.choice?.enum ?? []) as string[];
  const of = new Map<string, About>((about.candidates ?? []).map((one: About) => [one.name, one]));
  const { picture } = useStore();
  const wrong = stillWrong((about.mismatches ?? []) as About[], about.field, picture);
  const asked_ = String(about.question ?? "").replace(/(What is meant: |Shall it take both ).*$/, "What is meant?"); // what there is to choose stands on the buttons
  const [tried, end] = useState<string[]>([]); // whose change was tried: nothing is approved before it is seen
  const [before] = useState(() => approvedBeside(question) as Op[][]); // as it was when this was asked
  const both = async (choice: string) => {
    approveAhead(question, of.get(choice)!.diff);
    await say(choice);
  };
  return (
    <Decide
      question={question}
      asks={asks}
      title={<T>{(of.size === 1 && [...of.values()][0]!.asks) || asked_}</T>}
      above={of.size === 1 ? <p class="soft"><T>{asked_.replace(/\s*What is meant\?$/, "")}</T></p> : null}
      centre={
        <div class="sides">
          {[...of.values()].map((one) => <Candidate key={one.name} one={one} after={before} ended={() => end((old) => [...old, one.name])} />)}
        </div>
      }
      beside={<><h4>What does not fit</h4>{wrong.map((one) => <section><p class="bad"><T>{`${one.producer} → ${one.consumer}: ${one.says}`}</T></p>{one.counterexample === null || one.counterexample === undefined ? null : <Pre value={one.counterexample} label="What can be sent" />}</section>)}</>}
    >
      <div class="row bar">
        {known.map((one) => one === "none" || !of.get(one)?.diff ? (
          <Act do={() => say(one)}>{one === "none" ? (of.size === 1 ? "No, it stays as it is" : "None of them") : <T>{one}</T>}</Act>
        ) : (
          <span class="split">
            <Act class="primary" disabled={!tried.includes(one)} do={() => both(one)}>Answer “<T>{labelOf(of.get(one)!)}</T>” and approve</Act>
            <Act label={`Answer only: ${labelOf(of.get(one)!)}`} do={() => say(one)}>Answer only</Act>
          </span>
        ))}
        <label class="inline grow"><span>Why (optional)</span><input ref={reason} autocomplete="off" /></label>
      </div>
    </Decide>
  );
}

/** An answer in the words of whoever asks; a log of an earlier version has its name alone. */
const labelOf = (one: About) => one.label ?? one.name;

/** What an answer would come to, tried on a copy. */
function Candidate({ one, after, ended }: { one: About; after: Op[][]; ended: () => void }) {
  const { trial, error, busy, calls } = useTrial((one.diff ?? null) as Op[] | null, after);
  useEffect(() => {
    if (!busy && (trial || error)) ended();
  }, [busy, trial, error]);
  return (
    <section>
      <h4><T>{labelOf(one)}</T></h4>
      <p class="soft"><T>{one.says}</T></p>
      {one.diff ? <Ops diff={one.diff} /> : null}
      {one.diff && after.length ? <p class="soft">On top of what you approved in this round: <T>{after.flat().map(opText).join("; ")}</T>.</p> : null}
      {busy ? <p class="soft">Trying it on a copy of the project …</p> : null}
      {error ? <p class="bad"><Says>{error}</Says></p> : null}
      {trial ? <><Verdict trial={trial} calls={calls} /><Diff text={trial.unified_diff} /></> : null}
    </section>
  );
}

const own = (text: string | undefined, what: string) => {
  if (!text?.trim()) throw new Error(`Say ${what}, in your own words.`);
  return text;
};

/** Both sides, side by side; the ruling names the one that stands. */
function Arbitrate({ question, about, asks, send }: Asked) {
  const ruling = useRef<HTMLTextAreaElement>(null);
  const proposals = (about.proposals ?? []) as About[];
  const votes = (about.evaluations ?? {}) as About;
  const of = (id: string): About[] => (Array.isArray(votes) ? votes.filter((one) => !one.proposal_id || one.proposal_id === id) : (votes[id] ?? []));
  const say = (said: About) => send({ ...said, ruling: own(ruling.current?.value, "why you rule so") });
  return (
    <Decide
      question={question}
      asks={asks}
      title={proposals.length > 1 ? `${proposals.length} proposals, one may stand` : <T>{proposals[0]?.summary}</T>}
      centre={
        <div class="sides">
          {proposals.map((one) => (
            <section>
              <h4><T>{one.summary}</T></h4>
              <p class="soft"><T>{one.proposer}</T>: <T>{one.rationale}</T></p>
              <Ops diff={one.diff ?? []} />
              <Act class="primary" do={() => say({ decision: "accept", proposal_id: one.proposal_id })}>This one stands</Act>
            </section>
          ))}
        </div>
      }
      beside={<>{proposals.map((one) => <><h4><T>{one.summary}</T></h4><Votes votes={of(one.proposal_id)} /></>)}</>}
    >
      <div class="row bar">
        <label class="grow"><span>Your ruling, in words</span><textarea ref={ruling} rows={2} /></label>
        <Act do={() => say({ decision: "reject" })}>{proposals.length > 1 ? "None stands" : "It does not stand"}</Act>
      </div>
    </Decide>
  );
}

function RuleIssue({ question, about, asks, send }: Asked) {
  const text = useRef<HTMLTextAreaElement>(null);
  return (
    <Decide
      question={question}
      asks={asks}
      title={<T>{about.issue}</T>}
      above={about.summary ? <p>What divides them: <T>{about.summary}</T></p> : null}
      centre={<div class="sides">{(about.said ?? []).map((one: About) => <section><h4><T>{one.who}</T></h4><p class="text"><T>{one.text}</T></p></section>)}</div>}
      beside={null}
    >
      <div class="row bar">
        <label class="grow"><span>What is to hold</span><textarea ref={text} rows={3} /></label>
        <Act class="primary" do={() => send({ decision: own(text.current?.value, "what is to hold") })}>Rule</Act>
      </div>
    </Decide>
  );
}
