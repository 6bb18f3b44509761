/** Writes a reference to a node's output: `${node.output}` or `${node.output.property}`. */
export function outputReference(node: string, property = ''): string {
  return property === '' ? `\${${node}.output}` : `\${${node}.output.${property}}`;
}
