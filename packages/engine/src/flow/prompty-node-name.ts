/** The node of the flow that a prompty is, by the name that stands in its file. */
export function promptyNodeName(name: string): string {
  return name.replaceAll(/\W+/g, '_').replaceAll(/^(?=\d)|^_+|_+$/g, '') || 'prompty';
}
