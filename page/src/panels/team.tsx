// A team of coding agents: who works on which symbols, where two meet, what landed. One agent a column of the board.
import { useEffect, useState } from "preact/hooks";
import type { TeamOverlap, TeamSeatTold, TeamTold } from "../../../clients/typescript/graphbus";
import { Decide } from "../decide";
import { AnswerForm } from "../form";
import { Act, T, useLoaded, Says } from "../kit";
import { SeatLinks } from "../seats";
import { api, set, state, useStore } from "../store";
import type { Asked } from "./inbox";

const LOOK_MS = 4000; // agents work in their files, which nobody announces

/** The team of this name; of this project ("here") only where there is one. */
async function team(id: string): Promise<TeamTold> {
  if (id === "here" && state.me?.role !== "seat" && !(await api.listTeams()).items.length) throw new Error("Agents that each work in a branch of their own say here what they change, and settle where two meet.");
  return api.getTeam(id);
}

export function TeamPanel({ id }: { id: string }) {
  const { facts, me } = useStore();
  const [looks, look] = useState(0);
  const { value, error } = useLoaded(() => team(id), [id], [facts, looks]);
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && look((n) => n + 1), LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  const isOperator = me?.role !== "seat";
  if (!value) return error ? <NoTeam says={error} canBegin={isOperator} /> : <p class="soft">Loading …</p>;
  const open = value.questions.filter((one) => one.status === "open");
  const active = value.seats.filter((one) => one.status !== "left");
  return (
    <>
      <h2>{open.length ? `${open.length} ${open.length === 1 ? "overlap is" : "overlaps are"} not settled` : "Nothing is contested"}</h2>
      <p role="status">All land on <code><T>{value.base}</T></code>. {value.landings.length} landed.{value.tasks.length ? <> Tasks: <T>{value.tasks.join(", ")}</T>.</> : null}</p>
      {active.length ? (
        <div class="board">{active.map((one) => <Seat seat={one} board={value} />)}</div>
      ) : (
        <p class="soft">Nobody sits here yet. Each agent takes a seat with <code>graphbus team join NAME --worktree</code>.</p>
      )}
      {value.questions.some((one) => one.status !== "closed") ? <><h3>Overlaps</h3><ul class="list overlaps">{[...open, ...value.questions.filter((one) => one.status === "settled")].map((one) => <Overlap overlap={one} />)}</ul></> : null}
      {value.landings.length ? <><h3>Landed</h3><ul class="list">{[...value.landings].reverse().map((one) => <li><strong><T>{one.seat}</T></strong> <code>{one.commit.slice(0, 10)}</code>{one.changes.map((change) => <small class="soft"><T>{change}</T></small>)}</li>)}</ul></> : null}
      {value.broken.length ? <><h3>Said, and not done</h3><ul class="list">{value.broken.map((one) => <li class="bad"><strong><T>{one.seat}</T></strong>: <T>{one.promise}</T>{one.to.length ? <small class="soft">told to <T>{one.to.join(", ")}</T></small> : null}</li>)}</ul></> : null}
      {isOperator ? <SeatLinks table={`team/${id}`} names={active.map((one) => one.seat)} /> : null}
    </>
  );
}

/** One agent: its claims by file, so that two columns can be compared. */
function Seat({ seat, board }: { seat: TeamSeatTold; board: TeamTold }) {
  const open = board.questions.filter((one) => one.status === "open" && one.seats.includes(seat.seat));
  const contested = new Set(open.map((one) => one.about));
  const landings = board.landings.filter((one) => one.seat === seat.seat).length;
  const says = open.some((one) => !one.accepted[seat.seat]) ? ["warn", "is asked"] : open.length ? ["soft", "waits for the other"] : seat.status === "lapsed" ? ["soft", "silent, no claims"] : seat.claims.length ? ["good", "works"] : landings ? ["good", "landed"] : ["soft", "no plan yet"];
  return (
    <section class="card" aria-label={`Seat ${seat.seat}`}>
      <h3><T>{seat.seat}</T> <small class={says[0]}>{says[1]}</small></h3>
      <p class="soft"><T>{seat.branch}</T></p>
      {seat.note ? <p class="warn"><T>{seat.note}</T></p> : null}
      <ul class="claims">
        {seat.claims.map((claim) => {
          const [symbol = "", ...rest] = claim.split(": ");
          const [file = "", name = ""] = symbol.split("::");
          return <li class={contested.has(symbol) ? "warn" : ""}><code><T>{name}</T></code> <T>{rest.join(": ")}</T><small class="soft"><T>{file}</T>{contested.has(symbol) ? ", contested" : ""}</small></li>;
        })}
      </ul>
    </section>
  );
}

function Overlap({ overlap }: { overlap: TeamOverlap }) {
  const settled = overlap.choices.find((one) => one.hash === overlap.settled);
  const waits = overlap.seats.filter((one) => !overlap.accepted[one]);
  return (
    <li>
      <strong><T>{overlap.seats.join(" and ")}</T></strong> <code><T>{overlap.about}</T></code>
      {settled ? <small class="good">settled: <T>{settled.text}</T></small> : <><small class="warn"><T>{overlap.text}</T></small><small class="soft">{waits.length ? <>waits for <T>{waits.join(" and ")}</T></> : "each accepted another choice"}</small></>}
    </li>
  );
}

function NoTeam({ says, canBegin }: { says: string; canBegin: boolean }) {
  const [task, type] = useState("");
  const begin = async () => {
    await api.startTeam({ tasks: task.trim() ? [{ name: "task", text: task }] : [] });
    set({ facts: state.facts + 1 });
  };
  return (
    <>
      <h2>A team of coding agents</h2>
      <p class="soft"><Says>{says}</Says></p>
      {canBegin ? <><label><span>What is to be done (optional)</span><textarea rows={5} value={task} onInput={(e) => type(e.currentTarget.value)} /></label><p class="row"><Act class="primary" do={begin}>Begin a team</Act></p></> : null}
    </>
  );
}

/** What two seats have to settle: a button for each choice, or another one in words. */
export function Settle({ question, about, asks, send }: Asked) {
  return (
    <Decide
      question={question}
      asks={asks}
      title={<T>{about.symbol}</T>}
      centre={<p class="text"><T>{about.text}</T></p>}
      beside={about.accepted_by_other ? <p><strong><T>{about.with}</T></strong> would take: <T>{about.accepted_by_other}</T></p> : <p class="soft"><T>{about.with}</T> has not answered.</p>}
    >
      <AnswerForm schema={question.answer_schema} send={send} />
    </Decide>
  );
}
