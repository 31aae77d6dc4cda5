// What is decided in a consent negotiation, for whoever is asked: the proposal with what it means to them, what was said.
import type { Ballot, Question } from "../../../clients/typescript/graphbus";
import { foundSays } from "../found";
import { Names, T, useLoaded, whoOf } from "../kit";
import { api } from "../store";

export type About = Record<string, any>; // what the engine says of a question: each kind has its own, all of it is text to show
const KINDS = ["position", "turn", "consent", "red_lines", "minimum", "compare", "ballot", "opening", "read_back", "contradiction"];
export const isConsent = (question: Question) => question.id.startsWith("consent/") && KINDS.includes(question.kind);

export const Terms = ({ terms }: { terms: unknown }) => (
  <ul>
    {Array.isArray(terms)
      ? terms.map((one) => <li><T>{typeof one === "object" && one ? `${(one as About).issue ? `${(one as About).issue}: ` : ""}${(one as About).says}` : one}</T></li>)
      : Object.entries((terms ?? {}) as Record<string, unknown>).map(([issue, option]) => <li><T>{`${issue}: ${option}`}</T></li>)}
  </ul>
);

/** The proposal on the table as a table: what holds on each issue, what that means, what it is worth to whoever reads. */
function Standing({ about }: { about: About }) {
  const terms = about.proposal?.terms;
  if (!terms || Array.isArray(terms)) return terms ? <Terms terms={terms} /> : null;
  const worth = (issue: string, option: string): number | undefined => about.yours?.scores?.[issue]?.[option];
  const best = (issue: string) => Math.max(...Object.values((about.yours?.scores?.[issue] ?? {}) as Record<string, number>));
  const scored = Object.entries(terms).some(([issue, option]) => worth(issue, String(option)) !== undefined);
  return (
    <table class="terms">
      <thead><tr><th scope="col">Issue</th><th scope="col">It would be</th>{scored ? <th scope="col">To you</th> : null}</tr></thead>
      <tbody>
        {Object.entries(terms).map(([issue, option]) => {
          const value = worth(issue, String(option));
          const about_ = about.issues?.[issue];
          return (
            <tr>
              <th scope="row"><T>{about_?.title || issue}</T></th>
              <td><T>{option}</T>{about_?.meanings?.[String(option)] ? <small class="soft"> <T>{about_.meanings[String(option)]}</T></small> : null}</td>
              {scored ? <td>{value === undefined ? "" : `${value} of ${best(issue)}`}</td> : null}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const FACTS: Record<string, string> = { position_stated: "says", proposal_tabled: "proposes", discussed: "says", check_called: "asks for consent", consented: "consents", objected: "objects", passed: "passes", position_missed: "says nothing", stood_aside: "stands aside" };
const SPOKEN = ["position_stated", "discussed", "position_missed"];
const WORDS = ["priority", "rationale", "offer", "want", "text", "reason"] as const;

/** The objections to a proposal that was put to the vote, in the words of whoever objects. */
const reasonsOf = (said: unknown[], failed: About) =>
  (said as About[]).filter((one) => one.fact === "objected" && one.hash === failed.hash).map((one) => (failed.objectors?.length > 1 ? `${one.advocate}: ${one.reason}` : String(one.reason)));
const isTold = (said: unknown[], objection: About) => (said as About[]).some((one) => one.fact === "check_failed" && one.hash === objection.hash);

/** Who has said what, newest first: public words alone. */
export function Said({ said }: { said: unknown[] }) {
  if (!said.length) return <p class="soft">Nobody has said anything yet.</p>;
  return (
    <ol class="said">
      {[...said].reverse().map((one) => {
        if (typeof one === "string") return <li class="text"><T>{one}</T></li>;
        const fact = one as About;
        if (SPOKEN.includes(fact.fact) && !WORDS.some((name) => fact[name] && fact[name] !== (fact.by ?? fact.advocate))) return null; // nothing was said
        if (fact.fact === "check_failed") return <li><small class="soft">Not agreed: <Names names={fact.objectors ?? []} none="somebody" /> {fact.objectors?.length > 1 ? "object" : "objects"}</small>{reasonsOf(said, fact).map((why) => <p class="text"><T>{why}</T></p>)}</li>;
        if (fact.fact === "objected" && isTold(said, fact)) return null; // why nothing was agreed has said it
        const terms = fact.terms && !Array.isArray(fact.terms) ? Object.entries(fact.terms).map(([issue, option]) => `${issue}: ${option}`).join(", ") : (fact.terms ?? []).join?.("; ");
        return (
          <li>
            <strong><T>{whoOf(fact.by || fact.advocate)}</T></strong> <small class="soft">{FACTS[fact.fact] ?? String(fact.fact ?? "").replaceAll("_", " ")}</small>
            {[...WORDS.map((name) => fact[name]), terms].filter((text) => text && text !== (fact.by ?? fact.advocate)).map((text) => (isLong(fact.by || fact.advocate, text) && text !== terms ? <Found>{text}</Found> : <p class="text"><T>{text}</T></p>))}
          </li>
        );
      })}
    </ol>
  );
}

/** One's own ballot, as it was handed in. */
export function Handed({ ballot, open, ahead }: { ballot: Ballot; open: boolean; ahead?: Record<string, string[]> | null }) {
  return (
    <details open={open}>
      <summary>Your ballot, as you handed it in</summary>
      <ul class="list">{ballot.marks.map((one) => <li><T>{one.issue}</T>, <T>{one.option}</T>: <strong><T>{one.says}</T></strong></li>)}</ul>
      {ballot.marks.length ? <p class="soft">What is not named here counts as a no.</p> : <p class="soft">Nothing was marked: all of it counts as a no.</p>}
      {ballot.lines.length ? <p>Red lines: <T>{ballot.lines.join("; ")}</T></p> : null}
      {ahead ? <p class="good">You consent to a deal of these without being asked again, as long as this page is open: <T>{Object.entries(ahead).map(([issue, options]) => `${issue} ${options.join(" or ") || "(none of them)"}`).join(", ")}</T>.</p> : null}
      {ballot.share ? <p>No deal worth less than {ballot.share} percent of the best one.</p> : null}
    </details>
  );
}

export const isLong = (who: string | null | undefined, text: unknown) => who === "mediator" && String(text ?? "").length > 90;

/** Why a deal was found by the program: first what it means, and how it was found for whoever asks. */
export const Found = ({ children }: { children: unknown }) => <><p class="text">Worked out by GraphBus from what everybody answered.</p><details><summary>How it was found, and how sure that is</summary><T>{foundSays(String(children))}</T></details></>;

/** Who sits there, and who reads what is said here. */
export function Readers({ question: { kind, about: all } }: { question: Question }) {
  const about = all as About;
  const seats: string[] = about.advocates ? Object.keys(about.advocates) : [about.you, ...about.others];
  const isKept = kind === "position" && about.preferences !== "disclosed";
  return <p class="soft">At the table: <Names names={seats} none="" />. All of them read what you say here, and so does whoever operates this server.{isKept ? " But what you cannot accept is shown to nobody else: it stays in the record." : null}</p>;
}

/** What there is to decide: each point with its options. */
export const Points = ({ about }: { about: About }) => (
  <dl class="facts">{Object.entries((about.issues ?? {}) as Record<string, About>).map(([name, one]) => <><dt><T>{one.title || name}</T></dt><dd><T>{(one.options ?? []).join(", ")}</T></dd></>)}</dl>
);

export const titleOf = (question: Question) => {
  const about = question.about as About;
  const words: Record<string, string> = { consent: "Do you agree to this?", turn: "It is your turn", position: "What matters to you?" };
  return words[question.kind] ?? String(about.text ?? "");
};

/** What one marked oneself, beside what is proposed. */
function OwnBallot({ id }: { id: string }) {
  const { value } = useLoaded(() => api.getConsent(id), [id]);
  return value?.ballot ? <Handed ballot={value.ballot} open /> : null;
}

export function ConsentBody({ question }: { question: Question }) {
  const about = question.about as About;
  const crossed = (about.red_lines_crossed ?? []) as string[];
  const objections = Object.entries((about.proposal?.objections ?? {}) as Record<string, string>);
  return (
    <>
      {about.proposal ? <h4>On the table, by <T>{whoOf(about.proposal.by)}</T></h4> : question.kind === "turn" ? <p class="soft">Nothing is on the table yet. Whoever proposes first sets where it begins.</p> : null}
      <Standing about={about} />
      {question.kind === "consent" ? <OwnBallot id={question.id.split("/")[1]!} /> : null}
      {objections.map(([who, why]) => <p class="warn"><strong><T>{who}</T></strong> objects: <T>{why}</T></p>)}
      {crossed.length ? <p class="bad">It crosses your own red line: <T>{crossed.join("; ")}</T>. You can only object.</p> : null}
      {question.kind === "turn" && about.why_no_check ? <p class="soft">Consent cannot be asked for now: <T>{about.why_no_check}</T>.</p> : null}
      {question.kind === "position" && Object.values(about.given ?? {}).some(Boolean) ? <><h4>What the file says of you</h4><dl class="facts">{Object.entries(about.given as Record<string, string>).filter(([, text]) => text).map(([name, text]) => <><dt>{name.replaceAll("_", " ")}</dt><dd><T>{text}</T></dd></>)}</dl></> : null}
    </>
  );
}
