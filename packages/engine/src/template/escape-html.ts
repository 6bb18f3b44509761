const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&#39;',
  '"': '&#34;',
};

/** markupsafe's escape of a text. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>'"]/g, (character) => entities[character] ?? character);
}
