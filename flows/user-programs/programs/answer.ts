/** The one form of answer that a user program gives. */
export function answer(text: string) {
  return { content: [{ type: 'text', text }] };
}
