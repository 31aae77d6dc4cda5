// Why the program put a deal, as a colleague would say it. The log has the sentence that is verified; here it is only told.

/** A greater product means that in proportion some would win more by it than the others lose: this says it without one. */
const BEST = "With any other deal some would lose more, in proportion, than the others would win.";
const KNOWN = "No deal that was looked at would give some people more, in proportion, than it takes from the others.";

/** Why a deal was put; a sentence that is not known here stays as it was written. */
export const foundSays = (text: string): string => sealedSays(text) ?? openSays(text) ?? text;

/** A sealed deal: found from answers that nobody else reads. */
function sealedSays(text: string): string | null {
  const [, people, rest = ""] = /^Found from what each of the (\d+) parties said in private: \d+ questions, .*? make the greatest product([^]*)$/.exec(text) ?? [];
  if (!people) return null;
  const begin = `${people} at the table said in private what they like; the deals were compared by that alone.`;
  const share = /at least ([\d.]+)% of the best possible one/.exec(rest)?.[1];
  const steps = /each grade right to ([\d.]+) step/.exec(rest)?.[1];
  if (/point depends on another/.test(rest)) return `${begin} ${KNOWN} To somebody one point depends on another, so it is not known how much better a deal could be.`;
  if (!steps) return `${begin} ${KNOWN} How much better a deal could be is not known.`;
  const sure = `This is sure if to each of you every point counts by itself, and your answers are right to within ${steps} ${steps === "1" ? "step" : "steps"}.`;
  return share ? `${begin} It reaches at least ${share}% of the best possible deal. ${sure}` : `${begin} ${BEST} ${sure}`;
}

/** A deal of a table where everything is open. */
function openSays(text: string): string | null {
  const found = /^The greatest( known)? product of what (?:each gains over its minimum|(.+) gain over their minimums)([^]*)$/.exec(text);
  if (!found) return null;
  const [, known, of, rest = ""] = found;
  const among = of ? ` Only ${of} were counted.` : "";
  const out = /\. (.+ cannot be content with any terms that the others can accept)$/.exec(rest)?.[1];
  if (known) {
    const times = /at most (.+?) as great/.exec(rest)?.[1];
    return `${KNOWN}${among} There was no time to look at all of them${times ? `: by the measure that compares them, the best could be up to ${times} as good` : ""}.`;
  }
  return `${BEST}${among} ${of ? "None of them" : "Nobody"} can win without another losing.${out ? ` ${out}.` : ""}`;
}
