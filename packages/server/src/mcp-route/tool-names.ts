/** Characters that every client takes in the name of a tool, and how many of them. */
const otherSigns = /[^A-Za-z0-9_-]/g;
const longest = 64;

/** Names of flows as names of tools, in their order; those that would be the same are numbered. */
export function toolNames(flows: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return flows.map((flow) => {
    const plain = flow.replaceAll(otherSigns, '_').slice(0, longest);
    let name = plain;
    for (let number = 2; taken.has(name); number += 1) {
      const end = `_${number}`;
      name = `${plain.slice(0, longest - end.length)}${end}`;
    }
    taken.add(name);
    return name;
  });
}
