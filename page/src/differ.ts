// Two texts beside each other: which lines stand at the same place, and are not the same.

const MOST = 4_000_000; // pairs of lines that are compared; texts with more are read by eye

/** The differing lines of two texts, in order: each of the one with what stands in its place in the other. */
export function pairLines(first: string[], second: string[]): [string, string][] {
  if (first.length * second.length > MOST) return [];
  const width = second.length + 1;
  const common = new Uint32Array((first.length + 1) * width); // how many lines both have from here on
  for (let i = first.length - 1; i >= 0; i--)
    for (let j = second.length - 1; j >= 0; j--)
      common[i * width + j] = first[i] === second[j] ? common[(i + 1) * width + j + 1]! + 1 : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
  const pairs: [string, string][] = [];
  let [left, right]: [string[], string[]] = [[], []]; // since the last line that both have
  const close = () => {
    left.slice(0, right.length).forEach((line, k) => pairs.push([line, right[k]!]));
    [left, right] = [[], []];
  };
  for (let i = 0, j = 0; i < first.length || j < second.length; ) {
    if (i < first.length && first[i] === second[j]) close(), i++, j++;
    else if (j === second.length || (i < first.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!)) left.push(first[i++]!);
    else right.push(second[j++]!);
  }
  close();
  return pairs;
}
