// Times and days in one form, wherever they stand: 2026-02-20 15:30:42, as ids of builds have it, in the reader's own zone.
const told = new Intl.DateTimeFormat("en-CA", { year: "numeric", month: "2-digit", day: "2-digit" }); // made once: making it is what costs
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });

/** The time of day of so many epoch seconds; empty where nobody knows. */
export const timeOf = (at: number | null | undefined) => (at ? clock.format(at * 1000) : "");

/** The day and the time. */
export const dayOf = (at: number) => {
  const part = Object.fromEntries(told.formatToParts(at * 1000).map(({ type, value }) => [type, value]));
  return `${part.year}-${part.month}-${part.day} ${timeOf(at)}`;
};
