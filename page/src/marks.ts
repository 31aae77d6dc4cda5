// What somebody has marked in a form and not sent: kept in this tab, so that a reload loses nothing. The id of a question
// names its table and its seat.
const MARKS = "graphbus-marks";

type Kept = Record<string, Record<string, string | number>>; // by question, then by field

const kept = (): Kept => JSON.parse(sessionStorage.getItem(MARKS) ?? "{}");
const keep = (all: Kept) => sessionStorage.setItem(MARKS, JSON.stringify(all));

export interface Marks {
  read: (path: string) => string | number | undefined;
  write: (path: string, value: string | number) => void;
}

/** The marks in the form of this question. */
export const marksOf = (question: string): Marks => ({
  read: (path) => kept()[question]?.[path],
  write: (path, value) => keep({ ...kept(), [question]: { ...kept()[question], [path]: value } }),
});

/** What was sent is the server's from then on. */
export function forgetMarks(question: string) {
  const { [question]: sent, ...rest } = kept();
  if (sent) keep(rest);
}
