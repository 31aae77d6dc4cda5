// Links that do not fit, and links of which that could not be decided: counted, marked and named apart, in one place.
import type { Picture } from "../../clients/typescript/graphbus";

export const isMisfit = ({ state }: { state: string }) => state === "broken" || state === "undecided";

/** The links that do not fit, or of which that is not known: what `validate` finds. */
export const misfitsOf = (picture: Picture | null) => (picture?.links ?? []).filter(isMisfit);

/** How many of these links do not fit, and of how many that could not be decided: another thing, and another mend. */
export function countMisfits(wrong: { state: string }[]): string {
  const undecided = wrong.filter((one) => one.state === "undecided").length;
  const broken = wrong.filter((one) => one.state === "broken").length;
  const said = (n: number, one: string, more: string) => (n ? [`${n} ${n === 1 ? one : more}`] : []);
  return [...said(broken, "link does not fit", "links do not fit"), ...said(undecided, "link is undecided", "links are undecided")].join(", ");
}

/** What stands in the picture for each, and the word for it. */
export const MARKS: Record<string, [mark: string, word: string]> = { broken: ["✗", "does not fit"], undecided: ["?", "undecided"] };
export const wordOf = (state: string) => MARKS[state]?.[1] ?? state;
