// The forms of a consent negotiation: the mediator's questions, a position, a move, consent.
import { useRef, useState } from "preact/hooks";
import type { Question } from "../../../clients/typescript/graphbus";
import { Act, T } from "../kit";

type About = Record<string, any>; // as in the inbox
const KINDS = ["position", "turn", "consent", "red_lines", "minimum", "compare", "read_back", "contradiction"];
export const isConsent = (kind: string) => KINDS.includes(kind);

interface Props {
  question: Question;
  send: (said: About) => Promise<void>;
}

export function ConsentForm({ question, send }: Props) {
  const about = question.about as About;
  return (
    <>
      <p class="soft"><T>{about.topic}</T>. You speak for <T>{about.you}</T>{about.priority ? <>: <T>{about.priority}</T></> : null}</p>
      {(about.said ?? []).length ? <details><summary>What was said</summary><ol>{about.said.map((one: unknown) => <li class="text"><T>{typeof one === "string" ? one : JSON.stringify(one)}</T></li>)}</ol></details> : null}
      <Kind question={question} send={send} />
    </>
  );
}

function Kind({ question, send }: Props) {
  const about = question.about as About;
  const answers = Object.entries((about.answers ?? {}) as Record<string, string>);
  switch (question.kind) {
    case "red_lines":
      return <Lines text={about.text} send={(lines) => send({ lines })} />;
    case "minimum":
      return <Minimum text={about.text} send={send} />;
    case "compare":
      if ("grades" in (about.answer?.properties ?? {})) return <Grades text={about.text} answers={answers} send={send} />;
      if ("order" in (about.answer?.properties ?? {})) return <Order text={about.text} answers={answers} send={send} />;
      return <Pick text={about.text} answers={answers} send={send} />;
    case "read_back":
    case "contradiction":
      return <Pick text={about.text} answers={answers} send={send} />;
    case "position":
      return <Position about={about} send={send} />;
    case "consent":
      return <Consent about={about} send={send} />;
    default:
      return <Move about={about} send={send} />;
  }
}

const Pick = ({ text, answers, send }: { text: string; answers: [string, string][]; send: Props["send"] }) => (
  <>
    <p class="text"><T>{text}</T></p>
    <p class="row">{answers.map(([number, says]) => <Act class="primary" do={() => send({ choice: Number(number) })}><T>{says}</T></Act>)}</p>
  </>
);

function Lines({ text, send }: { text: string; send: (lines: string[]) => Promise<void> }) {
  const at = useRef<HTMLTextAreaElement>(null);
  return (
    <>
      <label><span><T>{text}</T></span><textarea rows={3} ref={at} placeholder="One sentence a line" /></label>
      <Act class="primary" do={() => send((at.current?.value ?? "").split("\n").map((one) => one.trim()).filter(Boolean))}>Answer</Act>
    </>
  );
}

function Minimum({ text, send }: { text: string; send: Props["send"] }) {
  const [share, set] = useState(40);
  return (
    <>
      <label><span><T>{text}</T></span><input type="range" min={0} max={100} value={share} onInput={(e) => set(Number(e.currentTarget.value))} /></label>
      <p>{share} of 100</p>
      <Act class="primary" do={() => send({ share })}>Answer</Act>
    </>
  );
}

/** A grade from 0 to 10 for each option, in their order. */
function Grades({ text, answers, send }: { text: string; answers: [string, string][]; send: Props["send"] }) {
  const [grades, set] = useState(answers.map(() => 5));
  return (
    <>
      <p class="text"><T>{text}</T></p>
      {answers.map(([number, says], i) => (
        <label key={number} class="grade"><span><T>{says}</T></span><input type="range" min={0} max={10} step={1} value={grades[i]} onInput={(e) => set(grades.map((one, at) => (at === i ? Number(e.currentTarget.value) : one)))} /><output>{grades[i]}</output></label>
      ))}
      <Act class="primary" do={() => send({ grades })}>Answer</Act>
    </>
  );
}

