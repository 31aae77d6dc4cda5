// What proves that a link does not fit: each payload once, with its reasons.
import type { DataLink } from "../../clients/typescript/graphbus";
import { shown } from "./json";

export interface Proof {
  reason: string;
  payload: unknown;
}

/** Each payload once, with all the reasons that it proves. */
export function payloadsOf(proofs: Proof[]): { reasons: string[]; payload: unknown }[] {
  const kept = new Map<string, { reasons: string[]; payload: unknown }>();
  for (const { reason, payload } of proofs) {
    const key = shown(payload);
    const one = kept.get(key) ?? { reasons: [], payload };
    kept.set(key, { ...one, reasons: [...one.reasons, reason] });
  }
  return [...kept.values()];
}

/** Each reason of a link with the payload that proves it; with `field`, those of that field alone, if there are any. */
export function proofsOf(link: DataLink, field?: string): Proof[] {
  const head = (path: string) => path.split(/[.[]/)[0];
  const of = field ? link.proofs.filter((one) => head(one.path) === head(field)) : [];
  return of.length ? of : link.proofs;
}