function Order({ text, answers, send }: { text: string; answers: [string, string][]; send: Props["send"] }) {
  const [order, set] = useState(answers);
  const swap = (i: number) => set(order.map((one, at) => (at === i ? order[i - 1]! : at === i - 1 ? order[i]! : one)));
  return (
    <>
      <p class="text"><T>{text}</T></p>
      <ol>{order.map(([number, says], i) => <li key={number}><T>{says}</T> {i ? <button type="button" aria-label={`Move ${says} up`} onClick={() => swap(i)}>↑</button> : null}</li>)}</ol>
      <Act class="primary" do={() => send({ order: order.map(([number]) => Number(number)) })}>Answer</Act>
    </>
  );
}

const PARTS = [["priority", "Your priority"], ["rationale", "Why it matters"], ["red_line", "What you cannot accept"], ["willing_to_trade", "What you can give up"]] as const;

function Position({ about, send }: { about: About; send: Props["send"] }) {
  const at = useRef<Record<string, HTMLTextAreaElement | null>>({}).current;
  return (
    <>
      {PARTS.map(([name, text]) => <label><span>{text}</span><textarea rows={2} ref={(one) => void (at[name] = one)} defaultValue={about.given?.[name] ?? ""} /></label>)}
      <Act class="primary" do={() => send(Object.fromEntries(PARTS.map(([name]) => [name, at[name]?.value ?? ""])))}>State it</Act>
    </>
  );
}

export const Terms = ({ terms }: { terms: unknown }) => (
  <ul>
    {Array.isArray(terms)
      ? terms.map((one) => <li><T>{typeof one === "object" && one ? `${(one as About).issue ? `${(one as About).issue}: ` : ""}${(one as About).says}` : one}</T></li>)
      : Object.entries((terms ?? {}) as Record<string, unknown>).map(([issue, option]) => <li><T>{`${issue}: ${option}`}</T></li>)}
  </ul>
);

function Consent({ about, send }: { about: About; send: Props["send"] }) {
  const reason = useRef<HTMLInputElement>(null);
  const crossed = (about.red_lines_crossed ?? []) as string[];
  return (
    <>
      <h3>The proposal</h3>
      <Terms terms={about.proposal?.terms} />
      {crossed.length ? <p class="bad">It crosses your red line: <T>{crossed.join("; ")}</T></p> : null}
      <label><span>{about.stand_aside ? "Why not (where you object or stand aside)" : "Why not (where you object)"}</span><input ref={reason} autocomplete="off" /></label>
      <p class="row">
        <Act class="primary" do={() => send({ answer: "consent" })}>Consent</Act>
        {about.stand_aside ? (
          <Act do={() => send({ answer: "stand_aside", reason: reason.current?.value || "I do not support it, and I do not stand in its way." })}>Stand aside</Act>
        ) : null}
        <Act do={() => send({ answer: "object", reason: reason.current?.value || "It does not serve my priority." })}>Object</Act>
      </p>
    </>
  );
}

function Move({ about, send }: { about: About; send: Props["send"] }) {
  const text = useRef<HTMLTextAreaElement>(null);
  const issues = Object.entries((Array.isArray(about.issues) ? Object.fromEntries(about.issues.map((one: About) => [one.name, one.options])) : (about.issues ?? {})) as Record<string, unknown>);
  const chosen = useRef<Record<string, HTMLSelectElement | null>>({}).current;
  const options = (of: unknown): string[] => (Array.isArray(of) ? of.map(String) : Object.keys((of as About)?.options ?? of ?? {}));
  const terms = () => issues.length ? Object.fromEntries(issues.map(([name]) => [name, chosen[name]?.value ?? ""])) : (text.current?.value ?? "").split("\n").filter(Boolean);
  return (
    <>
      {about.proposal ? <><h3>On the table</h3><Terms terms={about.proposal.terms} /></> : null}
      {issues.map(([name, of]) => <label><span><T>{name}</T></span><select ref={(one) => void (chosen[name] = one)}>{options(of).map((one) => <option>{one}</option>)}</select></label>)}
      <label><span>Your words</span><textarea rows={2} ref={text} /></label>
      <p class="row">
        <Act class="primary" do={() => send({ move: "propose", offer: text.current?.value || "this", want: "this", rationale: text.current?.value || "It serves us.", terms: terms() })}>Propose</Act>
        <Act do={() => send({ move: "discuss", text: text.current?.value ?? "" })}>Say it</Act>
        {about.may_check ? <Act do={() => send({ move: "check" })}>Ask for consent</Act> : null}
        <Act do={() => send({ move: "pass" })}>Pass</Act>
      </p>
    </>
  );
}
